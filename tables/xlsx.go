package tables

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/cantle/cantle/ast"
)

const (
	maxUnpacked = 1 << 30 // bytes that a workbook may unpack to
	maxRatio    = 200     // and how many times its size, above the first MB
	maxSheet    = 16384   // columns of a sheet
	rowPlaces   = 256     // places given to a row beside those of its cells, before its text is written
)

// ParseXLSX returns the tree of a workbook. Its bytes are not text: Source is
// the text written out, a section for each sheet that has cells and a pipe table
// for each table on it, and Meta says derived; hidden_sheets and empty_sheets
// are the names of those left out.
//
// Rows are read one by one. Rows without cells, and columns where rows have
// none, part the tables of a sheet; a merged cell is repeated in its rows.
// Values are shown as their number formats say. Memory grows with the cells
// that are filled, wherever they stand. The error says that src is no workbook,
// or unpacks to more than a gigabyte or 200 times its size.
func ParseXLSX(name string, src []byte, opts Options) (*ast.Document, error) {
	archive, err := openArchive(src)
	if err != nil {
		return nil, err
	}
	book, err := excelize.OpenReader(bytes.NewReader(src), excelize.Options{UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: 64 << 20})
	if err != nil {
		return nil, fmt.Errorf("not a workbook: %w", err)
	}
	doc := &ast.Document{Name: name, Format: "xlsx", Meta: map[string]any{"derived": true}}
	w := bookWriter{doc: doc, opts: opts, merges: newMergeReader(archive), room: maxRatio * (len(src) + 1<<20)}
	if format, ok := ParseFormat(opts.Rows); ok {
		w.format = format
	}
	root := &ast.Node{Kind: ast.Root, Children: w.book(book)}
	if err := book.Close(); err != nil {
		doc.Problem(len(w.out), err.Error())
	}
	doc.Source = w.out
	root.Span.End = len(w.out)
	doc.Root = root
	return doc, nil
}

// openArchive opens the archive that a workbook is, unless it says that it
// unpacks to too much. One that lies about it fails when it is read.
func openArchive(src []byte) (*zip.Reader, error) {
	r, err := zip.NewReader(bytes.NewReader(src), int64(len(src)))
	if err != nil {
		return nil, fmt.Errorf("not a workbook: %w", err)
	}
	var total uint64
	for _, f := range r.File {
		if total += f.UncompressedSize64; f.UncompressedSize64 > maxUnpacked || total > maxUnpacked {
			return nil, fmt.Errorf("the workbook unpacks to more than %d bytes", maxUnpacked)
		}
	}
	if total > maxRatio*uint64(len(src)+1<<20) {
		return nil, fmt.Errorf("the workbook unpacks to more than %d times its size", maxRatio)
	}
	return r, nil
}

type bookWriter struct {
	doc    *ast.Document
	opts   Options
	format Format
	merges *mergeReader
	room   int // bytes that the values of cells may still take
	out    []byte
}

func (w *bookWriter) book(book *excelize.File) []*ast.Node {
	if props, err := book.GetDocProps(); err == nil && props.Title != "" {
		w.doc.Meta["title"] = props.Title
	}
	var sections []*ast.Node
	var hidden, blank []string
	for _, sheet := range book.GetSheetList() {
		if visible, err := book.GetSheetVisible(sheet); err == nil && !visible && !w.opts.Hidden {
			hidden = append(hidden, sheet)
			continue
		}
		if section := w.sheet(book, sheet); section != nil {
			sections = append(sections, section)
		} else {
			blank = append(blank, sheet)
		}
	}
	if hidden != nil {
		w.doc.Meta["hidden_sheets"] = hidden
	}
	if blank != nil {
		w.doc.Meta["empty_sheets"] = blank
	}
	return sections
}

// write appends text to the source and returns a leaf that spans it.
func (w *bookWriter) write(kind ast.Kind, text string) *ast.Node {
	start := len(w.out)
	w.out = append(w.out, text...)
	return &ast.Node{Kind: kind, Span: ast.Span{Start: start, End: len(w.out)}}
}

// oneLine returns s with its blanks and line ends joined.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// sheet writes a sheet as a section, nothing where it has no cells.
func (w *bookWriter) sheet(book *excelize.File, sheet string) *ast.Node {
	section := &ast.Node{Kind: ast.Section, Level: 1, Name: oneLine(sheet)}
	r := region{merges: w.merges.sheet(sheet)}
	flush := func() {
		if len(r.rows) == 0 {
			return
		}
		if section.Children == nil {
			heading := w.write(ast.Heading, "# "+section.Name+"\n\n")
			heading.Level = 1
			section.Head, section.Lead, section.Children = heading.Span, heading.Span, []*ast.Node{heading}
		}
		section.Children = append(section.Children, w.region(r)...)
		r.rows = nil
	}
	err := w.eachRow(book, sheet, func(row sheetRow) {
		if n := len(r.rows); n > 0 && row.number > r.rows[n-1].number+1 && !r.continues(row) {
			flush()
		}
		r.rows = append(r.rows, row)
	})
	flush()
	if err != nil {
		w.doc.Problem(len(w.out), sheet+": "+err.Error())
	}
	if section.Children == nil {
		return nil
	}
	section.Span = ast.Span{Start: section.Head.Start, End: len(w.out)}
	return section
}

