package chunker

import (
	"strings"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/segment"
)

// fits reports whether the text from start to end can be a chunk. Sizes from
// the whole can be off by a unit or two at the ends of a part, so what is
// close to the limit is counted by itself.
func (p *planner) fits(start, end int) bool { return p.within(p.max, start, end) }

// within reports whether the text from start to end is at most limit large.
func (p *planner) within(limit, start, end int) bool {
	slack := 8 + limit/16
	start, end = p.view.trim(start, end)
	switch n := p.sizes.size(start, end); {
	case n > limit+slack:
		return false
	case n <= limit-slack:
		return true
	}
	return p.opt.Sizer.Count(p.view.text[start:end]) <= limit
}

// emit adds the text from start to end as one atom.
func (p *planner) emit(start, end int, n *ast.Node, l level, r role) {
	k := len(p.atoms)
	switch {
	case blank(p.view.text[start:end]):
		if k > 0 {
			p.atoms[k-1].end = end // blanks belong to what stands before them
		}
		return
	case k == 0:
		start = 0 // and at the start of the document to what follows
	}
	b := free
	switch {
	case k == 0 || p.barrier:
		b = apart
	case p.glued >= 0 || r == tail:
		b = held
	}
	labels := int32(0)
	if k > 0 {
		labels = p.atoms[k-1].labels
	}
	labels += int32(p.labelSize(n))
	p.atoms = append(p.atoms, atom{start: start, end: end, scope: p.scope, frame: p.frame, node: n, labels: labels,
		bond: b, level: l, depth: p.depth(), role: r, content: p.content})
	p.barrier = false
	switch {
	case r != lead:
		p.glued = -1
	case p.glued < 0:
		p.glued = start
	}
}

// mute reports whether s is a mark or two that say nothing by themselves, such
// as a rule. It stays with what stands before it.
func mute(s string) bool {
	s = strings.TrimSpace(s)
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' {
			return false
		}
	}
	return len(s) <= 8
}

// add adds n: as one atom where it fits together with the heads that wait for
// it, else opened.
func (p *planner) add(n *ast.Node, l level) {
	if p.hidden(n) {
		return
	}
	start, end := p.view.span(n.Span)
	if k := len(p.atoms); k > 0 && n.Kind == ast.Paragraph && p.atoms[k-1].scope == p.scope && p.atoms[k-1].role != lead &&
		mute(p.view.text[start:end]) && p.fits(p.chain(k-1), end) {
		p.atoms[k-1].end = end
		return
	}
	was := p.content
	switch n.Kind {
	case ast.Code, ast.Decl, ast.Block:
		p.content = source
	case ast.Table:
		p.content = tabular
	}
	switch {
	case n.Kind == ast.Row && p.fitsLabelled(n, start, end) && (p.labelled() || !p.fitsUnderHeader(start, end)):
		first := len(p.atoms)
		p.open(n, l)
		for i := first + 1; i < len(p.atoms); i++ {
			p.atoms[i].bond = held
		}
	case p.fine && isProse(n), (n.Kind == ast.Row || n.Kind == ast.Group) && !n.IsLeaf() && p.labelled(),
		n.Kind == ast.Table && (p.elsewhere > start || !p.within(p.opt.Want, start, end)),
		n.Kind == ast.Group && !p.fitsUnderHeads(start, end):
		p.open(n, l)
	case p.fitsGlued(start, end):
		p.emit(start, end, n, l, body)
	case p.fitsWithoutLead(n):
		cut := p.view.at(n.Lead.End)
		p.emit(start, cut, n, l, body)
		p.barrier = true
		p.emit(cut, end, n, l, body)
	default:
		p.open(n, l)
	}
	p.content = was
}

// chain returns where the atoms start that no cut parts from atom i, up to it.
func (p *planner) chain(i int) int {
	for i > 0 && p.atoms[i].bond == held {
		i--
	}
	return p.atoms[i].start
}

// fitsGlued reports whether the text from start to end fits together with the
// heads that wait for it and the closing line that follows it. A head that takes
// more than half of the limit, or is a line of code, lets go of what fits, but not
// beside it. What does not fit at all is opened, and its first part goes with the head.
func (p *planner) fitsGlued(start, end int) bool {
	if end == p.closing.Start {
		end = p.closing.End
	}
	if p.glued < 0 {
		return p.fits(start, end)
	}
	if p.fits(p.glued, end) {
		return true
	}
	if !p.soft && p.sizes.size(p.view.trim(p.glued, start)) <= p.max/2 || !p.fits(start, end) {
		return false
	}
	p.glued, p.barrier = -1, true
	return true
}

