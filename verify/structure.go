package verify

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/segment"
)

// An extent is where a chunk holds text without a gap, what it repeats of the
// chunk before included.
type extent struct {
	span
	chunk int
}

// structure checks what the tree of the document says should be together.
func (c *checker) structure() {
	c.extent()
	c.walk()
	c.headings()
	c.ends()
}

// extent collects the extents, a gap that shows nothing joined.
func (c *checker) extent() {
	for i := range c.chunks {
		open := false
		for _, r := range c.chunks[i].runs {
			if r.role != chunker.RoleBody && r.role != chunker.RoleOverlap {
				open = false
				continue
			}
			if k := len(c.extents) - 1; open && c.extents[k].end <= r.start && c.reading.shown(span{c.extents[k].end, r.start}) == 0 {
				c.extents[k].end = r.end
				continue
			}
			c.extents = append(c.extents, extent{r.span, i})
			open = true
		}
	}
	slices.SortStableFunc(c.extents, func(a, b extent) int { return cmp.Or(a.start-b.start, a.chunk-b.chunk) })
	c.reach = make([]int, len(c.extents))
	for i, e := range c.extents {
		if c.reach[i] = i; i > 0 && c.extents[c.reach[i-1]].end >= e.end {
			c.reach[i] = c.reach[i-1]
		}
	}
}

// holder returns a chunk that holds all of s, or -1.
func (c *checker) holder(s span) int {
	i := sort.Search(len(c.extents), func(i int) bool { return c.extents[i].start > s.start }) - 1
	if i < 0 || c.extents[c.reach[i]].end < s.end {
		return -1
	}
	return c.extents[c.reach[i]].chunk
}

// missing reports whether a part of s is lost: that is its fault, then.
func (c *checker) missing(s span) bool {
	i := sort.Search(len(c.lost), func(i int) bool { return c.lost[i].end > s.start })
	return i < len(c.lost) && c.lost[i].start < s.end
}

// places returns where a node is seen.
func (c *checker) places(s ast.Span) span { return c.reading.seen(c.reading.of(s)) }

// size returns the size of the text at a range of the source.
func (c *checker) size(s ast.Span) int {
	if c.reading.exact {
		return c.sizer.Count(strings.TrimSpace(string(c.doc.Source[s.Start:s.End])))
	}
	var b strings.Builder
	c.write(&b, c.doc.Root, s)
	return c.sizer.Count(strings.TrimSpace(b.String()))
}

// write appends the text of the nodes that begin within s.
func (c *checker) write(b *strings.Builder, n *ast.Node, s ast.Span) {
	switch {
	case n.Kind == ast.Markup || n.Kind == ast.Meta || n.Span.Start >= s.End || n.Span.End <= s.Start:
	case n.Text != "" || n.IsLeaf():
		if n.Span.Start < s.Start {
			return
		}
		b.WriteString(n.Text)
		if n.Text == "" {
			b.Write(c.doc.Source[n.Span.Start:n.Span.End])
		}
	default:
		first := sort.Search(len(n.Children), func(i int) bool { return n.Children[i].Span.End > s.Start })
		for _, child := range n.Children[first:] {
			if child.Span.Start >= s.End {
				return
			}
			c.write(b, child, s)
		}
	}
}

// walk checks the nodes that should be whole.
func (c *checker) walk() {
	// lead is where the headings and heads begin that go with the first child,
	// or -1; closing is a closing line that goes with what ends at its start.
	var visit func(n *ast.Node, lead int, closing ast.Span)
	visit = func(n *ast.Node, lead int, closing ast.Span) {
		code := n.Kind == ast.Decl || n.Kind == ast.Block
		if !n.Tail.IsEmpty() && !code {
			closing = n.Tail
		}
		for _, child := range n.Children {
			if child.Kind == ast.Markup || child.Kind == ast.Meta {
				continue
			}
			all := child.Span
			if lead >= 0 {
				all.Start = lead
			}
			if all.End == closing.Start {
				all.End = closing.End
			}
			head := n.Head.Contains(child.Span)
			if !(head && n.IsScope()) {
				c.whole(child, all)
			}
			visit(child, lead, closing)
			switch {
			case !head, code:
				lead = -1
			case lead < 0:
				lead = child.Span.Start
			}
		}
	}
	visit(c.doc.Root, -1, ast.Span{})
}

// whole checks that n is in one chunk where it would fit with what goes with
// it: all is where that begins and ends.
func (c *checker) whole(n *ast.Node, all ast.Span) {
	if n.Kind == ast.Table {
		c.table(n)
	}
	switch n.Kind {
	case ast.Code, ast.Decl, ast.Row:
	default:
		return
	}
	s := c.places(n.Span)
	if n.IsScope() || s.len() == 0 || c.holder(s) >= 0 || c.missing(s) || c.size(all) > c.limit {
		return
	}
	switch n.Kind {
	case ast.Code:
		c.at(FenceCut, nil, s, "a block of code that would fit is cut")
	case ast.Row:
		c.at(TableCut, nil, s, "a row that would fit is cut")
	case ast.Decl:
		if rest := c.places(ast.Span{Start: n.Lead.End, End: n.Span.End}); !n.Lead.IsEmpty() && c.holder(rest) >= 0 {
			c.at(DocParted, nil, s, "the comment of %s is in another chunk", cmp.Or(n.Name, "a definition"))
			return
		}
		c.at(FunctionCut, nil, s, "%s would fit but is cut", cmp.Or(n.Name, "a definition"))
	}
}

