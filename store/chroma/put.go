package chroma

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/coarse"
	"github.com/cantle/cantle/store/internal/prepare"
)

// noVector stands where Chroma wants one and there is none.
var noVector = []float32{1}

// Put puts the documents; each appears at once, with its line of the manifest.
func (s *Store) Put(ctx context.Context, entries ...store.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	entries, err := prepare.Valid(entries)
	if err != nil {
		return err
	}
	return s.locked(ctx, func(ctx context.Context, t *ticket) error {
		ids := make([]string, len(entries))
		for i := range entries {
			ids[i] = entries[i].ID
		}
		lines, err := s.lines(ctx, ids)
		if err != nil {
			return err
		}
		if err := s.clear(ctx, lines); err != nil { // what a crash has left
			return err
		}
		// Note what is going to be written, so that it is found should this end here.
		generations := make([]string, len(entries))
		var noted, final, done batch
		for i := range entries {
			e := &entries[i]
			generations[i] = rand.Text()[:12]
			was := lines[e.ID]
			l := was
			if l.generation == "" {
				l = line{Document: e.Document}
			}
			l.pending, l.former = generations[i], e.Embedder
			noted.add(e.ID, noVector, "", l.metadata())
			l = line{Document: e.Document, generation: generations[i], pending: was.generation, former: was.Embedder}
			final.add(e.ID, noVector, "", l.metadata())
			l.pending, l.former = "", ""
			done.add(e.ID, noVector, "", l.metadata())
			lines[e.ID] = line{Document: e.Document, pending: was.generation, former: was.Embedder}
		}
		if err := t.put(ctx, &noted); err != nil {
			return err
		}
		if err := s.write(ctx, entries, generations); err != nil {
			return err
		}
		if err := t.newEpoch(ctx); err != nil {
			return err
		}
		if err := t.put(ctx, &final); err != nil {
			return err
		}
		if err := s.clear(ctx, lines); err != nil {
			return err
		}
		return t.put(ctx, &done)
	})
}

// write writes the chunks.
func (s *Store) write(ctx context.Context, entries []store.Entry, generations []string) error {
	waiting := map[string]*batch{} // by collection
	for i := range entries {
		e := &entries[i]
		for position := range e.Records {
			r := &e.Records[position]
			embedder, vector := e.Embedder, r.Vector
			if vector == nil || !store.Searchable(&r.Chunk) {
				embedder, vector = "", noVector
			}
			id, err := s.collection(ctx, embedder, true)
			if err != nil {
				return err
			}
			b, err := r.AppendJSON(nil)
			if err != nil {
				return fmt.Errorf("%s: %w", e.ID, err)
			}
			m := coarse.Metadata(r)
			m["record"], m["generation"], m["position"], m["searchable"] = string(b), generations[i], position, store.Searchable(&r.Chunk)
			if waiting[id] == nil {
				waiting[id] = &batch{}
			}
			waiting[id].add(r.ID+"@"+generations[i], vector, strings.ReplaceAll(r.Embedded(), "\x00", " "), m) // where Chroma's search for words would end
			if len(waiting[id].IDs) == batchRows {
				if err := s.client.upsert(ctx, id, waiting[id]); err != nil {
					return err
				}
				delete(waiting, id)
			}
		}
	}
	for id, b := range waiting {
		if err := s.client.upsert(ctx, id, b); err != nil {
			return err
		}
	}
	return nil
}

// clear deletes the chunks of the generations that lines name as pending.
func (s *Store) clear(ctx context.Context, lines map[string]line) error {
	byEmbedder := map[string][]string{}
	for _, l := range lines {
		if l.pending != "" {
			for _, embedder := range distinct(l.former, "") {
				byEmbedder[embedder] = append(byEmbedder[embedder], l.pending)
			}
		}
	}
	for embedder, generations := range byEmbedder {
		id, err := s.collection(ctx, embedder, false)
		if err != nil {
			return err
		}
		for some := range slices.Chunk(generations, batchRows) {
			if err := s.client.deleteWhere(ctx, id, nil, in("generation", some)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Delete removes the documents: first for searchers, then their chunks.
func (s *Store) Delete(ctx context.Context, docIDs ...string) error {
	if len(docIDs) == 0 {
		return nil
	}
	return s.locked(ctx, func(ctx context.Context, t *ticket) error {
		lines, err := s.lines(ctx, docIDs)
		if err != nil || len(lines) == 0 {
			return err
		}
		if err := s.clear(ctx, lines); err != nil {
			return err
		}
		var noted batch
		var ids []string
		for id, l := range lines {
			gone := line{Document: l.Document, pending: l.generation, former: l.Embedder}
			noted.add(id, noVector, "", gone.metadata())
			lines[id] = gone
			ids = append(ids, id)
		}
		if err := t.newEpoch(ctx); err != nil {
			return err
		}
		if err := t.put(ctx, &noted); err != nil {
			return err
		}
		if err := s.clear(ctx, lines); err != nil {
			return err
		}
		return t.delete(ctx, ids)
	})
}
