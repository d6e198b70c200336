package text

import (
	"strings"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
)

// lists makes lists of the lines with bullets, or with numbers in order, that
// are left in the paragraphs of a plain text.
func lists(d *ast.Document) {
	for n := range d.Root.All() {
		if n.Kind == ast.Root || n.Kind == ast.Section || n.Kind == ast.Item && !n.IsLeaf() {
			n.Children = withLists(d.Source, n)
		}
	}
}

// A listing is a list that may go on.
type listing struct {
	node  *ast.Node
	mark  string // what its items begin with: "-", "1."
	first int    // number of the first item, 0 for bullets
	last  int    // number of the last item, or how many there are
}

// withLists returns the children of n with the lists that are in them.
func withLists(src []byte, n *ast.Node) []*ast.Node {
	out := make([]*ast.Node, 0, len(n.Children))
	var open listing // the last of out, where that is a list made here
	for _, c := range n.Children {
		if c.Kind != ast.Paragraph || !c.IsLeaf() || c.Text != "" || n.Head.Contains(c.Span) && !n.Head.IsEmpty() {
			out, open = append(out, c), listing{}
			continue
		}
		lead, items := listOf(src, c, open)
		switch {
		case items.node == nil:
			out, open = append(out, c), listing{}
		case open.node != nil && lead == nil && items.mark == open.mark && (items.first == 0 || items.first == open.last+1):
			open.node.Children = append(open.node.Children, items.node.Children...)
			open.node.Span.End = items.node.Span.End
			open.last = items.last
		default:
			if lead != nil {
				items.node.Span.Start, items.node.Head = lead.Span.Start, lead.Span
				items.node.Children = append([]*ast.Node{lead}, items.node.Children...)
			}
			out, open = append(out, items.node), items
		}
	}
	return single(out)
}

// single makes paragraphs again of lists of one item.
func single(nodes []*ast.Node) []*ast.Node {
	for i, n := range nodes {
		if n.Kind == ast.List && len(n.Children) == 1 && n.Children[0].Kind == ast.Item && n.Children[0].IsLeaf() && n.Children[0].Head.IsEmpty() {
			nodes[i] = &ast.Node{Kind: ast.Paragraph, Span: n.Span}
		}
	}
	return nodes
}

// listOf returns the list that a paragraph is, and the line before it that
// leads into it. The list's node is nil where the paragraph is none. before is
// the list that it may go on with.
func listOf(src []byte, p *ast.Node, before listing) (lead *ast.Node, list listing) {
	text := string(src[p.Span.Start:p.Span.End])
	var starts []int
	for at := 0; at < len(text); {
		line := lineOf(text, at)
		if mark, number := bullet(line); mark != "" {
			switch {
			case len(starts) == 0 && (number <= 1 || before.mark == mark && before.last+1 == number):
				if at > 0 && !isBlankText(text[:at]) && !endsWithColon(text[:at]) {
					return nil, listing{}
				}
				starts = append(starts, at)
				list.mark, list.first, list.last = mark, number, max(number, 1)
			case mark == list.mark && (number == 0 || number == list.last+1):
				starts = append(starts, at)
				list.last++
			}
		}
		at += len(line) + lineBreak(text[at+len(line):])
	}
	if len(starts) == 0 {
		return nil, listing{}
	}
	head := 0 // bytes of the line that leads into the list
	if starts[0] > 0 {
		if head = starts[0]; isBlankText(text[:head]) {
			head, starts[0] = 0, 0
		} else if len(starts) < 2 {
			return nil, listing{}
		}
	}
	at := p.Span.Start
	if head > 0 {
		lead = &ast.Node{Kind: ast.Paragraph, Span: ast.Span{Start: at, End: at + head}}
	}
	list.node = &ast.Node{Kind: ast.List, Span: ast.Span{Start: at + head, End: p.Span.End}}
	for i, start := range starts {
		end := p.Span.End
		if i+1 < len(starts) {
			end = at + starts[i+1]
		}
		list.node.Children = append(list.node.Children, &ast.Node{Kind: ast.Item, Span: ast.Span{Start: at + start, End: end}})
	}
	return lead, list
}

func endsWithColon(s string) bool {
	s = strings.TrimRight(s, " \t\r\n*_")
	return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：")
}

// bullet returns the mark that a line of a list begins with, its indentation
// included, and its number: 0 for one without.
func bullet(line string) (mark string, number int) {
	body := strings.TrimLeft(line, blanks)
	indent := line[:min(len(line)-len(body), 8)]
	r, n := utf8.DecodeRuneInString(body)
	after, _ := utf8.DecodeRuneInString(body[n:])
	if strings.ContainsRune("-*+•‣◦·●○■–—", r) && isBlankRune(after) && !isBlankText(body[n:]) {
		return indent + string(r), 0
	}
	if l := parseLabel(body); l.size > 0 && !l.word && !l.bare && l.readings[0].prefix == "" && !isBlankText(body[l.size:]) {
		for _, r := range l.readings {
			if r.style == "1." || r.style == "1)" || r.style == "1、" || r.style == "(1)" || r.style == "①" || r.style == "(一)" || r.style == "一、" {
				return indent + string(r.style), r.value
			}
		}
	}
	return "", 0
}
