package tables

import (
	"slices"
	"strings"
)

// findRoles tells header rows, rows of data, labels and notes apart.
//
// A header may stand again further down, with other labels: it begins a band
// of rows of its own.
func (g *Grid) findRoles() {
	plain := g.plainRows()
	start := 0 // of the band
	for start < len(g.lines) {
		end := g.header(start, start == 0, plain)
		seenData := false
		for ; end < len(g.lines); end++ {
			l := &g.lines[end]
			if len(l.slots) == 0 {
				continue
			}
			if seenData && g.startsBand(end) {
				break
			}
			l.role = data
			if l.slots[0].value == prose && !g.isLong(l) && onlyUnits(l.slots[1:]) && !isItem(l.slots[0].text) {
				l.role = label
			}
			seenData = seenData || l.role == data
		}
		if end == start {
			end++
		}
		start = end
	}
	g.findNotes()
}

// isItem reports whether text is the one line of balance sheets that stands
// there without an amount, and names nothing below it.
func isItem(text string) bool { return strings.Contains(strings.ToLower(text), "contingencies") }

// onlyUnits reports whether all slots state units.
func onlyUnits(slots []slot) bool {
	for _, s := range slots {
		if !IsUnit(s.text) {
			return false
		}
	}
	return true
}

// isLong reports whether the one cell of l is too long for a label.
func (g *Grid) isLong(l *line) bool { return len(l.slots[0].text) > 200 }

// plainRows reports whether most rows are not bold, so that bold ones differ.
func (g *Grid) plainRows() bool {
	bold, rows := 0, 0
	for i := range g.lines {
		if slots := g.lines[i].slots; len(slots) > 1 {
			rows++
			if g.allBold(slots) {
				bold++
			}
		}
	}
	return bold*2 <= rows
}

func (g *Grid) allBold(slots []slot) bool {
	for _, s := range slots {
		if !g.isBold(s) {
			return false
		}
	}
	return true
}

// maxHeader bounds the rows of a header that is not marked.
const maxHeader = 8

// header gives the rows from start on that label columns their role and
// returns the row after them. Only the first band has titles.
func (g *Grid) header(start int, first, plain bool) int {
	if first {
		if end := g.markedHeader(); end > 0 {
			return end
		}
	}
	end, found, wasBold := start, false, false
	for i := start; i < len(g.lines) && i-start < 2*maxHeader; i++ {
		l := &g.lines[i]
		if len(l.slots) == 0 {
			continue
		}
		isHeader := g.labelsColumns(i, plain, found) || found && g.isUnit(i)
		isTitle := first && !found && len(l.slots) == 1 && g.isTitle(i, plain)
		if !isHeader && !isTitle {
			break
		}
		bold := g.allBold(l.slots)
		if key := l.slots[0]; found && !bold && wasBold && key.start == 0 && !IsUnit(key.text) && !namesPeriod(key.text) {
			break
		}
		wasBold = bold && isHeader
		found = found || isHeader
		end = i + 1
	}
	if !found || !g.hasData(end) {
		if !found && first && end > start && g.hasData(end) { // a unit or caption, and no labels
			g.setHeader(start, end)
			return end
		}
		return start
	}
	g.setHeader(start, end)
	return end
}

func (g *Grid) setHeader(start, end int) {
	labelled := false
	for i := start; i < end; i++ {
		l := &g.lines[i]
		switch {
		case len(l.slots) == 0:
		case len(l.slots) == 1 && l.slots[0].start == 0 && !labelled:
			l.role = title
		default:
			l.role = header
			labelled = true
		}
	}
}

// markedHeader gives leading rows in <thead>, or of nothing but <th>, their
// role, and returns the row after them, 0 where there are none.
func (g *Grid) markedHeader() int {
	end := 0
	for i := range g.lines {
		l := &g.lines[i]
		if len(l.slots) == 0 {
			continue
		}
		marked := g.rows[i].Header
		if !marked {
			marked = true
			for _, s := range l.slots {
				marked = marked && g.isMarked(s)
			}
			marked = marked && (len(l.slots) > 1 || l.slots[0].start > 0)
		}
		if !marked {
			break
		}
		end = i + 1
	}
	if !g.hasData(end) {
		return 0
	}
	for i := range end {
		if len(g.lines[i].slots) > 0 {
			g.lines[i].role = header
		}
	}
	return end
}

func (g *Grid) hasData(start int) bool {
	for i := start; i < len(g.lines); i++ {
		if len(g.lines[i].slots) > 0 {
			return true
		}
	}
	return false
}

// isTitle reports whether the one cell of row i is a caption or unit above the
// labels of columns.
func (g *Grid) isTitle(i int, plain bool) bool {
	s := g.lines[i].slots[0]
	if s.value != prose || len(s.text) > 200 {
		return false
	}
	if IsUnit(s.text) {
		return true
	}
	next := i + 1
	for next < len(g.lines) && len(g.lines[next].slots) == 0 {
		next++
	}
	return next < len(g.lines) && (len(g.lines[next].slots) > 1 || IsUnit(g.rowText(next)) || g.lines[next].slots[0].start > 0) &&
		(g.labelsColumns(next, plain, false) || IsUnit(g.rowText(next)))
}

