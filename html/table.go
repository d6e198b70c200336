package html

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/tables"
)

// table makes a Table of a table of data, and blocks of one that only makes a
// layout.
func (f *flow) table(n int32, face face) {
	if f.elements[n].layout || f.elements[n].role == "presentation" || f.elements[n].role == "none" {
		f.unwrap(n, face)
		return
	}
	var rows []tables.Row
	var captions []*ast.Node
	f.rows(n, face, false, &rows, &captions)
	grid := tables.Lay(rows)
	switch {
	case grid.Len() == 0 && len(captions) > 0:
		f.unwrap(n, face)
		return
	case f.isLayout(grid, rows, len(captions) > 0):
		f.unwrapRows(n, grid, rows, face)
		return
	}
	end := f.elements[n].end
	var caption ast.Span
	if len(captions) > 0 {
		caption = ast.Span{Start: captions[0].Span.Start, End: captions[len(captions)-1].Span.End}
		if caption.Start >= rows[len(rows)-1].Span.End {
			end = caption.Start
		}
	}
	node := grid.Node(f.opts.Tables, end)
	if len(captions) > 0 {
		switch {
		case caption.End <= node.Span.Start:
			node.Children = append(captions, node.Children...)
			node.Span.Start = caption.Start
			node.Head = ast.Span{Start: caption.Start, End: max(node.Head.End, caption.End)}
		case caption.Start >= node.Span.End:
			node.Children = append(node.Children, captions...)
			if node.Tail.IsEmpty() {
				node.Tail = caption
			}
			node.Span.End, node.Tail.End = caption.End, caption.End
		default: // among the rows
			f.unwrap(n, face)
			return
		}
	}
	f.append(node)
}

// rows appends the rows in n, and the caption as paragraphs.
func (f *flow) rows(n int32, face face, head bool, rows *[]tables.Row, captions *[]*ast.Node) {
	var loose *tables.Row // cells without a row
	for c := f.elements[n].first; c != 0; c = f.elements[c].next {
		e := &f.elements[c]
		if e.hidden || e.style.hidden || isHidden(e.tag) {
			continue
		}
		if e.tag != atom.Td && e.tag != atom.Th {
			loose = nil
		}
		switch e.tag {
		case atom.Thead:
			f.rows(c, face.within(e), true, rows, captions)
		case atom.Tr:
			row := tables.Row{Span: ast.Span{Start: e.start, End: e.end}, Header: head}
			row.Cells = f.cells(c, face.within(e))
			*rows = append(*rows, row)
		case atom.Caption:
			*captions = append(*captions, f.collect(func() { f.walk(c, face.within(e)) })...)
		case atom.Td, atom.Th:
			if loose == nil {
				*rows = append(*rows, tables.Row{Span: ast.Span{Start: e.start, End: e.end}, Header: head})
				loose = &(*rows)[len(*rows)-1]
			}
			loose.Cells = append(loose.Cells, f.cellOf(c, face))
			loose.Span.End = e.end
		case text:
			if len(*rows) == 0 { // browsers show it above the table
				*captions = append(*captions, f.collect(func() { f.text(e, face) })...)
				continue
			}
			f.cell.reset()
			if f.cell.flow(e.start, e.end); !f.cell.isEmpty() { // text without a cell
				*rows = append(*rows, tables.Row{Span: ast.Span{Start: e.start, End: e.end}, Cells: []tables.Cell{f.take(false, 0)}})
			}
		default:
			f.rows(c, face.within(e), head, rows, captions)
		}
	}
}

// cells returns the cells of row n, text between them among them.
func (f *flow) cells(n int32, face face) []tables.Cell {
	count := 0
	for c := f.elements[n].first; c != 0; c = f.elements[c].next {
		count++
	}
	cells := make([]tables.Cell, 0, count)
	for c := f.elements[n].first; c != 0; c = f.elements[c].next {
		e := &f.elements[c]
		if e.tag == comment || e.hidden || e.style.hidden || isHidden(e.tag) {
			continue
		}
		cell := f.cellOf(c, face)
		if e.tag != atom.Td && e.tag != atom.Th && cell.Text == "" {
			continue
		}
		cells = append(cells, cell)
	}
	return cells
}

// cellOf returns the text of cell n on a line, a line for each of its blocks.
func (f *flow) cellOf(n int32, in face) tables.Cell {
	e := &f.elements[n]
	f.cell.reset()
	c := cellWriter{flow: f, face: in.within(e)}
	c.face.indent = 0
	if e.tag == text {
		f.cell.flow(e.start, e.end)
		c.letters = len(f.cell.buf)
	} else {
		c.face.indent = e.style.indent
		c.walk(n, c.face)
	}
	cell := f.take(c.bold*10 >= c.letters*9 && c.bold > 0, c.indent)
	cell.Cols, cell.Rows, cell.Header = e.cols, e.rows, e.tag == atom.Th
	if e.attributes != noAttributes && e.rows == 0 && e.rowsToEnd {
		cell.Rows = 1 << 20
	}
	return cell
}

// take makes a cell of what f.cell holds.
func (f *flow) take(bold bool, indent float64) tables.Cell {
	w := &f.cell
	for len(w.buf) > 0 && isBlank(w.buf[len(w.buf)-1]) {
		w.buf = w.buf[:len(w.buf)-1]
	}
	if len(w.buf) == 0 || len(w.marks) == 0 { // nothing, or a bullet without an item
		return tables.Cell{}
	}
	return tables.Cell{Text: string(w.buf), Marks: shiftMarks(w.marks, 0, len(w.buf)),
		Span: ast.Span{Start: w.start, End: w.end}, Bold: bold, Indent: indent + float64(3*w.lead)}
}

