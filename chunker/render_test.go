package chunker

import (
	"testing"

	"github.com/cantle/cantle/ast"
)

func TestPage(t *testing.T) {
	for _, c := range []struct{ offset, want int }{{0, 1}, {4, 1}, {5, 1}, {9, 1}, {10, 2}, {19, 2}, {20, 3}, {500, 3}} {
		if got := page([]int{5, 10, 20}, c.offset); got != c.want {
			t.Errorf("offset %d is on page %d, want %d", c.offset, got, c.want)
		}
	}
}

// The flag is set where a problem begins in the chunk, neither before nor behind it.
func TestParseErrorFlag(t *testing.T) {
	r := renderer{doc: &ast.Document{Problems: []ast.Problem{{Offset: 3}, {Offset: 7}, {Offset: 7}}},
		p: &planner{atoms: []atom{{node: &ast.Node{Kind: ast.Block}}}}}
	for _, c := range []struct {
		start, end int
		want       bool
	}{{0, 3, false}, {0, 4, true}, {3, 4, true}, {4, 7, false}, {7, 9, true}, {8, 9, false}} {
		k := Chunk{Start: c.start, End: c.end}
		if r.flag(&k, &piece{}, 1); (len(k.Flags) == 1) != c.want {
			t.Errorf("%d:%d has the flags %v, want one: %v", c.start, c.end, k.Flags, c.want)
		}
	}
}
