package tables

import (
	"slices"
	"strings"

	"github.com/cantle/cantle/ast"
)

// Node returns the table as a tree, its rows written in format f. Spans reach
// from content to content; the caller makes them tile. The table ends at offset
// end.
//
// The children are titles and notes as paragraphs, the rows of a header as one
// row with the joined labels, and rows of data, those below a label row
// in a group that has it as its Head. Where labels of columns change further
// down, each band of rows is a group with its own header as its Head. In pipes,
// which are no table without a header, one without labels is blank. A blank
// line ends the rows. Tags of a table are in Head and Tail.
func (g *Grid) Node(f Format, end int) *ast.Node {
	w := writer{grid: g, format: f, blanks: g.room}
	table := &ast.Node{Kind: ast.Table, Columns: g.Columns()}
	i := 0
	for ; i < len(g.lines) && (g.lines[i].role == title || g.lines[i].role == empty); i++ {
		if g.lines[i].role == title {
			table.Children = append(table.Children, w.paragraph(i))
		}
	}
	last := len(g.lines)
	for last > i && (g.lines[last-1].role == note || g.lines[last-1].role == empty) {
		last--
	}
	var open *ast.Node
	if f == HTML {
		open = w.before(i, last, ast.Paragraph, "<table>\n")
	}
	if open != nil {
		table.Children = append(table.Children, open)
	}
	titles := len(table.Children)
	bands := g.bands(i)
	for k, start := range bands {
		end := last
		if k+1 < len(bands) {
			end = bands[k+1]
		}
		into := table
		if len(bands) > 1 {
			into = &ast.Node{Kind: ast.Group}
			table.Children = append(table.Children, into)
		}
		w.band(into, start, end)
		if into != table && !into.Head.IsEmpty() {
			into.Columns = w.labels
		}
		if into != table {
			spanChildren(into)
		}
	}
	if table.Head.IsEmpty() && titles > 0 {
		table.Head.End = table.Children[titles-1].Span.End
	}
	if n := len(table.Children); n > titles {
		if last < len(g.lines) {
			end = w.span(last).Start
		}
		if open != nil {
			w.close(table, last, end)
		}
		endRows(table.Children[len(table.Children)-1])
	}
	for ; last < len(g.lines); last++ {
		if g.lines[last].role == note {
			p := w.paragraph(last)
			if table.Tail.Start == 0 {
				table.Tail.Start = p.Span.Start
			}
			table.Children = append(table.Children, p)
		}
	}
	spanChildren(table)
	return table
}

// endRows puts a blank line after the last row in n.
func endRows(n *ast.Node) {
	for {
		if n.Text != "" {
			n.Text += "\n"
		}
		if len(n.Children) == 0 {
			return
		}
		n = n.Children[len(n.Children)-1]
	}
}

// before returns a node of what is written before row i, on its first byte: nil
// where the row begins with its contents, or is the end of the rows.
func (w *writer) before(i, end int, kind ast.Kind, text string) *ast.Node {
	if i == end {
		return nil
	}
	start := w.span(i).Start
	if start+1 >= w.contents(w.grid.lines[i].slots[0]).Start {
		return nil
	}
	w.taken = start + 1
	return &ast.Node{Kind: kind, Span: ast.Span{Start: start, End: w.taken}, Text: text}
}

// close ends an HTML table with its end tag, which takes the range between the
// byte after the contents of the last row before row last and end.
func (w *writer) close(table *ast.Node, last, end int) {
	at := 0
	for _, s := range w.grid.lines[last-1].slots {
		if !s.repeated {
			at = w.contents(s).End + 1
		}
	}
	if at == 0 || at >= end {
		return
	}
	for n := table; len(n.Children) > 0; n = n.Children[len(n.Children)-1] {
		n.Children[len(n.Children)-1].Span.End = at
	}
	table.Tail.Start = at
	table.Children = append(table.Children, &ast.Node{Kind: ast.Paragraph, Span: ast.Span{Start: at, End: end}, Text: "</table>\n"})
}

// bands returns the rows at which bands of the table start: the first header,
// and every header below data, where there is room for their labels.
func (g *Grid) bands(first int) []int {
	bands := []int{first}
	below := false
	for i := first; i < len(g.lines); i++ {
		switch g.lines[i].role {
		case data, label:
			below = true
		case header:
			if below {
				bands = append(bands, i)
				below = false
			}
		}
	}
	if len(bands)*len(g.columns) > g.room {
		return bands[:1]
	}
	return bands
}

// spanChildren gives n the span of its children, and its Head and Tail their
// outer ends.
func spanChildren(n *ast.Node) {
	if len(n.Children) == 0 {
		return
	}
	n.Span = ast.Span{Start: n.Children[0].Span.Start, End: n.Children[len(n.Children)-1].Span.End}
	if n.Head.End > 0 {
		n.Head.Start = n.Span.Start
	}
	if n.Tail.Start > 0 {
		n.Tail.End = n.Span.End
	}
}

