package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle/chunker"
)

// shelf is a Store that holds one document.
type shelf struct {
	Store
	chunks []chunker.Chunk
}

func (s shelf) Document(context.Context, string) ([]chunker.Chunk, error) {
	return slices.Clone(s.chunks), nil
}

func (s shelf) Get(_ context.Context, ids ...string) (found []chunker.Chunk, err error) {
	for _, c := range s.chunks {
		if slices.Contains(ids, c.ID) {
			found = append(found, c)
		}
	}
	return found, nil
}

// newShelf holds a parent of 60 tokens, then chunks 0 to 5 of 10 in sections
// A, A, A > x, B, B, B.
func newShelf() shelf {
	s := shelf{chunks: []chunker.Chunk{{ID: "p", DocID: "d", Type: chunker.TypeParent, Text: "all of A", Tokens: 60}}}
	for i, path := range [][]string{{"A"}, {"A"}, {"A", "x"}, {"B"}, {"B"}, {"B"}} {
		c := chunker.Chunk{ID: fmt.Sprint(i), DocID: "d", Index: i, SectionPath: path, Tokens: 10, Text: fmt.Sprintf("text %d", i)}
		if path[0] == "A" {
			c.ParentID = "p"
		}
		s.chunks = append(s.chunks, c)
	}
	return s
}

func TestExpand(t *testing.T) {
	s := newShelf()
	for _, c := range []struct {
		how    Expansion
		hits   string
		budget int
		want   string
	}{
		{ExpandNone, "4 1", 0, "4 | 1"},
		{ExpandNeighbours, "1", 0, "0+1+2"},
		{ExpandNeighbours, "5 0", 0, "4+5 | 0+1"},
		{ExpandNeighbours, "4 1", 0, "0+1+2+3+4+5"},
		{ExpandSection, "1", 0, "0+1+2"},
		{ExpandSection, "2", 0, "2"},
		{ExpandSection, "3 5", 0, "3+4+5"},
		{ExpandParent, "2 4 0", 0, "p | 4"},
		{ExpandParent, "2 4 0", 70, "p | 4"},
		{ExpandParent, "2 4 0", 30, "0+2 | 4"},
		{ExpandParent, "2 4 0", 10, "2"},
		{ExpandNone, "2 4 0", 25, "2 | 4"},
		{ExpandSection, "5 0", 15, "5"},
		{ExpandNone, "2", 5, ""},
	} {
		var hits []Hit
		for i, id := range strings.Fields(c.hits) {
			found, _ := s.Get(t.Context(), id)
			hits = append(hits, Hit{found[0], float32(10 - i)})
		}
		passages, err := Expand(t.Context(), s, hits, c.how, c.budget)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		tokens := 0
		for _, p := range passages {
			var ids []string
			for _, chunk := range p.Chunks {
				ids = append(ids, chunk.ID)
			}
			got = append(got, strings.Join(ids, "+"))
			tokens += p.Tokens()
		}
		if got := strings.Join(got, " | "); got != c.want {
			t.Errorf("%s of %s in %d: got %s, want %s", c.how, c.hits, c.budget, got, c.want)
		}
		if c.budget > 0 && tokens > c.budget {
			t.Errorf("%s of %s: %d tokens of %d", c.how, c.hits, tokens, c.budget)
		}
	}
	if _, err := Expand(t.Context(), s, nil, "all", 0); err == nil {
		t.Error("an unknown expansion is no error")
	}
	// A hit that is not in the document any more stands for itself.
	gone := Hit{chunker.Chunk{ID: "gone", DocID: "d", Text: "old"}, 1}
	if p, err := Expand(t.Context(), s, []Hit{gone}, ExpandSection, 0); err != nil || len(p) != 1 || p[0].Text() != "old" {
		t.Errorf("got %v, %v", p, err)
	}
}

func TestPassageText(t *testing.T) {
	body := func(start, end int) chunker.Part { return chunker.Part{Role: chunker.RoleBody, Start: start, End: end} }
	p := Passage{Chunks: []chunker.Chunk{
		{Text: "| a |\n|---|\n| 1 |", Parts: []chunker.Part{body(0, 17)}},
		{Text: "| a |\n|---|\n| 2 |", Parts: []chunker.Part{{Role: chunker.RoleHead, Start: 0, End: 12}, body(18, 23)}},
		{Text: "after it", Parts: []chunker.Part{body(24, 32)}},
	}}
	if got, want := p.Text(), "| a |\n|---|\n| 1 |\n| 2 |\n\nafter it"; got != want {
		t.Errorf("got %q", got)
	}
}
