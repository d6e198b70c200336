package store

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/embed"
	"github.com/cantle/cantle/tables"
)

// A Writer embeds the chunks of documents and puts them into a store, many at
// a time, while the next are added. What is put is whole documents, so a run
// that is cut short leaves none half done. One goroutine at a time may use it;
// whoever ends without a Flush calls Wait before closing the store.
type Writer struct {
	Store    Store
	Embedder embed.Embedder // nil for none: the chunks are found by their words only
	Context  bool           // embed the context in front of the text; a small model ranks better without
	Facts    bool           // embed rows of tables as facts: see [tables.AsFacts]. Such texts are up to twice as long as the chunk.
	Batch    int            // chunks to embed and put at once; 0 means 1024. A larger document goes alone.

	Chunks   int // put so far, as of the last Flush or Wait
	Embedded int // of these, given to the embedder

	pending []Entry
	waiting int          // chunks of these
	flight  chan landing // of the batch that is being put; nil for none
}

// A landing is what became of a batch.
type landing struct {
	chunks, embedded int
	err              error
}

const defaultBatch = 1024

// Add takes a document, whose fields Embedder and Chunks it fills in, and begins
// to put what it holds once that is enough. One that [Document.Check] refuses is
// not taken, which leaves the others as they are. Any other error is that of
// documents that were added before and are dropped; this one is taken.
func (w *Writer) Add(ctx context.Context, d Document, chunks []chunker.Chunk) error {
	d.Chunks = len(chunks)
	if w.Embedder != nil {
		d.Embedder = w.Embedder.Name()
	}
	if err := d.Check(); err != nil {
		return err
	}
	limit := w.Batch
	if limit == 0 {
		limit = defaultBatch
	}
	var err error
	if w.waiting > 0 && w.waiting+len(chunks) > limit {
		err = w.send(ctx)
	}
	e := Entry{Document: d, Records: make([]Record, len(chunks))}
	for i := range chunks {
		e.Records[i].Chunk = chunks[i]
	}
	w.pending = append(w.pending, e)
	w.waiting += len(chunks)
	if err == nil && (w.waiting >= limit || len(w.pending) >= limit) {
		err = w.send(ctx)
	}
	return err
}

// Flush puts what was added and waits until it is there. What fails is dropped;
// what was added behind it is put by the next Flush.
func (w *Writer) Flush(ctx context.Context) error {
	if err := w.send(ctx); err != nil {
		return err
	}
	return w.Wait()
}

// Wait waits for what is being put.
func (w *Writer) Wait() error {
	if w.flight == nil {
		return nil
	}
	l := <-w.flight
	w.flight = nil
	if l.err == nil {
		w.Chunks += l.chunks
		w.Embedded += l.embedded
	}
	return l.err
}

// send begins to put what is pending, once the batch before is there.
func (w *Writer) send(ctx context.Context) error {
	if err := w.Wait(); err != nil || len(w.pending) == 0 {
		return err
	}
	entries, n := w.pending, w.waiting
	w.pending, w.waiting = nil, 0
	flight := make(chan landing, 1)
	w.flight = flight
	go func() {
		embedded, err := w.put(ctx, entries)
		flight <- landing{n, embedded, err}
	}()
	return nil
}

// put returns how many texts it has embedded.
func (w *Writer) put(ctx context.Context, entries []Entry) (int, error) {
	embedded, err := w.embed(ctx, entries)
	if err != nil {
		return 0, fmt.Errorf("embedding: %w", err)
	}
	if err := w.Store.Put(ctx, entries...); err != nil {
		return 0, fmt.Errorf("writing: %w", err)
	}
	return embedded, nil
}

// embed sets the vectors of what is to be searched, and returns how many.
func (w *Writer) embed(ctx context.Context, entries []Entry) (int, error) {
	if w.Embedder == nil {
		return 0, nil
	}
	var texts []string
	var records []*Record
	for i := range entries {
		for j := range entries[i].Records {
			r := &entries[i].Records[j]
			if Searchable(&r.Chunk) {
				records = append(records, r)
				texts = append(texts, w.EmbeddedText(&r.Chunk))
			}
		}
	}
	if len(texts) == 0 {
		return 0, nil
	}
	vectors, err := w.Embedder.Embed(ctx, texts)
	if err != nil {
		return 0, err
	}
	if len(vectors) != len(texts) {
		return 0, fmt.Errorf("%s: %d vectors for %d texts", w.Embedder.Name(), len(vectors), len(texts))
	}
	for i, v := range vectors {
		if err := checkVector(v, len(vectors[0])); err != nil {
			return 0, fmt.Errorf("%s: %w", w.Embedder.Name(), err)
		}
		records[i].Vector = v
	}
	return len(texts), nil
}

// EmbeddedText is what of a chunk is embedded.
func (w *Writer) EmbeddedText(c *chunker.Chunk) string {
	text := c.Text
	if w.Context {
		text = c.Embedded()
	}
	if w.Facts {
		text = tables.AsFacts(text)
	}
	return text
}

func checkVector(v []float32, dim int) error {
	if len(v) == 0 {
		return errors.New("a vector of no floats")
	}
	if len(v) != dim {
		return fmt.Errorf("a vector of %d floats among others of %d", len(v), dim)
	}
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return fmt.Errorf("a vector holds %v", x)
		}
	}
	return nil
}
