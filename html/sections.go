package html

import (
	"bytes"
	"strings"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/tables"
)

// finish makes the document of the blocks.
func (f *flow) finish() {
	f.findPages()
	if f.opts.Headings == "auto" || f.opts.Headings == "" && f.headingTags == 0 {
		f.findHeadings()
	}
	f.findBullets()
	f.attach()
	nodes := make([]*ast.Node, 0, len(f.blocks))
	for _, b := range f.blocks {
		if b.node.Span.IsEmpty() {
			continue // joined to the heading before it
		}
		if last := len(nodes) - 1; last >= 0 && b.node.Kind == ast.Markup && nodes[last].Kind == ast.Markup {
			nodes[last].Span.End = max(nodes[last].Span.End, b.node.Span.End)
			continue
		}
		nodes = append(nodes, b.node)
	}
	root := &ast.Node{Kind: ast.Root, Span: ast.Span{Start: 0, End: len(f.doc.Source)}, Children: nodes}
	if len(nodes) == 0 && len(f.doc.Source) > 0 {
		root.Children = []*ast.Node{{Kind: ast.Markup, Span: root.Span}}
	}
	tile(root, f.doc.Source)
	root.Children = f.sections(root.Children)
	f.doc.Root = root
	if len(f.doc.Meta) == 0 {
		f.doc.Meta = nil
	}
}

// tile stretches the leaves of root, which follow one another with gaps, until
// they tile the source: end tags go with the leaf before them, start tags with
// the one after. Spans of their parents follow.
func tile(root *ast.Node, src []byte) {
	type ends struct {
		node             *ast.Node
		head, lead, tail int // children in each
	}
	var inner []ends
	var last *ast.Node
	at := 0
	for n := range root.All() {
		if !n.IsLeaf() {
			e := ends{node: n}
			for _, c := range n.Children {
				if c.Span.End <= n.Head.End {
					e.head++
				}
				if c.Span.End <= n.Lead.End {
					e.lead++
				}
				if !n.Tail.IsEmpty() && c.Span.Start >= n.Tail.Start {
					e.tail++
				}
			}
			inner = append(inner, e)
			continue
		}
		start := max(n.Span.Start, at)
		if last == nil {
			start = 0
		} else if start > at {
			start = at + endTags(src[at:start])
			last.Span.End = start
		}
		n.Span.Start = start
		n.Span.End = max(n.Span.End, start)
		at = n.Span.End
		last = n
	}
	if last != nil {
		last.Span.End = len(src)
	}
	for i := len(inner) - 1; i >= 0; i-- {
		e := inner[i]
		n, c := e.node, e.node.Children
		n.Span = union(c)
		n.Head, n.Lead, n.Tail = ast.Span{}, ast.Span{}, ast.Span{}
		if e.head > 0 {
			n.Head = union(c[:e.head])
		}
		if e.lead > 0 {
			n.Lead = union(c[:e.lead])
		}
		if e.tail > 0 && e.tail+e.head <= len(c) {
			n.Tail = union(c[len(c)-e.tail:])
		}
	}
}

// endTags returns the length of the end tags, <br>s and blanks that gap begins with.
func endTags(gap []byte) int {
	at := 0
	for i := 0; i < len(gap); {
		switch {
		case isBlank(gap[i]):
			i++
		case bytes.HasPrefix(gap[i:], []byte("</")), bytes.HasPrefix(gap[i:], []byte("<br")):
			end := bytes.IndexByte(gap[i:], '>')
			if end < 0 {
				return at
			}
			i += end + 1
			at = i
		default:
			return at
		}
	}
	return len(gap)
}

// sections nests blocks, which tile a page, under the headings among them. A
// heading deeper than [ast.MaxDepth] allows is left as it is: there are no
// more than a few dozen ranks.
func (f *flow) sections(blocks []*ast.Node) []*ast.Node {
	var top []*ast.Node
	var open []*ast.Node
	for _, b := range blocks {
		if b.Kind == ast.Heading {
			for len(open) > 0 && open[len(open)-1].Level >= b.Level {
				open = open[:len(open)-1]
			}
			s := &ast.Node{Kind: ast.Section, Span: b.Span, Head: b.Span, Lead: b.Span, Level: b.Level, Name: f.title(b)}
			s.Children = []*ast.Node{b}
			if len(open) == 0 {
				top = append(top, s)
			} else {
				open[len(open)-1].Children = append(open[len(open)-1].Children, s)
			}
			open = append(open, s)
		} else if len(open) == 0 {
			top = append(top, b)
		} else {
			open[len(open)-1].Children = append(open[len(open)-1].Children, b)
		}
		for _, s := range open {
			s.Span.End = b.Span.End
		}
	}
	return top
}

// title returns the text of a heading without its marks.
func (f *flow) title(h *ast.Node) string {
	if name, ok := f.titles[h]; ok {
		return name
	}
	name := strings.ReplaceAll(strings.TrimSpace(strings.TrimLeft(h.Text, "#")), "`", "")
	if unit := tables.Unit(name); unit != "" && !strings.HasPrefix(name, unit) {
		name = strings.TrimSpace(name[:strings.Index(name, unit)])
	}
	return name
}
