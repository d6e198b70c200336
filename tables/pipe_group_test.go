package tables

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cantle/cantle/ast"
)

func TestPipeGroups(t *testing.T) {
	for _, c := range []struct {
		name, src, want string
	}{
		{"labels", "|a|b|c|\n|-|-|-|\n|Costs| | |\n|x|1|2|\n|y|3|4|\n|Result| | |\n|z|5|6|\n", "row group(row row row) group(row row)"},
		{"rows before", "|a|b|c|\n|-|-|-|\n|x|1|2|\n|Costs| | |\n|y|3|4|\n", "row row group(row row)"},
		{"a label above a label", "|a|b|c|\n|-|-|-|\n|A| | |\n|B| | |\n|y|3|4|\n", "row row group(row row)"},
		{"a label at the end", "|a|b|c|\n|-|-|-|\n|x|1|2|\n|A| | |\n", "row row row"},
		{"two columns", "|a|b|\n|-|-|\n|x| |\n|y|1|\n", "row row row"},
		{"two columns, bold", "|a|b|\n|-|-|\n|**x**| |\n|y|1|\n", "row group(row row)"},
		{"a cell missing", "|a|b|c|\n|-|-|-|\n|x|\n|y|1|2|\n", "row row row"},
	} {
		var lines []ast.Span
		at := 0
		for _, line := range strings.SplitAfter(c.src, "\n") {
			if line != "" {
				lines = append(lines, ast.Span{Start: at, End: at + len(line)})
			}
			at += len(line)
		}
		table := Pipe([]byte(c.src), ast.Span{Start: 0, End: len(c.src)}, lines, nil)
		d := &ast.Document{Source: []byte(c.src), Root: &ast.Node{Kind: ast.Root, Span: table.Span, Children: []*ast.Node{table}}}
		if err := ast.Check(d); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var got bytes.Buffer
		for i, n := range table.Children {
			if i > 0 {
				got.WriteByte(' ')
			}
			got.WriteString(n.Kind.String())
			if n.Kind == ast.Group {
				got.WriteString("(" + strings.TrimSpace(strings.Repeat("row ", len(n.Children))) + ")")
			}
		}
		if got.String() != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got.String(), c.want)
		}
	}
}
