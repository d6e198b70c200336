package milvus

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/inverted"
)

// format is the version of what is in the collections.
const format = 1

var (
	errNoStore = errors.New("the collections are something else, or damaged: use another name")
	errChanged = errors.New("the store changes too fast to be read")
)

// The root is a row of the manifest that says what the store is. It is written
// as one, and only a root of a new version changes what a reader finds.
type root struct {
	Format    int
	Version   int64
	Next      int64      // the first slot that was never used
	Embedders []embedder // each has a collection; "" is that of documents without vectors
	Blocks    []block    // that hold what can be found
	IsDirty   bool       // a writer is at work, or died at it
	Gone      gone       // what the last version no longer needs, and may still be there
}

type embedder struct {
	Name string
	Dim  int
}

// A block is the part of the index that is about a run of inverted.BlockSlots
// slots. Blocks are of one embedder and of one put: what is put later gets new
// ones.
type block struct {
	Number   int64
	Embedder int
	Used     int64 // slots that have a chunk, or had one
	Live     int   // chunks that can be found
	Terms    int   // of these together
	Buckets  int   // rows of its postings
	Since    int64 // the version that its lengths are of
}

func (b *block) first() int64 { return b.Number * inverted.BlockSlots }

// gone is what can be deleted once a version is there.
type gone struct {
	Spans     []span   `json:",omitempty"`
	Index     []string `json:",omitempty"` // keys
	Documents []string `json:",omitempty"` // keys
}

// A span is a run of slots in an embedder's collection.
type span struct {
	Embedder int
	From, To int64
}

func (s span) slots() []int64 {
	slots := make([]int64, 0, s.To-s.From)
	for slot := s.From; slot < s.To; slot++ {
		slots = append(slots, slot)
	}
	return slots
}

// A state is a document as it is at some version: chunk number i is in slot
// First+i.
type state struct {
	store.Document
	Collection int // the embedder whose collection holds it
	First      int64
}

func (s *state) span() span { return span{s.Collection, s.First, s.First + int64(s.Chunks)} }

// A line is a document's row of the manifest. It holds two states, so that all
// lines that a writer has written change at once, with the root.
type line struct {
	Was, Is *state // nil for none
	since   int64  // Is holds from this version on, Was before
}

// at returns the state at a version, nil for none.
func (l *line) at(version int64) *state {
	if version < l.since {
		return l.Was
	}
	return l.Is
}

const rootKey = "root"

// lineKey returns the key of a document's row.
func lineKey(docID string) string {
	sum := sha256.Sum256([]byte(docID))
	return "document/" + hex.EncodeToString(sum[:16])
}

func newRow(key string, since int64, v any) (row, error) {
	b, err := json.Marshal(v)
	return row{key, since, string(b)}, err
}

func newLine(r row) (line, error) {
	l := line{since: r.since}
	err := json.Unmarshal([]byte(r.data), &l)
	return l, err
}

// root reads the root.
func (s *Store) root(ctx context.Context) (*root, error) {
	rows, err := s.manifest.get(ctx, rootKey)
	if err != nil {
		return nil, err
	}
	one, ok := rows[rootKey]
	if !ok {
		return nil, errNoStore
	}
	r := &root{}
	if err := json.Unmarshal([]byte(one.data), r); err != nil {
		return nil, errNoStore
	}
	if r.Format != format {
		return nil, fmt.Errorf("it has format %d, this program reads %d", r.Format, format)
	}
	return r, nil
}

func (s *Store) setRoot(ctx context.Context, r *root) error {
	one, err := newRow(rootKey, r.Version, r)
	if err != nil {
		return err
	}
	return s.manifest.put(ctx, one)
}

// lines returns the documents' rows that are there, by key.
func (s *Store) lines(ctx context.Context, keys ...string) (map[string]line, error) {
	rows, err := s.manifest.get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	lines := make(map[string]line, len(rows))
	for key, r := range rows {
		if lines[key], err = newLine(r); err != nil {
			return nil, errNoStore
		}
	}
	return lines, nil
}

func (r *root) clone() *root {
	c := *r
	c.Embedders, c.Blocks = slices.Clone(r.Embedders), slices.Clone(r.Blocks)
	return &c
}

func (r *root) embedder(name string) int {
	return slices.IndexFunc(r.Embedders, func(e embedder) bool { return e.Name == name })
}

func (r *root) block(number int64) *block {
	i, ok := slices.BinarySearchFunc(r.Blocks, number, func(b block, n int64) int { return cmp.Compare(b.Number, n) })
	if !ok {
		return nil
	}
	return &r.Blocks[i]
}

// tries is how often what changes while it is read is read again, before the
// reader takes its turn with the writers.
const tries = 10

// read calls f with a root that is the same afterwards: nothing it needs was
// deleted meanwhile. f returns errChanged for what should be there and is not.
func (s *Store) read(ctx context.Context, f func(context.Context, *root) error) error {
	for range tries {
		r, err := s.root(ctx)
		if err != nil {
			return err
		}
		readErr := f(ctx, r)
		if readErr != nil && !errors.Is(readErr, errChanged) {
			return readErr
		}
		now, err := s.root(ctx)
		if err != nil {
			return err
		}
		if now.Version == r.Version {
			return readErr
		}
	}
	return s.locked(ctx, func(ctx context.Context, _ *ticket) error {
		r, err := s.root(ctx)
		if err == nil {
			err = f(ctx, r)
		}
		return err
	})
}
