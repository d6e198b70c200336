package markdown

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/tables"
)

// nest makes sections of entries. A heading begins a section that holds what
// follows up to the next heading of the same or a higher rank; a rank that is
// skipped makes no section. Sections that begin in a container end with it, or
// with the rule below it.
func nest(entries []entry) []*ast.Node {
	type frame struct {
		section  *ast.Node
		children []*ast.Node // reused by the next section of the same depth
	}
	type scope struct {
		end  *ast.Node
		keep int // sections that stay open behind end
	}
	frames := make([]frame, 1, 8) // the root and the sections that are open
	var scopes []scope
	ended := 0 // of the sections that are open, how many stay behind a container that has ended; 0 for all
	closeTo := func(keep int) {
		for len(frames) > keep {
			top := &frames[len(frames)-1]
			top.section.Children = slices.Clone(top.children)
			top.section.Span.End = top.children[len(top.children)-1].Span.End
			top.children = top.children[:0]
			frames = frames[:len(frames)-1]
		}
	}
	add := func(n *ast.Node) {
		top := &frames[len(frames)-1]
		top.children = append(top.children, n)
	}
	for _, e := range entries {
		if ended > 0 && e.construct != rule {
			closeTo(ended)
			ended = 0
		}
		if e.node.Kind == ast.Heading {
			keep := len(frames)
			for keep > 1 && frames[keep-1].section.Level >= e.node.Level {
				keep--
			}
			closeTo(keep)
			section := &ast.Node{
				Kind: ast.Section, Level: e.node.Level, Name: e.title,
				Span: e.node.Span, Head: e.node.Span, Lead: e.node.Span,
			}
			add(section)
			if len(frames) < cap(frames) {
				frames = frames[:len(frames)+1]
			} else {
				frames = append(frames, frame{})
			}
			frames[len(frames)-1].section = section
		}
		add(e.node)
		// A container around a document's title does not end what the title begins.
		if e.end != nil && len(frames) > 1 {
			scopes = append(scopes, scope{e.end, len(frames)})
		}
		if len(scopes) > 0 && scopes[len(scopes)-1].end == e.node {
			ended = scopes[len(scopes)-1].keep
			scopes = scopes[:len(scopes)-1]
		}
	}
	closeTo(1)
	return frames[0].children
}

// silent matches a block of tags, or of the marks of a template, that say
// nothing by themselves.
var silent = regexp.MustCompile(`^(?:\s|</?[A-Za-z][\w.:-]*\s*/?>|<(?i:a)\s+(?:id|name)\s*=[^<>]*>|<(?i:div|details|section|center|article|p|span)\s[^<>]*>|\{\{[%<]\s*/?[\w-]+\s*[%>]\}\})+$`)

// silence makes Markup of what stands last before a heading or the end and
// parts nothing there: rules, and tags that open or close something around
// sections.
func silence(src []byte, entries []entry) {
	atBorder := true
	for i := len(entries) - 1; i >= 0; i-- {
		e := &entries[i]
		switch n := e.node; {
		case n.Kind == ast.Heading:
			atBorder = true
		case n.Kind == ast.Markup || !atBorder:
		case e.construct == rule, n.Kind == ast.Paragraph && n.IsLeaf() && silent.Match(src[n.Span.Start:n.Span.End]):
			n.Kind = ast.Markup
		default:
			atBorder = false
		}
	}
}

const (
	maxLeadIn  = 300 // bytes of a paragraph that can introduce a list
	maxCaption = 300 // bytes of a paragraph that can be the caption of a table
)

// attach joins what belongs together: a lead-in with its list, a caption with
// its table, a term with its definitions. It works in place.
func attach(src []byte, entries []entry) []entry {
	out := entries[:0]
	for _, e := range entries {
		switch e.node.Kind {
		case ast.List:
			if n := len(out); n > 0 && e.construct != references && isLeadIn(src, out[n-1]) {
				out[n-1] = entry{node: headed(out[n-1].node, e.node)}
				continue
			}
		case ast.Table:
			for range 2 { // a caption and a unit
				if n := len(out); n > 0 && isCaption(src, out[n-1]) {
					e.node = headed(out[n-1].node, e.node)
					out = out[:n-1]
				}
			}
		}
		if e.construct == definition {
			if n := len(out); n > 0 && define(out, e.node) {
				out = joinDefinitions(out)
				continue
			}
		}
		out = append(out, e)
	}
	return out
}