// isUnit reports whether row i is one cell that states a unit.
func (g *Grid) isUnit(i int) bool {
	slots := g.lines[i].slots
	return len(slots) == 1 && IsUnit(slots[0].text)
}

// labelsColumns reports whether row i looks like labels of columns: it has no
// amounts, and nothing in the first column, or is bold where others are not,
// or names periods, or has words above numbers. Cells that reach down from a
// header row above do not count, nor do a few marks of notes: below says there
// is one.
func (g *Grid) labelsColumns(i int, plain, below bool) bool {
	slots := g.lines[i].slots
	if below {
		slots = slices.DeleteFunc(slices.Clone(slots), func(s slot) bool { return s.repeated })
		if len(slots) == 0 {
			return true
		}
	}
	periods, references := 0, 0
	for k, s := range slots {
		switch {
		case below && k > 0 && isReference(slots[k-1], s):
			references++
		case s.value == amount || s.value == dash || s.repeated && k > 0:
			return false
		case len(s.text) > 500, len(s.text) > 250 && !g.isBold(s):
			return false
		case s.value == year || namesPeriod(s.text):
			periods++
		}
	}
	if references*5 > len(slots) { // amounts, rather
		return false
	}
	if len(slots) == 1 {
		return slots[0].start > 0
	}
	first := slots[0]
	if first.start > 0 && !g.continuesText(i) {
		return true
	}
	rest := len(slots)
	if first.start == 0 {
		rest--
	}
	switch {
	case g.allBold(slots) && plain:
		return true
	case rest > 0 && periods >= rest && (first.value != year || rest > 1) && !g.sameAbove(i):
		return true
	case IsUnit(first.text):
		return true
	}
	return g.aboveNumbers(i)
}

// isReference reports whether s is the mark of a note, in a column of its own
// beside a label.
func isReference(label, s slot) bool {
	return label.value == prose && label.end == s.start && len(s.text) <= 2 && !s.repeated
}

// continuesText reports whether row i, whose first column is empty, may go on
// from a row of text above.
func (g *Grid) continuesText(i int) bool {
	for k := i - 1; k >= 0; k-- {
		if s := g.lines[k].slots; len(s) > 0 {
			return s[0].start == 0 && g.lines[k].role == data
		}
	}
	return false
}

// sameAbove reports whether the row above is one of data with the same columns.
func (g *Grid) sameAbove(i int) bool {
	return i > 0 && g.lines[i-1].role == data && len(g.lines[i-1].slots) == len(g.lines[i].slots)
}

// aboveNumbers reports whether a column has words in row i and numbers in most
// rows below.
func (g *Grid) aboveNumbers(i int) bool {
	const sample = 12
	for _, s := range g.lines[i].slots[1:] {
		if s.value != prose || strings.ContainsAny(s.text, "$%") && len(s.text) < 3 {
			continue
		}
		numbers, rows := 0, 0
		for k := i + 1; k < len(g.lines) && rows < sample; k++ {
			for _, below := range g.lines[k].slots {
				if below.start < s.end && s.start < below.end && below.end-below.start <= s.end-s.start+2 {
					rows++
					if below.value == amount || below.value == year {
						numbers++
					}
					break
				}
			}
		}
		if rows > 0 && numbers*3 >= rows*2 {
			return true
		}
	}
	return false
}

// startsBand reports whether row i, below data, labels the columns anew: no
// amounts, periods or bold labels beside an empty first column, and amounts in
// the rows after it.
func (g *Grid) startsBand(i int) bool {
	slots := g.lines[i].slots
	if len(slots) < 2 && slots[0].start == 0 {
		return false
	}
	labels := 0
	for k, s := range slots {
		switch {
		case s.value == amount || s.value == dash || s.repeated || len(s.text) > 80:
			return false
		case k == 0 && s.start == 0:
			if !g.isBold(s) && !IsUnit(s.text) && !namesPeriod(s.text) {
				return false
			}
		case s.value == year || namesPeriod(s.text) || g.isBold(s):
			labels++
		}
	}
	if labels == 0 || labels < len(slots)-1 {
		return false
	}
	seen := 0
	for k := i + 1; k < len(g.lines) && seen < 4; k++ {
		below := g.lines[k].slots
		if len(below) == 0 {
			continue
		}
		seen++
		for _, s := range below {
			if s.value == amount || s.value == dash {
				return true
			}
		}
	}
	return false
}

// findNotes makes notes of the rows of one cell below the last row of data.
func (g *Grid) findNotes() {
	end := len(g.lines)
	for i := len(g.lines) - 1; i >= 0; i-- {
		l := &g.lines[i]
		if l.role == empty {
			continue
		}
		wide := len(l.slots) == 1 || len(l.slots) == 2 && isMark(l.slots[0].text)
		if !wide || !IsNote(g.rowText(i)) {
			break
		}
		end = i
	}
	if end == len(g.lines) || !g.hasDataBefore(end) {
		return
	}
	for i := end; i < len(g.lines); i++ {
		if g.lines[i].role != empty {
			g.lines[i].role = note
		}
	}
}

func (g *Grid) hasDataBefore(end int) bool {
	for i := range end {
		if g.lines[i].role == data {
			return true
		}
	}
	return false
}