// table checks that every chunk with rows of a table has its header, what
// stands above it, and its notes, where header and notes together leave room for
// rows.
func (c *checker) table(n *ast.Node) {
	head, tail := c.places(n.Head), c.places(n.Tail)
	all := c.places(n.Span)
	if all.len() == 0 || c.holder(all) >= 0 || head.len() == 0 && tail.len() == 0 {
		return
	}
	body := span{max(head.end, all.start), all.end}
	if tail.len() > 0 {
		body.end = tail.start
	}
	headSize, tailSize := c.size(n.Head), c.size(n.Tail)
	labels := c.labels(n)
	for i := sort.Search(len(c.extents), func(i int) bool { return c.extents[c.reach[i]].end > body.start }); i < len(c.extents) && c.extents[i].start < body.end; i++ {
		e := c.extents[i]
		rows := span{max(e.start, body.start), min(e.end, body.end)}
		if rows.len() <= 0 {
			continue
		}
		p := &c.chunks[e.chunk]
		text := fold(p.rec.Embedded())
		if head.len() > 0 && !(e.start <= head.start && e.end >= head.end) && headSize <= c.limit/2 && headSize+c.row(n, rows.start) <= c.limit {
			if label := absent(labels, text); label != "" {
				c.at(Headless, p.rec, rows, "rows without %q of their header, which is %d", label, headSize)
			}
		}
		if tail.len() > 0 && e.end < tail.end && tailSize <= max(c.limit/16, min(c.limit/4, c.limit/2-headSize)) && !strings.Contains(text, fold(c.reading.text[tail.start:tail.end])) {
			c.at(NotesParted, p.rec, rows, "rows without the notes of their table")
		}
	}
}

// row returns the size of the row of a table that stands at a place, with the
// heads of the groups around it.
func (c *checker) row(table *ast.Node, at int) int {
	offset := int(c.reading.source[at])
	size := 0
	for n := table; !n.IsLeaf(); {
		i := sort.Search(len(n.Children), func(i int) bool { return n.Children[i].Span.End > offset })
		if i == len(n.Children) || n.Children[i].Kind == ast.Cell {
			break
		}
		if n != table && !n.Head.IsEmpty() {
			size += c.size(n.Head)
		}
		n = n.Children[i]
		if n.Kind == ast.Row || n.IsLeaf() {
			return size + c.size(n.Span)
		}
	}
	return size
}

// labels returns what must be in every chunk with rows of a table: the lines
// above it, and its header cell by cell, since other chunkers write those
// otherwise.
func (c *checker) labels(n *ast.Node) []string {
	var labels []string
	var visit func(n *ast.Node)
	visit = func(n *ast.Node) {
		if n.IsLeaf() || n.Text != "" {
			text := n.Text
			if text == "" {
				text = string(c.doc.Source[n.Span.Start:n.Span.End])
			}
			labels = append(labels, strings.FieldsFunc(text, func(r rune) bool { return r == '|' || r == '\n' })...)
			return
		}
		for _, child := range n.Children {
			visit(child)
		}
	}
	for _, child := range n.Children {
		if n.Head.Contains(child.Span) && child.Kind != ast.Markup {
			visit(child)
		}
	}
	return labels
}

// absent returns the first label that is not in a folded text, or "".
func absent(labels []string, folded string) string {
	for _, l := range labels {
		if f := fold(l); f != "" && !strings.Contains(folded, f) {
			return strings.TrimSpace(l)
		}
	}
	return ""
}

// leaf returns the innermost node at a source offset, or the topmost that has
// a text of its own.
func (c *checker) leaf(offset int) *ast.Node {
	n := c.doc.Root
	for !n.IsLeaf() && n.Text == "" {
		i := sort.Search(len(n.Children), func(i int) bool { return n.Children[i].Span.End > offset })
		if i == len(n.Children) {
			return nil
		}
		n = n.Children[i]
	}
	return n
}

// headings checks that a heading is in the chunk of the text below it, and
// that each chunk says which sections it is of.
func (c *checker) headings() {
	for i := range c.chunks {
		p := &c.chunks[i]
		own, ok := p.own()
		if !ok {
			continue
		}
		last := c.leaf(int(c.reading.source[own.end-1]))
		if last != nil && last.Kind == ast.Heading && c.reading.of(last.Span).end == own.end {
			c.heading(p, own, last)
		}
		c.path(p, own)
	}
}