// A sheetRow is a row of a sheet that has cells, and those of them that are
// filled, from left to right.
type sheetRow struct {
	number int // from 0
	cells  []sheetCell
}

type sheetCell struct {
	column int // from 0
	text   string
}

// eachRow yields the rows of a sheet that have cells, one by one.
func (w *bookWriter) eachRow(book *excelize.File, sheet string, yield func(sheetRow)) error {
	rows, err := book.Rows(sheet)
	if err != nil {
		return err
	}
	for number := 0; rows.Next(); number++ {
		columns, err := rows.Columns()
		if err != nil {
			rows.Close()
			return err
		}
		row := sheetRow{number: number}
		for i, text := range columns[:min(len(columns), maxSheet)] {
			if text == "" {
				continue
			}
			if text = strings.TrimSpace(strings.ToValidUTF8(text, "")); text != "" {
				row.cells = append(row.cells, sheetCell{i, text})
				w.room -= len(text)
			}
		}
		if w.room < 0 {
			rows.Close()
			return fmt.Errorf("its values are more than %d times the size of the workbook: what follows is left out", maxRatio)
		}
		if row.cells != nil {
			yield(row)
		}
	}
	return rows.Close()
}

// first returns the column of the first cell of r.
func (r sheetRow) first() int { return r.cells[0].column }

// last returns the column of the last cell of r.
func (r sheetRow) last() int { return r.cells[len(r.cells)-1].column }

// within returns the cells of r in columns start to end.
func (r sheetRow) within(start, end int) []sheetCell {
	by := func(c sheetCell, column int) int { return c.column - column }
	from, _ := slices.BinarySearchFunc(r.cells, start, by)
	to, _ := slices.BinarySearchFunc(r.cells, end, by)
	return r.cells[from:to]
}

// texts returns the texts of columns start to end of r, up to the last one that
// has any.
func (r sheetRow) texts(start, end int) []string {
	cells := r.within(start, end)
	if len(cells) == 0 {
		return nil
	}
	texts := make([]string, cells[len(cells)-1].column-start+1)
	for _, c := range cells {
		texts[c.column-start] = c.text
	}
	return texts
}

// A region is rows of a sheet that belong together. Rows without cells between
// them are left out.
type region struct {
	rows   []sheetRow
	merges merges
}

// continues reports whether row, below an empty one, goes on with the table of
// r: it has numbers, and no cells left or right of those of r.
func (r *region) continues(row sheetRow) bool {
	if len(r.rows) < 2 || len(row.cells) < 2 {
		return false
	}
	above := r.rows[len(r.rows)-1]
	return row.first() >= above.first() && row.last() <= above.last() &&
		slices.ContainsFunc(row.cells, func(c sheetCell) bool { return classify(c.text) == amount })
}

// covered returns how many rows of r are in rows top to bottom of the sheet.
func (r *region) covered(top, bottom int) int {
	by := func(row sheetRow, number int) int { return row.number - number }
	from, _ := slices.BinarySearchFunc(r.rows, top, by)
	to, _ := slices.BinarySearchFunc(r.rows, bottom+1, by)
	return to - from
}

// region writes the tables of r, which empty columns part, from left to right.
func (w *bookWriter) region(r region) []*ast.Node {
	width := 0
	for _, row := range r.rows {
		width = max(width, row.last()+1)
	}
	used := make([]bool, width+1) // the last is never used
	for _, row := range r.rows {
		for _, c := range row.cells {
			used[c.column] = true
		}
	}
	ends := make([]int, width) // where the merged cells that begin in a column end
	for _, row := range r.rows {
		for _, m := range r.merges.within(row.number, 0, width) {
			if used[m.left] {
				ends[m.left] = max(ends[m.left], min(m.right+1, width))
			}
		}
	}
	end := 0
	for c := range ends {
		end = max(end, ends[c])
		used[c] = used[c] || c < end
	}
	var nodes []*ast.Node
	for start := 0; start < width; start++ {
		if used[start] {
			end := start + slices.Index(used[start:], false)
			nodes = append(nodes, w.table(r, start, end))
			start = end
		}
	}
	return nodes
}

