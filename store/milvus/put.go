package milvus

import (
	"context"
	"fmt"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/prepare"
)

// Put puts the documents as one version.
func (s *Store) Put(ctx context.Context, entries ...store.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	documents, err := prepare.Documents(ctx, entries)
	if err != nil {
		return err
	}
	list := make([]incoming, len(documents))
	for i := range documents {
		if list[i], err = newIncoming(&documents[i]); err != nil {
			return fmt.Errorf("%s: %w", documents[i].ID, err)
		}
	}
	return s.change(ctx, list, nil)
}

// Delete removes the documents as one version.
func (s *Store) Delete(ctx context.Context, docIDs ...string) error {
	if len(docIDs) == 0 {
		return nil
	}
	return s.change(ctx, nil, docIDs)
}

// An incoming document is to be written.
type incoming struct {
	store.Document
	embedder embedder // whose collection it goes into
	chunks   []stored
	terms    [][]string // of each chunk
}

func newIncoming(d *prepare.Document) (incoming, error) {
	in := incoming{Document: d.Document}
	for i := range d.Rows {
		r := &d.Rows[i]
		c := stored{Chunk: r.Record.Chunk, record: r.JSON}
		if v := r.Record.Vector; v != nil && store.Searchable(&c.Chunk) {
			if in.embedder.Dim == 0 {
				in.embedder = embedder{d.Embedder, len(v)}
			}
			if len(v) != in.embedder.Dim {
				return in, fmt.Errorf("a vector of %d floats among others of %d", len(v), in.embedder.Dim)
			}
			c.hasVector, c.vector = true, v
		}
		in.chunks, in.terms = append(in.chunks, c), append(in.terms, r.Terms)
	}
	return in, nil
}

// change puts and deletes documents.
func (s *Store) change(ctx context.Context, put []incoming, remove []string) error {
	return s.locked(ctx, func(ctx context.Context, t *ticket) error {
		now, err := s.root(ctx)
		if err != nil {
			return err
		}
		if now.IsDirty {
			if now, err = s.recover(ctx, now); err != nil {
				return err
			}
		}
		w := s.writer(now)
		for i := range put {
			remove = append(remove, put[i].ID)
		}
		if err := w.remove(ctx, remove); err != nil {
			return err
		}
		moved, err := w.merge(ctx)
		if err != nil {
			return err
		}
		if err := w.place(append(put, moved...)); err != nil {
			return err
		}
		if len(w.lines) == 0 {
			return nil
		}
		if err := w.finish(); err != nil {
			return err
		}
		if err := w.write(ctx); err != nil {
			return err
		}
		if err := t.live(ctx); err != nil {
			return err
		}
		if err := s.setRoot(ctx, w.next); err != nil {
			return err
		}
		return s.clear(ctx, w.next)
	})
}
