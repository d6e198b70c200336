package chunker

import (
	"sort"
	"strings"
	"unicode"

	"github.com/cantle/cantle/ast"
)

// hasSkeleton reports whether parents under a scope are skeletons: where they
// are asked for, and the scope holds definitions.
func (f *family) hasSkeleton(scope int32) bool {
	n := f.r.p.scopes[scope].node
	if !f.r.p.opt.Skeleton || n.Kind == ast.Section {
		return false
	}
	for _, c := range n.Children {
		if c.Kind == ast.Decl || c.Kind == ast.Block && c.IsScope() {
			return true
		}
	}
	return false
}

// skeleton makes one parent of some pieces, their skeleton, if it fits. If need
// be it does without the comments of the definitions.
func (f *family) skeleton(lo, hi int, scope int32) bool {
	return f.skeletonOf(lo, hi, scope, true) || f.skeletonOf(lo, hi, scope, false)
}

// skeletonOf is skeleton with or without comments.
func (f *family) skeletonOf(lo, hi int, scope int32, comments bool) bool {
	s, whole := f.draw(lo, hi, comments), f.whole(lo, hi, scope)
	text := s.text.String()
	if s.size > s.limit || text == "" || !f.fits(&whole, text) {
		return false
	}
	parent := f.r.chunk(&whole, text, f.r.p.opt.Parents)
	s.place(&parent)
	f.emit(lo, hi, parent)
	return true
}

// skeletons makes skeletons of as many pieces as fit, and so on. The pieces of
// one member of the scope stay together. The comments are gone by then, but
// where one member fills a parent. Of one whose skeleton does not fit, those of
// its members are made; of a function its text.
func (f *family) skeletons(lo, hi int, scope int32) {
	for lo < hi {
		first := f.behind(lo, hi, scope)
		to, size := first, f.draw(lo, first, false).size
		for to < hi {
			next := f.behind(to, hi, scope)
			if size += f.draw(to, next, false).size; size > f.r.p.opt.Parents {
				break
			}
			to = next
		}
		for to > first && !f.skeletonOf(lo, to, scope, false) {
			for to--; f.isWithin(to, scope); to-- {
			}
		}
		if to == first && !f.skeleton(lo, to, scope) {
			f.below(lo, to, scope)
		}
		lo = to
	}
}

// behind returns the first piece behind lo that begins a member of the scope, or hi.
func (f *family) behind(lo, hi int, scope int32) int {
	to := lo + 1
	for to < hi && f.isWithin(to, scope) {
		to++
	}
	return to
}

// isWithin reports whether a piece begins within a node right below the scope.
func (f *family) isWithin(i int, scope int32) bool {
	p := f.r.p
	start, _ := p.view.trim(f.pieces[i].start, f.pieces[i].end)
	children := p.scopes[scope].node.Children
	k := sort.Search(len(children), func(k int) bool { return p.view.at(children[k].Span.End) > start })
	if k == len(children) {
		return false
	}
	first, _ := p.view.trim(p.view.span(children[k].Span))
	return first < start
}

// draw draws the skeleton of some pieces.
func (f *family) draw(lo, hi int, comments bool) *skeleton {
	p := f.r.p
	s := &skeleton{p: p, from: f.pieces[lo].start, to: f.pieces[hi-1].end, comments: comments,
		limit: p.opt.Parents + p.opt.Parents/16 + 8, above: -1}
	s.children(p.doc.Root)
	return s
}

// A skeleton is code with "..." in place of what is done: of a definition its
// comment, its signature and its closing line are left; of a class, those of
// its members and what else is in it, as far as that is short.
type skeleton struct {
	p        *planner
	from, to int  // what it is of, in the view
	comments bool // those of definitions are left
	limit    int  // drawing stops above this size

	above int // where the node begins of which nothing is added yet; -1 for none

	text  strings.Builder
	spans []ast.Span // of the view: where the text comes from
	size  int        // about, of what is left
}

// children adds what is below n.
func (s *skeleton) children(n *ast.Node) {
	first := sort.Search(len(n.Children), func(i int) bool { return s.p.view.at(n.Children[i].Span.End) > s.from })
	for _, c := range n.Children[first:] {
		start, end := s.p.view.span(c.Span)
		switch {
		case start >= s.to || s.size > s.limit:
			return
		case start >= end:
			continue
		}
		if s.above < 0 {
			s.above, _ = s.p.view.trim(start, end)
		}
		switch {
		case n.Head.Contains(c.Span) && !n.Head.IsEmpty():
			s.head(n, c)
		case n.Tail.Contains(c.Span) && !n.Tail.IsEmpty():
			s.keep(start, end)
		case c.IsScope():
			s.children(c)
		default:
			s.outline(c, start, end)
		}
	}
}

