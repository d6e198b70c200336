package tables

import (
	"slices"
	"sort"
	"strings"
)

// A column is a range of columns of the source that is one column to a reader.
type column struct {
	start, end int
	label      string
	values     bool // has anything below the header
}

// findColumns makes a column of the ranges that overlap, the narrow ones
// first; a range that overlaps several spans them. Columns of the source with
// nothing in them are in none.
func (g *Grid) findColumns() {
	type extent struct{ start, end int }
	seen := map[extent]bool{} // has values, not only labels
	var ranges []extent
	for i := range g.lines {
		l := &g.lines[i]
		if l.role == title || l.role == label || l.role == note {
			continue
		}
		for _, s := range l.slots {
			e := extent{s.start, s.end}
			if _, ok := seen[e]; !ok {
				ranges = append(ranges, e)
			}
			seen[e] = seen[e] || l.role == data
		}
	}
	slices.SortFunc(ranges, func(a, b extent) int {
		switch {
		case seen[a] != seen[b]:
			if seen[a] {
				return -1
			}
			return 1
		case a.end-a.start != b.end-b.start:
			return a.end - a.start - (b.end - b.start)
		}
		return a.start - b.start
	})
	for _, e := range ranges {
		lo, hi := g.overlap(e.start, e.end)
		switch hi - lo {
		case 0:
			g.columns = slices.Insert(g.columns, lo, column{start: e.start, end: e.end, values: seen[e]})
		case 1:
			c := &g.columns[lo]
			if seen[e] || !c.values {
				start, end := min(c.start, e.start), max(c.end, e.end)
				if lo > 0 {
					start = max(start, g.columns[lo-1].end)
				}
				if hi < len(g.columns) {
					end = min(end, g.columns[hi].start)
				}
				c.start, c.end = start, end
			}
			c.values = c.values || seen[e]
		}
	}
	if len(g.columns) == 0 {
		return
	}
	g.dropLabelOnly()
	g.joinMarks()
	g.findLabels()
}

// joinMarks joins a column of nothing but marks of notes, which has no label,
// to the column before it.
func (g *Grid) joinMarks() {
	const (
		marks = 1 << iota
		others
	)
	holds := make([]uint8, len(g.columns))
	for i := range g.lines {
		l := &g.lines[i]
		if l.role != data && l.role != header {
			continue
		}
		for _, s := range l.slots {
			c := g.columnOf(s)
			if l.role == data && isMark(s.text) && !isDigit(s.text[0]) {
				holds[c] |= marks
			} else {
				holds[c] |= others
			}
		}
	}
	kept := g.columns[:0]
	for i, c := range g.columns {
		if i > 0 && holds[i] == marks {
			kept[len(kept)-1].end = c.end
			continue
		}
		kept = append(kept, c)
	}
	g.columns = kept
}

// overlap returns the range of the columns that overlap source columns start
// to end.
func (g *Grid) overlap(start, end int) (lo, hi int) {
	lo = sort.Search(len(g.columns), func(i int) bool { return g.columns[i].end > start })
	hi = lo
	for hi < len(g.columns) && g.columns[hi].start < end {
		hi++
	}
	return lo, hi
}

// dropLabelOnly joins a column that has a label but no values to a neighbour
// that has values but no label: the label stands a little beside its numbers.
func (g *Grid) dropLabelOnly() {
	labelled := make([]bool, len(g.columns))
	for i := range g.lines {
		if g.lines[i].role == header {
			for _, s := range g.lines[i].slots {
				lo, hi := g.overlap(s.start, s.end)
				for k := lo; k < hi; k++ {
					labelled[k] = true
				}
			}
		}
	}
	var kept []column
	for i := 0; i < len(g.columns); i++ {
		c := g.columns[i]
		switch {
		case c.values || i == 0:
		case i+1 < len(g.columns) && g.columns[i+1].values && !labelled[i+1]:
			c.end, c.values = g.columns[i+1].end, true
			i++
		case len(kept) > 1 && !labelled[i-1]:
			kept[len(kept)-1].end = c.end
			continue
		}
		kept = append(kept, c)
	}
	g.columns = kept
}

// columnOf returns the column that s stands in: the one it shares most with.
func (g *Grid) columnOf(s slot) int {
	lo, hi := g.overlap(s.start, s.end)
	if lo == hi {
		return min(lo, len(g.columns)-1)
	}
	if hi-lo == 1 {
		return lo
	}
	best, most := lo, 0
	for k := lo; k < hi; k++ {
		if shared := min(s.end, g.columns[k].end) - max(s.start, g.columns[k].start); shared > most && s.end-s.start <= 3*shared {
			best, most = k, shared
		}
	}
	if most == 0 || s.value == prose {
		return lo
	}
	return best
}

// findLabels joins what the rows of the first header say of each column.
func (g *Grid) findLabels() {
	end := 0
	for end < len(g.lines) && (g.lines[end].role == header || g.lines[end].role == title || g.lines[end].role == empty) {
		end++
	}
	for i, l := range g.labels(0, end) {
		g.columns[i].label = l
	}
}

// labels joins what the header rows from start to end say of each column. What
// covers several columns is said of each while there is room.
func (g *Grid) labels(start, end int) []string {
	room := g.room
	labels := make([]string, len(g.columns))
	last := make([]string, len(g.columns))
	for i := start; i < end; i++ {
		l := &g.lines[i]
		if l.role != header {
			continue
		}
		for _, s := range l.slots {
			text := strings.ReplaceAll(s.text, "\n", " ")
			lo, hi := g.overlap(s.start, s.end)
			if len(l.slots) == 1 && len(g.columns) > 2 && IsUnit(text) { // of the whole table
				lo, hi = 0, 1
			} else if hi-lo > 1 && lo == 0 && s.start > 0 { // labels of values begin after the first column
				lo = 1
			}
			if lo == hi {
				lo = min(lo, len(g.columns)-1)
				hi = lo + 1
			}
			if room -= len(text) * (hi - lo - 1); room < 0 {
				lo = hi - 1
			}
			for k := lo; k < hi; k++ {
				if last[k] == text {
					continue
				}
				last[k] = text
				if labels[k] != "" {
					labels[k] += " "
				}
				labels[k] += text
			}
		}
	}
	return labels
}

// Columns returns the label of each column, "" where it has none.
func (g *Grid) Columns() []string {
	labels := make([]string, len(g.columns))
	for i, c := range g.columns {
		labels[i] = c.label
	}
	return labels
}
