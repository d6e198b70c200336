package text

import (
	"strings"

	"github.com/cantle/cantle/ast"
)

// maxLeadIn is the length in bytes of the longest paragraph that leads into a
// list: "The buyer shall:".
const maxLeadIn = 300

// build makes nodes of the clauses that are kept.
func (s *series) build() {
	marks := make([][]int, len(s.scopes))
	for m := range s.marked {
		if s.runs[s.marked[m].run].keep {
			here := s.candidates[s.marked[m].candidate].scope
			marks[here] = append(marks[here], m)
		}
	}
	for i, ms := range marks {
		if len(ms) > 0 {
			b := builder{series: s, scope: s.scopes[i]}
			b.build(ms)
		}
	}
}

// A builder makes the nodes of the clauses of one scope.
type builder struct {
	*series
	scope *ast.Node
	open  []building // the scope and the clauses that are open in it
}

// A building is a clause that is open.
type building struct {
	mark  int
	node  *ast.Node
	whole *ast.Node // an item's text, uncut, while it has no other
	in    *ast.Node // the list that an item is in
	list  *ast.Node // the list that its children end with, nil for none
	run   int       // of the items of that list
}

// build rebuilds the children of the scope with its clauses.
func (b *builder) build(marks []int) {
	b.open = []building{{mark: -1, node: &ast.Node{}}}
	for i, child := range b.scope.Children {
		n := 0
		for n < len(marks) && b.candidates[b.marked[marks[n]].candidate].child == i {
			n++
		}
		ms := marks[:n]
		marks = marks[n:]
		switch {
		case child.Kind == ast.Section:
			b.closeTo(1)
			b.add(child)
		case len(ms) == 0 && i+1 < len(b.scope.Children) && b.isTitle(child):
			b.entitle(child)
		case len(ms) == 0:
			b.add(child)
		case b.candidates[b.marked[ms[0]].candidate].item >= 0:
			b.items(child, ms)
		case child.IsLeaf():
			b.paragraph(child, ms)
		default:
			c := &b.candidates[b.marked[ms[0]].candidate]
			front, rest := behead(b.src, child, c.head.end)
			b.begin(ms[0], front, nil)
			if rest != nil {
				b.add(rest)
			}
		}
	}
	b.closeTo(1)
	b.scope.Children = b.open[0].node.Children
}

// isTitle reports whether n, the block below a clause that so far is nothing
// but its number, is the title of that clause.
func (b *builder) isTitle(n *ast.Node) bool {
	last := b.open[len(b.open)-1]
	if last.mark < 0 || last.node.Kind != ast.Section || len(last.node.Children) != 1 || n.Kind != ast.Paragraph || !n.IsLeaf() || n.Span.Len() > 4*maxTitle {
		return false
	}
	h, words := b.candidates[b.marked[last.mark].candidate].head, strings.TrimSpace(textOf(b.src, n))
	return h.line && !h.titled && len(words) <= maxTitle && !strings.ContainsAny(words, "\r\n") && isTitle(words)
}

// entitle makes n a part of the head of the clause at hand.
func (b *builder) entitle(n *ast.Node) {
	section := b.open[len(b.open)-1].node
	n.Kind, n.Level = ast.Heading, section.Level
	section.Name = name(section.Name, strings.Trim(textOf(b.src, n), "*_"+blanks))
	section.Head.End = n.Span.End
	section.Lead = section.Head
	b.add(n)
}

// paragraph adds a paragraph that is cut at the clauses of marks.
func (b *builder) paragraph(n *ast.Node, marks []int) {
	size := n.Span.Len()
	if n.Text != "" {
		size = len(n.Text)
	}
	var cuts []int
	for _, m := range marks {
		c := &b.candidates[b.marked[m].candidate]
		if c.at > 0 && (len(cuts) == 0 || cuts[len(cuts)-1] < c.at) {
			cuts = append(cuts, c.at)
		}
		if c.head.end < size {
			cuts = append(cuts, c.head.end)
		}
	}
	parts := cut(b.src, n, cuts)
	next := func() *ast.Node {
		p := parts[0]
		parts = parts[1:]
		return p
	}
	if b.candidates[b.marked[marks[0]].candidate].at > 0 {
		b.add(next())
	}
	for i, m := range marks {
		c := &b.candidates[b.marked[m].candidate]
		front := next()
		var rest *ast.Node
		limit := size
		if i+1 < len(marks) {
			limit = b.candidates[b.marked[marks[i+1]].candidate].at
		}
		if c.head.end < limit {
			rest = next()
		}
		b.begin(m, front, rest)
	}
}