// head adds a part of the head of n. The comments of a definition stand before
// its signature or, as docstrings, behind it.
func (s *skeleton) head(n, c *ast.Node) {
	if s.comments || n.Sign.IsEmpty() || c.Span.End > n.Sign.Start && c.Span.Start < n.Sign.End {
		s.keep(s.p.view.span(c.Span))
	}
}

// outline adds a node that is no scope. A definition is left without the body
// that is below its head.
func (s *skeleton) outline(n *ast.Node, start, end int) {
	view := s.p.view
	if !n.Sign.IsEmpty() && n.Head.Contains(n.Sign) {
		for _, c := range n.Children {
			if n.Head.Contains(c.Span) {
				s.head(n, c)
			}
		}
		body := view.at(n.Head.End)
		tail := s.closing(body, end)
		if !n.Tail.IsEmpty() {
			tail = view.at(n.Tail.Start)
		}
		s.elide(body, tail)
		s.keep(tail, end)
		return
	}
	if !n.Lead.IsEmpty() {
		lead := view.at(n.Lead.End)
		if n.Kind != ast.Decl || s.comments {
			s.shorten(start, lead, start)
		}
		start = lead
	}
	s.shorten(start, end, view.at(max(n.Sign.End, n.Span.Start)))
}

// shorten adds the text from start to end, if it is long only the lines up to
// at, and up to the first that has a word.
func (s *skeleton) shorten(start, end, at int) {
	text := s.p.view.text
	start, end = s.p.view.trim(start, end)
	if start == end || s.p.sizes.size(start, end) <= s.p.opt.Min {
		s.keep(start, end)
		return
	}
	for at = max(at, start); ; {
		i := strings.IndexByte(text[at:end], '\n')
		if i < 0 {
			s.keep(start, end)
			return
		}
		at += i + 1
		if strings.IndexFunc(text[start:at], isLetter) >= 0 {
			break
		}
	}
	s.keep(start, at)
	tail := s.closing(at, end)
	s.elide(at, tail)
	s.keep(tail, end)
}

// closing returns where the last line of the text from start to end begins if
// it only closes what was opened before start, else end.
func (s *skeleton) closing(start, end int) int {
	start, end = s.p.view.trim(start, end)
	text := s.p.view.text[start:end]
	last := strings.LastIndexByte(text, '\n') + 1
	if line := text[last:]; strings.Trim(line, " \t)]};,*/") != "" || indentation(line) >= indentation(text) && !strings.HasSuffix(line, "*/") {
		return end
	}
	return start + last
}

// indentation returns the length of the blanks that s begins with.
func indentation(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// within returns the part of the text from start to end that the skeleton is of,
// less blank lines around it: pieces may end in the midst of a node.
func (s *skeleton) within(start, end int) (int, int) {
	if start, end = max(start, s.from), min(end, s.to); start < end {
		start, end = s.p.view.trim(start, end)
	}
	return start, end
}

// keep adds the text from start to end, less blank lines around it.
func (s *skeleton) keep(start, end int) {
	if start, end = s.within(start, end); start >= end {
		return
	}
	gap := s.breakLine(start)
	s.text.WriteString(s.p.view.text[start:end])
	s.size += s.p.sizes.size(start, end) + 1
	if k := len(s.spans) - 1; k >= 0 && gap != "" && s.p.view.text[s.spans[k].End:start] == gap {
		s.spans[k].End = end
		return
	}
	s.spans = append(s.spans, ast.Span{Start: start, End: end})
}

// elide adds "..." in place of the text from start to end.
func (s *skeleton) elide(start, end int) {
	if start, end = s.within(start, end); start >= end {
		return
	}
	s.breakLine(start)
	text := s.p.view.text[start:end]
	s.text.WriteString(text[:indentation(text)] + "...")
	s.size += 3
}

// breakLine ends the line, and adds a blank one where one stands before the
// text at start, or before the node that this is the first of to be added.
// It returns what it added.
func (s *skeleton) breakLine(start int) string {
	if s.above >= 0 {
		start, s.above = s.above, -1
	}
	if s.text.Len() == 0 {
		return ""
	}
	gap := "\n"
	before := s.p.view.text[:start]
	if blanks := before[len(strings.TrimRight(before, " \t\r\n")):]; strings.Count(blanks, "\n") > 1 {
		gap = "\n\n"
	}
	s.text.WriteString(gap)
	return gap
}

// place puts into a record where the skeleton's text comes from.
func (s *skeleton) place(c *Chunk) {
	c.Parts, c.own = nil, ""
	var spans []ast.Span
	for _, k := range s.spans {
		c.own += s.p.view.text[k.Start:k.End]
		spans = s.p.view.spans(spans[:0], k.Start, k.End)
		for _, at := range spans {
			c.Parts = append(c.Parts, Part{RoleBody, at.Start, at.End})
		}
	}
}
