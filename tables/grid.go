package tables

import (
	"slices"
	"strings"

	"github.com/cantle/cantle/ast"
)

// A Cell is a cell of a table as its format holds it.
type Cell struct {
	Text   string     // in one line, or more with "\n"; no blanks at its ends
	Marks  []ast.Mark // where Text comes from; offsets in Text count from its start
	Span   ast.Span   // from the first byte of the content to the last
	Cols   int        // columns it covers, 0 for 1; bounded by maxSpan
	Rows   int        // rows it covers, 0 for 1; cut at the end of the table
	Header bool       // marked as a header, as <th> is
	Bold   bool       // all of it
	Indent float64    // of its first line, in points
}

// A Row is a row of a table as its format holds it.
type Row struct {
	Cells  []Cell
	Span   ast.Span // of the row in the source
	Header bool     // marked as a header, as <thead> does
}

const (
	maxSpan    = 1000  // of a cell in columns, as in the HTML standard
	maxColumns = 10000 // cells beyond fall into the last column
)

// A slot is a value laid on the columns of the source: a cell, or the cells
// that are one value, as "$", "(12" and ")".
type slot struct {
	start, end int    // columns of the source
	row        int    // of the source; another than its own where the value is repeated
	lo, hi     int    // Cells[lo:hi] of that row, blank ones among them
	text       string // of these
	value      value
	repeated   bool
}

// A line is a row with its part in the table.
type line struct {
	slots []slot
	role  role
}

type role uint8

const (
	empty  role = iota // nothing but blank cells
	title              // a caption or a unit above the header
	header             // labels of columns
	data               // values
	label              // names the rows below it
	note               // below the data
)

// A Grid is a table laid out: each value under its column, each row with its
// part.
type Grid struct {
	rows    []Row
	lines   []line // one for each row
	columns []column
	indents []float64 // that are in use, ascending
	room    int       // bytes that what is written for nothing in the source may take: see newRoom
}

// newRoom returns how much may be written of each kind that grows with rows
// times columns: repeats of a cell that covers more, blank cells, the labels of
// bands. It is about as much as the rows hold themselves, which is more than
// tables made for a reader use.
func newRoom(rows []Row) int {
	room := 1 << 16
	for _, row := range rows {
		room += row.Span.Len() + 64*(1+len(row.Cells))
	}
	return room
}

// Lay lays rows out; it keeps rows. It takes time near-linear in them: the
// columns are bounded, and so is what spans over rows repeat.
func Lay(rows []Row) *Grid {
	g := &Grid{rows: rows, lines: make([]line, len(rows)), room: newRoom(rows)}
	g.place()
	for i := range g.lines {
		g.lines[i].slots = g.join(g.lines[i].slots)
	}
	g.findRoles()
	g.findColumns()
	g.findIndents()
	return g
}

// A carry is a cell that reaches into the rows below.
type carry struct {
	slot slot
	left int // rows
}

// place gives each cell that is not blank its columns, and repeats those that
// cover more rows while there is room.
func (g *Grid) place() {
	room := g.room
	var carried, next []carry
	for r := range g.rows {
		cells := g.rows[r].Cells
		filled := len(carried)
		for i := range cells {
			if cells[i].Text != "" {
				filled++
			}
		}
		slots := make([]slot, 0, filled)
		next = next[:0]
		col, c := 0, 0
		repeat := func() {
			k := carried[c]
			c++
			col = max(col, k.slot.end)
			if room -= len(k.slot.text) + 16; room < 0 {
				return
			}
			k.slot.repeated = true
			if k.slot.value != blank {
				slots = append(slots, k.slot)
			}
			if k.left--; k.left > 0 {
				next = append(next, k)
			}
		}
		for i := range cells {
			cell := &cells[i]
			for c < len(carried) && carried[c].slot.start <= col {
				repeat()
			}
			width := min(max(cell.Cols, 1), maxSpan)
			if c < len(carried) {
				width = min(width, carried[c].slot.start-col)
			}
			start := min(col, maxColumns-1)
			s := slot{start: start, end: max(start+1, min(col+width, maxColumns)), row: r, lo: i, hi: i + 1,
				value: classify(cell.Text), text: cell.Text}
			col += width
			if s.value != blank {
				slots = append(slots, s)
			}
			if cell.Rows > 1 {
				next = append(next, carry{s, cell.Rows - 1})
			}
		}
		for c < len(carried) {
			repeat()
		}
		slices.SortStableFunc(next, func(a, b carry) int { return a.slot.start - b.slot.start })
		carried, next = next, carried
		g.lines[r].slots = slots
	}
}

