package tables

import (
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle/ast"
)

func TestPipeRule(t *testing.T) {
	for line, want := range map[string]int{
		"|---|---|":     2,
		"--|--":         2,
		":-: | -: | :-": 3,
		"|-|":           1,
		"  |:-|  \n":    1,
		":-":            1,
		"---":           0,
		"- - -":         0,
		"|":             0,
		"||":            0,
		"| - | a |":     0,
		"|-:-|":         0,
		"|::|":          0,
		"":              0,
	} {
		if got := PipeRule([]byte(line)); got != want {
			t.Errorf("%q: got %d columns, want %d", line, got, want)
		}
	}
}

func TestPipeColumns(t *testing.T) {
	for line, want := range map[string]int{
		"| a | b |":       2,
		"a | b":           2,
		"| a | b":         2,
		"| | |":           2,
		`| a \| b |`:      1,
		"| `a\\|b` | c |": 2,
		`| a \\| b |`:     2,
		"a":               1,
		"":                0,
	} {
		if got := PipeColumns([]byte(line)); got != want {
			t.Errorf("%q: got %d columns, want %d", line, got, want)
		}
	}
}

// pipe parses src, all of which is a table.
func pipe(t *testing.T, src string) *ast.Node {
	t.Helper()
	var lines []ast.Span
	at := 0
	for line := range strings.SplitAfterSeq(src, "\n") {
		if line != "" {
			lines = append(lines, ast.Span{Start: at, End: at + len(line)})
		}
		at += len(line)
	}
	table := Pipe([]byte(src), ast.Span{Start: 0, End: len(src)}, lines, nil)
	d := &ast.Document{Source: []byte(src), Root: &ast.Node{Kind: ast.Root, Span: table.Span, Children: []*ast.Node{table}}}
	if err := ast.Check(d); err != nil {
		t.Fatal(err)
	}
	return table
}

func TestPipe(t *testing.T) {
	long := strings.Repeat("x", LongRow)
	src := "| k | `a\\|b` |\n|---|---|\n| 1 | 2 |\n| " + long + " | \\| | extra |\n"
	table := pipe(t, src)
	if got := src[table.Head.Start:table.Head.End]; got != "| k | `a\\|b` |\n|---|---|\n" {
		t.Errorf("the head is %q", got)
	}
	if want := []string{"k", "`a|b`"}; !slices.Equal(table.Columns, want) {
		t.Errorf("the columns are %q, not %q", table.Columns, want)
	}
	if len(table.Children) != 3 {
		t.Fatalf("%d rows, not 3", len(table.Children))
	}
	if !table.Children[1].IsLeaf() {
		t.Error("a short row has cells")
	}
	var cells []string
	for _, cell := range table.Children[2].Children {
		cells = append(cells, cell.Name+"="+src[cell.Span.Start:cell.Span.End])
	}
	if want := []string{"k=| " + long + " |", "`a|b`= \\| |", "= extra |\n"}; !slices.Equal(cells, want) {
		t.Errorf("the cells are %q, not %q", cells, want)
	}
}

func TestPipeOfHeaderOnly(t *testing.T) {
	if table := pipe(t, "|a|\n|-|"); table.Head != table.Span {
		t.Errorf("the head is %v of %v", table.Head, table.Span)
	}
}
