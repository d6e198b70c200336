package milvus

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/cantle/cantle/rank"
	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/inverted"
)

// Search searches. All it finds is of one version of the store.
func (s *Store) Search(ctx context.Context, q store.Query) (hits []store.Hit, err error) {
	if q, err = q.Resolve(); err != nil {
		return nil, err
	}
	err = s.read(ctx, func(ctx context.Context, r *root) error {
		hits, err = s.search(ctx, r, q)
		return err
	})
	return hits, err
}

// A search is one of one version.
type search struct {
	ctx   context.Context
	store *Store
	root  *root
	*contents
	query store.Query
	expr  string           // what the server is asked of the filter
	found map[int64]stored // what was read, by slot
}

// contents are what all blocks of a version hold.
type contents struct {
	version int64
	blocks  inverted.Blocks
	begins  map[int64][]begin
}

func (s *Store) search(ctx context.Context, r *root, q store.Query) ([]store.Hit, error) {
	all, err := s.contents(ctx, r)
	if err != nil {
		return nil, err
	}
	run := &search{ctx, s, r, all, q, expression(q.Where), map[int64]stored{}}
	ranking, err := inverted.Rank(q, run.places, run.keywords, run.nearest)
	if err != nil {
		return nil, err
	}
	hits := make([]store.Hit, len(ranking))
	if err := run.fetch(items(ranking)); err != nil {
		return nil, err
	}
	for i, f := range ranking {
		hits[i] = store.Hit{Chunk: run.found[f.Item].Chunk, Score: f.Score}
	}
	return hits, nil
}

// contents reads the contents of a version, or has them in memory.
func (s *Store) contents(ctx context.Context, r *root) (*contents, error) {
	s.mu.Lock()
	latest := s.latest
	s.mu.Unlock()
	if latest != nil && latest.version == r.Version {
		return latest, nil
	}
	blocks, err := s.lengths(ctx, r.Blocks)
	if err != nil {
		return nil, err
	}
	begins, err := s.begins(ctx, r.Blocks)
	if err != nil {
		return nil, err
	}
	latest = &contents{r.Version, blocks, begins}
	s.mu.Lock()
	s.latest = latest
	s.mu.Unlock()
	return latest, nil
}

func items(ranking []inverted.Scored) []int64 {
	slots := make([]int64, len(ranking))
	for i, f := range ranking {
		slots[i] = f.Item
	}
	return slots
}

// fetch reads the chunks of slots that were not read yet.
func (run *search) fetch(slots []int64) error {
	missing := map[int][]int64{} // by embedder
	n := 0
	for _, slot := range slots {
		if _, ok := run.found[slot]; ok {
			continue
		}
		b := run.root.block(slot / inverted.BlockSlots)
		if b == nil {
			return errNoStore
		}
		missing[b.Embedder] = append(missing[b.Embedder], slot)
		n++
	}
	for e, slots := range missing {
		c, err := run.store.collection(run.ctx, run.root.Embedders[e])
		if err != nil {
			return err
		}
		if err := c.get(run.ctx, slots, false, func(r stored) error { run.found[r.slot] = r; n--; return nil }); err != nil {
			return err
		}
	}
	if n > 0 {
		return errChanged
	}
	return nil
}

// places returns the document of each slot; the chunks of a document are in the
// order of their slots.
func (run *search) places(slots []int64) (map[int64]inverted.Place, error) {
	at := make(map[int64]inverted.Place, len(slots))
	for _, slot := range slots {
		list := run.begins[slot/inverted.BlockSlots]
		i := sort.Search(len(list), func(i int) bool { return list[i].Slot > slot })
		if i == 0 {
			return nil, errNoStore
		}
		at[slot] = inverted.Place{Doc: list[i-1].Doc, Position: int(slot)}
	}
	return at, nil
}

// keywords scores the chunks that share a term with the query. Where there is a
// filter it reads the best of them, and more and more, until enough are let
// through; the server is asked which can be when the first are not enough.
func (run *search) keywords(depth int) ([]inverted.Scored, error) {
	var a rank.Analyzer
	terms := a.Terms(nil, run.query.Text)
	lists, err := run.store.lists(run.ctx, run.root, terms)
	if err != nil {
		return nil, err
	}
	all, err := run.blocks.Search(terms, lists, nil)
	if err != nil || run.query.Where == nil {
		return all, err
	}
	for n, isFirst := 2*depth+100, true; ; n, isFirst = 4*n, false {
		best, err := inverted.Best(slices.Clone(all), n, run.places)
		if err != nil {
			return nil, err
		}
		if err := run.fetch(items(best)); err != nil {
			return nil, err
		}
		through := slices.DeleteFunc(best, func(f inverted.Scored) bool {
			r := run.found[f.Item]
			return !run.query.Where.Match(&r.Chunk)
		})
		if len(through) >= depth || n >= len(all) {
			return through, nil
		}
		if isFirst && run.expr != "" {
			allowed, err := run.allowed()
			if err != nil {
				return nil, err
			}
			all = slices.DeleteFunc(all, func(f inverted.Scored) bool { return !allowed[f.Item] })
		}
	}
}

// allowed returns the slots that the server lets through.
func (run *search) allowed() (map[int64]bool, error) {
	allowed := map[int64]bool{}
	for _, e := range run.root.Embedders {
		c, err := run.store.collection(run.ctx, e)
		if err != nil {
			return nil, err
		}
		slots, err := c.slots(run.ctx, run.expr)
		if err != nil {
			return nil, err
		}
		for _, slot := range slots {
			allowed[slot] = true
		}
	}
	return allowed, nil
}

// nearest asks for more and more, until enough of what comes are let through.
func (run *search) nearest(depth int) ([]inverted.Scored, error) {
	q := run.query
	i := run.root.embedder(q.Embedder)
	if i < 0 || q.Embedder == "" {
		bad := &store.EmbedderError{Want: q.Embedder}
		for _, e := range run.root.Embedders {
			if e.Name != "" {
				bad.Have = append(bad.Have, e.Name)
			}
		}
		slices.Sort(bad.Have)
		return nil, bad
	}
	e := run.root.Embedders[i]
	if len(q.Vector) != e.Dim {
		return nil, fmt.Errorf("the query's vector has %d floats, those of %s have %d", len(q.Vector), q.Embedder, e.Dim)
	}
	c, err := run.store.collection(run.ctx, e)
	if err != nil {
		return nil, err
	}
	for n := 2*depth + 10; ; n *= 4 {
		n = min(n, maxRows)
		rows, err := c.nearest(run.ctx, q.Vector, n, run.expr)
		if err != nil {
			return nil, err
		}
		var through []inverted.Scored
		for _, r := range rows {
			if r.hasVector && run.blocks.IsLive(r.slot) && (q.Where == nil || q.Where.Match(&r.Chunk)) {
				run.found[r.slot] = r
				through = append(through, inverted.Scored{Item: r.slot, Score: r.score})
			}
		}
		if len(through) >= depth || len(rows) < n || n == maxRows {
			return through, nil
		}
	}
}