type writer struct {
	grid       *Grid
	format     Format
	labels     []string // of the columns in the band at hand
	headerSize int      // of its header as written, in bytes
	blanks     int      // cells of nothing that may still be written
	taken      int      // offset up to which the source is taken by lines it does not hold

	// of the row at hand
	buf   []byte
	parts []part
	moved []ast.Mark
}

// A group is a label row that is still open, and what it takes to close it.
type group struct {
	node  *ast.Node
	level int  // of its indentation
	plain int  // 0 in capitals, 1 in bold, 2 plain
	colon bool // the label ends in one
	rows  int  // of data in it
	deep  bool // has rows further in than its label
}

// maxGroups bounds the nesting of groups.
const maxGroups = 8

// band appends the rows from start to end to table.
func (w *writer) band(table *ast.Node, start, end int) {
	g := w.grid
	i := start
	for i < end && (g.lines[i].role == header || g.lines[i].role == empty) {
		i++
	}
	if last := lastHeader(g, start, i); last >= start {
		w.labels = g.labels(start, i)
		row := w.header(start, last+1)
		w.headerSize = len(row.Text)
		table.Children = append(table.Children, row)
		table.Head.End = row.Span.End
	} else if w.format == Markdown {
		if blank := w.before(i, end, ast.Row, w.format.header(make([]string, len(g.columns)))); blank != nil {
			table.Children = append(table.Children, blank)
			table.Head.End = blank.Span.End
		}
	}
	var open []group
	closeTo := func(n int) {
		for len(open) > n {
			spanChildren(open[len(open)-1].node)
			open = open[:len(open)-1]
		}
	}
	parent := func() *ast.Node {
		if len(open) > 0 {
			return open[len(open)-1].node
		}
		return table
	}
	for ; i < end; i++ {
		l := &g.lines[i]
		switch l.role {
		case empty:
		case label:
			next := group{level: g.level(l), plain: w.plainness(l), colon: endsInColon(l.slots[0].text)}
			n := len(open)
			for n > 0 && !open[n-1].holds(next) {
				n--
			}
			closeTo(min(n, maxGroups-1))
			next.node = &ast.Node{Kind: ast.Group}
			row := w.row(i)
			next.node.Children = []*ast.Node{row}
			next.node.Head.End = row.Span.End
			p := parent()
			p.Children = append(p.Children, next.node)
			open = append(open, next)
		default:
			level, total := g.level(l), isTotal(l.slots[0].text)
			if l.slots[0].start >= g.columns[0].end && len(open) > 0 { // a sum without a label: of the group at hand
				level, total = open[len(open)-1].level, true
			}
			n := len(open)
			for n > 0 && open[n-1].ends(level, total) {
				n--
			}
			closeTo(n)
			p := parent()
			p.Children = append(p.Children, w.row(i))
			for k := range open {
				open[k].rows++
				open[k].deep = open[k].deep || level > open[k].level
			}
			if n > 0 && total {
				open[n-1].rows = closed
			}
		}
	}
	closeTo(0)
}

const closed = 1 << 30 // rows of a group whose total has been seen

// holds reports whether a label row belongs into g: it stands further in, is
// less marked, or looks the same but follows at once or differs in its colon,
// as "Numerator" below "Basic:".
func (g *group) holds(inner group) bool {
	switch {
	case g.rows >= closed:
		return false
	case inner.level != g.level:
		return inner.level > g.level
	case inner.plain != g.plain:
		return inner.plain > g.plain
	}
	return g.colon && (g.rows == 0 || !inner.colon)
}

func endsInColon(text string) bool {
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
}

// ends reports whether a row of data at level stands after g, not in it.
func (g *group) ends(level int, total bool) bool {
	switch {
	case g.rows >= closed:
		return true
	case total:
		return level < g.level
	case g.deep:
		return level <= g.level
	}
	return level < g.level
}

func (w *writer) plainness(l *line) int {
	switch {
	case isCapitals(l.slots[0].text):
		return 0
	case w.grid.isBold(l.slots[0]):
		return 1
	}
	return 2
}

func lastHeader(g *Grid, start, end int) int {
	for i := end - 1; i >= start; i-- {
		if g.lines[i].role == header {
			return i
		}
	}
	return -1
}

// paragraph returns row i as text.
func (w *writer) paragraph(i int) *ast.Node {
	n := &ast.Node{Kind: ast.Paragraph, Span: w.span(i), Text: w.grid.rowText(i) + "\n\n"}
	at := 0
	for _, s := range w.grid.lines[i].slots {
		for c := range w.grid.cells(s) {
			n.Marks = append(n.Marks, ast.Mark{Text: at, Source: c.Span.Start})
			break
		}
		at += len(s.text) + 1
	}
	return n
}

// span returns the range of row i, without what is taken for a line before it.
func (w *writer) span(i int) ast.Span {
	s := w.grid.rows[i].Span
	return ast.Span{Start: max(s.Start, min(w.taken, s.End)), End: s.End}
}

