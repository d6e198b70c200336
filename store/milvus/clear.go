package milvus

import (
	"context"
	"fmt"
)

// clear deletes what a version no longer needs, and says so in the root.
func (s *Store) clear(ctx context.Context, r *root) error {
	byEmbedder := map[int][]int64{}
	for _, gone := range r.Gone.Spans {
		byEmbedder[gone.Embedder] = append(byEmbedder[gone.Embedder], gone.slots()...)
	}
	for e, slots := range byEmbedder {
		if err := s.chunks(r.Embedders[e]).delete(ctx, slots); err != nil {
			return err
		}
	}
	if err := s.index.delete(ctx, r.Gone.Index...); err != nil {
		return err
	}
	if err := s.manifest.delete(ctx, r.Gone.Documents...); err != nil {
		return err
	}
	r.Gone, r.IsDirty = gone{}, false
	return s.setRoot(ctx, r)
}

// leap is how many slots are passed over after a writer died, more than it can
// have been about to use: should it be alive after all, what it has on its way
// does not meet what others write.
const leap = 1 << 24

// recover clears what a writer left behind that died: before the root of its
// version what it wrote, after it what it did not delete any more.
func (s *Store) recover(ctx context.Context, r *root) (*root, error) {
	for _, e := range r.Embedders {
		c, err := s.collection(ctx, e)
		if err == nil {
			err = c.deleteWhere(ctx, fmt.Sprintf("slot >= %d", r.Next))
		}
		if err != nil {
			return nil, err
		}
	}
	newer := fmt.Sprintf("since > %d", r.Version)
	if err := s.index.deleteWhere(ctx, newer); err != nil {
		return nil, err
	}
	var back []row
	var gone []string
	err := s.manifest.each(ctx, newer, func(one row) error {
		l, err := newLine(one)
		if err != nil {
			return errNoStore
		}
		if l.Was == nil {
			gone = append(gone, one.key)
			return nil
		}
		one, err = newRow(one.key, 0, line{Is: l.Was})
		back = append(back, one)
		return err
	})
	if err == nil {
		err = s.manifest.put(ctx, back...)
	}
	if err == nil {
		err = s.manifest.delete(ctx, gone...)
	}
	if err == nil {
		r.Next += leap
		err = s.clear(ctx, r)
	}
	return r, err
}