// join makes one slot of the slots of one value: "$" and "(1,234" and ")".
func (g *Grid) join(slots []slot) []slot {
	out := slots[:0]
	for _, s := range slots {
		if len(out) > 0 {
			last := &out[len(out)-1]
			near := s.start-last.end <= 2 && s.row == last.row && s.repeated == last.repeated
			switch {
			case !near:
			case last.value == prefix && (s.value.isNumber() || s.value == prefix || isAmountTail(s.text)):
				*last = g.joined(*last, s, "")
				continue
			case s.value == suffix && last.value.isNumber():
				*last = g.joined(*last, s, glue(s.text))
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// glue is what stands between a number and its suffix.
func glue(suffix string) string {
	if c := suffix[0]; 'a' <= c && c <= 'z' && c != 'x' {
		return " "
	}
	return ""
}

func isAmountTail(text string) bool { return classify("("+text) == amount }

func (g *Grid) joined(a, b slot, between string) slot {
	a.text += between + b.text
	a.end, a.hi = b.end, b.hi
	if a.value = classify(a.text); a.value != amount && a.value != dash {
		a.value = amount
	}
	if a.text[len(a.text)-1] == '(' || b.value == prefix {
		a.value = prefix
	}
	return a
}

// cells yields the cells of s that are not blank.
func (g *Grid) cells(s slot) func(yield func(*Cell) bool) {
	return func(yield func(*Cell) bool) {
		for i := s.lo; i < s.hi; i++ {
			if c := &g.rows[s.row].Cells[i]; c.Text != "" && !yield(c) {
				return
			}
		}
	}
}

func (g *Grid) isBold(s slot) bool {
	for c := range g.cells(s) {
		if !c.Bold && !c.Header {
			return false
		}
	}
	return true
}

func (g *Grid) isMarked(s slot) bool {
	for c := range g.cells(s) {
		if !c.Header {
			return false
		}
	}
	return true
}

// findIndents collects the indentations of the first cells of rows. Those
// closer than 2 points are one.
func (g *Grid) findIndents() {
	var all []float64
	for i := range g.lines {
		if l := &g.lines[i]; l.role == data || l.role == label {
			all = append(all, g.indent(l))
		}
	}
	slices.Sort(all)
	for _, x := range all {
		if n := len(g.indents); n == 0 || x-g.indents[n-1] >= 2 {
			g.indents = append(g.indents, x)
		}
	}
}

func (g *Grid) indent(l *line) float64 {
	if len(l.slots) == 0 {
		return 0
	}
	return g.rows[l.slots[0].row].Cells[l.slots[0].lo].Indent
}

// level returns the depth of indentation of l, from 0.
func (g *Grid) level(l *line) int {
	x := g.indent(l)
	n, found := slices.BinarySearch(g.indents, x)
	if !found {
		n--
	}
	return max(n, 0)
}

// Text returns the text of row i on one line.
func (g *Grid) rowText(i int) string {
	var parts []string
	for _, s := range g.lines[i].slots {
		parts = append(parts, strings.ReplaceAll(s.text, "\n", " "))
	}
	return strings.Join(parts, " ")
}

// Len returns the number of rows that hold anything.
func (g *Grid) Len() int {
	n := 0
	for i := range g.lines {
		if g.lines[i].role != empty {
			n++
		}
	}
	return n
}

// Width returns the number of columns that hold anything.
func (g *Grid) Width() int { return len(g.columns) }

// HasNumbers reports whether a row of data has a number beside its label.
func (g *Grid) HasNumbers() bool {
	for i := range g.lines {
		if l := &g.lines[i]; l.role == data {
			for _, s := range l.slots[1:] {
				if s.value == amount {
					return true
				}
			}
		}
	}
	return false
}

// IsMarked reports whether the rows of a header are marked as one.
func (g *Grid) IsMarked() bool {
	for i := range g.lines {
		if l := &g.lines[i]; l.role == header {
			return g.rows[i].Header || g.isMarked(l.slots[0])
		}
	}
	return false
}

// HasHeader reports whether there are labels of columns.
func (g *Grid) HasHeader() bool {
	return slices.ContainsFunc(g.lines, func(l line) bool { return l.role == header })
}
