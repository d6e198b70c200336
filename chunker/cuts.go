package chunker

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/cantle/cantle/ast"
)

// The costs of a plan. A plan is a set of cuts; the cheapest one is taken.
// One piece more costs more than any shape of pieces, so there are as few
// pieces as the limit allows; among those, even ones that end high in the tree.
const (
	costPiece = 1000 // each piece
	costShape = 300  // times the square of the share by which a piece misses Want
	costLong  = 4    // times that where it is above Want
	costUnder = 1500 // times the share by which a piece is under Min
	costDepth = 40   // times the opened nodes around a cut
	costHeld  = 1e5  // a cut between a head and what follows
	costShed  = 200  // each repeated head or title that is left out
	costIntro = 400  // a cut behind a line that introduces what follows: "as follows:"
)

var costLevel = [...]float64{
	atBlock: 0, atItem: 40, atLine: 60, atSentence: 120, atClause: 300, atWord: 500, atGrapheme: 2000, atRune: 4000,
}

// cutCost returns the cost of a cut before atom i.
func (p *planner) cutCost(i int) float64 {
	a, before := &p.atoms[i], &p.atoms[i-1]
	c := costLevel[a.level] + costDepth*float64(min(a.depth, before.depth))
	if a.bond == held {
		c += costHeld
	}
	if p.introduces(i-1) && (a.content != prose || a.node.Kind == ast.List) {
		c += costIntro
	}
	return c
}

// introduces reports whether atom i is prose that ends in a colon.
func (p *planner) introduces(i int) bool {
	a := &p.atoms[i]
	_, end := p.view.trim(a.start, a.end)
	return a.content == prose && a.role == body && endsInColon(p.view.text[:end])
}

