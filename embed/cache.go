package embed

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

// A Cache is an Embedder that remembers on disk what another one returned, by
// the content of the text and the name of the model.
//
// The file is a row of records, each appended in one write with checksums, and
// never changed. What a crash left torn is skipped when the file is read, so
// nothing has to be repaired; and several processes may append to one file,
// though each sees only what was there when it opened it. A lost or damaged file
// costs time, never a wrong vector.
type Cache struct {
	of   Embedder
	file *os.File // opened for appending: the system puts each write at the end

	mu    sync.Mutex
	at    map[cacheKey]place
	dim   int // of the first vector seen; others do not mix with it
	stats Stats
}

// Stats say what a Cache has saved and what it has spent.
type Stats struct {
	Texts   int     // asked for
	Hits    int     // of these, found in the cache or asked for twice in one call
	Calls   int     // of the embedder behind the cache
	Seconds float64 // spent in these calls, added up where they ran at once
}

// A place is where a record starts in the file, and the floats of its vector.
type place struct {
	offset int64
	dim    int
}

// cacheBatch is how many texts go to the embedder before their vectors are
// written: what an interrupted run loses at most.
const cacheBatch = 256

// OpenCache returns a Cache of e in the file at path, which it makes if there is
// none. One file can hold the vectors of several models. A file that begins like
// something else is an error and left alone.
func OpenCache(e Embedder, path string) (*Cache, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("embedding cache: %w", err)
	}
	c := &Cache{of: e, file: file, at: map[cacheKey]place{}, dim: e.Dim()}
	if err := c.load(file); err != nil {
		file.Close()
		return nil, fmt.Errorf("embedding cache %s: %w", path, err)
	}
	return c, nil
}

// load notes where the records of r are. Between records it looks for the next
// mark, so that torn ones cost only themselves.
func (c *Cache) load(r io.Reader) error {
	in := bufio.NewReaderSize(r, 2*maxRecord)
	if b, err := in.Peek(1); err == nil && b[0] != recordMark[0] {
		return errors.New("the file is something else")
	}
	offset := int64(0)
	for {
		b, err := in.Peek(recordHeader)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		n := len(b)
		key, dim, ok := parseHeader(b)
		if ok {
			n = recordHeader + 4*dim
			if b, err = in.Peek(n); err != nil && err != io.EOF {
				return err
			}
			ok = len(b) == n && isWhole(b)
		}
		if ok {
			c.at[key] = place{offset, dim}
		} else {
			b, _ = in.Peek(in.Buffered())
			n = nextMark(b)
		}
		if _, err := in.Discard(n); err != nil {
			return err
		}
		offset += int64(n)
	}
}

// Name is the name of the embedder behind the cache.
func (c *Cache) Name() string { return c.of.Name() }

// Dim is that of the embedder behind the cache, or as long as that does not
// know, of the vectors found.
func (c *Cache) Dim() int {
	if dim := c.of.Dim(); dim != 0 {
		return dim
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dim
}

// Stats returns what has been asked for and spent so far.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}

// Close closes the file. The cache cannot be used any more.
func (c *Cache) Close() error { return c.file.Close() }

// Embed takes from the file what is there and asks for the rest, cacheBatch
// texts at a time. If that fails, what came before is kept.
func (c *Cache) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	name := c.of.Name()
	vectors := make([][]float32, len(texts))
	keys := make([]cacheKey, len(texts))
	asked := map[cacheKey]int{} // the text that is asked for, of several equal ones
	var missing, equal []int
	for i, text := range texts {
		keys[i] = keyOf(name, text)
		if _, ok := asked[keys[i]]; ok {
			equal = append(equal, i)
		} else if vectors[i] = c.find(keys[i]); vectors[i] == nil {
			asked[keys[i]] = i
			missing = append(missing, i)
		}
	}
	c.mu.Lock()
	c.stats.Texts += len(texts)
	c.stats.Hits += len(texts) - len(missing)
	c.mu.Unlock()
	for batch := range slices.Chunk(missing, cacheBatch) {
		if err := c.ask(ctx, batch, texts, keys, vectors); err != nil {
			return nil, err
		}
	}
	for _, i := range equal {
		vectors[i] = slices.Clone(vectors[asked[keys[i]]])
	}
	return vectors, nil
}

// find returns the vector in the file, nil if there is none.
func (c *Cache) find(key cacheKey) []float32 {
	c.mu.Lock()
	p, ok := c.at[key]
	ok = ok && (c.dim == 0 || c.dim == p.dim)
	c.mu.Unlock()
	if !ok {
		return nil
	}
	record := make([]byte, recordHeader+4*p.dim)
	if _, err := c.file.ReadAt(record, p.offset); err != nil {
		return nil
	}
	if k, dim, ok := parseHeader(record); !ok || k != key || dim != p.dim || !isWhole(record) {
		return nil
	}
	if c.setDim(p.dim) != p.dim {
		return nil
	}
	return recordFloats(record)
}

// setDim returns the dimension of all vectors, which the first one sets.
func (c *Cache) setDim(dim int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dim == 0 {
		c.dim = dim
	}
	return c.dim
}

// ask sets the vectors of a batch of texts, given by their numbers, and appends
// them to the file.
func (c *Cache) ask(ctx context.Context, batch []int, texts []string, keys []cacheKey, vectors [][]float32) error {
	some := make([]string, len(batch))
	for j, i := range batch {
		some[j] = texts[i]
	}
	start := time.Now()
	got, err := c.of.Embed(ctx, some)
	c.mu.Lock()
	c.stats.Calls++
	c.stats.Seconds += time.Since(start).Seconds()
	c.mu.Unlock()
	if err != nil {
		return err
	}
	if len(got) != len(batch) {
		return fmt.Errorf("%s: %d vectors for %d texts", c.of.Name(), len(got), len(batch))
	}
	var records []byte
	starts := make([]int, len(batch))
	for j, i := range batch {
		if dim := c.setDim(len(got[j])); dim != len(got[j]) {
			return fmt.Errorf("%s: a vector of %d floats after others of %d, which may come from the cache %s", c.of.Name(), len(got[j]), dim, c.file.Name())
		}
		vectors[i] = got[j]
		starts[j] = len(records)
		records = appendRecord(records, keys[i], got[j])
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.file.Write(records); err != nil {
		return fmt.Errorf("embedding cache: %w", err)
	}
	end, err := c.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return fmt.Errorf("embedding cache: %w", err)
	}
	for j, i := range batch {
		c.at[keys[i]] = place{end - int64(len(records)-starts[j]), len(got[j])}
	}
	return nil
}
