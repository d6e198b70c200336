package chunker

import (
	"sort"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/segment"
)

// A region is a part of the view with what it is and what it is under, for
// the strategies that do not go by the tree.
type region struct {
	start   int
	scope   int32
	node    *ast.Node
	content content
}

// flat finds the regions of the document.
func (p *planner) flat() {
	p.frame, p.glued, p.across = -1, -1, true
	p.scopes = append(p.scopes, scope{node: p.doc.Root, parent: -1})
	p.addRegions(p.doc.Root, 0)
}

func (p *planner) addRegions(n *ast.Node, here int32) {
	for _, c := range n.Children {
		start, end := p.view.span(c.Span)
		switch {
		case start >= end:
		case n.IsScope() && c.IsScope():
			p.scope = here
			p.enter(c, here)
			p.addRegions(c, p.scope)
		case isProse(c) && !c.IsLeaf() && c.Text == "":
			p.addRegions(c, here)
		default:
			r := region{start: start, scope: here, node: c}
			switch c.Kind {
			case ast.Code, ast.Decl, ast.Block:
				r.content = source
			case ast.Table:
				r.content = tabular
			}
			p.regions = append(p.regions, r)
		}
	}
}

// region returns the region that text at start stands in.
func (p *planner) region(start int) region {
	return p.regions[max(0, sort.Search(len(p.regions), func(i int) bool { return p.regions[i].start > start })-1)]
}

// addFlat adds the text from start to end as an atom of what stands at its start.
func (p *planner) addFlat(start, end int, b bond, l level) {
	k := len(p.atoms)
	if blank(p.view.text[start:end]) { // it may be all there is, and stand in no region
		if k > 0 {
			p.atoms[k-1].end = end
		}
		return
	}
	r := p.region(start)
	if k == 0 {
		start, b = 0, apart
	}
	p.atoms = append(p.atoms, atom{start: start, end: end, scope: r.scope, frame: -1, node: r.node, bond: b, level: l, content: r.content, cause: bySeparator})
}

// addFixed cuts the text from start to end after as much as the limit allows,
// at borders of grapheme clusters.
func (p *planner) addFixed(start, end int) {
	_, last := p.view.trim(start, end)
	for at := start; at < last; {
		room := p.opt.Max
		if at > start {
			room -= p.opt.Overlap
		}
		if len(p.regions) > 0 {
			r := p.region(at)
			if c := p.contexts(r.scope, subject{decl: named(r.node)}).size(0); c <= p.max/2 {
				room -= c
			}
		}
		from, _ := p.view.trim(at, last)
		to := min(last, p.reach(from, max(1, room)))
		p.addFlat(at, to, free, atGrapheme)
		at = to
	}
	p.addFlat(last, end, free, atGrapheme)
}

// cutBySize reports whether the cut before atom i is one of addFixed's.
func (p *planner) cutBySize(i int) bool {
	return p.opt.Strategy == Fixed || p.opt.Strategy == Recursive && p.atoms[i].level == atGrapheme
}

// overlapFixed returns where the last text before a piece starts that is at
// most room large, at a border of grapheme clusters.
func (p *planner) overlapFixed(pc *piece, room int) int {
	if room <= 0 || p.atoms[pc.first].bond == apart {
		return pc.start
	}
	low := p.atoms[pc.first-1].start
	at := low + sort.Search(pc.start-low, func(n int) bool { return p.sizes.size(low+n, pc.start) <= room })
	_, after := p.borders(low, at)
	return min(after, pc.start)
}

// reach returns the last border of grapheme clusters before which the text
// from start is at most room large. At least one cluster is taken or, where
// that is over the limit by itself, one rune.
func (p *planner) reach(start, room int) int {
	text := p.view.text
	end := start + sort.Search(len(text)-start, func(n int) bool { return p.sizes.size(start, start+n+1) > room })
	before, after := p.borders(start, end)
	switch {
	case before > start:
		return before
	case p.fits(start, after):
		return after
	}
	end = start + 1
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return end
}

// borders returns the borders of grapheme clusters next to an offset: the last
// one that is not behind it and the first one that is not before it. start is
// a border at or before it.
func (p *planner) borders(start, at int) (before, after int) {
	const window = 256 // bytes; no cluster that people write is longer
	text := p.view.text
	from := max(start, at-window)
	for from > start && !utf8.RuneStart(text[from]) {
		from--
	}
	before, after = start, len(text)
	p.buf = segment.Graphemes(p.buf[:0], text[from:min(len(text), at+window)])
	for _, b := range p.buf {
		if from+b <= at {
			before = from + b
		}
		if from+b >= at {
			return before, from + b
		}
	}
	return before, after
}
