package milvus

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cantle/cantle/rank"
	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/inverted"
)

// A writer makes a version of the store.
type writer struct {
	store  *Store
	now    *root             // what is there
	next   *root             // what is to be
	blocks inverted.Blocks   // that change or are new
	lines  map[string]line   // of documents that change, by key
	chunks map[int][]stored  // that are new, by embedder
	begins map[int64][]begin // of documents that are new, by block
	index  []row             // that are new
}

func (s *Store) writer(now *root) *writer {
	w := &writer{s, now, now.clone(), inverted.Blocks{}, map[string]line{}, map[int][]stored{}, map[int64][]begin{}, nil}
	w.next.Version++
	w.next.IsDirty = true
	return w
}

// remove takes documents out of the next version.
func (w *writer) remove(ctx context.Context, docIDs []string) error {
	keys := make([]string, len(docIDs))
	for i, id := range docIDs {
		keys[i] = lineKey(id)
	}
	lines, err := w.store.lines(ctx, keys...)
	if err != nil {
		return err
	}
	return w.retire(ctx, lines)
}

func (w *writer) retire(ctx context.Context, lines map[string]line) error {
	var affected []block
	for key, l := range lines {
		is := l.at(w.now.Version)
		if is == nil {
			continue
		}
		w.lines[key] = line{Was: is, since: w.next.Version}
		w.next.Gone.Spans = append(w.next.Gone.Spans, is.span())
		for n := is.First / inverted.BlockSlots; is.Chunks > 0 && n <= (is.span().To-1)/inverted.BlockSlots; n++ {
			if b := w.now.block(n); b != nil && w.blocks[n] == nil {
				w.blocks[n] = inverted.New() // until it is read
				affected = append(affected, *b)
			}
		}
	}
	read, err := w.store.lengths(ctx, affected)
	if err != nil {
		return err
	}
	maps.Copy(w.blocks, read)
	for key := range lines {
		if l, ok := w.lines[key]; ok {
			for _, slot := range l.Was.span().slots() {
				if b := w.blocks[slot/inverted.BlockSlots]; b != nil {
					b.Remove(slot)
				}
			}
		}
	}
	return nil
}

// A block that holds fewer chunks than sparse, which is less than a Writer puts
// at once, is sparse. Of such there may be maxSparse; then their documents move
// into new ones together, so that searches need not look into many.
const (
	sparse    = inverted.BlockSlots / 8
	maxSparse = 32
)

// merge takes the documents of sparse blocks out of the next version, if these
// are too many, and returns them, to be put again. A block that only has the end
// of a large document stays.
func (w *writer) merge(ctx context.Context) ([]incoming, error) {
	var blocks []block
	for _, b := range w.next.Blocks {
		if is, ok := w.blocks[b.Number]; ok {
			b.Live = is.Live
		}
		if b.Live > 0 && b.Live < sparse {
			blocks = append(blocks, b)
		}
	}
	if len(blocks) <= maxSparse {
		return nil, nil
	}
	begins, err := w.store.begins(ctx, blocks)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, list := range begins {
		for _, b := range list {
			keys = append(keys, lineKey(b.Doc))
		}
	}
	lines, err := w.store.lines(ctx, keys...)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(lines, func(key string, l line) bool {
		is := l.at(w.now.Version)
		_, isTaken := w.lines[key]
		return is == nil || isTaken || !slices.ContainsFunc(blocks, func(b block) bool { return b.Number == is.First/inverted.BlockSlots })
	})
	var moved []incoming
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		l := lines[key]
		in, err := w.again(ctx, l.at(w.now.Version))
		if err != nil {
			return nil, err
		}
		moved = append(moved, in)
	}
	return moved, w.retire(ctx, lines)
}

// again returns a document that is there as one to be put.
func (w *writer) again(ctx context.Context, is *state) (incoming, error) {
	in := incoming{Document: is.Document, embedder: w.now.Embedders[is.Collection]}
	var err error
	in.chunks, err = w.store.ofDocument(ctx, w.now, is, true)
	var a rank.Analyzer
	for i := range in.chunks {
		var terms []string
		if c := &in.chunks[i].Chunk; store.Searchable(c) {
			terms = a.Index(nil, c.Embedded())
		}
		in.terms = append(in.terms, terms)
	}
	return in, err
}