// headed puts head before the children of n and before its Head.
func headed(head, n *ast.Node) *ast.Node {
	end := head.Span.End
	if !n.Head.IsEmpty() {
		end = n.Head.End
	}
	n.Span.Start = head.Span.Start
	n.Head = ast.Span{Start: head.Span.Start, End: end}
	n.Children = append([]*ast.Node{head}, n.Children...)
	return n
}

// define adds a definition to the last of out: to an item that a definition
// made, or to a paragraph, which becomes the term and Head of an item.
func define(out []entry, node *ast.Node) bool {
	last := &out[len(out)-1]
	switch {
	case last.construct == definition && last.node.Kind == ast.List:
		item := last.node.Children[len(last.node.Children)-1]
		item.Children = append(item.Children, node)
		item.Span.End, last.node.Span.End = node.Span.End, node.Span.End
		return true
	case isProse(*last):
		term := last.node
		span := ast.Span{Start: term.Span.Start, End: node.Span.End}
		item := &ast.Node{Kind: ast.Item, Span: span, Head: term.Span, Children: []*ast.Node{term, node}}
		*last = entry{node: &ast.Node{Kind: ast.List, Span: span, Children: []*ast.Node{item}}, construct: definition}
		return true
	}
	return false
}

// joinDefinitions makes one list of the last two of out where both are lists
// of definitions.
func joinDefinitions(out []entry) []entry {
	n := len(out)
	if n < 2 || out[n-2].construct != definition || out[n-2].node.Kind != ast.List || out[n-1].node.Kind != ast.List {
		return out
	}
	list, next := out[n-2].node, out[n-1].node
	list.Children = append(list.Children, next.Children...)
	list.Span.End = next.Span.End
	return out[:n-1]
}

// isProse reports whether e is an ordinary paragraph.
func isProse(e entry) bool {
	return e.node.Kind == ast.Paragraph && e.construct == prose && !e.isHTML && e.end == nil && e.node.IsLeaf()
}

// isLeadIn reports whether e introduces the list after it: a short paragraph
// that ends with a colon.
func isLeadIn(src []byte, e entry) bool {
	if !isProse(e) || e.node.Span.Len() > maxLeadIn {
		return false
	}
	return endsWithColon(bytes.TrimRight(src[e.node.Span.Start:e.node.Span.End], " \t\r\n*_"))
}

func endsWithColon(text []byte) bool {
	return bytes.HasSuffix(text, []byte(":")) || bytes.HasSuffix(text, []byte("："))
}

// captionStart matches a numbered caption ("Table 1. Flags", "**表 1** 端口"),
// one that says it is one ("Table: Flags") and a unit line ("单位：元").
var captionStart = regexp.MustCompile(`^(?i:table|tab\.|figure|fig\.|exhibit|表格?|附表|图)\s*[\dA-Z]+([.\-][\dA-Z]+)*(\b|\pP|\s|$)|^(?i:table|caption|表)\s*[:：]|^[(（【\[]?\s*(?i:单位|單位|unit:|in (thousands|millions|billions))`)

// isCaption reports whether e is the caption of the table after it, or its
// unit: one line that names it, or that ends with a colon.
func isCaption(src []byte, e entry) bool {
	if !isProse(e) || e.node.Span.Len() > maxCaption {
		return false
	}
	text := bytes.Trim(src[e.node.Span.Start:e.node.Span.End], " \t\r\n*_")
	if bytes.IndexByte(text, '\n') >= 0 {
		return false
	}
	return endsWithColon(text) || captionStart.Match(text) || tables.IsUnit(string(text))
}
