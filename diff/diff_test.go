package diff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/diff"
	"github.com/cantle/cantle/records"
)

func lines(ls ...string) diff.Stream {
	return func(use func(*records.Record, []byte) error) error {
		return records.Read(strings.NewReader(strings.Join(ls, "\n")), nil, use)
	}
}

func record(id, doc, text string, index int) string {
	return fmt.Sprintf(`{"id":%q,"doc_id":%q,"chunk_index":%d,"text":%q,"tokens":%d}`, id, doc, index, text, len(text))
}

func run(t *testing.T, old, new diff.Stream, opt diff.Options) ([]string, diff.Summary) {
	t.Helper()
	var got []string
	sum, err := diff.Run(old, new, opt, func(c *diff.Change) error {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s", c.Op, c.ID, c.From)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got, sum
}

func TestOps(t *testing.T) {
	old := lines(record("a", "d", "one", 0), record("b", "d", "two", 1), record("c", "d", "three", 2), record("i1", "e", "left", 0), record("i2", "e", "right", 1), record("g", "f", "gone", 0))
	new := lines(record("a", "d", "one", 0), record("x", "d", "new", 1), record("b", "d", "two", 2), record("y", "h", "three", 0), record("i1", "e", "new at the left", 0), record("i2", "e", "left", 1))
	got, sum := run(t, old, new, diff.Options{})
	want := []string{"keep a", "add x", "move b", "move y c", "add i1", "move i2 i1", "delete c", "delete g"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if sum.Add != (diff.Count{Chunks: 2, Tokens: 18}) || sum.Keep.Chunks != 1 || sum.Move.Chunks != 3 || sum.Delete.Chunks != 2 {
		t.Errorf("got %+v", sum)
	}
}

func TestContextIsEmbedded(t *testing.T) {
	old := lines(`{"id":"a","text":"t","context":"Old"}`)
	new := lines(`{"id":"b","text":"t","context":"New"}`)
	if got, _ := run(t, old, new, diff.Options{}); !slices.Equal(got, []string{"add b", "delete a"}) {
		t.Errorf("got %v", got)
	}
	if got, _ := run(t, old, new, diff.Options{TextOnly: true}); !slices.Equal(got, []string{"move b a", "delete a"}) {
		t.Errorf("text only: got %v", got)
	}
}

func TestWithoutIDs(t *testing.T) {
	old := lines(`{"text":"one","doc":"a"}`, `{"text":"two","doc":"a"}`)
	new := lines(`{"text":"two","doc":"a"}`, `{"text":"two","doc":"b"}`, `{"text":"three","doc":"a"}`)
	got, _ := run(t, old, new, diff.Options{})
	if want := []string{"keep", "move", "add", "delete"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Chunks are the lines that they are written as.
func TestChunks(t *testing.T) {
	chunks := []chunker.Chunk{{ID: "a", DocID: "d", Text: "a < b && c\u2028", Meta: map[string]any{"x": "<p>"}}, {ID: "b", DocID: "d", Text: "<&>"}}
	var written []string
	for i := range chunks {
		line, err := chunks[i].AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		written = append(written, string(line))
	}
	for _, streams := range [][2]diff.Stream{{lines(written...), diff.Chunks(chunks)}, {diff.Chunks(chunks), lines(written...)}} {
		if got, _ := run(t, streams[0], streams[1], diff.Options{}); !slices.Equal(got, []string{"keep a", "keep b"}) {
			t.Errorf("got %v", got)
		}
	}
}
