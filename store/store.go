// Package store keeps chunks where they can be searched.
//
// A [Store] holds documents, each a list of chunks that is replaced as one: a
// searcher sees a document as it was or as it is, never half of it. The list of
// its documents, the manifest, is in the store itself, so that whoever fills it
// can tell what is new, changed and gone. Implementations:
//
//	store/sqlite     one file, nothing to install
//	store/chroma     a Chroma server, over HTTP
//	store/pgvector   PostgreSQL with the extension vector
//	store/milvus     a Milvus server; a module of its own
//
// A [Writer] embeds chunks and puts them in batches; [Expand] turns hits into
// what a model is handed; [ParseFilter] reads the language of filters, which
// means the same in every store. storetest holds the contract as tests.
//
// It does not cut documents and does not walk folders.
package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/rank"
)

// A Store keeps documents and searches their chunks. Its methods may be called
// from many goroutines, and several processes may use one store at once.
type Store interface {
	// Manifest returns all documents, in no order.
	Manifest(ctx context.Context) ([]Document, error)

	// Put puts documents in the place of those of the same ids; of several of
	// one id it puts the last. Of each, either all is done or nothing. Where it
	// fails, some may have been put; none where [Document.Check] refuses one, or
	// the id of a chunk is empty, no text or twice in its document.
	Put(ctx context.Context, entries ...Entry) error

	// Delete removes documents. Those that are not there are no error.
	Delete(ctx context.Context, docIDs ...string) error

	// Search returns the best hits, the best first; those of equal score by
	// document and position. Parents are never hits.
	Search(ctx context.Context, q Query) ([]Hit, error)

	// Get returns the chunks of these ids, parents too, in the order of ids;
	// those that are not there are left out.
	Get(ctx context.Context, ids ...string) ([]chunker.Chunk, error)

	// Document returns the chunks of a document as they were put; none where it
	// is not there.
	Document(ctx context.Context, docID string) ([]chunker.Chunk, error)

	Close() error
}

// A Document is a line of the manifest.
type Document struct {
	ID       string
	Root     string // whose run owns it: what a run does not find below its root it deletes
	Hash     string // of the source's bytes; "" where a put was cut short and must be done again
	Settings string // of how it was cut
	Embedder string // the name of that of its vectors; "" where it has none
	Size     int64  // bytes
	Modified int64  // nanoseconds since 1970; 0 where it does not prove that the bytes are the same
	Chunks   int    // as many as there are; Put counts them
}

// Check returns why no store takes a document: its texts must be UTF-8 without
// a zero byte, as most servers take no other, and it must have an id.
func (d *Document) Check() error {
	switch {
	case d.ID == "":
		return errors.New("a document has no id")
	case !IsText(d.ID):
		return fmt.Errorf("document id %q: must be UTF-8, without a zero byte", d.ID)
	}
	for _, f := range []struct{ name, value string }{{"root", d.Root}, {"hash", d.Hash}, {"settings", d.Settings}, {"embedder", d.Embedder}} {
		if !IsText(f.value) {
			return fmt.Errorf("document %s: %s %q: must be UTF-8, without a zero byte", d.ID, f.name, f.value)
		}
	}
	return nil
}

// IsText reports whether s is UTF-8 without a zero byte, as ids must be.
func IsText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// An Entry is a document with its chunks.
type Entry struct {
	Document
	Records []Record
}

// A Record is a chunk with its vector, of length 1 or 0, nil where it has none.
type Record struct {
	chunker.Chunk
	Vector []float32
}

// Searchable reports whether a chunk is to be found by a search: parents are
// not, which are handed on and not searched, nor is what holds blanks only.
func Searchable(c *chunker.Chunk) bool { return c.Type != chunker.TypeParent && !isBlank(c.Text) }

// A Query says what to search. Where it has a text and a vector, both are
// searched and the rankings fused.
type Query struct {
	Text     string    // searched by its words; "" for not
	Vector   []float32 // searched by cosine; nil for not
	Embedder string    // the name of that of Vector: others' vectors are not compared with it
	Where    Filter    // nil lets all through
	Top      int       // how many hits; 0 means 10
}

// DefaultTop is how many hits a Query asks for that does not say.
const DefaultTop = 10

// FusionDepth is how far down each of several rankings is looked at.
const FusionDepth = rank.FusionDepth

// Resolve returns q with its defaults and the values of its filter as string,
// float64 or bool, or why it cannot be searched.
func (q Query) Resolve() (Query, error) {
	switch {
	case q.Text == "" && q.Vector == nil:
		return q, errors.New("nothing to search: the query is empty")
	case q.Top < 0:
		return q, fmt.Errorf("top %d: must not be negative", q.Top)
	case q.Top == 0:
		q.Top = DefaultTop
	}
	if q.Where == nil {
		return q, nil
	}
	var err error
	q.Where, err = checked(q.Where)
	return q, err
}

// A Hit is a chunk that was found. Scores compare within one answer only.
type Hit struct {
	chunker.Chunk
	Score float32
}

// An EmbedderError says that a store has no vectors of the embedder that is
// asked for, but others.
type EmbedderError struct {
	Want string
	Have []string
}

func (e *EmbedderError) Error() string {
	if len(e.Have) == 0 {
		return fmt.Sprintf("the store has no vectors, so none of %s", e.Want)
	}
	return fmt.Sprintf("the store has no vectors of %s, but of %q", e.Want, e.Have)
}
