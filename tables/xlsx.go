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
	rowStride   = 1 << 15 // places given to a row before its text is written
)

// ParseXLSX returns the tree of a workbook. Its bytes are not text: Source is
// the text written out, a section for each sheet and a pipe table for each
// table on it, and Meta says derived.
//
// Rows are read one by one. Rows without cells, and columns where rows have
// none, part the tables of a sheet; a merged cell is repeated in its rows.
// Values are shown as their number formats say. A workbook that cannot be read,
// or unpacks to more than a gigabyte or 200 times its size, is an empty document
// with a Problem.
func ParseXLSX(name string, src []byte, opts Options) *ast.Document {
	doc := &ast.Document{Name: name, Format: "xlsx", Meta: map[string]any{"derived": true}}
	w := bookWriter{doc: doc, opts: opts}
	if format, ok := ParseFormat(opts.Rows); ok {
		w.format = format
	}
	root := &ast.Node{Kind: ast.Root}
	if err := checkUnpacked(src); err != nil {
		doc.Problem(0, err.Error())
	} else if book, err := excelize.OpenReader(bytes.NewReader(src), excelize.Options{UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: 64 << 20}); err != nil {
		doc.Problem(0, "no workbook: "+err.Error())
	} else {
		root.Children = w.book(book)
		if err := book.Close(); err != nil {
			doc.Problem(len(w.out), err.Error())
		}
	}
	doc.Source = w.out
	root.Span.End = len(w.out)
	doc.Root = root
	return doc
}

// checkUnpacked refuses an archive that says it unpacks to too much. One that
// lies about it fails when it is read.
func checkUnpacked(src []byte) error {
	r, err := zip.NewReader(bytes.NewReader(src), int64(len(src)))
	if err != nil {
		return fmt.Errorf("no workbook: %w", err)
	}
	var total uint64
	for _, f := range r.File {
		if total += f.UncompressedSize64; f.UncompressedSize64 > maxUnpacked || total > maxUnpacked {
			return fmt.Errorf("the workbook unpacks to more than %d bytes", maxUnpacked)
		}
	}
	if total > maxRatio*uint64(len(src)+1<<20) {
		return fmt.Errorf("the workbook unpacks to more than %d times its size", maxRatio)
	}
	return nil
}

type bookWriter struct {
	doc    *ast.Document
	opts   Options
	format Format
	out    []byte
}