// place gives documents slots in blocks of their own, those of an embedder
// together.
func (w *writer) place(put []incoming) error {
	slices.SortStableFunc(put, func(a, b incoming) int { return strings.Compare(a.embedder.Name, b.embedder.Name) })
	for i := range put {
		in := &put[i]
		if i == 0 || in.embedder.Name != put[i-1].embedder.Name {
			w.next.Next = (w.next.Next + inverted.BlockSlots - 1) / inverted.BlockSlots * inverted.BlockSlots
		}
		e := w.next.embedder(in.embedder.Name)
		if e < 0 {
			e = len(w.next.Embedders)
			w.next.Embedders = append(w.next.Embedders, in.embedder)
		}
		if have := w.next.Embedders[e].Dim; have != in.embedder.Dim {
			return fmt.Errorf("%s: a vector of %d floats, those of %s in the store have %d", in.ID, in.embedder.Dim, in.embedder.Name, have)
		}
		is := &state{in.Document, e, w.next.Next}
		key := lineKey(in.ID)
		w.lines[key] = line{w.lines[key].Was, is, w.next.Version}
		for j := range in.chunks {
			slot := w.next.Next
			w.next.Next++
			in.chunks[j].slot = slot
			if number := slot / inverted.BlockSlots; j == 0 || slot%inverted.BlockSlots == 0 {
				w.begins[number] = append(w.begins[number], begin{slot, in.ID})
			}
			if store.Searchable(&in.chunks[j].Chunk) {
				w.newBlock(slot/inverted.BlockSlots, e).Add(slot, in.terms[j])
			}
			if b := w.next.block(slot / inverted.BlockSlots); b != nil {
				b.Used = slot - b.first() + 1
			}
		}
		w.chunks[e] = append(w.chunks[e], in.chunks...)
	}
	return nil
}

// newBlock returns a block of the next version that is not in this one.
func (w *writer) newBlock(number int64, e int) *inverted.Block {
	if w.blocks[number] == nil {
		w.blocks[number] = inverted.New()
		w.next.Blocks = append(w.next.Blocks, block{Number: number, Embedder: e}) // numbers grow
	}
	return w.blocks[number]
}

// finish says in the next root what has become of blocks and documents.
func (w *writer) finish() error {
	gone := &w.next.Gone
	for key, l := range w.lines {
		if l.Is == nil {
			gone.Documents = append(gone.Documents, key)
		}
	}
	w.next.Blocks = slices.DeleteFunc(w.next.Blocks, func(b block) bool {
		is := w.blocks[b.Number]
		if is == nil || is.Live > 0 {
			return false
		}
		gone.Index = append(gone.Index, b.keys()...)
		return true
	})
	for i := range w.next.Blocks {
		b := &w.next.Blocks[i]
		is := w.blocks[b.Number]
		if is == nil {
			continue
		}
		if isNew := b.Since == 0; isNew {
			b.Buckets = bucketsFor(len(is.Added))
			begins, err := newRow(b.beginsKey(), w.next.Version, w.begins[b.Number])
			if err != nil {
				return err
			}
			w.index = append(append(w.index, begins), postingsRows(b, is.Added, w.next.Version)...)
		} else {
			gone.Index = append(gone.Index, b.lengthsKey())
		}
		b.Since, b.Live, b.Terms = w.next.Version, is.Live, is.Terms
		w.index = append(w.index, lengthsRow(b, is))
	}
	return nil
}

// write writes what only the next root makes part of the store.
func (w *writer) write(ctx context.Context) error {
	w.now.IsDirty = true
	if err := w.store.setRoot(ctx, w.now); err != nil {
		return err
	}
	for e, rows := range w.chunks {
		c := w.store.chunks(w.next.Embedders[e])
		if e >= len(w.now.Embedders) {
			if err := c.create(ctx); err != nil {
				return err
			}
		}
		if err := c.put(ctx, rows); err != nil {
			return err
		}
	}
	if err := w.store.index.put(ctx, w.index...); err != nil {
		return err
	}
	var lines []row
	for key, l := range w.lines {
		one, err := newRow(key, l.since, l)
		if err != nil {
			return err
		}
		lines = append(lines, one)
	}
	return w.store.manifest.put(ctx, lines...)
}
