package eval_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/eval"
	"github.com/cantle/cantle/internal/walk"
	"github.com/cantle/cantle/tokens"
)

// The documents and questions of docs/evaluate.md: the questions fit, and what
// they find does not get less.
func TestQuestionsOfTheDocs(t *testing.T) {
	set := &eval.Set{Name: "docs", Scope: eval.ScopeCorpus, Documents: map[string][]byte{}}
	err := walk.Walk(context.Background(), []string{filepath.Join("..", "testdata", "docs")}, walk.Options{}, func(f walk.File) (err error) {
		set.Documents[f.ID], err = os.ReadFile(f.Path)
		return err
	}, func(p string, err error) { t.Errorf("%s: %v", p, err) })
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join("..", "testdata", "questions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if set.Questions, err = eval.ReadQuestions(f, false, set.Documents); err != nil {
		t.Fatal(err)
	}
	var chunks []eval.Chunk
	for _, id := range slices.Sorted(maps.Keys(set.Documents)) {
		records, err := cantle.Chunk(context.Background(), id, set.Documents[id], cantle.Options{})
		if err != nil {
			t.Fatal(err)
		}
		chunks = append(chunks, eval.FromRecords(records)...)
	}
	encoding, err := tokens.Get(cantle.DefaultEncoding)
	if err != nil {
		t.Fatal(err)
	}
	values, err := eval.Evaluate(context.Background(), set, chunks, eval.Options{Retriever: eval.BM25{}, Count: encoding.Count})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, row := range values {
		sum += row[0]
	}
	if got := sum / float64(len(values)); got < 0.95 {
		t.Errorf("auc_t of the default settings is %.3f, under 0.95", got)
	}
}