// header returns the header rows from start to end as one row.
func (w *writer) header(start, end int) *ast.Node {
	n := &ast.Node{Kind: ast.Row, Span: ast.Span{Start: w.span(start).Start, End: w.span(end - 1).End}}
	n.Text = w.format.header(w.labels)
	for i := start; i < end; i++ {
		for _, s := range w.grid.lines[i].slots {
			if s.repeated {
				continue
			}
			n.Children = append(n.Children, &ast.Node{Kind: ast.Cell, Span: w.contents(s),
				Text: strings.ReplaceAll(s.text, "\n", " ") + "\n", Marks: w.marks(s)})
		}
	}
	if len(n.Children) > 0 {
		n.Span.Start = min(n.Span.Start, n.Children[0].Span.Start)
	}
	if n.Text == "" { // each record says its labels
		n.Kind, n.Children, n.Marks = ast.Markup, nil, nil
	}
	return n
}

// contents returns the range of what s holds.
func (w *writer) contents(s slot) ast.Span {
	cells := w.grid.rows[s.row].Cells
	first, last := s.lo, s.hi-1
	for cells[first].Text == "" {
		first++
	}
	for cells[last].Text == "" {
		last--
	}
	return ast.Span{Start: cells[first].Span.Start, End: cells[last].Span.End}
}

// A part is a cell of a row that is being written.
type part struct {
	span  ast.Span
	label string
	at    int // in the text of the row
	marks int // the first of its own
}

// manyRows is the number of rows above which those of a table are tiled by
// their cells only where they are long: cells would be most of what such a
// document takes in memory.
const manyRows = 10000

// row returns row i, tiled by its cells. A value that is repeated from a row
// above belongs to the cell beside it.
func (w *writer) row(i int) *ast.Node {
	g, l := w.grid, &w.grid.lines[i]
	n := &ast.Node{Kind: ast.Row, Span: w.span(i), Level: g.level(l)}
	w.buf, w.parts, w.moved = w.buf[:0], w.parts[:0], w.moved[:0]
	key := ""
	if w.format == Records && len(l.slots) > 1 {
		key = w.format.escape(l.slots[0].text)
	}
	k := 0
	for c := range g.columns {
		last := c == len(g.columns)-1
		label := ""
		if c < len(w.labels) {
			label = w.labels[c]
		}
		at := len(w.buf)
		begin := k
		for k < len(l.slots) && (g.columnOf(l.slots[k]) <= c || last) {
			k++
		}
		if begin == k && c > 0 && !last {
			if w.blanks--; w.blanks < 0 {
				continue
			}
		}
		if w.format == Records && (begin == k || begin == 0 && k < len(l.slots) && k == 1) {
			continue // the key stands in the records of the others
		}
		w.buf = append(w.buf, w.format.open(c, key, label)...)
		for j, s := range l.slots[begin:k] {
			if j > 0 {
				w.buf = append(w.buf, ' ')
			}
			text := w.format.escape(s.text)
			if !s.repeated {
				if j > 0 {
					at = len(w.buf)
				}
				p := part{span: w.contents(s), label: label, at: at, marks: len(w.moved)}
				w.moved = w.format.move(w.moved, w.marks(s), s.text, len(w.buf), p.span.End)
				w.parts = append(w.parts, p)
			}
			w.buf = append(w.buf, text...)
		}
		w.buf = append(w.buf, w.format.close(last)...)
	}
	n.Text = string(w.buf)
	n.Marks = slices.Clone(w.moved)
	if len(w.parts) > 1 && (len(g.lines) <= manyRows || max(len(n.Text), w.headerSize) > LongRow) {
		n.Children = w.cells(n)
		if l.slots[0].start < g.columns[0].end && !l.slots[0].repeated && w.format != Records {
			n.Head = ast.Span{Start: n.Span.Start, End: n.Children[0].Span.End}
		}
	}
	return n
}

// cells returns the cells of the row at hand, which tile its text. Each has its
// part of the marks of the row.
func (w *writer) cells(row *ast.Node) []*ast.Node {
	nodes := make([]ast.Node, len(w.parts))
	list := make([]*ast.Node, len(w.parts))
	marks := slices.Clone(w.moved)
	for j, p := range w.parts {
		start, end, lastMark := p.at, len(row.Text), len(marks)
		if j == 0 {
			start = 0
		}
		if j+1 < len(w.parts) {
			end, lastMark = w.parts[j+1].at, w.parts[j+1].marks
		}
		own := marks[p.marks:lastMark:lastMark]
		for m := range own {
			own[m].Text -= start
		}
		nodes[j] = ast.Node{Kind: ast.Cell, Span: p.span, Name: p.label, Text: row.Text[start:end], Marks: own}
		list[j] = &nodes[j]
	}
	return list
}

// marks returns the marks of the text of s.
func (w *writer) marks(s slot) []ast.Mark {
	var marks []ast.Mark
	from := 0
	for c := range w.grid.cells(s) {
		i := strings.Index(s.text[from:], c.Text)
		if i < 0 {
			break
		}
		from += i
		if len(c.Marks) == 0 {
			marks = append(marks, ast.Mark{Text: from, Source: c.Span.Start})
		}
		for _, m := range c.Marks {
			marks = append(marks, ast.Mark{Text: from + m.Text, Source: m.Source})
		}
		from += len(c.Text)
	}
	return marks
}