// items adds a list of which items are clauses.
func (b *builder) items(list *ast.Node, marks []int) {
	for i, item := range list.Children {
		if len(marks) == 0 || b.candidates[b.marked[marks[0]].candidate].item != i {
			if item.Kind == ast.Item {
				item = &ast.Node{Kind: ast.List, Span: item.Span, Children: []*ast.Node{item}}
			}
			b.add(item)
			continue
		}
		c := &b.candidates[b.marked[marks[0]].candidate]
		front, rest := behead(b.src, item, c.head.end)
		b.begin(marks[0], front, nil)
		switch {
		case rest == nil:
		case rest.IsLeaf():
			rest.Kind = ast.Paragraph
			b.add(rest)
		default:
			for _, child := range rest.Children {
				b.add(child)
			}
		}
		marks = marks[1:]
	}
}

// add adds a block to the clause at hand.
func (b *builder) add(n *ast.Node) {
	last := &b.open[len(b.open)-1]
	last.node.Children = append(last.node.Children, n)
	last.whole, last.list = nil, nil
}

// begin opens the clause of mark m, whose head is front, and whose text begins
// with rest.
func (b *builder) begin(m int, front, rest *ast.Node) {
	keep := 1
	if around := b.around(b.marked[m].parent); around >= 0 {
		for i := range b.open {
			if b.open[i].mark == around {
				keep = i + 1
			}
		}
	}
	b.closeTo(keep)
	n := &ast.Node{Span: front.Span, Head: front.Span, Children: []*ast.Node{front}}
	opened := building{mark: m, node: n}
	if b.runs[b.marked[m].run].section {
		n.Kind, n.Lead = ast.Section, n.Head
		n.Name = b.candidates[b.marked[m].candidate].head.name
		n.Level = min(b.scope.Level+len(b.open), QuestionLevel-1)
		front.Kind, front.Level = ast.Heading, n.Level
		b.add(n)
	} else {
		n.Kind, front.Kind = ast.Item, ast.Paragraph
		opened.in = b.item(n, b.marked[m].run)
		opened.whole = &ast.Node{Span: front.Span, Text: front.Text, Marks: front.Marks}
	}
	if rest != nil {
		rest.Kind = ast.Paragraph
		n.Children = append(n.Children, rest)
		if opened.whole != nil {
			join(opened.whole, rest)
		}
	}
	b.open = append(b.open, opened)
}

// item adds an item of a run to the list that the clause at hand ends with, or
// to a new one, whose head is the paragraph that leads into it. It returns the
// list.
func (b *builder) item(n *ast.Node, run int) *ast.Node {
	last := &b.open[len(b.open)-1]
	if last.list != nil && last.run == run {
		last.list.Children = append(last.list.Children, n)
		return last.list
	}
	list := &ast.Node{Kind: ast.List, Span: n.Span, Children: []*ast.Node{n}}
	siblings := last.node.Children
	if k := len(siblings) - 1; k >= 0 && b.leadsIn(siblings[k]) && siblings[k].Span.End > last.node.Head.End {
		list.Head = siblings[k].Span
		list.Span.Start = list.Head.Start
		list.Children = []*ast.Node{siblings[k], n}
		last.node.Children = siblings[:k]
	}
	b.add(list)
	last.list, last.run = list, run
	return list
}

func (b *builder) leadsIn(n *ast.Node) bool {
	return n.Kind == ast.Paragraph && n.IsLeaf() && n.Span.Len() <= maxLeadIn && endsWithColon(textOf(b.src, n))
}

// closeTo closes the clauses that are open but for the outermost keep.
func (b *builder) closeTo(keep int) {
	for len(b.open) > keep {
		last := b.open[len(b.open)-1]
		n := last.node
		n.Span.End = end(n)
		if last.whole != nil {
			n.Text, n.Marks, n.Children = last.whole.Text, last.whole.Marks, nil
		}
		if last.in != nil {
			last.in.Span.End = n.Span.End
		}
		b.open = b.open[:len(b.open)-1]
	}
}

// end returns where the last child of n ends.
func end(n *ast.Node) int { return n.Children[len(n.Children)-1].Span.End }
