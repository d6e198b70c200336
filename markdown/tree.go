package markdown

import (
	"bytes"
	"strings"

	gast "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/tables"
)

// builder turns goldmark's tree of src into ours. A block reaches from the
// start of the line it begins on to the start of the next block, so that what
// goldmark leaves out (closing fences, underlines, blank lines) stays with the
// block before.
type builder struct {
	parser   parser.Parser
	src      []byte // what goldmark read: Document.Source without byte order mark and front matter
	titles   titles
	problems []ast.Problem
	nodes    []*ast.Node // the children of the document
	slab     []ast.Node  // room for nodes
	depth    int         // containers of Markdown that are being converted
}

// node returns a new node. Nodes are made many at a time: they live and die
// together.
func (b *builder) node(kind ast.Kind, span ast.Span) *ast.Node {
	if len(b.slab) == 0 {
		b.slab = make([]ast.Node, min(256, 8+len(b.src)/512))
	}
	n := &b.slab[0]
	b.slab = b.slab[1:]
	n.Kind, n.Span = kind, span
	return n
}

// An entry is a block among its siblings, before sections are made of them.
type entry struct {
	node      *ast.Node
	title     string    // of a heading
	construct construct // of the paragraph, where it has one
	isHTML    bool
	height    int       // of the groups of HTML blocks in it
	end       *ast.Node // the block that ends the sections that begin after this one
}

// build returns the builder that has converted src: its nodes and problems are
// those of the document. goldmark is given about part bytes of it at a time.
func build(p parser.Parser, src []byte, part int) *builder {
	b := &builder{parser: p, src: src, titles: titles{labels: map[string]bool{}}}
	if len(src) > 0 {
		b.root(part)
	}
	return b
}

// root makes the children of the document, part by part.
func (b *builder) root(size int) {
	labels := b.titles.labels
	doc, end := parsePart(b.parser, b.src, 0, size, labels)
	if doc.FirstChild() == nil {
		b.nodes = []*ast.Node{{Kind: ast.Markup, Span: ast.Span{Start: 0, End: end}}}
		return
	}
	var ends []int // of the parts to come, where they are known
	if bytes.Contains(b.src[end:], []byte("]:")) {
		// A title may refer to what is defined in a later part.
		for at := end; at < len(b.src); {
			_, at = parsePart(b.parser, b.src, at, size, labels)
			ends = append(ends, at)
		}
	}
	room := doc.ChildCount()
	if end < len(b.src) { // as many in each part as in the first, but for very short ones
		room = max(room, min(room*(len(b.src)/end+1), len(b.src)/64))
	}
	list := b.blocks(make([]entry, 0, room), doc, ast.Span{Start: 0, End: end}, true)
	for i, at := 0, end; at < len(b.src); i, at = i+1, end {
		if i < len(ends) {
			end = ends[i]
			doc = parseBlocks(b.parser, b.src, at, end, labels)
		} else {
			doc, end = parsePart(b.parser, b.src, at, size, labels)
		}
		list = b.blocks(list, doc, ast.Span{Start: at, End: end}, true)
	}
	list = b.join(list, true)
	silence(b.src, list)
	b.nodes = nest(list)
}

// children returns the blocks of a list item, a quote or another container
// within span. A single paragraph needs no node of its own: the result is nil.
func (b *builder) children(parent gast.Node, span ast.Span) []*ast.Node {
	entries := b.entries(parent, span, false)
	if len(entries) == 0 || len(entries) == 1 && entries[0].node.Kind == ast.Paragraph && entries[0].node.IsLeaf() {
		return nil
	}
	nodes := make([]*ast.Node, len(entries))
	for i, e := range entries {
		nodes[i] = e.node
	}
	return nodes
}

// entries returns the blocks below parent, which tile span. top says that
// headings make sections here.
func (b *builder) entries(parent gast.Node, span ast.Span, top bool) []entry {
	return b.join(b.blocks(make([]entry, 0, parent.ChildCount()), parent, span, top), top)
}

// blocks appends the blocks below parent, which tile span, each by itself.
func (b *builder) blocks(list []entry, parent gast.Node, span ast.Span, top bool) []entry {
	b.depth++
	defer func() { b.depth-- }()
	start := span.Start
	for child := parent.FirstChild(); child != nil; {
		next, end, placed := b.following(child, start, span.End)
		if !placed {
			b.problems = append(b.problems, ast.Problem{Offset: start, Message: "blocks that cannot be told apart are kept as one"})
			list = append(list, entry{node: b.node(ast.Paragraph, ast.Span{Start: start, End: end})})
		} else {
			list = b.convert(list, child, ast.Span{Start: start, End: end}, top)
		}
		child, start = next, end
	}
	return list
}

