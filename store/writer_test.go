package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/embed"
	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/sqlite"
)

// embedding answers a request for embeddings with vectors of dim floats.
func embedding(w http.ResponseWriter, r *http.Request, dim int) {
	var in struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	type item struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	var out struct {
		Data []item `json:"data"`
	}
	for i := range in.Input {
		v := make([]float32, dim)
		v[0] = 1
		out.Data = append(out.Data, item{i, v})
	}
	json.NewEncoder(w).Encode(out)
}

// A server of embeddings that fails: what comes right in the end is written,
// and of what does not nothing is.
func TestWriterWithFailingEmbedder(t *testing.T) {
	for _, c := range []struct {
		name  string
		serve func(n int64, w http.ResponseWriter, r *http.Request)
		err   string // "" where it comes right
	}{
		{"429 twice", func(n int64, w http.ResponseWriter, r *http.Request) {
			if n <= 2 {
				w.Header().Set("Retry-After", "0")
				http.Error(w, "slow down", http.StatusTooManyRequests)
				return
			}
			embedding(w, r, 3)
		}, ""},
		{"500 once", func(n int64, w http.ResponseWriter, r *http.Request) {
			if n == 1 {
				http.Error(w, "oh", http.StatusInternalServerError)
				return
			}
			embedding(w, r, 3)
		}, ""},
		{"500 for good", func(_ int64, w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "oh", http.StatusInternalServerError)
		}, "500"},
		{"401", func(_ int64, w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "who are you", http.StatusUnauthorized)
		}, "401"},
		{"another dimension", func(_ int64, w http.ResponseWriter, r *http.Request) { embedding(w, r, 4) }, "4"},
		{"hangs", func(_ int64, _ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-time.After(time.Second):
			}
		}, "no answer within"},
		{"dies", func(_ int64, _ http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var n atomic.Int64
			fails := atomic.Bool{}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !fails.Load() {
					embedding(w, r, 3)
					return
				}
				c.serve(n.Add(1), w, r)
			}))
			defer server.Close()
			e, err := embed.NewHTTP(embed.HTTPOptions{URL: server.URL, Model: "m", Attempts: 3, Backoff: time.Millisecond, MaxPause: 10 * time.Millisecond, Timeout: 100 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "s.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			w := store.Writer{Store: s, Embedder: e, Batch: 4}
			add(t, &w, "before.md", 4)
			fails.Store(true)
			if err = w.Add(t.Context(), store.Document{ID: "a.md"}, chunks("a.md", 4)); err == nil {
				err = w.Flush(t.Context())
			}
			if c.err == "" {
				if err != nil {
					t.Fatal(err)
				}
			} else if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("got %v, want an error that says %s", err, c.err)
			}
			all, err := s.Manifest(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if want := map[bool]int{true: 2, false: 1}[c.err == ""]; len(all) != want {
				t.Errorf("%d documents are written, want %d", len(all), want)
			}
			fails.Store(false)
			add(t, &w, "a.md", 4)
			if hits, err := s.Search(t.Context(), store.Query{Vector: []float32{1, 0, 0}, Embedder: e.Name()}); err != nil || len(hits) != 8 {
				t.Errorf("%d chunks are found in the end, %v", len(hits), err)
			}
		})
	}
}