func (w *bookWriter) book(book *excelize.File) []*ast.Node {
	if props, err := book.GetDocProps(); err == nil && props.Title != "" {
		w.doc.Meta["title"] = props.Title
	}
	var sections []*ast.Node
	var hidden []string
	for _, sheet := range book.GetSheetList() {
		if visible, err := book.GetSheetVisible(sheet); err == nil && !visible && !w.opts.Hidden {
			hidden = append(hidden, sheet)
			continue
		}
		sections = append(sections, w.sheet(book, sheet))
	}
	if hidden != nil {
		w.doc.Meta["hidden_sheets"] = hidden
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

// sheet writes a sheet as a section.
func (w *bookWriter) sheet(book *excelize.File, sheet string) *ast.Node {
	heading := w.write(ast.Heading, "# "+oneLine(sheet)+"\n\n")
	heading.Level = 1
	section := &ast.Node{Kind: ast.Section, Level: 1, Name: oneLine(sheet), Head: heading.Span, Lead: heading.Span, Children: []*ast.Node{heading}}
	merged := w.merged(book, sheet)
	rows, err := book.Rows(sheet)
	if err != nil {
		w.doc.Problem(len(w.out), sheet+": "+err.Error())
	} else {
		r := region{merged: merged}
		flush := func() {
			section.Children = append(section.Children, w.region(r)...)
			r.rows = nil
		}
		gap := false
		for number := 0; rows.Next(); number++ {
			cells, err := rows.Columns()
			if err != nil {
				w.doc.Problem(len(w.out), sheet+": "+err.Error())
				break
			}
			for i := range cells {
				cells[i] = strings.TrimSpace(strings.ToValidUTF8(cells[i], ""))
			}
			if filledCells(cells) == 0 {
				gap = true
				continue
			}
			if gap && len(r.rows) > 0 && !r.continues(cells) {
				flush()
			}
			gap = false
			if len(r.rows) == 0 {
				r.first = number
			}
			for len(r.rows) < number-r.first {
				r.rows = append(r.rows, nil)
			}
			r.rows = append(r.rows, cells)
		}
		flush()
		if err := rows.Close(); err != nil {
			w.doc.Problem(len(w.out), sheet+": "+err.Error())
		}
	}
	section.Span = ast.Span{Start: heading.Span.Start, End: len(w.out)}
	return section
}

// A mergedCell covers columns left to right of rows top to bottom, from 0, the
// last ones included.
type mergedCell struct{ top, left, bottom, right int }

// merged returns the merged cells of a sheet by their first row, from left to
// right.
func (w *bookWriter) merged(book *excelize.File, sheet string) map[int][]mergedCell {
	cells, err := book.GetMergeCells(sheet, true)
	if err != nil {
		w.doc.Problem(len(w.out), sheet+": "+err.Error())
	}
	merged := map[int][]mergedCell{}
	for _, c := range cells {
		left, top, err := excelize.CellNameToCoordinates(c.GetStartAxis())
		if err != nil {
			continue
		}
		if right, bottom, err := excelize.CellNameToCoordinates(c.GetEndAxis()); err == nil {
			merged[top-1] = append(merged[top-1], mergedCell{top - 1, left - 1, bottom - 1, right - 1})
		}
	}
	for _, list := range merged {
		slices.SortFunc(list, func(a, b mergedCell) int { return a.left - b.left })
	}
	return merged
}

// A region is rows of a sheet that belong together.
type region struct {
	first  int // row of the sheet
	rows   [][]string
	merged map[int][]mergedCell
}

// continues reports whether row, below an empty one, goes on with the table of
// r: it has numbers, and no cells left or right of those of r.
func (r *region) continues(row []string) bool {
	if len(r.rows) < 2 || filledCells(row) < 2 {
		return false
	}
	left, right := extent(row)
	inLeft, inRight := extent(r.rows[len(r.rows)-1])
	return left >= inLeft && right <= inRight &&
		slices.ContainsFunc(row, func(cell string) bool { return classify(cell) == amount })
}

// extent returns the first and the last column of row that are filled.
func extent(row []string) (left, right int) {
	left = slices.IndexFunc(row, func(cell string) bool { return cell != "" })
	for i, cell := range row {
		if cell != "" {
			right = i
		}
	}
	return left, right
}

// region writes the tables of r, which empty columns part, from left to right.
func (w *bookWriter) region(r region) []*ast.Node {
	width := 0
	for _, row := range r.rows {
		width = max(width, min(len(row), maxSheet))
	}
	used := make([]bool, width+1) // the last is never used
	for i, row := range r.rows {
		for c := range min(len(row), width) {
			used[c] = used[c] || row[c] != ""
		}
		for _, m := range r.merged[r.first+i] {
			for c := m.left; c <= min(m.right, width-1); c++ {
				used[c] = used[c] || used[m.left]
			}
		}
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
			for c := start; c < min(end, len(row)); c++ {
				if row[c] != "" {
					lines = append(lines, row[c])
				}
			}
		}
		return w.write(ast.Paragraph, strings.Join(lines, "\n")+"\n\n")
	}
	rows := make([]Row, len(r.rows))
	var covering []mergedCell // reach into the rows below, from left to right
	for i, row := range r.rows {
		number := r.first + i
		covering = slices.DeleteFunc(covering, func(m mergedCell) bool { return m.bottom < number })
		starting := r.merged[number]
		above := covering
		var cells []Cell
		for c := start; c < end; c++ {
			for len(above) > 0 && above[0].right < c {
				above = above[1:]
			}
			for len(starting) > 0 && starting[0].left < c {
				starting = starting[1:]
			}
			if len(above) > 0 && above[0].left <= c {
				continue
			}
			cell := Cell{Span: ast.Span{Start: i*rowStride + c, End: i*rowStride + c + 1}}
			if c < len(row) {
				cell.Text = row[c]
			}
			if len(starting) > 0 && starting[0].left == c {
				m := starting[0]
				cell.Cols, cell.Rows = min(m.right, end-1)-c+1, m.bottom-m.top+1
				c = min(m.right, end-1)
			}
			cells = append(cells, cell)
		}
		rows[i] = Row{Cells: cells, Span: ast.Span{Start: i * rowStride, End: (i + 1) * rowStride}}
		for _, m := range r.merged[number] {
			if m.bottom > number && m.left >= start && m.left < end {
				covering = append(covering, m)
			}
		}
		slices.SortFunc(covering, func(a, b mergedCell) int { return a.left - b.left })
	}
	w.markHeader(rows, r, start, end)
	node := Lay(rows).Node(w.format)
	w.place(node)
	return node
}

// markHeader marks the first row below the titles as labels of columns where
// it looks like some and has no merged cells. Those are left to the grid.
func (w *bookWriter) markHeader(rows []Row, r region, start, end int) {
	cut := func(row []string) []string {
		if len(row) <= start {
			return nil
		}
		return row[start:min(end, len(row))]
	}
	first := 0
	for first < len(r.rows)-1 && filledCells(cut(r.rows[first])) < 2 {
		first++
	}
	if first > 0 || len(r.merged[r.first]) > 0 || w.opts.Header == "no" {
		return
	}
	var sample [][]string
	for _, row := range r.rows[1:min(len(r.rows), 60)] {
		sample = append(sample, cut(row))
	}
	rows[0].Header = w.opts.Header == "yes" || isHeader(cut(r.rows[0]), sample)
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