// join makes one of the blocks that belong together.
func (b *builder) join(list []entry, top bool) []entry {
	if b.depth < maxGroupDepth {
		list = group(b.src, list, top)
	}
	return attach(b.src, list)
}

// following returns the sibling after node and the start of its line, which is
// the end of node. Where goldmark's positions do not increase (it counts a tab
// after ">" as columns, so inside a quote a position can lie past its line) it
// goes on to a sibling that can be placed, and reports that node cannot.
func (b *builder) following(node gast.Node, start, limit int) (next gast.Node, end int, placed bool) {
	placed = true
	for next = node.NextSibling(); next != nil; next = next.NextSibling() {
		if pos := next.Pos(); pos >= 0 && pos <= len(b.src) {
			if end = bytes.LastIndexByte(b.src[:pos], '\n') + 1; start < end && end < limit {
				return next, end, placed
			}
		}
		placed = false
	}
	return nil, limit, placed
}

// convert appends what node, a block of goldmark's tree at span, stands for.
func (b *builder) convert(list []entry, node gast.Node, span ast.Span, top bool) []entry {
	n := b.node(ast.Paragraph, span)
	e := entry{node: n}
	switch node := node.(type) {
	case *gast.Heading:
		n.Kind, n.Level = ast.Heading, node.Level
		e.title = b.titles.title(node.Lines().Value(b.src))
	case *gast.ThematicBreak:
		// It stays as text where without it the blocks around it would run together: see silence.
		e.construct = rule
	case *gast.CodeBlock:
		n.Kind = ast.Code
	case *gast.FencedCodeBlock:
		b.fence(n, node)
	case *gast.Blockquote:
		n.Kind, n.Children = ast.Quote, b.children(node, span)
		if len(n.Children) > 1 && isAlert(b.src[span.Start:n.Children[0].Span.End]) {
			n.Head = n.Children[0].Span
		}
	case *gast.List:
		n.Kind, n.Children = ast.List, b.items(node, span)
	case *gast.HTMLBlock:
		return b.html(list, node, span)
	case *block:
		return b.block(list, e, node, top)
	}
	return append(list, e)
}

// isAlert reports whether text, the first block of a quote, is a line that
// makes an alert of it: "> [!NOTE]", "> **Note**", "> 注意：".
func isAlert(text []byte) bool {
	text = bytes.Trim(text, "> \t\r\n")
	if len(text) > maxLeadIn || bytes.IndexByte(text, '\n') >= 0 {
		return false
	}
	label := bytes.Trim(text, "*_")
	switch {
	case bytes.HasPrefix(text, []byte("[!")):
		return bytes.IndexByte(text, ']') == len(text)-1
	case len(text)-len(label) == 4 && bytes.HasPrefix(text, []byte("**")):
		return bytes.IndexByte(label, '*') < 0
	}
	return endsWithColon(label)
}

// items returns the items of a list.
func (b *builder) items(list *gast.List, span ast.Span) []*ast.Node {
	items := make([]*ast.Node, 0, list.ChildCount())
	start := span.Start
	for child := list.FirstChild(); child != nil; {
		next, end, placed := b.following(child, start, span.End)
		item := b.node(ast.Item, ast.Span{Start: start, End: end})
		if placed {
			item.Children = b.children(child, item.Span)
		}
		items = append(items, item)
		child, start = next, end
	}
	return items
}

// block converts the blocks that goldmark does not know.
func (b *builder) block(list []entry, e entry, node *block, top bool) []entry {
	n := e.node
	e.construct = node.construct
	switch node.construct {
	case hidden:
		n.Kind = ast.Markup
	case references:
		n.Kind, n.Children = ast.List, b.lines(node.lines, n.Span)
	case pipeTable:
		e.node = tables.Pipe(b.src, n.Span, node.lines, b.titles.label)
	case formula:
		b.formula(n)
	case footnote, definition:
		n.Children = b.children(node, n.Span)
	case callout:
		if node.FirstChild() != nil {
			return b.container(list, n.Span, node, n.Span.End, top)
		}
	case fenced:
		end := n.Span.End
		if node.tail > 0 {
			end = max(n.Span.Start, bytes.LastIndexByte(b.src[:node.tail], '\n')+1)
		}
		return b.container(list, n.Span, node, end, top)
	}
	return append(list, e)
}