// fitsUnderHeads reports whether the text from start to end fits together with
// the heads and tails that a piece of it repeats. Rows have a header or are kept apart
// from their group, not the other way round.
func (p *planner) fitsUnderHeads(start, end int) bool {
	if p.glued >= 0 {
		start = p.glued
	}
	size := p.sizes.size(p.view.trim(start, end))
	for f := p.frame; f >= 0; f = p.frames[f].parent {
		if p.frames[f].headEnd <= start {
			size += p.frames[f].headSize
		}
		if p.frames[f].closing {
			size += p.frames[f].tailSize
		}
	}
	return size <= p.max
}

// fitsUnderHeader reports whether a row fits together with the header of its
// table.
func (p *planner) fitsUnderHeader(start, end int) bool {
	size := p.sizes.size(p.view.trim(start, end))
	for f := p.frame; f >= 0 && size <= p.max; f = p.frames[f].parent {
		if fr := &p.frames[f]; fr.node.Kind == ast.Table && fr.headEnd <= start {
			size += fr.headSize
		}
	}
	return size <= p.max
}

// fitsLabelled reports whether a row fits as cells that each say their label,
// below the caption of the table and the names of its groups.
func (p *planner) fitsLabelled(row *ast.Node, start, end int) bool {
	size := p.sizes.size(p.view.trim(start, end))
	for _, c := range row.Children {
		size += p.labelSize(c)
	}
	for f := p.frame; f >= 0 && size <= p.max; f = p.frames[f].parent {
		switch fr := &p.frames[f]; {
		case fr.headEnd > start:
		case fr.captionEnd < fr.headEnd:
			size += p.sizes.size(fr.captionStart, fr.captionEnd)
		default:
			size += fr.headSize
		}
	}
	return !row.IsLeaf() && size <= p.max
}

// labelSize returns about the size of what a cell says before its text.
func (p *planner) labelSize(cell *ast.Node) int {
	if cell.Kind != ast.Cell || cell.Name == "" {
		return 0
	}
	return p.opt.Sizer.Count(cell.Name) + 2
}

// fitsWithoutLead reports whether a definition fits once its doc comment is a
// piece of its own.
func (p *planner) fitsWithoutLead(n *ast.Node) bool {
	if n.Kind != ast.Decl || n.Lead.IsEmpty() || n.Lead.End == n.Span.End {
		return false
	}
	start, end := p.view.span(n.Span)
	cut := p.view.at(n.Lead.End)
	return p.fitsGlued(start, cut) && p.fits(cut, end)
}

// relevel says that the cut before atom first, the first part of something
// that was opened, is a cut before the whole of it.
func (p *planner) relevel(first int, l level) {
	if first >= len(p.atoms) {
		return
	}
	p.atoms[first].level = l
	p.atoms[first].depth = p.depth()
}

// depth returns the number of frames around the next atom.
func (p *planner) depth() uint8 {
	if p.frame < 0 {
		return 0
	}
	return p.frames[p.frame].depth
}

// isProse reports whether n is made of sentences.
func isProse(n *ast.Node) bool {
	return n.Kind == ast.Paragraph || n.Kind == ast.List || n.Kind == ast.Item || n.Kind == ast.Quote
}

// ladder returns the levels at which the text of a leaf is cut, in turn.
func ladder(k ast.Kind) []level {
	switch k {
	case ast.Code, ast.Decl, ast.Block:
		return []level{atLine, atWord, atGrapheme, atRune}
	case ast.Row, ast.Cell:
		return []level{atClause, atWord, atGrapheme, atRune}
	}
	return []level{atSentence, atClause, atWord, atGrapheme, atRune}
}

// divide adds the text from start to end, cut at the first of levels; units
// that do not fit are cut at the next.
func (p *planner) divide(start, end int, n *ast.Node, levels []level) {
	base := len(p.buf)
	p.buf = boundaries(p.buf, levels[0], p.view.text[start:end])
	ends := p.buf[base:]
	from := start
	for i := 0; i < len(ends); i++ {
		to := start + ends[i]
		if levels[0] >= atWord {
			// Words and less are taken by the dozen: where the text is one long
			// word, planning over each rune of it would be slow.
			for i+1 < len(ends) && p.sizes.size(from, start+ends[i+1]) <= p.max/16 {
				i++
				to = start + ends[i]
			}
		}
		if len(levels) == 1 || p.fitsGlued(from, to) {
			p.emit(from, to, n, levels[0], body)
		} else {
			first := len(p.atoms)
			p.divide(from, to, n, levels[1:])
			p.relevel(first, levels[0])
			ends = p.buf[base : base+len(ends)]
		}
		from = to
	}
	p.buf = p.buf[:base]
}

// boundaries appends the ends of the units of text.
func boundaries(dst []int, l level, text string) []int {
	switch l {
	case atLine:
		return segment.Lines(dst, text)
	case atSentence:
		return segment.Sentences(dst, text)
	case atClause:
		return segment.Clauses(dst, text)
	case atWord:
		return segment.Words(dst, text)
	case atGrapheme:
		return segment.Graphemes(dst, text)
	}
	for i := range text {
		if i > 0 {
			dst = append(dst, i)
		}
	}
	return append(dst, len(text))
}
