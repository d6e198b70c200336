package text

import (
	"strconv"

	"github.com/cantle/cantle/ast"
)

const (
	maxOpen   = 8           // series within one another
	maxDeeper = 3 * maxOpen // levels that clauses add to a tree: section, list, item
)

// A series finds the clauses among the candidates of a document.
type series struct {
	src        []byte
	scopes     []*ast.Node
	sections   []nested
	candidates []candidate

	last   map[number]int // the last candidate with that number
	next   [][2]int       // for a candidate with number 1: where the next 1 and 2 of its kind are
	open   []opened
	floor  int           // of open that the section at hand may close
	rank   map[style]int // of styles of one class: which stands within which
	seen   map[style]int // the last number of a style
	count  map[style]int // clauses of a style
	words  int           // clauses of numbers that say what they are
	runs   []run
	marked []mark
}

// nested says before which candidate a section begins; nil, where it ends.
type nested struct {
	candidate int
	section   *ast.Node
}

// A number is what a reading says: 3.2 is the second of those after "3.".
type number struct {
	style  style
	prefix string
	value  int
}

// opened is a clause that is open, or a section whose title has a number.
type opened struct {
	reading
	run  int // -1 for a section
	mark int // -1 for a section
}

// A run is clauses of one kind in order, with the same clause around them.
type run struct {
	reading       // of the first
	parent  int   // mark around it, -1 for none
	marks   []int // its clauses
	item    bool  // they are items of a list in the source
	bare    bool  // nothing but a blank follows the number
	named   bool  // they are titles without numbers
	parts   bool  // clauses like 1.1 are within
	keep    bool  // it is convincing
	section bool  // its clauses are sections
}

// A mark is a candidate that follows the one before it of its kind.
type mark struct {
	candidate int
	run       int
	parent    int // mark around it, -1 for none
}

func newSeries(src []byte) *series {
	return &series{src: src, last: map[number]int{}, rank: map[style]int{}, seen: map[style]int{}, count: map[style]int{}}
}

// decide marks the candidates that are clauses. It reports whether there are
// any.
func (s *series) decide(asked bool) bool {
	s.look()
	var floors []int
	k := 0
	enter := func(i int) {
		for ; k < len(s.sections) && s.sections[k].candidate <= i; k++ {
			if n := s.sections[k].section; n != nil {
				floors = append(floors, s.floor, len(s.open))
				if l := parseLabel(n.Name); l.size > 0 {
					s.open = append(s.open, opened{l.readings[0], -1, -1})
					s.seen[l.readings[0].style] = l.readings[0].value
				}
				s.floor = len(s.open)
			} else {
				s.open = s.open[:floors[len(floors)-1]]
				s.floor = floors[len(floors)-2]
				floors = floors[:len(floors)-2]
			}
		}
	}
	for i := range s.candidates {
		enter(i)
		if c := &s.candidates[i]; c.first || c.behind || c.below >= 0 && s.isMarked(c.below) && s.candidates[c.below].head.line {
			if !s.follow(i) {
				s.begin(i)
			}
		}
	}
	any := false
	for i := range s.runs {
		s.judge(i, asked)
		any = any || s.runs[i].keep
	}
	return any
}

func (s *series) isMarked(candidate int) bool {
	// Marks ascend, and the one asked for is among the last.
	for i := len(s.marked) - 1; i >= 0 && s.marked[i].candidate >= candidate; i-- {
		if s.marked[i].candidate == candidate {
			return true
		}
	}
	return false
}

// look fills last and next.
func (s *series) look() {
	type kind struct {
		style  style
		prefix string
	}
	ahead := map[kind][2]int{}
	s.next = make([][2]int, len(s.candidates))
	for i := len(s.candidates) - 1; i >= 0; i-- {
		for _, r := range s.candidates[i].label.readings {
			if r.value == 0 {
				continue
			}
			n := number{r.style, r.prefix, r.value}
			if _, ok := s.last[n]; !ok {
				s.last[n] = i
			}
			k := kind{r.style, r.prefix}
			a := ahead[k]
			switch r.value {
			case 1:
				s.next[i] = a
				a = [2]int{i + 1, 0}
			case 2:
				a[1] = i + 1
			}
			ahead[k] = a
		}
	}
}

