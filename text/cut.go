package text

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
)

// textOf returns what a reader sees of a leaf.
func textOf(src []byte, n *ast.Node) string {
	if n.Text != "" {
		return n.Text
	}
	return string(src[n.Span.Start:n.Span.End])
}

// sourceAt returns the offset in the source of offset at of the text of leaf
// n. It reports false where the text there is not the source's.
func sourceAt(src []byte, n *ast.Node, at int) (int, bool) {
	if n.Text == "" {
		return n.Span.Start + at, true
	}
	i := sort.Search(len(n.Marks), func(i int) bool { return n.Marks[i].Text > at }) - 1
	if i < 0 {
		return 0, false
	}
	s := n.Marks[i].Source + at - n.Marks[i].Text
	limit := n.Span.End
	if i+1 < len(n.Marks) {
		limit = min(limit, n.Marks[i+1].Source)
	}
	if s <= n.Span.Start || s >= limit || at >= len(n.Text) || src[s] != n.Text[at] || !utf8.RuneStart(src[s]) {
		return 0, false
	}
	return s, true
}

// cut parts leaf n at the given offsets of its text, which ascend, exclude the
// ends and can be placed in the source.
func cut(src []byte, n *ast.Node, offsets []int) []*ast.Node {
	parts := make([]*ast.Node, 0, len(offsets)+1)
	from, start, mark := 0, n.Span.Start, 0
	part := func(to, end int) {
		p := &ast.Node{Kind: n.Kind, Lang: n.Lang, Span: ast.Span{Start: start, End: end}}
		if n.Text != "" {
			p.Text = n.Text[from:to]
			if mark > 0 && (mark == len(n.Marks) || n.Marks[mark].Text > from) {
				p.Marks = append(p.Marks, ast.Mark{Text: 0, Source: start})
			}
			for ; mark < len(n.Marks) && (n.Marks[mark].Text < to || end == n.Span.End); mark++ {
				m := n.Marks[mark]
				p.Marks = append(p.Marks, ast.Mark{Text: m.Text - from, Source: m.Source})
			}
		}
		parts = append(parts, p)
		from, start = to, end
	}
	for _, at := range offsets {
		s, _ := sourceAt(src, n, at)
		part(at, s)
	}
	part(len(n.Text), n.Span.End)
	return parts
}

// join makes one leaf of two that follow one another.
func join(a, b *ast.Node) {
	if a.Text != "" {
		for _, m := range b.Marks {
			a.Marks = append(a.Marks, ast.Mark{Text: len(a.Text) + m.Text, Source: m.Source})
		}
		a.Text += b.Text
	}
	a.Span.End = b.Span.End
}

// firstLeaf returns the paragraph that the text of a block begins with, and
// the nodes around it from the outermost, block included. It is nil for a
// block that does not begin with one.
func firstLeaf(block *ast.Node) (leaf *ast.Node, around []*ast.Node) {
	for n := block; ; n = n.Children[0] {
		switch {
		case n.IsLeaf():
			if n.Kind != ast.Paragraph && n.Kind != ast.Item || n.Span.Len() > 0 && len(around) > maxAround {
				return nil, nil
			}
			return n, around
		case n.Text != "" || n.Kind != ast.Item && n.Kind != ast.Quote && n.Head.IsEmpty():
			return nil, nil // the list's first item is not the list's beginning
		}
		around = append(around, n)
	}
}

// maxAround bounds the nodes around the first leaf of a block.
const maxAround = 8

// behead takes the leaf that block begins with, up to offset at of its text,
// off the block. The rest is nil where nothing else is in it.
func behead(src []byte, block *ast.Node, at int) (front, rest *ast.Node) {
	leaf, around := firstLeaf(block)
	var back *ast.Node
	if front = leaf; at < len(textOf(src, leaf)) {
		parts := cut(src, leaf, []int{at})
		front, back = parts[0], parts[1]
	}
	start := front.Span.End
	for i := len(around) - 1; i >= 0; i-- {
		n := around[i]
		if back != nil {
			n.Children[0] = back
		} else if n.Children = n.Children[1:]; len(n.Children) == 0 {
			continue
		}
		n.Span.Start = start
		n.Head, n.Lead = from(n.Head, start), from(n.Lead, start)
		if n.Tail.Start < start {
			n.Tail = ast.Span{}
		}
		back = n
	}
	return front, back
}

// from returns the part of s from offset start on.
func from(s ast.Span, start int) ast.Span {
	if s.End <= start {
		return ast.Span{}
	}
	return ast.Span{Start: start, End: s.End}
}

// isBlankText reports whether s shows nothing.
func isBlankText(s string) bool { return strings.TrimSpace(s) == "" }
