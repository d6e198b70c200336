package ast

import (
	"fmt"
	"unicode/utf8"
)

// Check reports the first breach of the laws of the tree, or nil:
//
//   - The root is the only [Root] and spans Source.
//   - A child is not empty, children are consecutive, and together they are
//     exactly their parent's span.
//   - Head is a prefix of Span, Lead a prefix of Head, Tail a suffix of Span;
//     Head and Tail do not overlap. In a node with children Head, Lead and
//     Tail begin and end where a child does.
//   - What is said to be a scope is a block with children.
//   - Sign lies within Span.
//   - Spans fall on rune borders where Source is valid UTF-8. Text is valid UTF-8.
//   - Marks ascend and lie within Text and within Span.
//   - No node is deeper than [MaxDepth].
//   - Problems and Pages ascend and lie within Source.
//
// It takes time linear in the tree and in Source.
func Check(d *Document) error {
	if d.Root == nil || d.Root.Kind != Root {
		return fmt.Errorf("ast: the root is not of kind %v", Root)
	}
	if want := (Span{0, len(d.Source)}); d.Root.Span != want {
		return fmt.Errorf("ast: the root spans %v, not %v", d.Root.Span, want)
	}
	c := checker{src: d.Source, utf8: utf8.Valid(d.Source)}
	for n, depth := range d.Root.All() {
		if err := c.node(n, depth); err != nil {
			return fmt.Errorf("ast: %v %d:%d: %w", n.Kind, n.Span.Start, n.Span.End, err)
		}
	}
	last := 0
	for _, p := range d.Problems {
		if p.Offset < last || p.Offset > len(d.Source) {
			return fmt.Errorf("ast: the problem at %d (%s) is out of order or of the source", p.Offset, p.Message)
		}
		last = p.Offset
	}
	last = 0
	for _, p := range d.Pages {
		if p < last || p > len(d.Source) {
			return fmt.Errorf("ast: the page at %d is out of order or of the source", p)
		}
		last = p
	}
	return nil
}

type checker struct {
	src  []byte
	utf8 bool
}

func (c *checker) node(n *Node, depth int) error {
	if depth > MaxDepth {
		return fmt.Errorf("deeper than %d", MaxDepth)
	}
	if n.Kind == Invalid || int(n.Kind) >= len(kindNames) {
		return fmt.Errorf("of no kind")
	}
	if (n.Kind == Root) != (depth == 0) {
		return fmt.Errorf("of kind %v at depth %d", n.Kind, depth)
	}
	if n.Scope && (n.Kind != Block || n.IsLeaf()) {
		return fmt.Errorf("no scope")
	}
	if n.Span.IsEmpty() && depth > 0 {
		return fmt.Errorf("empty")
	}
	if err := c.ends(n); err != nil {
		return err
	}
	if err := c.children(n); err != nil {
		return err
	}
	return c.text(n)
}

func (c *checker) ends(n *Node) error {
	if !n.Head.IsEmpty() && (n.Head.Start != n.Span.Start || n.Head.End > n.Span.End) {
		return fmt.Errorf("head %v is no prefix", n.Head)
	}
	if !n.Lead.IsEmpty() && (n.Lead.Start != n.Head.Start || n.Lead.End > n.Head.End) {
		return fmt.Errorf("lead %v is no prefix of head %v", n.Lead, n.Head)
	}
	if !n.Tail.IsEmpty() && (n.Tail.End != n.Span.End || n.Tail.Start < n.Span.Start) {
		return fmt.Errorf("tail %v is no suffix", n.Tail)
	}
	if !n.Head.IsEmpty() && !n.Tail.IsEmpty() && n.Head.End > n.Tail.Start {
		return fmt.Errorf("head %v and tail %v overlap", n.Head, n.Tail)
	}
	if !n.Sign.IsEmpty() && !n.Span.Contains(n.Sign) {
		return fmt.Errorf("signature %v is outside", n.Sign)
	}
	for _, s := range [...]Span{n.Span, n.Head, n.Lead, n.Tail, n.Sign} {
		if !s.IsEmpty() && !(c.border(s.Start) && c.border(s.End)) {
			return fmt.Errorf("%v is not on rune borders", s)
		}
	}
	return nil
}

func (c *checker) border(offset int) bool {
	return !c.utf8 || offset == len(c.src) || utf8.RuneStart(c.src[offset])
}

func (c *checker) children(n *Node) error {
	if n.IsLeaf() {
		return nil
	}
	at := n.Span.Start
	head, lead, tail := n.Head.IsEmpty(), n.Lead.IsEmpty(), n.Tail.IsEmpty()
	for _, child := range n.Children {
		if child.Span.Start != at {
			return fmt.Errorf("child %v %v begins at %d, not at %d", child.Kind, child.Span, child.Span.Start, at)
		}
		at = child.Span.End
		head = head || n.Head.End == at
		lead = lead || n.Lead.End == at
		tail = tail || n.Tail.Start == child.Span.Start
	}
	switch {
	case at != n.Span.End:
		return fmt.Errorf("children end at %d", at)
	case !head:
		return fmt.Errorf("head %v ends within a child", n.Head)
	case !lead:
		return fmt.Errorf("lead %v ends within a child", n.Lead)
	case !tail:
		return fmt.Errorf("tail %v begins within a child", n.Tail)
	}
	return nil
}

func (c *checker) text(n *Node) error {
	if !utf8.ValidString(n.Text) {
		return fmt.Errorf("text is not valid UTF-8")
	}
	last := Mark{0, n.Span.Start}
	for _, m := range n.Marks {
		if m.Text < last.Text || m.Source < last.Source || m.Text > len(n.Text) || m.Source > n.Span.End {
			return fmt.Errorf("mark %v is out of order or of the node", m)
		}
		if !(m.Text == len(n.Text) || utf8.RuneStart(n.Text[m.Text])) || !c.border(m.Source) {
			return fmt.Errorf("mark %v is not on rune borders", m)
		}
		last = m
	}
	return nil
}