// heading checks a chunk that ends with a heading.
func (c *checker) heading(p *placed, own span, last *ast.Node) {
	next := c.reading.seen(span{own.end, len(c.reading.text)})
	if next.len() == 0 || c.missing(span{next.start, next.start + 1}) {
		return
	}
	// Back over the headings before it.
	start := own.end
	for start > own.start {
		n := c.leaf(int(c.reading.source[start-1]))
		if n == nil || n.Kind != ast.Heading {
			break
		}
		start = max(own.start, c.reading.of(n.Span).start)
	}
	follows := c.leaf(int(c.reading.source[next.start]))
	section := c.section(last.Span.Start)
	if section == nil || follows == nil || !section.Span.Contains(follows.Span) {
		return
	}
	trailing := c.reading.original(span{start, own.end}, c.doc.Source)
	all := trailing
	if follows.Kind == ast.Heading {
		all.End = follows.Span.End
	}
	if size := c.size(all) + c.sizer.Count(p.rec.Context); c.limit > 0 && size > c.limit/2 {
		return
	}
	if start == own.start {
		c.at(HeadingAlone, p.rec, own, "nothing but headings")
		return
	}
	c.at(HeadingParted, p.rec, span{start, own.end}, "the text below the heading is in another chunk")
}

// section returns the innermost section at a source offset.
func (c *checker) section(offset int) *ast.Node {
	var section *ast.Node
	for n := c.doc.Root; n != nil && !n.IsLeaf(); {
		i := sort.Search(len(n.Children), func(i int) bool { return n.Children[i].Span.End > offset })
		if i == len(n.Children) {
			break
		}
		n = n.Children[i]
		if n.Kind == ast.Section {
			section = n
		}
	}
	return section
}

// path checks that a chunk names the sections around the text that it begins
// with, be it in its text, its context or its path.
func (c *checker) path(p *placed, own span) {
	at := c.reading.seen(own).start
	if at >= own.end {
		return
	}
	var says string
	offset := int(c.reading.source[at])
	for n := c.doc.Root; !n.IsLeaf(); {
		i := sort.Search(len(n.Children), func(i int) bool { return n.Children[i].Span.End > offset })
		if i == len(n.Children) {
			return
		}
		n = n.Children[i]
		if n.Kind != ast.Section || n.Name == "" {
			continue
		}
		if says == "" {
			says = fold(strings.Join(p.rec.Path, " ") + " " + p.rec.Embedded())
		}
		if !strings.Contains(says, fold(n.Name)) {
			c.at(Path, p.rec, own, "nothing says that it is of %q", n.Name)
			return
		}
	}
}

// ends checks that chunks end where sentences do.
func (c *checker) ends() {
	heads := c.heads()
	var within *ast.Node
	var sentences []sentence
	for i := range c.chunks {
		own, ok := c.chunks[i].own()
		if !ok || own.end == len(c.reading.text) {
			continue
		}
		n := c.leaf(int(c.reading.source[own.end-1]))
		if n == nil || n != c.leaf(int(c.reading.source[own.end])) {
			continue
		}
		switch n.Kind {
		case ast.Paragraph, ast.Item, ast.Quote:
		default:
			continue
		}
		if n != within {
			within, sentences = n, c.sentences(n)
		}
		k := sort.Search(len(sentences), func(k int) bool { return sentences[k].end >= own.end })
		if k == len(sentences) || sentences[k].end == own.end || sentences[k].start < own.start {
			continue // whole, or judged where it was cut first
		}
		size := sentences[k].size
		if before := (span{own.start, sentences[k].start}); before.len() > 0 && covers(heads, before) {
			// Nothing could be cut off before it.
			size = c.size(c.reading.original(span{own.start, sentences[k].end}, c.doc.Source))
		}
		if size <= c.limit {
			c.at(SentenceCut, c.chunks[i].rec, span{max(own.start, own.end-40), own.end}, "a sentence of %d is cut behind this", size)
		}
	}
}

// covers reports whether all of s is in the spans, which ascend.
func covers(spans []span, s span) bool {
	for _, t := range spans[sort.Search(len(spans), func(i int) bool { return spans[i].end > s.start }):] {
		if t.start > s.start {
			return false
		}
		if s.start = t.end; s.start >= s.end {
			return true
		}
	}
	return false
}

// A sentence of the document.
type sentence struct {
	span
	size int
}

func (c *checker) sentences(n *ast.Node) []sentence {
	text := n.Text
	if text == "" {
		text = string(c.doc.Source[n.Span.Start:n.Span.End])
	}
	var all []sentence
	at, from := c.reading.of(n.Span).start, 0
	for _, end := range segment.Sentences(nil, text) {
		s := sentence{span{at, at + len(squeeze(text[from:end]))}, c.sizer.Count(strings.TrimSpace(text[from:end]))}
		all = append(all, s)
		at, from = s.end, end
	}
	return all
}
