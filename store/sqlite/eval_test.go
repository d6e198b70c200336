package sqlite

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/embed"
	"github.com/cantle/cantle/eval"
	"github.com/cantle/cantle/store"
)

// A search through the store ranks and scores as eval does on the same chunks.
func TestSearchIsThatOfEval(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	vocabulary := strings.Fields("the a of port server refund parseConfig HTTPServer days 退款 政策 七天 发票 set_limit value config token key rotate 2026 v2")
	documents := map[string][]byte{}
	for i := range 40 {
		var text strings.Builder
		for section := range 1 + r.IntN(6) {
			fmt.Fprintf(&text, "## Part %d\n\n", section)
			for range 5 + r.IntN(60) {
				text.WriteString(vocabulary[min(r.IntN(len(vocabulary)), r.IntN(len(vocabulary)))] + " ")
			}
			text.WriteString("\n\n| setting | token | days |\n|---|---|---|\n")
			for range r.IntN(4) {
				fmt.Fprintf(&text, "| %s | %d | |\n", vocabulary[r.IntN(len(vocabulary))], r.IntN(9))
			}
			text.WriteString("\n")
		}
		documents[fmt.Sprintf("d%02d.md", i)] = []byte(text.String())
	}
	var questions []string
	for range 60 {
		var q []string
		for range 1 + r.IntN(6) {
			q = append(q, vocabulary[r.IntN(len(vocabulary))])
		}
		questions = append(questions, strings.Join(q, " "))
	}
	compareWithEval(t, documents, questions)
}

// The same over the sets of questions about real documents.
func TestSearchIsThatOfEvalOnRealQuestions(t *testing.T) {
	if os.Getenv("CANTLE_LONG") == "" {
		t.Skip("only with CANTLE_LONG=1")
	}
	root := os.Getenv("CANTLE_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	sets, _ := filepath.Glob(filepath.Join(root, "eval", "data", "*"))
	found := false
	for _, dir := range sets {
		if !eval.IsSet(dir) {
			continue
		}
		found = true
		t.Run(filepath.Base(dir), func(t *testing.T) {
			set, err := eval.OpenSet(dir)
			if err != nil {
				t.Fatal(err)
			}
			var questions []string
			for _, q := range set.Questions[:min(100, len(set.Questions))] {
				questions = append(questions, q.Question)
			}
			compareWithEval(t, set.Documents, questions)
		})
	}
	if !found {
		t.Skip("there are no sets in " + root)
	}
}

func compareWithEval(t *testing.T, documents map[string][]byte, questions []string) {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "eval.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	lexical := &embed.Lexical{}
	w := store.Writer{Store: s, Embedder: lexical, Batch: 97}
	var chunks []eval.Chunk
	var ids []string
	names := make([]string, 0, len(documents))
	for name := range documents {
		names = append(names, name)
	}
	slices.Sort(names)
	written := slices.Clone(names) // in another order, and some twice
	rand.New(rand.NewPCG(7, 8)).Shuffle(len(written), func(i, j int) { written[i], written[j] = written[j], written[i] })
	for _, name := range append(written, written[:len(written)/2]...) {
		records, err := cantle.Chunk(t.Context(), name, documents[name], cantle.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(t.Context(), store.Document{ID: name}, records); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		records, err := s.Document(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range records {
			if part := eval.FromRecords([]chunker.Chunk{c}); len(part) > 0 {
				chunks = append(chunks, part...)
				ids = append(ids, c.ID)
			}
		}
	}
	const top = 50
	compare := func(retriever eval.Retriever, query func(q string) store.Query) {
		scorer, err := retriever.Index(t.Context(), chunks, questions)
		if err != nil {
			t.Fatal(err)
		}
		scores := make([]float32, len(chunks))
		for n, question := range questions {
			order := make([]int, len(chunks))
			for i := range order {
				order[i] = i
			}
			scorer(n, order, scores)
			slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(scores[j], scores[i]) })
			q := query(question)
			q.Top = top
			hits, err := s.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for k := range min(top, len(order)) {
				i := order[k]
				if math.IsInf(float64(scores[i]), -1) {
					if k != len(hits) {
						t.Errorf("%s: %q finds %d chunks, want %d", retriever.Name(), question, len(hits), k)
					}
					break
				}
				if k >= len(hits) || hits[k].ID != ids[i] || hits[k].Score != scores[i] {
					t.Errorf("%s: %q: hit %d is %v, want %s %v", retriever.Name(), question, k, at(hits, k), ids[i], scores[i])
					break
				}
			}
		}
	}
	words, vectors := eval.BM25{Facts: true}, eval.Dense{Embedder: lexical, TextOnly: true}
	byVector := func(q string) store.Query {
		v, err := lexical.Embed(t.Context(), []string{q})
		if err != nil {
			t.Fatal(err)
		}
		return store.Query{Vector: v[0], Embedder: lexical.Name()}
	}
	compare(words, func(q string) store.Query { return store.Query{Text: q} })
	compare(vectors, byVector)
	compare(eval.Hybrid{vectors, words}, func(text string) store.Query {
		q := byVector(text)
		q.Text = text
		return q
	})
}

func at(hits []store.Hit, k int) string {
	if k >= len(hits) {
		return "missing"
	}
	return fmt.Sprint(hits[k].ID, " ", hits[k].Score)
}