// A cellWriter writes the text of a cell.
type cellWriter struct {
	*flow
	face    face
	letters int
	bold    int
	indent  float64
}

func (c *cellWriter) walk(n int32, in face) {
	for i := c.elements[n].first; i != 0; i = c.elements[i].next {
		e := &c.elements[i]
		switch {
		case e.tag == text:
			c.text(e, in)
		case isHidden(e.tag) || e.hidden || e.style.hidden:
		case e.tag == atom.Br, e.tag == atom.Img, e.tag == atom.Input, e.tag == atom.Option, e.tag == atom.Button, e.tag == atom.Label:
			c.cell.space = true
			if alt := e.altText(); alt != nil {
				c.text(alt, in)
			}
			c.walk(i, in.within(e))
			c.cell.space = true
		case isBlock(e.tag) || e.style.block:
			c.newLine()
			if e.tag == atom.Li {
				c.cell.parser("- ")
			}
			c.walk(i, in.within(e))
			c.newLine()
		default:
			if e.style.indent > 0 {
				c.cell.space = true
			}
			c.walk(i, in.within(e))
		}
	}
}

// text adds the letters of e to the cell.
func (c *cellWriter) text(e *element, in face) {
	before := len(c.cell.buf)
	c.cell.flow(e.start, e.end)
	added := len(c.cell.buf) - before
	if added == 0 {
		return
	}
	if before == 0 {
		c.indent = in.indent
	}
	c.letters += added
	if in.bold {
		c.bold += added
	}
	c.raise(&c.cell, e, before)
}

// newLine ends the line at hand, if anything is on it.
func (c *cellWriter) newLine() {
	if b := c.cell.buf; len(b) > 0 && b[len(b)-1] != '\n' {
		c.cell.lineBreak()
	}
}

// isLayout reports whether a table only arranges text: it has one column or
// one row and no numbers, or a mark or number before each text.
func (f *flow) isLayout(grid *tables.Grid, rows []tables.Row, caption bool) bool {
	switch {
	case grid.Len() == 0:
		return true
	case caption || grid.IsMarked():
		return grid.Width() == 0
	case grid.Width() <= 1:
		return true
	case grid.Len() == 1:
		return true
	}
	return isMarkedList(rows)
}

// isMarkedList reports whether each row is a mark or number and a text.
func isMarkedList(rows []tables.Row) bool {
	marked := 0
	for _, row := range rows {
		texts := filled(row)
		switch {
		case len(texts) == 0:
		case len(texts) == 2 && (isBullet(texts[0]) || isNumbering(texts[0]) && len(texts[1]) > 40):
			marked++
		default:
			return false
		}
	}
	return marked > 0
}

// filled returns the texts of the cells that have any.
func filled(row tables.Row) []string {
	var texts []string
	for _, c := range row.Cells {
		if c.Text != "" {
			texts = append(texts, c.Text)
		}
	}
	return texts
}

// unwrap makes blocks of what the cells of a table hold.
func (f *flow) unwrap(n int32, face face) {
	f.flush()
	f.walk(n, face)
	f.flush()
}

// unwrapRows makes a block of each row of a table that only makes a layout. A
// row of a bullet and a text is an item of a list; one with long texts gives a
// block for each.
func (f *flow) unwrapRows(n int32, grid *tables.Grid, rows []tables.Row, face face) {
	e := &f.elements[n]
	if grid.Len() == 0 {
		if f.w.isEmpty() {
			f.markup(e.start, e.end)
		}
		return
	}
	long := 0
	for _, row := range rows {
		for _, c := range row.Cells {
			if len(c.Text) > 200 || strings.Contains(c.Text, "\n") {
				long++
			}
		}
	}
	if long > 0 && !isMarkedList(rows) {
		f.unwrap(n, face)
		return
	}
	inCell := face
	inCell.inRow = true
	first := len(f.blocks)
	f.eachRow(n, inCell)
	for i := first; i < len(f.blocks); i++ {
		f.blocks[i].look.rows = grid.Len()
	}
}

// eachRow writes each row below n as a block.
func (f *flow) eachRow(n int32, face face) {
	for c := f.elements[n].first; c != 0; c = f.elements[c].next {
		e := &f.elements[c]
		switch {
		case e.tag == atom.Tr:
			if e.hidden || e.style.hidden {
				continue
			}
			f.flush()
			f.walk(c, face.within(e))
			f.flush()
		case e.tag == text:
			f.text(e, face)
		case isTablePart(e.tag) && e.tag != atom.Td && e.tag != atom.Th:
			f.eachRow(c, face.within(e))
		default:
			f.element(c, face)
		}
	}
}

// bullets are the signs that stand before the items of a list.
const bullets = "•▪●○◦·■□▪▫–—-*‣⁃➢➤►✓✔❖o"

// isBullet reports whether text is the sign before an item of a list.
func isBullet(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size == len(text) && size > 0 && strings.ContainsRune(bullets, r)
}

// isNumbering reports whether text is the number before an item: "1.", "(a)",
// "iv)".
func isNumbering(text string) bool {
	if len(text) < 2 || len(text) > 6 {
		return false
	}
	body := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(text, "("), "."), ")")
	if body == text || body == "" {
		return false
	}
	return !slices.ContainsFunc([]byte(body), func(c byte) bool { return !isAlphanumeric(c) })
}
