// Package laws checks what cantle promises of every document's chunks. Each
// law is stated here once; every test that has chunks calls [Check].
package laws

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
)

// Check reports the breaches of the laws by the chunks that were made of d
// with opt, the first few of them.
func Check(d *ast.Document, opt chunker.Options, chunks []chunker.Chunk) []error {
	c := &checker{doc: d, opt: opt, chunks: chunks}
	if c.opt.Max == 0 {
		c.opt.Max = chunker.DefaultMax
	}
	if c.opt.Want == 0 {
		c.opt.Want = c.opt.Max
		if c.opt.Max > 400 {
			c.opt.Want = max(400, c.opt.Max*3/4)
		}
	}
	if c.opt.Min == 0 {
		c.opt.Min = c.opt.Max / chunker.DefaultMinShare
	}
	c.index()
	c.records()
	c.limit()
	c.lossless()
	c.overlap()
	c.sections()
	c.whole()
	c.heads()
	return c.errs
}

// CheckFlat is Check without the laws of structure, for the ways of cutting
// that do not go by it: sections may be mixed and blocks be cut.
func CheckFlat(d *ast.Document, opt chunker.Options, chunks []chunker.Chunk) []error {
	c := &checker{doc: d, opt: opt, chunks: chunks, flat: true}
	c.index()
	c.records()
	c.limit()
	c.lossless()
	c.overlap()
	return c.errs
}

type checker struct {
	doc    *ast.Document
	opt    chunker.Options
	chunks []chunker.Chunk
	flat   bool
	errs   []error

	leaves []leaf // that show something, in order
}

// A leaf is a node without parts to see, with what is around it.
type leaf struct {
	node  *ast.Node
	scope *ast.Node // the innermost section or class
	lead  bool      // a heading, or part of the head of a class: goes with what follows
}

func (c *checker) failf(format string, args ...any) {
	if len(c.errs) < 5 {
		c.errs = append(c.errs, fmt.Errorf(format, args...))
	}
}

func excerpt(s string) string { return ast.Excerpt(s, 60) }

func (c *checker) source(s ast.Span) string { return string(c.doc.Source[s.Start:s.End]) }

// text returns what a reader sees of a node.
func (c *checker) text(n *ast.Node) string {
	if n.Text == "" && n.IsLeaf() && n.Kind != ast.Markup && n.Kind != ast.Meta {
		return c.source(n.Span)
	}
	var b strings.Builder
	c.write(&b, n)
	return b.String()
}

func (c *checker) write(b *strings.Builder, n *ast.Node) {
	switch {
	case n.Kind == ast.Markup || n.Kind == ast.Meta:
	case n.Text != "":
		b.WriteString(n.Text)
	case n.IsLeaf():
		b.Write(c.doc.Source[n.Span.Start:n.Span.End])
	default:
		for _, child := range n.Children {
			c.write(b, child)
		}
	}
}

func (c *checker) index() {
	// A class is a scope only where all around it is one: not in a fence.
	var visit func(n, parent, scope *ast.Node, lead bool)
	visit = func(n, parent, scope *ast.Node, lead bool) {
		switch {
		case n.Kind == ast.Markup || n.Kind == ast.Meta:
			return
		case n.IsLeaf() || n.Text != "":
			if strings.TrimSpace(c.text(n)) != "" {
				c.leaves = append(c.leaves, leaf{n, scope, lead})
			}
			return
		}
		open := n == c.doc.Root || scope == parent && n.IsScope() && !c.small(n)
		if open {
			scope = n
		}
		for _, child := range n.Children {
			visit(child, n, scope, lead || open && within(child, n.Head))
		}
	}
	if c.doc.Root != nil {
		visit(c.doc.Root, nil, nil, false)
	}
}

// small reports whether n is a class too short to be opened.
func (c *checker) small(n *ast.Node) bool {
	return n.Kind == ast.Decl && c.opt.Sizer.Count(trimLines(c.text(n))) <= c.opt.Min
}

func within(n *ast.Node, s ast.Span) bool { return !s.IsEmpty() && s.Contains(n.Span) }

