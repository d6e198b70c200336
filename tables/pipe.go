package tables

import (
	"bytes"

	"github.com/cantle/cantle/ast"
)

// LongRow is the length in bytes above which a row of a pipe table is given
// its cells as children. A shorter row is a leaf: it is hardly ever cut, and
// cells would be most of the nodes of a document.
const LongRow = 80

// PipeRule returns the number of columns of line, the rule between the header
// and the body of a pipe table such as "|:--|--:|", or 0 where line is no such
// rule. A line of "-" alone is none.
func PipeRule(line []byte) (columns int) {
	line = trimBlanks(line)
	if len(line) == 0 || !isRuleByte(line[0]) {
		return 0
	}
	onlyDashes := true
	for _, b := range line {
		if !isRuleByte(b) && !isBlank(b) {
			return 0
		}
		onlyDashes = onlyDashes && b == '-'
	}
	if onlyDashes {
		return 0
	}
	for cell := range PipeCells(line) {
		dashes := trimBlanks(line[cell.Start:cell.End])
		dashes = bytes.TrimSuffix(bytes.TrimPrefix(dashes, []byte(":")), []byte(":"))
		if len(dashes) == 0 || len(bytes.Trim(dashes, "-")) > 0 {
			return 0
		}
		columns++
	}
	return columns
}

// PipeColumns returns the number of cells of line, read as a row of a pipe
// table; 0 for a blank line or a single pipe.
func PipeColumns(line []byte) (columns int) {
	for range PipeCells(line) {
		columns++
	}
	return columns
}

// Pipe returns the pipe table that spans span of src. lines are its lines, two
// or more, without what a list or a quote puts before them; the first is the
// header, the second the rule, which [PipeRule] accepts. They form the first
// row and the Head of the table. label makes a label of the source of a header
// cell; nil takes it as it is.
//
// A row reaches from the start of its line, marks of lists and quotes
// included, to the start of the next row. A row is tiled by its cells where it
// or the header is longer than [LongRow]: a pipe belongs to the cell before it, the first pipe to the
// first cell. As in GitHub's dialect, a pipe ends a cell unless it is escaped,
// also within a code span, and a line with too many cells keeps them all.
func Pipe(src []byte, span ast.Span, lines []ast.Span, label func([]byte) string) *ast.Node {
	if label == nil {
		label = func(cell []byte) string { return string(cell) }
	}
	header := src[lines[0].Start:lines[0].End]
	var columns []string
	for _, text := range PipeTexts(header) {
		columns = append(columns, label([]byte(text)))
	}
	nodes := make([]ast.Node, len(lines)-1)
	rows := make([]*ast.Node, len(lines)-1)
	start := span.Start
	for i := range rows {
		end := span.End
		if next := i + 2; next < len(lines) {
			end = lineStart(src, lines[next].Start)
		}
		row := &nodes[i]
		row.Kind, row.Span = ast.Row, ast.Span{Start: start, End: end}
		if i > 0 && max(row.Span.Len(), rows[0].Span.Len()) > LongRow {
			row.Children = cells(src, row.Span, lines[i+1], columns)
		}
		rows[i] = row
		start = end
	}
	return &ast.Node{Kind: ast.Table, Span: span, Head: rows[0].Span, Columns: columns, Children: grouped(src, rows, lines, len(columns))}
}

// grouped puts the rows that stand below a row which names them ("**Costs**" and
// nothing else) into a Group of which that row is the Head.
func grouped(src []byte, rows []*ast.Node, lines []ast.Span, columns int) []*ast.Node {
	labels := make([]bool, len(rows))
	found := false
	for i := 1; i+1 < len(rows); i++ {
		line := lines[i+1]
		labels[i] = namesGroup(src[line.Start:line.End], columns)
		found = found || labels[i]
	}
	if !found {
		return rows
	}
	var out []*ast.Node
	for i := 0; i < len(rows); i++ {
		if !labels[i] || labels[i+1] {
			out = append(out, rows[i])
			continue
		}
		group := &ast.Node{Kind: ast.Group, Span: rows[i].Span, Head: rows[i].Span, Children: rows[i : i+1 : i+1]}
		for i+1 < len(rows) && !labels[i+1] {
			i++
			group.Children = append(group.Children, rows[i])
			group.Span.End = rows[i].Span.End
		}
		out = append(out, group)
	}
	return out
}

// namesGroup reports whether a row has text in its first cell only. Of two
// columns the second may be empty by chance, so there the first must look like
// a title: bold, or with a colon.
func namesGroup(line []byte, columns int) bool {
	n := 0
	var first []byte
	for cell := range PipeCells(line) {
		text := trimBlanks(line[cell.Start:cell.End])
		if n == 0 {
			first = text
		}
		if (n == 0) != (len(text) > 0) {
			return false
		}
		n++
	}
	title := bytes.HasPrefix(first, []byte("**")) || bytes.HasPrefix(first, []byte("__")) || bytes.HasSuffix(bytes.Trim(first, "*_"), []byte(":"))
	return columns > 1 && n == columns && (columns > 2 || title) && (title || len(first) < 60)
}

// cells tiles row, whose cells are in line. It returns nil for a single cell.
func cells(src []byte, row, line ast.Span, columns []string) []*ast.Node {
	var list []*ast.Node
	at := row.Start
	for cell := range PipeCells(src[line.Start:line.End]) {
		end := min(line.Start+cell.End+1, line.End) // with the pipe after it
		node := &ast.Node{Kind: ast.Cell, Span: ast.Span{Start: at, End: end}}
		if len(list) < len(columns) {
			node.Name = columns[len(list)]
		}
		list = append(list, node)
		at = end
	}
	if len(list) < 2 {
		return nil
	}
	list[len(list)-1].Span.End = row.End
	return list
}

// PipeCells yields the ranges between the pipes of line, a row of a pipe table,
// blanks included. The pipes at its ends are no cells.
func PipeCells(line []byte) func(yield func(ast.Span) bool) {
	return func(yield func(ast.Span) bool) {
		at, end := 0, len(line)
		for at < end && isBlank(line[at]) {
			at++
		}
		for end > at && isBlank(line[end-1]) {
			end--
		}
		if at < end && line[at] == '|' {
			at++
		}
		for i := at; i < end; i++ {
			switch line[i] {
			case '\\':
				i++ // the next byte is escaped
			case '|':
				if !yield(ast.Span{Start: at, End: i}) {
					return
				}
				at = i + 1
			}
		}
		if at < end {
			yield(ast.Span{Start: at, End: end})
		}
	}
}

func isRuleByte(b byte) bool { return b == '-' || b == '|' || b == ':' }

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

func trimBlanks(b []byte) []byte { return bytes.Trim(b, " \t\r\n") }

func lineStart(src []byte, offset int) int {
	return bytes.LastIndexByte(src[:offset], '\n') + 1
}
