package chunker

import "github.com/cantle/cantle/ast"

// open adds the parts of a node that does not fit, with a frame around them
// where the node has something to repeat, or a name.
func (p *planner) open(n *ast.Node, l level) {
	start, end := p.view.span(n.Span)
	outer, first := p.frame, len(p.atoms)
	only := n.Kind == ast.Table || n.Kind == ast.Code || n.Kind == ast.Decl || n.Kind == ast.Row && !n.IsLeaf()
	if only || !n.Head.IsEmpty() || !n.Tail.IsEmpty() || isCode(n) && n.Name != "" {
		f := frame{node: n, parent: outer, start: start, end: end, only: only, depth: p.depth() + 1}
		f.headStart, f.headEnd = start, start
		if !n.Head.IsEmpty() {
			f.headStart, f.headEnd = p.view.at(n.Head.Start+n.Lead.Len()), p.view.at(n.Head.End)
		}
		if n.Tail.IsEmpty() {
			f.tailStart, f.tailEnd = end, end
		} else {
			f.tailStart, f.tailEnd = p.view.span(n.Tail)
		}
		f.captionStart = f.headStart
		labels := p.longestLabel(n)
		// Of a head that leaves too little room its end is repeated, the header
		// row rather than the caption.
		for _, c := range n.Children {
			if start := p.view.at(c.Span.Start); start > f.headStart && start < f.headEnd && p.sizes.size(f.headStart, f.headEnd)+labels > p.max/2 {
				f.headStart = start
			}
		}
		f.captionEnd = f.headEnd
		for _, c := range n.Children {
			if c.Kind == ast.Row && n.Head.Contains(c.Span) && !namesRows(n) {
				f.captionEnd = min(f.captionEnd, p.view.at(c.Span.Start))
			}
		}
		f.headSize = p.sizes.size(f.headStart, f.headEnd)
		f.tailSize = p.sizes.size(p.view.trim(f.tailStart, f.tailEnd))
		// What is long is no closing line. What leaves too little room for the
		// head, which says more, is not repeated either.
		f.closing = f.tailSize > 0 && f.tailSize <= max(p.max/16, min(p.max/4, p.max/2-f.headSize))
		f.labels = n.Kind == ast.Table && f.headSize+labels > p.max/2 && hasCells(n)
		p.frames = append(p.frames, f)
		p.frame = int32(len(p.frames) - 1)
		if only {
			p.cut()
		}
	}
	if !n.Tail.IsEmpty() && !isCode(n) {
		was := p.closing
		defer func() { p.closing = was }()
		if p.closing.Start, p.closing.End = p.view.span(n.Tail); !p.frames[p.frame].closing {
			p.closing = ast.Span{}
		}
	}
	if parts := p.doc.Parts(n); len(parts) == 0 || n.Text != "" && n.Kind != ast.Row {
		p.openLeaf(n, start, end)
	} else {
		p.openParts(n, parts)
	}
	p.frame = outer
	if p.glued >= start {
		p.glued = -1 // a head with nothing below it does not go with what follows
	}
	if only {
		p.barrier = true
	}
	p.relevel(first, l)
}

// hasCells reports whether the cells of a table are in the tree. Those of short
// rows may not be.
func hasCells(table *ast.Node) bool {
	for n := range table.All() {
		if n.Kind == ast.Row && !n.IsLeaf() && !table.Head.Contains(n.Span) {
			return true
		}
	}
	return false
}

// longestLabel returns the size of the longest row of a table that names the
// rows below it.
func (p *planner) longestLabel(table *ast.Node) int {
	longest := 0
	for _, c := range table.Children {
		if c.Kind == ast.Group {
			longest = max(longest, p.sizes.size(p.view.span(c.Head)))
		}
	}
	return longest
}

func (p *planner) openParts(n *ast.Node, parts []*ast.Node) {
	below := atItem
	if n.Kind == ast.Row {
		below = atClause
	}
	for i, c := range parts {
		start, end := p.view.span(c.Span)
		switch {
		case start >= end:
		case n.Head.Contains(c.Span) && !n.Head.IsEmpty(), n.Kind == ast.Row && i == 0: // the first cell names the row
			p.openHead(n, c, start, end)
		case n.Tail.Contains(c.Span) && !n.Tail.IsEmpty():
			p.openTail(c, start, end)
		default:
			p.add(c, below)
		}
	}
}

// openHead adds a part of the head of an opened node. It goes with what
// follows, or its last part does where it does not fit. A header row stands
// for itself where labels take its place.
func (p *planner) openHead(parent, c *ast.Node, start, end int) {
	labelled := c.Kind == ast.Row && p.labelled()
	if labelled && !namesRows(parent) && !p.fitsWithRow(parent, c, start) {
		defer func() { p.glued, p.barrier = -1, true }()
	}
	p.soft = isCode(parent) || labelled || parent.Kind == ast.Row
	if p.fitsGlued(start, end) {
		p.emit(start, end, c, atItem, lead)
		return
	}
	p.breakUp(c, start, end)
	last := &p.atoms[len(p.atoms)-1]
	last.role, p.glued = lead, last.start
}

// fitsWithRow reports whether a header row, of which the text starts at start,
// fits together with the first row of the table.
func (p *planner) fitsWithRow(table, header *ast.Node, start int) bool {
	if p.glued >= 0 {
		start = p.glued
	}
	for n := range table.All() {
		if n.Kind == ast.Row && n.Span.Start >= header.Span.End {
			_, end := p.view.span(n.Span)
			return p.fits(start, end)
		}
	}
	return false
}

// openTail adds the tail of an opened node: it goes with what stands before.
// What is too long to be repeated is no closing line, and may stand for itself.
func (p *planner) openTail(c *ast.Node, start, end int) {
	switch {
	case p.frames[p.frame].closing:
		p.barrier = false
		p.emit(start, end, c, atItem, tail)
	case p.fits(start, end):
		p.emit(start, end, c, atItem, body)
	default:
		p.breakUp(c, start, end)
	}
}

// breakUp adds what is in a part of a head or tail that does not fit: the
// paragraphs of a comment, or the text cut up.
func (p *planner) breakUp(n *ast.Node, start, end int) {
	if n.Kind != ast.Block || n.IsLeaf() {
		p.divide(start, end, n, ladder(n.Kind))
		return
	}
	for _, c := range n.Children {
		p.add(c, atItem)
	}
}

// namesRows reports whether the head of n is a row that names those below it,
// not their columns.
func namesRows(n *ast.Node) bool { return n.Kind == ast.Group && len(n.Columns) == 0 }

// isCode reports whether the head of n is a line of code, such as a signature.
func isCode(n *ast.Node) bool { return n.Kind == ast.Decl || n.Kind == ast.Block }

// openLeaf cuts a node without children: head, what lies between, tail.
func (p *planner) openLeaf(n *ast.Node, start, end int) {
	headEnd, tailStart := start, end
	if !n.Head.IsEmpty() {
		headEnd = p.view.at(n.Head.End)
	}
	if !n.Tail.IsEmpty() {
		tailStart = p.view.at(n.Tail.Start)
	}
	if headEnd > start {
		p.openHead(n, n, start, headEnd)
	}
	if tailStart > headEnd {
		p.divide(headEnd, tailStart, n, ladder(n.Kind))
	}
	if end > tailStart {
		p.openTail(n, tailStart, end)
	}
}