// records: each chunk is well formed by itself and knows its neighbours.
func (c *checker) records() {
	ids := map[string]bool{}
	// Text that the parser wrote, such as a cell that goes on over rows, may
	// have no byte of its own.
	verbatim := c.verbatim()
	for i := range c.chunks {
		k := &c.chunks[i]
		switch {
		case strings.TrimSpace(k.Text) == "":
			c.failf("chunk %d is blank", i)
		case utf8.Valid(c.doc.Source) && !utf8.ValidString(k.Text):
			c.failf("chunk %d is not valid UTF-8", i)
		case ids[k.ID]:
			c.failf("chunk %d has the id of another", i)
		case k.Index != i || k.Total != len(c.chunks):
			c.failf("chunk %d is numbered %d of %d", i, k.Index, k.Total)
		case k.Start < 0 || k.Start > k.End || k.End > len(c.doc.Source), k.Start == k.End && verbatim:
			c.failf("chunk %d spans %d:%d", i, k.Start, k.End)
		case i > 0 && (k.PrevID != c.chunks[i-1].ID || c.chunks[i-1].NextID != k.ID):
			c.failf("chunk %d does not know its neighbour", i)
		case k.Size != utf8.RuneCountInString(k.Text):
			c.failf("chunk %d says it has %d runes", i, k.Size)
		case !reflect.DeepEqual(chunker.SplitPath(chunker.JoinPath(k.SectionPath)), nonNil(k.SectionPath)):
			c.failf("chunk %d: its path %q does not survive joining", i, k.SectionPath)
		}
		ids[k.ID] = true
	}
}

func nonNil(path []string) []string {
	if len(path) == 0 {
		return nil
	}
	return path
}

// limit: no chunk is larger than Max, counted on what is embedded.
func (c *checker) limit() {
	for i := range c.chunks {
		k := &c.chunks[i]
		n := c.opt.Sizer.Count(k.Embedded())
		if n != k.Tokens {
			c.failf("chunk %d says %d, counts %d", i, k.Tokens, n)
		}
		if n > c.opt.Max && utf8.RuneCountInString(squeeze(k.Own())) > 1 {
			c.failf("chunk %d counts %d of %d: %s", i, n, c.opt.Max, excerpt(k.Text))
		}
	}
}

// lossless: the own texts, in order, are what a reader sees of the document,
// blanks aside, and their spans ascend without sharing a byte.
func (c *checker) lossless() {
	if c.doc.Root == nil {
		return
	}
	want := squeeze(c.text(c.doc.Root))
	var b strings.Builder
	at := 0
	for i := range c.chunks {
		k := &c.chunks[i]
		b.WriteString(squeeze(k.Own()))
		if k.Start < at {
			c.failf("chunk %d begins at %d, before the end of the one before at %d", i, k.Start, at)
		}
		at = k.End
	}
	got := b.String()
	if got != want {
		i := 0
		for i < len(got) && i < len(want) && got[i] == want[i] {
			i++
		}
		c.failf("text is lost, doubled or moved: %q, want %q", excerpt(got[i:]), excerpt(want[i:]))
	}
	if c.verbatim() {
		for i := range c.chunks {
			k := &c.chunks[i]
			var own strings.Builder
			for _, p := range k.Parts {
				if p.Role == chunker.RoleBody {
					own.Write(c.doc.Source[p.Start:p.End])
				}
			}
			if own.String() != k.Own() && strings.TrimRightFunc(own.String(), unicode.IsSpace) != strings.TrimRightFunc(k.Own(), unicode.IsSpace) {
				c.failf("chunk %d: its body is not the source's: %q, %q", i, excerpt(k.Own()), excerpt(own.String()))
			}
		}
	}
}

// verbatim reports whether all that shows is the source's own bytes.
func (c *checker) verbatim() bool {
	for n := range c.doc.Root.All() {
		if n.Text != "" {
			return false
		}
	}
	return true
}

