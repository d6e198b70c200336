package tables

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/charset"
)

// Options say how to read a file of separated values or a workbook. The zero
// value finds everything out.
type Options struct {
	Header string // "yes": the first row labels the columns; "no"; "": as it looks
	Rows   string // how rows are written: a name of ParseFormat; "": CSV as it stands in the source, pipe tables of a workbook
	Hidden bool   // read hidden sheets of a workbook
}

// maxProblems bounds the rows of the wrong length that are reported one by one.
const maxProblems = 100

// ParseCSV returns the tree of a file of comma-, tab-, semicolon- or
// pipe-separated values. The format is "tsv" where tabs separate them, "csv"
// otherwise.
//
// The document is one Table: the header row, which is its Head, and the rows.
// Rows are verbatim; one longer than [LongRow] is tiled by its cells. Lines
// above the header that are no rows are paragraphs in its Head. A quoted line
// end is part of its row. Rows of the wrong length are Problems.
func ParseCSV(name string, src []byte, opts Options) *ast.Document {
	decoded, encoding := charset.Decode(src, false)
	p := newCSVParser(name, decoded, encoding, opts)
	p.parse()
	return p.doc
}

type csvParser struct {
	scanner
	doc     *ast.Document
	opts    Options
	format  Format
	rewrite bool    // rows are written in format
	layout  *layout // nil: as it looks
	columns []string
	ragged  int // rows of another length
	rows    int // of data
	headEnd int // where they start
}

// A layout is what the first rows tell about the others.
type layout struct {
	Dialect
	header int // number of the header row, 0 for none
	titles int // lines above it that are no rows
	width  int // cells of most rows
}

func newCSVParser(name string, src []byte, encoding string, opts Options) *csvParser {
	doc := &ast.Document{Name: name, Format: "csv", Source: src, Meta: map[string]any{}}
	doc.Root = &ast.Node{Kind: ast.Root, Span: ast.Span{Start: 0, End: len(src)}}
	if encoding != "" {
		doc.Meta["charset"] = encoding
	}
	return &csvParser{doc: doc, opts: opts}
}

func (p *csvParser) parse() {
	src := p.doc.Source
	start := p.preamble()
	if start == len(src) {
		return
	}
	if p.opts.Rows != "" {
		p.format, p.rewrite = ParseFormat(p.opts.Rows)
	}
	if p.layout == nil {
		p.layout = p.peek(start)
	}
	if p.Dialect = p.layout.Dialect; p.Delimiter == '\t' {
		p.doc.Format = "tsv"
	}
	first, titles := p.layout.header, p.layout.titles
	table := &ast.Node{Kind: ast.Table, Span: ast.Span{Start: start, End: len(src)}}
	p.scanner.src, p.scanner.end, p.scanner.known = src, start, false
	rows := make([]ast.Node, 0, 16)
	for p.next() {
		if p.isBlank() && len(rows) > 0 {
			row := &rows[len(rows)-1]
			row.Span.End = p.end
			if n := len(row.Children); n > 0 {
				row.Children[n-1].Span.End = p.end
			}
			continue
		}
		if len(rows) == cap(rows) {
			rows = grow(rows, p.end-start, len(src)-p.end)
		}
		rows = append(rows, ast.Node{Kind: ast.Row, Span: ast.Span{Start: p.start, End: p.end}})
		row := &rows[len(rows)-1]
		switch {
		case len(rows) <= titles:
			row.Kind = ast.Paragraph
		case len(rows) == first:
			p.columns = p.values()
			table.Columns = p.columns
			if p.rewrite {
				if row.Text = p.format.header(p.columns); row.Text == "" {
					row.Kind = ast.Markup // each record says its labels
				}
			}
		default:
			p.row(row)
		}
	}
	table.Children = make([]*ast.Node, len(rows))
	for i := range rows {
		table.Children[i] = &rows[i]
	}
	if first > 0 && len(rows) >= first {
		table.Head = ast.Span{Start: start, End: rows[first-1].Span.End}
	} else if titles > 0 {
		table.Head = ast.Span{Start: start, End: rows[titles-1].Span.End}
	}
	p.rows, p.headEnd = len(rows)-max(first, titles), max(start, table.Head.End)
	p.doc.Root.Children = append(p.doc.Root.Children, table)
	p.report()
}

// grow returns rows with room for as many as the bytes left are likely to
// hold, so that nodes are not copied often: a node is larger than a row.
func grow(rows []ast.Node, done, left int) []ast.Node {
	estimate := len(rows) + 16 + int(float64(left)/float64(done)*float64(len(rows))*1.05)
	if estimate < 2*len(rows) {
		estimate = min(2*len(rows), len(rows)+left+1)
	}
	grown := make([]ast.Node, len(rows), estimate)
	copy(grown, rows)
	return grown
}