// container appends a container with an opening line of its own and, from
// offset end on, a closing one. It is a Quote, unless headings in it make
// sections, which then end with it, or it is fenced and not closed; then its
// blocks are siblings of its lines.
func (b *builder) container(list []entry, span ast.Span, node *block, end int, top bool) []entry {
	head := ast.Span{Start: span.Start, End: b.lineEnd(node, span)}
	first := node.FirstChild()
	if first != nil {
		// Blank lines before the first block belong to the opening line.
		if at := bytes.LastIndexByte(b.src[:max(first.Pos(), 0)], '\n') + 1; at > head.End && at < end {
			head.End = at
		}
	} else {
		head.End = min(max(head.End, end), span.End)
	}
	entries := []entry{{node: b.node(ast.Paragraph, head)}}
	if inner := (ast.Span{Start: head.End, End: end}); !inner.IsEmpty() && first != nil {
		entries = append(entries, b.entries(node, inner, top)...)
	}
	var tail ast.Span
	if end < span.End {
		tail = ast.Span{Start: end, End: span.End}
		entries = append(entries, entry{node: b.node(ast.Paragraph, tail)})
	}
	open := node.construct == fenced && node.tail == 0
	if open || top && hasHeading(entries) {
		if !open {
			entries[0].end = entries[len(entries)-1].node
		}
		return append(list, entries...)
	}
	return append(list, quote(entries, head, tail))
}

// quote makes one Quote of entries.
func quote(entries []entry, head, tail ast.Span) entry {
	n := &ast.Node{Kind: ast.Quote, Head: head, Tail: tail, Children: make([]*ast.Node, len(entries))}
	for i, e := range entries {
		n.Children[i] = e.node
	}
	n.Span = ast.Span{Start: n.Children[0].Span.Start, End: n.Children[len(entries)-1].Span.End}
	return entry{node: n}
}

func hasHeading(entries []entry) bool {
	for _, e := range entries {
		if e.node.Kind == ast.Heading {
			return true
		}
	}
	return false
}

// lines makes an item of each line.
func (b *builder) lines(lines []ast.Span, span ast.Span) []*ast.Node {
	items := make([]*ast.Node, len(lines))
	start := span.Start
	for i := range lines {
		end := span.End
		if i+1 < len(lines) {
			end = bytes.LastIndexByte(b.src[:lines[i+1].Start], '\n') + 1
		}
		items[i] = b.node(ast.Item, ast.Span{Start: start, End: end})
		start = end
	}
	return items
}

// fence marks the lines of a fence of code.
func (b *builder) fence(n *ast.Node, node *gast.FencedCodeBlock) {
	n.Kind = ast.Code
	if node.Info != nil {
		n.Lang = language(string(node.Info.Segment.Value(b.src)))
	}
	span := n.Span
	body := ast.Span{Start: b.lineEnd(node, span)}
	body.End = body.Start
	lines := node.Lines()
	if lines.Len() > 0 {
		body.End = min(lines.At(lines.Len()-1).Stop, span.End)
	}
	n.Head = ast.Span{Start: span.Start, End: body.Start}
	if rest := b.src[body.End:span.End]; bytes.Contains(rest, []byte("```")) || bytes.Contains(rest, []byte("~~~")) {
		n.Tail = ast.Span{Start: body.End, End: span.End}
	}
}

// language returns the name of a language in the info string of a fence:
// "go", "js {1,3}", "rust,ignore", "{.python .numberLines}".
func language(info string) string {
	info = strings.TrimLeft(info, "{. \t")
	if end := strings.IndexAny(info, " \t\r\n,;:{}[]("); end >= 0 {
		info = info[:end]
	}
	if strings.ContainsRune(info, '=') { // an attribute: title="main.go"
		return ""
	}
	return strings.ToLower(strings.ToValidUTF8(info, ""))
}

// formula marks the lines of a formula.
func (b *builder) formula(n *ast.Node) {
	n.Kind, n.Lang = ast.Code, "math"
	text := b.src[n.Span.Start:n.Span.End]
	first := lineEnd(b.src, n.Span.Start)
	last := n.Span.Start + bytes.LastIndexByte(bytes.TrimRight(text, " \t\r\n"), '\n') + 1
	if first < last {
		n.Head = ast.Span{Start: n.Span.Start, End: first}
		n.Tail = ast.Span{Start: last, End: n.Span.End}
	}
}

// lineEnd returns the offset after the first line of node, at most the end of
// its span.
func (b *builder) lineEnd(node gast.Node, span ast.Span) int {
	return min(lineEnd(b.src, min(max(node.Pos(), span.Start), span.End)), span.End)
}

// lineEnd returns the offset after the line that holds offset.
func lineEnd(src []byte, offset int) int {
	if i := bytes.IndexByte(src[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(src)
}
