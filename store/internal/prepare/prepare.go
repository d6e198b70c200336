// Package prepare does that part of a put that needs no transaction: which
// documents it is of, and for stores that search by themselves chunks as JSON,
// their terms, and what tells whether they have changed.
package prepare

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/cantle/cantle/rank"
	"github.com/cantle/cantle/store"
)

// A Row is a chunk made ready to be written.
type Row struct {
	Record   *store.Record
	Position int      // in the document
	Meta     string   // JSON
	JSON     string   // the record, as 'cantle chunk' prints it
	Content  int64    // tells apart what is searched; position and meta have no part in it
	Terms    []string // of what is to be found by its words
}

// A Document is a document made ready to be written.
type Document struct {
	store.Document
	Rows []Row
}

// Valid returns the documents that a put is of: of those of one id the last,
// which knows how many chunks it has. The error is of one that no store takes.
func Valid(entries []store.Entry) ([]store.Entry, error) {
	last := make(map[string]int, len(entries))
	for i := range entries {
		e := &entries[i]
		if err := e.Check(); err != nil {
			return nil, err
		}
		if err := checkIDs(e.Records); err != nil {
			return nil, fmt.Errorf("%s: %w", e.ID, err)
		}
		last[e.ID] = i
	}
	valid := make([]store.Entry, 0, len(last))
	for i, e := range entries {
		if last[e.ID] == i {
			e.Chunks = len(e.Records)
			valid = append(valid, e)
		}
	}
	return valid, nil
}

func checkIDs(records []store.Record) error {
	seen := make(map[string]bool, len(records))
	for i := range records {
		id := records[i].ID
		if id == "" || seen[id] || !store.IsText(id) {
			return fmt.Errorf("chunk %d: id %q is empty, stands twice or is no UTF-8 text", i, id)
		}
		seen[id] = true
	}
	return nil
}

// Documents makes the documents of a put ready, on all processors.
func Documents(ctx context.Context, entries []store.Entry) ([]Document, error) {
	entries, err := Valid(entries)
	if err != nil {
		return nil, err
	}
	documents := make([]Document, len(entries))
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(entries)) {
		workers.Go(func() {
			var a rank.Analyzer
			for {
				i := int(next.Add(1)) - 1
				if i >= len(entries) || failed.Load() != nil || ctx.Err() != nil {
					return
				}
				e := &entries[i]
				rows, err := rowsOf(&a, e)
				if err != nil {
					err = fmt.Errorf("%s: %w", e.ID, err)
					failed.CompareAndSwap(nil, &err)
				}
				documents[i] = Document{e.Document, rows}
			}
		})
	}
	workers.Wait()
	if err := failed.Load(); err != nil {
		return nil, *err
	}
	return documents, ctx.Err()
}

func rowsOf(a *rank.Analyzer, e *store.Entry) ([]Row, error) {
	rows := make([]Row, len(e.Records))
	for i := range e.Records {
		r := &e.Records[i]
		b, err := r.AppendJSON(nil)
		if err != nil {
			return nil, err
		}
		meta := "{}"
		if len(r.Meta) > 0 {
			m, err := json.Marshal(r.Meta)
			if err != nil {
				return nil, err
			}
			meta = string(m)
		}
		rows[i] = Row{Record: r, Position: i, JSON: string(b), Meta: meta, Content: content(e, r)}
		if store.Searchable(&r.Chunk) {
			rows[i].Terms = a.Index(make([]string, 0, len(r.Text)/5), r.Embedded())
		}
	}
	return rows, nil
}

// An Old is a chunk as it is in a store.
type Old struct {
	Slot, Content int64
	Position      int
	JSON          string
}

// A Replacement is what is to be done to the chunks of a document: what is gone
// first, for some of the new have the same ids.
type Replacement struct {
	Gone   []int64 // slots
	New    []*Row  // in their order
	Redone []Redone
}

// A Redone chunk is found as before; what is said of it is not.
type Redone struct {
	*Row
	Slot int64
}

// Replace says what is to be done to the chunks that are there, by id. A chunk of
// which nothing that is searched has changed stays.
func (d *Document) Replace(olds map[string]Old) Replacement {
	var r Replacement
	stays := map[string]bool{}
	for i := range d.Rows {
		row := &d.Rows[i]
		o, was := olds[row.Record.ID]
		switch {
		case !was || o.Content != row.Content:
			r.New = append(r.New, row)
			continue
		case o.JSON != row.JSON || o.Position != row.Position:
			r.Redone = append(r.Redone, Redone{row, o.Slot})
		}
		stays[row.Record.ID] = true
	}
	for id, o := range olds {
		if !stays[id] {
			r.Gone = append(r.Gone, o.Slot)
		}
	}
	return r
}

// content returns a number that differs where what is searched of a chunk does.
func content(e *store.Entry, r *store.Record) int64 {
	h := sha256.New()
	add := func(b []byte) {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(b))))
		h.Write(b)
	}
	for _, s := range []string{r.Context, r.Text, e.Embedder, fmt.Sprint(store.Searchable(&r.Chunk), r.Vector != nil)} {
		add([]byte(s))
	}
	vector := make([]byte, 0, 4*len(r.Vector))
	for _, x := range r.Vector {
		vector = binary.LittleEndian.AppendUint32(vector, math.Float32bits(x))
	}
	add(vector)
	return int64(binary.LittleEndian.Uint64(h.Sum(nil)))
}