// preamble finds the dialect and makes Markup of a byte order mark and of the
// line "sep=;" that spreadsheets write.
func (p *csvParser) preamble() int {
	src := p.doc.Source
	start := 0
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		start = len("\ufeff")
	}
	p.Dialect = detect(src[start:])
	if line := src[start : start+lineEnd(src[start:])]; bytes.HasPrefix(line, []byte("sep=")) && len(trimBlanks(line)) <= len("sep=;") && len(line) > len("sep=") {
		p.Delimiter = line[len("sep=")]
		start += len(line)
	}
	for start < len(src) && isBlank(src[start]) && src[start] != p.Delimiter {
		start++
	}
	if start > 0 {
		p.doc.Root.Children = append(p.doc.Root.Children, &ast.Node{Kind: ast.Markup, Span: ast.Span{Start: 0, End: start}})
	}
	return start
}

// peek reads the first rows.
func (p *csvParser) peek(start int) *layout {
	l := &layout{Dialect: p.Dialect}
	s := scanner{src: p.doc.Source, Dialect: p.Dialect, end: start}
	var rows [][]string
	var counts []int
	for s.next() && len(rows) < 60 {
		if !s.isBlank() {
			rows = append(rows, s.values())
			counts = append(counts, s.count())
		}
	}
	l.width = usualCount(counts)
	for l.titles < len(rows)-1 && l.titles < 10 && l.width > 2 && filledCells(rows[l.titles]) == 1 {
		l.titles++
	}
	if len(rows) == 0 {
		return l
	}
	rows = rows[l.titles:]
	yes := isHeader(rows[0], rows[1:])
	switch p.opts.Header {
	case "yes":
		yes = true
	case "no":
		yes = false
	}
	if yes {
		l.header = l.titles + 1
	}
	return l
}

func filledCells(row []string) int {
	n := 0
	for _, c := range row {
		if c != "" {
			n++
		}
	}
	return n
}

// row fills in a row of data.
func (p *csvParser) row(row *ast.Node) {
	count := p.count()
	if count != p.layout.width {
		if p.ragged++; p.ragged <= maxProblems {
			p.doc.Problem(p.start, fmt.Sprintf("the row has %d cells where most have %d", count, p.layout.width))
		}
	}
	long := p.end-p.start > LongRow && count > 1
	if !p.rewrite && !long {
		return
	}
	if p.rewrite {
		row.Text, row.Marks = p.write(p.values()), []ast.Mark{{Text: 0, Source: p.start}}
		return
	}
	nodes := make([]ast.Node, count)
	row.Children = make([]*ast.Node, 0, count)
	at := p.start
	i := 0
	for _, end := range p.cells() {
		cell := &nodes[i]
		cell.Kind, cell.Span = ast.Cell, ast.Span{Start: at, End: min(end+1, p.end)}
		if i < len(p.columns) {
			cell.Name = p.columns[i]
		}
		at = cell.Span.End
		if i++; i == count {
			cell.Span.End = p.end
		}
		if cell.Span.IsEmpty() { // the last cell of a row without a line end
			row.Children[len(row.Children)-1].Span.End = p.end
			break
		}
		row.Children = append(row.Children, cell)
	}
}

// write writes a row in the format that was asked for.
func (p *csvParser) write(values []string) string {
	var b []byte
	key := ""
	if p.format == Records && len(values) > 1 {
		key = p.format.escape(values[0])
	}
	for i, v := range values {
		if p.format == Records && (v == "" || i == 0 && len(values) > 1) {
			continue
		}
		label := ""
		if i < len(p.columns) {
			label = p.columns[i]
		}
		b = append(b, p.format.open(i, key, label)...)
		b = append(b, p.format.escape(v)...)
		b = append(b, p.format.close(i == len(values)-1)...)
	}
	if len(b) == 0 {
		b = append(b, '\n')
	}
	return string(b)
}

func (p *csvParser) report() {
	if p.ragged > maxProblems {
		p.doc.Problem(len(p.doc.Source), fmt.Sprintf("%d more rows of the wrong length", p.ragged-maxProblems))
	}
	if p.lines {
		at := p.unclosed
		p.doc.Problems = append(p.doc.Problems, ast.Problem{Offset: at, Message: "a quote that does not close: line ends end rows from here on"})
		sortProblems(p.doc.Problems)
	}
	if len(p.doc.Meta) == 0 {
		p.doc.Meta = nil
	}
}

func sortProblems(problems []ast.Problem) {
	slices.SortStableFunc(problems, func(a, b ast.Problem) int { return a.Offset - b.Offset })
}