// table writes columns start to end of r: a table, or a paragraph of the lines
// of a single column.
func (w *bookWriter) table(r region, start, end int) *ast.Node {
	if end-start == 1 || len(r.rows) == 1 {
		var lines []string
		for _, row := range r.rows {
			for _, c := range row.within(start, end) {
				lines = append(lines, c.text)
			}
		}
		return w.write(ast.Paragraph, strings.Join(lines, "\n")+"\n\n")
	}
	rows := make([]Row, len(r.rows))
	var covering []mergedCell // reach into the rows below, from left to right
	place := 1
	for i, row := range r.rows {
		covering = slices.DeleteFunc(covering, func(m mergedCell) bool { return m.bottom < row.number })
		starting := r.merges.within(row.number, start, end)
		rows[i].Span.Start = place
		rows[i].Cells = r.cells(row, start, end, starting, covering)
		place += rowPlaces
		for k := range rows[i].Cells {
			cell := &rows[i].Cells[k]
			cell.Span = ast.Span{Start: place, End: place + 1}
			place += 1 + len(cell.Text)
		}
		place++
		rows[i].Span.End = place
		before := len(covering)
		for _, m := range starting {
			if m.bottom > row.number {
				covering = append(covering, m)
			}
		}
		if len(covering) > before {
			slices.SortFunc(covering, func(a, b mergedCell) int { return a.left - b.left })
		}
	}
	w.markHeader(rows, r, start, end)
	node := Lay(rows).Node(w.format, place)
	w.place(node)
	return node
}

// cells returns the cells of columns start to end of a row. Those that merged
// cells cover from a row above are passed over, and one blank cell stands for
// all up to the next that is filled or merged.
func (r *region) cells(row sheetRow, start, end int, starting, covering []mergedCell) []Cell {
	filled := row.within(start, end)
	var cells []Cell
	for c := start; c < end; {
		for len(covering) > 0 && covering[0].right < c {
			covering = covering[1:]
		}
		for len(starting) > 0 && starting[0].left < c {
			starting = starting[1:]
		}
		for len(filled) > 0 && filled[0].column < c {
			filled = filled[1:]
		}
		if len(filled)+len(starting) == 0 {
			break
		}
		next := end
		if len(covering) > 0 {
			if covering[0].left <= c {
				c = covering[0].right + 1
				continue
			}
			next = min(next, covering[0].left)
		}
		cell := Cell{Cols: 1}
		if len(filled) > 0 {
			if filled[0].column == c {
				cell.Text, next = filled[0].text, c+1
			} else {
				next = min(next, filled[0].column)
			}
		}
		if len(starting) > 0 {
			if m := starting[0]; m.left == c {
				next = min(m.right+1, end)
				cell.Rows = r.covered(m.top, m.bottom)
			} else {
				next = min(next, m.left)
			}
		}
		cell.Cols = min(next-c, maxSpan)
		c += cell.Cols
		cells = append(cells, cell)
	}
	return cells
}

// markHeader marks the first row below the titles as labels of columns where
// it looks like some and has no merged cells. Those are left to the grid.
func (w *bookWriter) markHeader(rows []Row, r region, start, end int) {
	top := r.rows[0]
	if len(top.within(start, end)) < 2 || len(r.merges[top.number]) > 0 || w.opts.Header == "no" {
		return
	}
	var sample [][]string
	for _, row := range r.rows[1:min(len(r.rows), 60)] {
		sample = append(sample, row.texts(start, end))
	}
	rows[0].Header = w.opts.Header == "yes" || isHeader(top.texts(start, end), sample)
}

// place writes the texts of n to the source and makes its nodes span them. A
// row keeps its cells where it is long.
func (w *bookWriter) place(n *ast.Node) {
	start, head, tail := len(w.out), 0, 0
	if text := n.Text; text != "" {
		w.out = append(w.out, text...)
		cells, size := n.Children, 0
		for _, c := range cells {
			size += len(c.Text)
		}
		n.Children = nil
		if len(text) > LongRow && size == len(text) {
			at := start
			for _, c := range cells {
				*c = ast.Node{Kind: ast.Cell, Span: ast.Span{Start: at, End: at + len(c.Text)}, Name: c.Name}
				at = c.Span.End
			}
			n.Children = cells
			if !n.Head.IsEmpty() {
				n.Head = cells[0].Span
			}
		} else {
			n.Head = ast.Span{}
		}
		n.Text, n.Marks = "", nil
		n.Span = ast.Span{Start: start, End: len(w.out)}
		return
	}
	for _, c := range n.Children {
		if c.Span.End <= n.Head.End {
			head++
		}
		if !n.Tail.IsEmpty() && c.Span.Start >= n.Tail.Start {
			tail++
		}
		w.place(c)
	}
	n.Span = ast.Span{Start: start, End: len(w.out)}
	n.Head, n.Tail = ast.Span{}, ast.Span{}
	if head > 0 {
		n.Head = ast.Span{Start: start, End: n.Children[head-1].Span.End}
	}
	if tail > 0 && head+tail <= len(n.Children) {
		n.Tail = ast.Span{Start: n.Children[len(n.Children)-tail].Span.Start, End: len(w.out)}
	}
}
