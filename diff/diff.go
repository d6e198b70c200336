// Package diff says what is to be done to an index when the chunks it was made
// of have changed: which to embed and add, which to keep, which to write anew
// with the vector that they have, and which to delete.
//
// Two streams of records are compared by their ids and by hashes of what is
// embedded; their order is of no account. Of the old ones some 200 bytes each
// are kept, of the new ones none: a million chunks take half a gigabyte.
package diff

import (
	"bytes"
	"hash/maphash"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/records"
)

// An Op is what is to be done about a chunk.
type Op string

const (
	Add    Op = "add"    // embed it and write its record; one of the same id is replaced
	Keep   Op = "keep"   // nothing
	Move   Op = "move"   // write its record, with the vector of From: same text, other place
	Delete Op = "delete" // its record and vector go
)

// A Change is what is to be done about one chunk.
type Change struct {
	Op     Op     `json:"op"`
	ID     string `json:"id"`
	From   string `json:"from,omitempty"` // Move: the old chunk of the same text, where it has another id
	Doc    string `json:"doc"`
	Tokens int    `json:"tokens"`
	Line   int    `json:"line,omitempty"` // of the new records, from 1; 0 for Delete
}

// A Count is a number of chunks and their size.
type Count struct {
	Chunks int   `json:"chunks"`
	Tokens int64 `json:"tokens"`
}

// A Summary says how many chunks each Op is for. Tokens under Add are those to
// be embedded.
type Summary struct {
	Add    Count `json:"add"`
	Keep   Count `json:"keep"`
	Move   Count `json:"move"`
	Delete Count `json:"delete"`
}

func (s *Summary) count(c *Change) {
	n := map[Op]*Count{Add: &s.Add, Keep: &s.Keep, Move: &s.Move, Delete: &s.Delete}[c.Op]
	n.Chunks++
	n.Tokens += int64(c.Tokens)
}

// A Stream calls use with each record and the line it was read from, as
// records.Read does.
type Stream func(use func(rec *records.Record, line []byte) error) error

// Options say what makes chunks alike. The zero value is ready to use.
type Options struct {
	// TextOnly is for indexes that embed the text without the context.
	TextOnly bool
	// Sizer counts where records do not say their size; nil counts 0 there.
	Sizer chunker.Sizer
}

// Run compares two sets of records and calls use with what is to be done: for
// the new records in their order, then with what is to be deleted, in the
// order of the old. Records of type parent have no vectors and are passed
// over. Records without an id are known by document and text.
func Run(old, new Stream, opt Options, use func(*Change) error) (Summary, error) {
	s := set{opt: opt, seed: maphash.MakeSeed(), ids: map[uint64]int32{}, contents: map[uint64]int32{}, docs: map[string]int32{}}
	var sum Summary
	emit := func(c *Change) error {
		sum.count(c)
		return use(c)
	}
	err := old(func(rec *records.Record, line []byte) error {
		if rec.Type != chunker.TypeParent {
			s.add(rec, line)
		}
		return nil
	})
	if err != nil {
		return sum, err
	}
	err = new(func(rec *records.Record, line []byte) error {
		if rec.Type == chunker.TypeParent {
			return nil
		}
		return emit(s.change(rec, line))
	})
	if err != nil {
		return sum, err
	}
	for i := range s.entries {
		if e := &s.entries[i]; !e.stays {
			if err := emit(&Change{Op: Delete, ID: s.id(i), Doc: s.names[e.doc], Tokens: int(e.tokens)}); err != nil {
				return sum, err
			}
		}
	}
	return sum, nil
}

// A set is the old records, reduced to what is compared.
type set struct {
	opt      Options
	seed     maphash.Seed
	entries  []entry
	ids      map[uint64]int32 // hash of the id to the entry
	contents map[uint64]int32 // hash of what is embedded to an entry
	docs     map[string]int32
	names    []string
	text     []byte // the ids, one after the other
}

type entry struct {
	content, line uint64 // hashes
	idEnd         uint32 // in text
	doc, tokens   int32
	stays         bool // a new record has its id
}

func (s *set) id(i int) string {
	start := uint32(0)
	if i > 0 {
		start = s.entries[i-1].idEnd
	}
	return string(s.text[start:s.entries[i].idEnd])
}

func (s *set) add(rec *records.Record, line []byte) {
	doc, ok := s.docs[rec.Doc]
	if !ok {
		doc = int32(len(s.names))
		s.docs[rec.Doc] = doc
		s.names = append(s.names, rec.Doc)
	}
	key, content := s.key(rec), s.content(rec)
	if _, ok := s.ids[key]; ok {
		return // a record twice
	}
	s.text = append(s.text, rec.ID...)
	i := int32(len(s.entries))
	s.entries = append(s.entries, entry{content: content, line: maphash.Bytes(s.seed, bytes.TrimSpace(line)), idEnd: uint32(len(s.text)), doc: doc, tokens: int32(s.size(rec))})
	s.ids[key] = i
	if _, ok := s.contents[content]; !ok {
		s.contents[content] = i
	}
}

// change says what is to be done about a new record.
func (s *set) change(rec *records.Record, line []byte) *Change {
	c := &Change{Op: Add, ID: rec.ID, Doc: rec.Doc, Tokens: s.size(rec), Line: rec.Line}
	content := s.content(rec)
	if i, ok := s.ids[s.key(rec)]; ok {
		e := &s.entries[i]
		e.stays = true
		if e.content == content {
			if c.Op = Keep; e.line != maphash.Bytes(s.seed, bytes.TrimSpace(line)) {
				c.Op = Move
			}
			return c
		}
	}
	if i, ok := s.contents[content]; ok {
		c.Op = Move
		if from := s.id(int(i)); from != rec.ID {
			c.From = from
		}
	}
	return c
}

// key is what a record is known by.
func (s *set) key(rec *records.Record) uint64 {
	if rec.ID != "" {
		return maphash.String(s.seed, rec.ID)
	}
	return maphash.String(s.seed, rec.Doc) ^ s.content(rec)
}

func (s *set) content(rec *records.Record) uint64 {
	if s.opt.TextOnly {
		return maphash.String(s.seed, rec.Text)
	}
	return maphash.String(s.seed, rec.Embedded())
}

func (s *set) size(rec *records.Record) int {
	switch {
	case rec.Size >= 0:
		return rec.Size
	case s.opt.Sizer != nil:
		return s.opt.Sizer.Count(rec.Embedded())
	}
	return 0
}

// Chunks returns the stream of chunks as they are written to JSON lines.
func Chunks(chunks []chunker.Chunk) Stream {
	return func(use func(*records.Record, []byte) error) error {
		var line []byte
		for i := range chunks {
			rec := records.Of(&chunks[i])
			rec.Line = i + 1
			var err error
			if line, err = chunks[i].AppendJSON(line[:0]); err != nil {
				return err
			}
			if err := use(&rec, line); err != nil {
				return err
			}
		}
		return nil
	}
}