// isLater reports whether the number after r of its kind comes behind
// candidate i.
func (s *series) isLater(i int, r reading) bool {
	return s.last[number{r.style, r.prefix, r.value + 1}] > i
}

// follow marks candidate i where it follows a clause that is open, and closes
// those within that one.
func (s *series) follow(i int) bool {
	c := &s.candidates[i]
	for j := len(s.open) - 1; j >= s.floor; j-- {
		e := s.open[j]
		for _, r := range c.label.readings {
			if r.value == 0 || !r.is(e.reading) || s.runs[e.run].item != (c.item >= 0) {
				continue
			}
			gap := c.label.word && r.value > e.value && r.value-e.value < 50 && !s.isLater(i, e.reading)
			if r.value == e.value+1 || c.label.again && r.value == e.value || gap {
				s.open = s.open[:j]
				s.mark(i, r, e.run)
				return true
			}
		}
	}
	return false
}

// begin marks candidate i where it is the first of its kind.
func (s *series) begin(i int) {
	c := &s.candidates[i]
	for _, r := range c.label.readings {
		if r.value == 0 {
			continue
		}
		depth, ok := s.place(i, r)
		if !ok || depth >= maxOpen+s.floor {
			continue
		}
		s.open = s.open[:depth]
		parent := -1
		if depth > s.floor {
			parent = s.open[depth-1].mark
		}
		s.runs = append(s.runs, run{reading: r, parent: parent, item: c.item >= 0, bare: c.label.bare, named: c.label.named})
		if r.class == plain && r.prefix != "" && parent >= 0 {
			s.runs[s.marked[parent].run].parts = true
		}
		if _, ok := s.rank[r.style]; !ok {
			s.rank[r.style] = 0
			if depth > s.floor && s.open[depth-1].class == r.class {
				s.rank[r.style] = s.rank[s.open[depth-1].style] + 1
			}
		}
		s.mark(i, r, len(s.runs)-1)
		return
	}
}

// place returns how many of the open clauses candidate i stands within as the
// first of a series, and whether it may be one.
func (s *series) place(i int, r reading) (depth int, ok bool) {
	c := &s.candidates[i]
	depth = len(s.open)
	again := -1 // where clauses of its style are open
	for j := depth - 1; j >= s.floor; j-- {
		if s.open[j].style == r.style {
			again = j
		}
	}
	switch {
	case c.label.named && (s.last[number{style: "第条", value: 1}] > i || s.last[number{style: "第章", value: 1}] > i):
		return 0, false // in a table of contents
	case c.label.word:
		last, seen := s.seen[r.style]
		goesOn := seen && r.value > last && (r.value == last+1 || c.first && !s.isLater(i, reading{style: r.style, prefix: r.prefix, value: last}))
		if !(r.value == 1 || !seen && c.first || goesOn) || r.value == 1 && again >= 0 && !s.hasSecond(i) && r.prefix == "" {
			return 0, false
		}
		rank, ranked := s.rank[r.style]
		for depth > s.floor {
			e := s.open[depth-1]
			if e.class < r.class || e.class == r.class && (!ranked || s.rank[e.style] < rank) {
				break
			}
			depth--
		}
	case r.prefix != "":
		if r.value != 1 {
			return 0, false
		}
		for j := depth - 1; j >= 0; j-- {
			if s.open[j].path()+"." == r.prefix {
				return max(j+1, s.floor), s.hasSecond(i) || j+1 >= s.floor
			}
		}
		for depth > s.floor && s.open[depth-1].class == plain {
			depth--
		}
		if !s.hasSecond(i) {
			return 0, false
		}
	default:
		if r.value != 1 || !s.hasSecond(i) {
			return 0, false
		}
		for depth > s.floor && again < 0 {
			e := s.open[depth-1]
			if e.class != plain || e.run < 0 || custom(e.style) <= custom(r.style) || s.isLater(i, e.reading) {
				break
			}
			depth--
		}
	}
	if again >= 0 {
		depth = min(depth, again)
	}
	return depth, true
}

// hasSecond reports whether candidate i, a number 1, is followed by a number 2
// before the next 1 of its kind.
func (s *series) hasSecond(i int) bool {
	one, two := s.next[i][0], s.next[i][1]
	return two > 0 && (one == 0 || two < one)
}

// path returns the number of a clause in full: "3.2".
func (e opened) path() string { return e.prefix + strconv.Itoa(e.value) }