func endsInColon(s string) bool { return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") }

// run appends the pieces of the cheapest plan for the atoms from first to
// before last, none above limit. Prose that fits is not cut; what does not, or
// holds a table, is cut to Want.
func (p *planner) run(dst []piece, first, last, limit int) []piece {
	m := p.measure(first, limit)
	if p.holdsTable(first, last) {
		limit = min(limit, p.opt.Want)
	}
	if _, fits := m.to(last-1, limit); fits || last-first == 1 {
		return append(dst, piece{first: first, last: last - 1})
	}
	dst, _ = p.cheapest(dst, first, last, min(limit, p.opt.Want), -1)
	return dst
}

// holdsTable reports whether one of the atoms is a table or a part of one.
func (p *planner) holdsTable(first, last int) bool {
	for i := first; i < last; i++ {
		if p.atoms[i].content == tabular {
			return true
		}
	}
	return false
}

// cheapest finds the cheapest cuts by dynamic programming: cost[i] is that of
// the best plan for the atoms before first+i. No cut falls before the atom
// without. It takes time linear in the atoms, times the atoms that fit into a
// piece. The cost is infinite where there is no such plan.
func (p *planner) cheapest(dst []piece, first, last, limit, without int) ([]piece, float64) {
	n := last - first
	cost, from := p.costs[:0], p.from[:0]
	for range n + 1 {
		cost, from = append(cost, math.Inf(1)), append(from, 0)
	}
	cost[0] = 0
	p.costs, p.from = cost, from
	for i := range n {
		base := cost[i]
		if math.IsInf(base, 1) || first+i == without {
			continue
		}
		if i > 0 {
			base += p.cutCost(first + i)
		}
		room := limit
		if i > 0 {
			room -= p.opt.Overlap
		}
		m := p.measure(first+i, limit)
		glued := true // nothing so far that could be cut off
		for j := i; j < n; j++ {
			glued = glued && (j == i || p.atoms[first+j].bond == held)
			size, fits := m.to(first+j, room)
			c := base + p.pieceCost(size, j-i < n-1, m.shed)
			if !fits {
				if !glued || j > i && !p.fits(m.start, p.atoms[first+j].end) {
					break
				}
				// What is not cut apart leaves out what it would repeat.
				c += costShed
			}
			if c < cost[j+1] {
				cost[j+1], from[j+1] = c, int32(i)
			}
		}
	}
	at := len(dst)
	for j := n; j > 0 && !math.IsInf(cost[n], 1); j = int(from[j]) {
		dst = append(dst, piece{first: first + int(from[j]), last: first + j - 1})
	}
	slices.Reverse(dst[at:])
	return dst, cost[n]
}

// pieceCost returns the cost of a piece of that size; several says that its
// run has more.
func (p *planner) pieceCost(size int, several bool, shed int) float64 {
	if !several {
		return costPiece
	}
	want := float64(p.opt.Want)
	miss := (want - float64(size)) / want
	c := costPiece + costShape*miss*miss + costShed*float64(shed)
	if size < p.opt.Min {
		c += costUnder * float64(p.opt.Min-size) / float64(p.opt.Min)
	}
	return c
}

// A measure sizes the pieces that begin at one atom.
type measure struct {
	p      *planner
	first  int // atom
	start  int // own text, leading blank lines left out
	before int // context and repeated heads
	shed   int // of those, how many are left out
}

func (p *planner) measure(i, limit int) measure {
	a := &p.atoms[i]
	start, _ := p.view.trim(a.start, a.end)
	m := measure{p: p, first: i, start: start}
	var heads []int32
	m.shed, heads, m.before = p.shed(i, p.subjectFrom(i), min(limit, p.opt.Max/2))
	m.shed += len(p.heads) - len(heads)
	return m
}

// own returns the size of the own text up to the end of atom j.
func (m *measure) own(j int) int {
	_, end := m.p.view.trim(m.p.atoms[j].start, m.p.atoms[j].end)
	size := m.p.sizes.size(m.start, end)
	if labels := m.p.atoms[j].labels; labels > 0 {
		if m.first > 0 {
			labels -= m.p.atoms[m.first-1].labels
		}
		size += int(labels)
	}
	return size
}

// to returns the size of the text and context of the piece that ends with
// atom j, and whether it is within room.
func (m *measure) to(j, room int) (size int, fits bool) {
	size = m.before + m.own(j) + m.p.tails(j)
	return size, size <= room
}

// shed returns what a piece of a subject that begins at atom i
// repeats where it may take at most limit: the heads that fit, inner ones before
// outer ones, then as many titles. titles is how many are left out, outermost
// first; heads stand as repeatedHeads has them and are valid until its next
// call; size is that of all of it.
func (p *planner) shed(i int, own subject, limit int) (titles int, heads []int32, size int) {
	p.heads = p.repeatedHeads(p.heads[:0], i)
	kept := len(p.heads)
	for k := len(p.heads) - 1; k >= 0; k-- {
		if _, _, n := p.head(p.heads[k], i); size+n <= limit {
			size += n
			kept--
			p.heads[kept] = p.heads[k]
		}
	}
	contexts := p.contexts(p.atoms[i].scope, own)
	for titles < len(contexts.titles) && size+contexts.size(titles) > limit {
		titles++
	}
	return titles, p.heads[kept:], size + contexts.size(titles)
}

// repeatedHeads appends the frames whose heads a piece that begins at atom i
// repeats, in the order in which they are left out: outermost first, but the
// header of a table after the labels of its groups.
func (p *planner) repeatedHeads(dst []int32, i int) []int32 {
	n := len(dst)
	for f := p.atoms[i].frame; f >= 0; f = p.frames[f].parent {
		if start, end, _ := p.head(f, i); start < end {
			dst = append(dst, f)
		}
	}
	slices.Reverse(dst[n:])
	slices.SortStableFunc(dst[n:], func(a, b int32) int {
		return cmp.Compare(rank(p.frames[a].node.Kind), rank(p.frames[b].node.Kind))
	})
	return dst
}

func rank(k ast.Kind) int {
	if k == ast.Table {
		return 1
	}
	return 0
}

// head returns the head of f that a piece that begins at atom i repeats, and
// its size; nothing where there is none, or where the piece holds it itself.
// Cells by themselves have labels in place of the header rows, not of the
// caption.
func (p *planner) head(f int32, i int) (start, end, size int) {
	fr := &p.frames[f]
	if p.atoms[i].start < fr.headEnd || fr.node.Kind == ast.Row {
		return 0, 0, 0
	}
	if fr.captionEnd < fr.headEnd && p.cellwise(i) {
		return fr.captionStart, fr.captionEnd, p.sizes.size(fr.captionStart, fr.captionEnd)
	}
	return fr.headStart, fr.headEnd, fr.headSize
}

// tails returns the size of what is repeated behind a piece that ends with
// atom j.
func (p *planner) tails(j int) int {
	size := 0
	for f := p.atoms[j].frame; f >= 0; f = p.frames[f].parent {
		if p.closes(f, j) {
			size += p.frames[f].tailSize
		}
	}
	return size
}

// closes reports whether a piece that ends with atom j repeats the tail of f.
// It is not repeated behind a doc comment that stands alone.
func (p *planner) closes(f int32, j int) bool {
	fr := &p.frames[f]
	end := p.atoms[j].end
	return fr.closing && end <= fr.tailStart && end > fr.headStart
}