func add(t *testing.T, w *store.Writer, doc string, n int) {
	t.Helper()
	if err := w.Add(t.Context(), store.Document{ID: doc}, chunks(doc, n)); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func chunks(doc string, n int) []chunker.Chunk {
	list := make([]chunker.Chunk, n)
	for i := range list {
		list[i] = chunker.Chunk{ID: fmt.Sprintf("%s-%d", doc, i), DocID: doc, Text: fmt.Sprintf("text %d of %s", i, doc), Context: doc, Index: i, Total: n}
	}
	return list
}

// counted is an embedder that keeps what it was given.
type counted struct {
	texts  []string
	answer func(texts []string) [][]float32
}

func (c *counted) Name() string { return "counted" }
func (c *counted) Dim() int     { return 2 }
func (c *counted) Embed(_ context.Context, texts []string) ([][]float32, error) {
	c.texts = append(c.texts, texts...)
	if c.answer != nil {
		return c.answer(texts), nil
	}
	vectors := make([][]float32, len(texts))
	for i := range vectors {
		vectors[i] = []float32{1, 0}
	}
	return vectors, nil
}

func TestWriterEmbeds(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e := &counted{}
	w := store.Writer{Store: s, Embedder: e}
	list := chunks("a.md", 3)
	list[0].Type = chunker.TypeParent
	list[1].Text = " \n"
	if err := w.Add(t.Context(), store.Document{ID: "a.md"}, list); err != nil {
		t.Fatal(err)
	}
	if len(e.texts) > 0 {
		t.Error("embedded before the batch is full")
	}
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(e.texts, "|"); got != "text 2 of a.md" {
		t.Errorf("embedded %q: neither parents nor blanks, and no context", got)
	}
	w.Context, e.texts = true, nil
	add(t, &w, "b.md", 1)
	if got := strings.Join(e.texts, "|"); got != "b.md\n\ntext 0 of b.md" {
		t.Errorf("embedded %q", got)
	}
	all, err := s.Manifest(t.Context())
	if err != nil || len(all) != 2 || all[0].Embedder != "counted" || all[0].Chunks+all[1].Chunks != 4 {
		t.Errorf("the manifest says %+v, %v", all, err)
	}
	for _, bad := range [][][]float32{nil, {{1, 0}}, {{1, 0}, {1}}, {{}, {}}, {{1, 0}, {float32(nan()), 0}}} {
		e.answer = func([]string) [][]float32 { return bad }
		if err := w.Add(t.Context(), store.Document{ID: "c.md"}, chunks("c.md", 2)); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(t.Context()); err == nil {
			t.Errorf("%v is no error", bad)
		}
	}
}

// failing is a store whose puts fail while it is told to.
type failing struct {
	store.Store
	fails bool
}

func (s *failing) Put(ctx context.Context, entries ...store.Entry) error {
	if s.fails {
		return errors.New("no")
	}
	return s.Store.Put(ctx, entries...)
}

// What fails takes nothing with it: what was added behind it is put, and what a
// store takes at no time is refused before.
func TestWriterGoesOn(t *testing.T) {
	file, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := &failing{Store: file, fails: true}
	w := store.Writer{Store: s, Embedder: &counted{}, Batch: 4}
	for _, step := range []struct {
		doc string
		n   int
		err string
	}{
		{"a.md", 4, ""}, // is put, and fails
		{"b.md", 2, ""},
		{"\xc4\xe3.md", 2, `"\xc4\xe3.md"`},
		{"c.md", 3, "writing: no"}, // of a.md
	} {
		err := w.Add(t.Context(), store.Document{ID: step.doc}, chunks(step.doc, step.n))
		if err == nil && step.err != "" || err != nil && (step.err == "" || !strings.Contains(err.Error(), step.err)) {
			t.Errorf("%s: got %v, want %q", step.doc, err, step.err)
		}
	}
	s.fails = false
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	all, err := s.Manifest(t.Context())
	if err != nil || len(all) != 2 || all[0].ID != "b.md" || all[1].ID != "c.md" || w.Chunks != 5 || w.Embedded != 5 {
		t.Errorf("there are %+v, %v; %d chunks and %d embedded", all, err, w.Chunks, w.Embedded)
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

func TestEmbeddedText(t *testing.T) {
	c := chunker.Chunk{Context: "Report", Text: "| Item | 2024 |\n|---|---|\n| Boats | 7 |"}
	for _, w := range []struct {
		store.Writer
		want string
	}{
		{store.Writer{}, c.Text},
		{store.Writer{Context: true}, "Report\n\n" + c.Text},
		{store.Writer{Context: true, Facts: true}, "Report\n\nBoats, 2024: 7\n"},
	} {
		if got := w.EmbeddedText(&c); got != w.want {
			t.Errorf("context %v, facts %v: got %q", w.Context, w.Facts, got)
		}
	}
}
