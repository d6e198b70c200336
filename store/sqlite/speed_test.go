package sqlite

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/store"
)

// TestSpeed measures searches over 100,000 chunks of real text, with vectors of
// 384 floats. Times are logged; the bounds are wide, for a machine that does
// other things too.
func TestSpeed(t *testing.T) {
	if os.Getenv("CANTLE_LONG") == "" {
		t.Skip("only with CANTLE_LONG=1")
	}
	const want, dim = 100_000, 384
	documents := corpus(t)
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "speed.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := rand.New(rand.NewPCG(9, 10))
	vector := func() []float32 {
		v := make([]float32, dim)
		for i := range v {
			v[i] = r.Float32() - .5
		}
		return v
	}
	var questions []string
	chunks, start := 0, time.Now()
	for copy := 0; chunks < want; copy++ {
		var batch []store.Entry
		held := 0
		for i, d := range documents {
			e := store.Entry{Document: store.Document{ID: fmt.Sprintf("%d/%s", copy, d[0].DocID), Embedder: "e", Chunks: len(d)}}
			for _, c := range d {
				c.ID, c.DocID = fmt.Sprintf("%d%s", copy, c.ID), e.ID
				e.Records = append(e.Records, store.Record{Chunk: c, Vector: vector()})
				if words := strings.Fields(c.Heading); len(words) > 2 && len(questions) < 100 && r.IntN(50) == 0 {
					questions = append(questions, "How do I use the "+c.Heading+" in a project?")
				}
			}
			if batch, held = append(batch, e), held+len(d); held >= 2048 || i == len(documents)-1 {
				if err := s.Put(t.Context(), batch...); err != nil {
					t.Fatal(err)
				}
				chunks += held
				batch, held = nil, 0
			}
		}
	}
	t.Logf("put %d chunks in %.1f s", chunks, time.Since(start).Seconds())
	where, err := store.ParseFilter(`type = "code" and section_path *= "e"`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		query func(q string) store.Query
		bound time.Duration
	}{
		{"keyword", func(q string) store.Query { return store.Query{Text: q} }, 20 * time.Millisecond},
		{"vector", func(string) store.Query { return store.Query{Vector: vector(), Embedder: "e"} }, 50 * time.Millisecond},
		{"hybrid", func(q string) store.Query { return store.Query{Text: q, Vector: vector(), Embedder: "e"} }, 0},
		{"keyword, filtered", func(q string) store.Query { return store.Query{Text: q, Where: where} }, 0},
	} {
		var took []time.Duration
		for i, q := range questions {
			query := c.query(q)
			start := time.Now()
			if _, err := s.Search(t.Context(), query); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				t.Logf("%s: the first took %v", c.name, time.Since(start))
				continue
			}
			took = append(took, time.Since(start))
		}
		slices.Sort(took)
		median := took[len(took)/2]
		t.Logf("%s: median %v, nine of ten under %v", c.name, median, took[len(took)*9/10])
		if c.bound > 0 && median > 10*c.bound {
			t.Errorf("%s: median %v, want %v on a quiet core", c.name, median, c.bound)
		}
	}
}

// corpus returns the chunks of real documents.
func corpus(t *testing.T) [][]chunker.Chunk {
	root := os.Getenv("CANTLE_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	var all [][]chunker.Chunk
	filepath.WalkDir(filepath.Join(root, "corpora", "markdown"), func(name string, e os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".md") {
			return err
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		chunks, err := cantle.Chunk(t.Context(), name, src, cantle.Options{})
		if err == nil && len(chunks) > 0 {
			all = append(all, chunks)
		}
		return nil
	})
	if len(all) == 0 {
		t.Skip("there are no documents in " + root)
	}
	return all
}
