package milvus

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/store"
)

// Manifest returns all documents.
func (s *Store) Manifest(ctx context.Context) ([]store.Document, error) {
	r, err := s.root(ctx)
	if err != nil {
		return nil, err
	}
	var all []store.Document
	err = s.manifest.each(ctx, "", func(one row) error {
		if one.key == rootKey {
			return nil
		}
		l, err := newLine(one)
		if err != nil {
			return errNoStore
		}
		if is := l.at(r.Version); is != nil {
			all = append(all, is.Document)
		}
		return nil
	})
	return all, err
}

// Get returns the chunks of these ids.
func (s *Store) Get(ctx context.Context, ids ...string) ([]chunker.Chunk, error) {
	var all []chunker.Chunk
	err := s.read(ctx, func(ctx context.Context, r *root) error {
		var rows []stored
		for _, e := range r.Embedders {
			c, err := s.collection(ctx, e)
			if err != nil {
				return err
			}
			for some := range slices.Chunk(ids, batchKeys) {
				slots, err := c.slots(ctx, hashExpression(some))
				if err != nil {
					return err
				}
				if err := c.get(ctx, slots, false, func(row stored) error { rows = append(rows, row); return nil }); err != nil {
					return err
				}
			}
		}
		found, err := s.current(ctx, r, rows)
		if err != nil {
			return err
		}
		all = nil
		for _, id := range ids {
			if c, ok := found[id]; ok {
				all = append(all, c)
			}
		}
		return nil
	})
	return all, err
}

func hashExpression(ids []string) string {
	hashes := make([]int64, len(ids))
	for i, id := range ids {
		hashes[i] = hash(id)
	}
	list, _ := json.Marshal(hashes) // numbers: cannot fail
	return "hash in " + string(list)
}

// current returns the chunks by id of those rows that are part of their
// document. What a writer is about to add or to delete is not.
func (s *Store) current(ctx context.Context, r *root, rows []stored) (map[string]chunker.Chunk, error) {
	keys := make([]string, len(rows))
	for i := range rows {
		keys[i] = lineKey(rows[i].DocID)
	}
	lines, err := s.lines(ctx, keys...)
	if err != nil {
		return nil, err
	}
	found := map[string]chunker.Chunk{}
	for i, row := range rows {
		l := lines[keys[i]]
		if is := l.at(r.Version); is != nil && is.First <= row.slot && row.slot < is.span().To {
			found[row.ID] = row.Chunk
		}
	}
	return found, nil
}

// Document returns the chunks of a document.
func (s *Store) Document(ctx context.Context, docID string) ([]chunker.Chunk, error) {
	var all []chunker.Chunk
	err := s.read(ctx, func(ctx context.Context, r *root) error {
		all = nil
		key := lineKey(docID)
		lines, err := s.lines(ctx, key)
		if err != nil {
			return err
		}
		l := lines[key]
		is := l.at(r.Version)
		if is == nil {
			return nil
		}
		rows, err := s.ofDocument(ctx, r, is, false)
		for _, row := range rows {
			all = append(all, row.Chunk)
		}
		return err
	})
	return all, err
}

// ofDocument returns the chunks of a document in their order.
func (s *Store) ofDocument(ctx context.Context, r *root, is *state, withVectors bool) ([]stored, error) {
	if is.Collection >= len(r.Embedders) {
		return nil, errChanged // there is a newer version
	}
	c, err := s.collection(ctx, r.Embedders[is.Collection])
	if err != nil {
		return nil, err
	}
	found := map[int64]stored{}
	if err := c.get(ctx, is.span().slots(), withVectors, func(row stored) error { found[row.slot] = row; return nil }); err != nil {
		return nil, err
	}
	if len(found) != is.Chunks {
		return nil, errChanged
	}
	rows := make([]stored, 0, len(found))
	for _, slot := range slices.Sorted(maps.Keys(found)) {
		rows = append(rows, found[slot])
	}
	return rows, nil
}