// squeeze leaves out blanks, and the bars between cells, which the parts
// of a row that was cut do without. Bytes that are no character stay.
func squeeze(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if !unicode.IsSpace(r) && r != '|' {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// overlap: what is repeated from before ends where the own text begins, and is
// of the same section.
func (c *checker) overlap() {
	for i := range c.chunks {
		parts := c.chunks[i].Parts
		for j, p := range parts {
			if p.Role != chunker.RoleOverlap {
				continue
			}
			if j+1 == len(parts) {
				continue // own text that no byte stands for: a cell repeated over rows
			}
			if next := parts[j+1]; next.Role == chunker.RoleBody && c.shows(ast.Span{Start: p.End, End: next.Start}) {
				c.failf("chunk %d: its overlap ends before its own text", i)
			}
			from, _ := c.hold(ast.Span{Start: p.Start, End: p.End})
			if from < 0 && !c.standsAsIs(ast.Span{Start: p.Start, End: p.End}) {
				continue // a blank, or a bar of a table that the parser wrote, which nobody holds
			}
			if from < 0 || from >= i || !c.flat && !reflect.DeepEqual(c.chunks[i].SectionPath, c.chunks[from].SectionPath) {
				c.failf("chunk %d: its overlap comes from another section", i)
			}
		}
	}
}

// standsAsIs reports whether s lies in a leaf that shows as it stands, and holds
// more than blanks.
func (c *checker) standsAsIs(s ast.Span) bool {
	for _, l := range c.leaves {
		if l.node.Text == "" && l.node.Span.Contains(s) {
			return squeeze(string(c.doc.Source[s.Start:s.End])) != ""
		}
	}
	return false
}

// shows reports whether all of some text lies in s.
func (c *checker) shows(s ast.Span) bool {
	for _, l := range c.leaves {
		if s.Contains(l.node.Span) && squeeze(c.text(l.node)) != "" {
			return true
		}
	}
	return false
}

// hold returns the chunk that holds the first byte of span at or after which
// own text stands, and the chunk that holds its last.
func (c *checker) hold(s ast.Span) (first, last int) {
	first, last = -1, -1
	for i := range c.chunks {
		k := &c.chunks[i]
		if k.Start < s.End && k.End > s.Start {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return first, last
}

// sections: a chunk holds text of one section only; headings that stand right
// before it excepted.
func (c *checker) sections() {
	if c.opt.JoinUnder > 0 {
		return
	}
	k := 0
	var scope *ast.Node
	for _, l := range c.leaves {
		for k < len(c.chunks) && c.chunks[k].End <= l.node.Span.Start {
			k, scope = k+1, nil
		}
		if k == len(c.chunks) {
			return
		}
		if l.node.Span.End <= c.chunks[k].Start || l.lead || within(l.node, l.scope.Tail) {
			continue
		}
		if scope != nil && scope != l.scope && c.chunks[k].Start <= l.node.Span.Start {
			c.failf("chunk %d mixes %q and %q", k, scope.Name, l.scope.Name)
		}
		scope = l.scope
		if l.node.Span.End > c.chunks[k].End { // goes on in the next
			scope = nil
		}
	}
}

// whole: what fits is not cut. A node fits when it does so together with the
// headings and heads that stand right before it, and the closing line right
// behind it.
func (c *checker) whole() {
	// lead is where the heads begin that go with the first child, or -1;
	// closing is a closing line that goes with what ends where it starts.
	labels := false // the last table has a header too long to be repeated
	var visit func(n *ast.Node, lead int, closing ast.Span)
	visit = func(n *ast.Node, lead int, closing ast.Span) {
		code := n.Kind == ast.Decl || n.Kind == ast.Block
		if !n.Tail.IsEmpty() && !code && c.opt.Sizer.Count(c.source(n.Tail)) <= c.opt.Max/4 {
			closing = n.Tail
		}
		if n.Kind == ast.Table {
			longest := 0
			for _, child := range n.Children {
				longest = max(longest, c.opt.Sizer.Count(c.source(child.Head)))
			}
			labels = 2*(c.opt.Sizer.Count(c.source(n.Head))+longest) >= c.opt.Max
		}
		at := lead
		for _, child := range n.Children {
			if child.Kind == ast.Markup || child.Kind == ast.Meta || child.IsLeaf() && strings.TrimSpace(c.text(child)) == "" {
				continue
			}
			head := within(child, n.Head)
			// Rows under a header that is too long to be repeated are cut between cells.
			labelled := child.Kind == ast.Row && !child.IsLeaf() && labels
			if n.Text == "" && child.Kind != ast.Group && !child.IsScope() && !(head && n.IsScope()) && !labelled {
				all := child.Span
				if at >= 0 {
					all.Start = at
				}
				if all.End == closing.Start {
					all.End = closing.End
				}
				c.uncut(child, all)
			}
			visit(child, at, closing)
			switch {
			case !head, code:
				at = -1 // a line of code stands alone rather than have what follows cut
			case at < 0:
				at = child.Span.Start
			}
		}
	}
	if c.doc.Root != nil && c.verbatim() {
		visit(c.doc.Root, -1, ast.Span{})
	}
}

// uncut checks that n is in one chunk, unless it does not fit together with
// what must go with it: all is where that begins and ends.
func (c *checker) uncut(n *ast.Node, all ast.Span) {
	text := strings.TrimSpace(c.text(n))
	if text == "" {
		return
	}
	start := n.Span.Start + strings.Index(c.source(n.Span), firstWord(text))
	first, last := c.hold(ast.Span{Start: start, End: n.Span.End})
	if first == last || first < 0 {
		return
	}
	if c.opt.Sizer.Count(trimLines(c.source(all))) > c.opt.Max {
		return
	}
	limit := c.opt.Max
	if n.Kind == ast.Table {
		limit = min(limit, c.opt.Want) // a long table is cut to pieces that are found
	}
	if size := c.opt.Sizer.Count(trimLines(c.source(n.Span))); size <= limit && n.Lead.IsEmpty() {
		c.failf("%v %v of %d fits into %d but is cut: %s", n.Kind, n.Span, size, limit, excerpt(text))
	}
}

func firstWord(s string) string {
	if i := strings.IndexAny(s, " \n\t\r"); i > 0 {
		return s[:i]
	}
	return s
}

// trimLines leaves out the blank lines before and the blanks behind.
func trimLines(s string) string {
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	for {
		i := strings.IndexAny(s, "\r\n")
		if i < 0 || strings.TrimSpace(s[:i]) != "" {
			return s
		}
		s = s[i+1:]
	}
}

// heads: a heading is not a chunk by itself, unless it is all that its section
// has, takes more than half of the limit, or does not fit beside the next one,
// beside the header of a table, or beside one character.
func (c *checker) heads() {
	k := 0
	for i, l := range c.leaves {
		for k < len(c.chunks) && c.chunks[k].End <= l.node.Span.Start {
			k++
		}
		if k == len(c.chunks) {
			return
		}
		last := i+1 == len(c.leaves) || c.leaves[i+1].node.Span.Start >= c.chunks[k].End
		if l.node.Kind != ast.Heading || !l.lead || !last || i+1 == len(c.leaves) {
			continue
		}
		next := c.leaves[i+1]
		chain := c.source(ast.Span{Start: c.chunks[k].Start, End: next.node.Span.End})
		least := len(chain) - next.node.Span.Len()
		least += len(chain[least:]) - len(strings.TrimLeftFunc(chain[least:], unicode.IsSpace))
		if _, n := utf8.DecodeRuneInString(chain[least:]); c.opt.Sizer.Count(chain[:least+n]) > c.opt.Max {
			continue // not even one character
		}
		if !l.scope.Span.Contains(next.node.Span) || c.chunks[k].Tokens > c.opt.Max/2 || c.opt.Sizer.Count(c.text(l.node)) > c.opt.Max/2 ||
			(next.lead || next.node.Kind == ast.Row) && c.opt.Sizer.Count(strings.TrimSpace(chain)) > c.opt.Max {
			continue
		}
		c.failf("chunk %d ends with a heading: %s", k, excerpt(c.chunks[k].Text))
	}
}