// custom orders plain styles as most contracts nest them.
func custom(s style) int {
	for i, level := range [...][]style{{"一、", "I.", "A."}, {"(一)"}, {"1.", "1、", "1"}, {"1)", "(A)", "a."}, {"(1)", "(a)", "a)"}, {"(i)", "i.", "①", "(I)"}} {
		for _, other := range level {
			if s == other {
				return i
			}
		}
	}
	return 3
}

// mark makes a clause of candidate i, on top of those that are open.
func (s *series) mark(i int, r reading, to int) {
	run := &s.runs[to]
	s.marked = append(s.marked, mark{i, to, run.parent})
	run.marks = append(run.marks, len(s.marked)-1)
	s.open = append(s.open, opened{r, to, len(s.marked) - 1})
	s.seen[r.style] = r.value
	s.count[r.style]++
	if l := s.candidates[i].label; l.word && !l.named {
		s.words++
	}
}

// isOfSections reports whether the clause of mark m is a section.
func (s *series) isOfSections(m int) bool { return m >= 0 && s.runs[s.marked[m].run].section }

// around returns the clause around m that is kept, -1 for none.
func (s *series) around(m int) int {
	for m >= 0 && !s.runs[s.marked[m].run].keep {
		m = s.marked[m].parent
	}
	return m
}

const (
	minClauses = 3   // plain numbers that have no clause around them
	minLength  = 150 // bytes that such clauses without titles have on average
)

// judge says whether run i is convincing, and whether its clauses are sections.
// Those around it are judged before.
func (s *series) judge(i int, asked bool) {
	r := &s.runs[i]
	n := len(r.marks)
	parent := s.around(r.parent)
	titled, inLine := s.titles(r)
	switch {
	case r.named:
		r.keep, r.section = s.words >= 2, true
	case r.class < plain:
		r.keep = s.count[r.style] >= 2 || inLine == n || r.class == outer && titled == n
		r.section = true
	case r.prefix != "":
		r.keep = n >= 2 || s.count[r.style] >= minClauses
		r.section = len(r.style) <= len("1.1") || inLine == n
	case parent >= 0:
		r.keep = n >= 2
		r.section = inLine == n || s.runs[s.marked[parent].run].class <= section && (r.parts || 2*titled > n || s.length(r) >= minLength)
	default:
		here := s.scopes[s.candidates[s.marked[r.marks[0]].candidate].scope]
		long := asked && !r.bare && custom(r.style) <= custom("1.") && s.length(r) >= minLength
		r.keep = n >= 2 && r.parts || n >= minClauses && (2*titled > n && s.isMost(r, here) || long && s.isMost(r, s.scopes[0]))
		r.section = true
	}
	r.section = r.section && (parent < 0 || s.isOfSections(parent))
	r.keep = r.keep && (r.section || !r.item)
}

// titles returns how many clauses of a run have a title, and a title with a
// line to itself, and something below it.
func (s *series) titles(r *run) (titled, inLine int) {
	for _, m := range r.marks {
		c := &s.candidates[s.marked[m].candidate]
		if !c.head.titled || m+1 < len(s.marked) && s.marked[m+1].run == s.marked[m].run && !s.hasBody(m) {
			continue
		}
		titled++
		if c.head.line {
			inLine++
		}
	}
	return titled, inLine
}

// hasBody reports whether anything is between the head of the clause of mark m
// and the next clause.
func (s *series) hasBody(m int) bool {
	c, next := &s.candidates[s.marked[m].candidate], &s.candidates[s.marked[m+1].candidate]
	if c.leaf == next.leaf {
		return next.at > c.head.end
	}
	return c.head.end < len(textOf(s.src, c.leaf)) || next.child > c.child+1 || next.scope != c.scope
}

// isMost reports whether the clauses of a run are half or more of a section, or
// of the document.
func (s *series) isMost(r *run, scope *ast.Node) bool {
	return 2*len(r.marks)*s.length(r) >= scope.Span.Len()
}

// length returns the mean distance between the clauses of a run, in bytes.
func (s *series) length(r *run) int {
	first, last := s.marked[r.marks[0]], s.marked[r.marks[len(r.marks)-1]]
	return (s.candidates[last.candidate].pos - s.candidates[first.candidate].pos) / max(1, len(r.marks)-1)
}
