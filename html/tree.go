package html

import (
	"bytes"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/cantle/cantle/ast"
)

// An element is an element of the page, or a run of text where tag is text.
// Elements are numbered in source order; element 0 is the page.
type element struct {
	tag         atom.Atom // 0 for a name that HTML does not have
	parent      int32
	first, last int32 // children, 0 for none
	next        int32 // sibling, 0 for none
	layout      bool  // a table that holds a table or a heading
	start, end  int   // of the element, tags included
	*attributes
}

const (
	text atom.Atom = 1<<32 - 1 - iota // no atom of HTML has these numbers
	comment
)

// attributes are those of a start tag that matter here.
type attributes struct {
	style            *style
	cols, rows       int
	hidden           bool
	rowsToEnd        bool // rowspan=0
	role, class, id  string
	lang, href, meta string // meta: the name or charset of a <meta>
	content          string
	from             string   // of <ol start>
	alt              ast.Span // of the value of <img alt>, where it says something
}

var noAttributes = &attributes{style: &style{}}

// maxOpen bounds the elements that are open at a time. The start tags of what
// is nested deeper are passed over, their text is kept.
const maxOpen = 400

// A builder makes elements of tokens.
type builder struct {
	src      []byte
	elements []element
	open     []int32 // from the page inwards
	styles   map[string]*style
	skipped  int // start tags passed over
}

func build(src []byte) *builder {
	b := &builder{src: src, styles: map[string]*style{}}
	// A tag opens an element or closes one, and text may follow it: of as many
	// elements as there are tags, some close and some have text.
	b.elements = make([]element, 1, 16+bytes.Count(src, []byte("<")))
	b.elements[0] = element{end: len(src), attributes: noAttributes}
	b.open = append(b.open, 0)
	z := xhtml.NewTokenizer(bytes.NewReader(src))
	at := 0
	for {
		token := z.Next()
		size := len(z.Raw())
		end := at + size
		if token == xhtml.ErrorToken {
			end = len(src)
			if at < end { // a tag that does not end
				b.add(element{tag: comment, start: at, end: end})
			}
			break
		}
		switch token {
		case xhtml.TextToken:
			b.text(at, end)
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			name, more := z.TagName()
			tag := atom.Lookup(name)
			if token == xhtml.SelfClosingTagToken {
				z.NextIsNotRawText()
			}
			b.startTag(tag, at, end, token == xhtml.SelfClosingTagToken, z, more)
		case xhtml.EndTagToken:
			name, _ := z.TagName()
			if tag := atom.Lookup(name); tag != 0 {
				b.endTag(tag, at, end)
			} else {
				b.endUnknown(at, end)
			}
		default:
			b.add(element{tag: comment, start: at, end: end})
		}
		at = end
	}
	for len(b.open) > 1 {
		b.pop(len(src))
	}
	return b
}

// add appends e to the innermost open element.
func (b *builder) add(e element) int32 {
	n := int32(len(b.elements))
	e.parent = b.open[len(b.open)-1]
	if e.attributes == nil {
		e.attributes = noAttributes
	}
	p := &b.elements[e.parent]
	if p.last != 0 {
		b.elements[p.last].next = n
	} else {
		p.first = n
	}
	p.last = n
	b.elements = append(b.elements, e)
	return n
}

// text appends a run of text. Blanks between the parts of a table are none, and
// a head holds nothing else.
func (b *builder) text(start, end int) {
	blank := len(bytes.TrimLeft(b.src[start:end], " \t\r\n\f")) == 0
	switch b.elements[b.open[len(b.open)-1]].tag {
	case atom.Table, atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr:
		if blank {
			return
		}
	case atom.Head:
		if !blank {
			b.pop(start)
		}
	}
	b.add(element{tag: text, start: start, end: end})
}

// pop closes the innermost open element at end.
func (b *builder) pop(end int) {
	b.elements[b.open[len(b.open)-1]].end = end
	b.open = b.open[:len(b.open)-1]
}

func (b *builder) startTag(tag atom.Atom, start, end int, closed bool, z *xhtml.Tokenizer, more bool) {
	if !isMetadata(tag) && b.elements[b.open[len(b.open)-1]].tag == atom.Head {
		b.pop(start)
	}
	if rule, ok := closes[tag]; ok || isBlock(tag) {
		b.implyEnd(tag, rule, start)
	}
	e := element{tag: tag, start: start, end: end}
	if more {
		e.attributes = b.readAttributes(tag, z, ast.Span{Start: start, End: end})
	}
	if len(b.open) >= maxOpen && !closed && !isVoid(tag) {
		b.skipped++
		return
	}
	if tag == atom.Table || isHeading(tag) {
		b.markLayout()
	}
	n := b.add(e)
	if !closed && !isVoid(tag) {
		b.open = append(b.open, n)
	}
}

// markLayout notes that the innermost open table holds a table or a heading.
func (b *builder) markLayout() {
	for i := len(b.open) - 1; i > 0; i-- {
		if e := &b.elements[b.open[i]]; e.tag == atom.Table {
			e.layout = true
			return
		}
	}
}

// A closing says which open elements a start tag closes, and which element
// hides those outside it.
type closing struct {
	closes []atom.Atom
	within []atom.Atom
}

var (
	inCell = []atom.Atom{atom.Table, atom.Td, atom.Th, atom.Caption}
	closes = map[atom.Atom]closing{
		atom.Li:       {[]atom.Atom{atom.Li}, []atom.Atom{atom.Ul, atom.Ol, atom.Menu, atom.Table, atom.Td, atom.Th}},
		atom.Dt:       {[]atom.Atom{atom.Dt, atom.Dd}, []atom.Atom{atom.Dl, atom.Table, atom.Td, atom.Th}},
		atom.Dd:       {[]atom.Atom{atom.Dt, atom.Dd}, []atom.Atom{atom.Dl, atom.Table, atom.Td, atom.Th}},
		atom.Option:   {[]atom.Atom{atom.Option}, []atom.Atom{atom.Select, atom.Datalist}},
		atom.Optgroup: {[]atom.Atom{atom.Option, atom.Optgroup}, []atom.Atom{atom.Select}},
		atom.Td:       {[]atom.Atom{atom.Td, atom.Th, atom.Caption}, []atom.Atom{atom.Table}},
		atom.Th:       {[]atom.Atom{atom.Td, atom.Th, atom.Caption}, []atom.Atom{atom.Table}},
		atom.Tr:       {[]atom.Atom{atom.Tr, atom.Caption, atom.Colgroup}, []atom.Atom{atom.Table}},
		atom.Tbody:    {[]atom.Atom{atom.Tbody, atom.Thead, atom.Tfoot, atom.Caption, atom.Colgroup, atom.Tr}, []atom.Atom{atom.Table}},
		atom.Thead:    {[]atom.Atom{atom.Tbody, atom.Thead, atom.Tfoot, atom.Caption, atom.Colgroup, atom.Tr}, []atom.Atom{atom.Table}},
		atom.Tfoot:    {[]atom.Atom{atom.Tbody, atom.Thead, atom.Tfoot, atom.Caption, atom.Colgroup, atom.Tr}, []atom.Atom{atom.Table}},
	}
	paragraph = closing{[]atom.Atom{atom.P}, append([]atom.Atom{atom.Button, atom.Object}, inCell...)}
)

// implyEnd closes what the start tag of tag closes without an end tag.
func (b *builder) implyEnd(tag atom.Atom, rule closing, at int) {
	if rule.closes == nil || !isTablePart(tag) {
		b.closeOpen(paragraph, at)
	}
	if rule.closes != nil {
		b.closeOpen(rule, at)
	}
	if isHeading(tag) && isHeading(b.elements[b.open[len(b.open)-1]].tag) {
		b.pop(at)
	}
}

// closeOpen closes the outermost open element that rule closes, and all in it.
func (b *builder) closeOpen(rule closing, at int) {
	found := 0
	for i := len(b.open) - 1; i > 0; i-- {
		tag := b.elements[b.open[i]].tag
		if contains(rule.closes, tag) {
			found = i
		} else if contains(rule.within, tag) {
			break
		}
	}
	if found > 0 {
		for len(b.open) > found {
			b.pop(at)
		}
	}
}

func contains(list []atom.Atom, tag atom.Atom) bool {
	for _, a := range list {
		if a == tag {
			return true
		}
	}
	return false
}

// endTag closes the innermost open element of that tag. An end tag in a cell
// closes nothing outside it but its table and parts of that, and that of an inline element nothing but inline
// elements: in <b><p>text</b> more</p> it is passed over.
func (b *builder) endTag(tag atom.Atom, start, end int) {
	part, inline := isTablePart(tag) || tag == atom.Table, !isBlock(tag) && closes[tag].closes == nil && !isTablePart(tag)
	for i := len(b.open) - 1; i > 0; i-- {
		t := b.elements[b.open[i]].tag
		if t == tag || isHeading(t) && isHeading(tag) {
			for len(b.open) > i+1 {
				b.pop(start)
			}
			b.pop(end)
			return
		}
		if t == atom.Table || !part && contains(inCell, t) || inline && isBlock(t) {
			return
		}
	}
}

// endUnknown closes the innermost open element of a name that HTML does not
// know, within the same cell.
func (b *builder) endUnknown(start, end int) {
	name := tagName(b.src[start+len("</"):])
	for i := len(b.open) - 1; i > 0; i-- {
		e := &b.elements[b.open[i]]
		if e.tag == 0 && bytes.EqualFold(name, tagName(b.src[e.start+len("<"):])) {
			for len(b.open) > i+1 {
				b.pop(start)
			}
			b.pop(end)
			return
		}
		if isTablePart(e.tag) || contains(inCell, e.tag) {
			return
		}
	}
}

// tagName returns the name that a tag begins with, as it is written.
func tagName(tag []byte) []byte {
	tag = tag[:min(len(tag), 64)]
	if i := bytes.IndexAny(tag, " \t\r\n\f/>"); i >= 0 {
		tag = tag[:i]
	}
	return tag
}

func isVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input,
		atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr, atom.Keygen, atom.Frame:
		return true
	}
	return false
}

func isHeading(tag atom.Atom) bool { return headingLevel(tag) > 0 }

// headingLevel returns 1 to 6 for h1 to h6, 0 for others.
func headingLevel(tag atom.Atom) int {
	switch tag {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6:
		return 6
	}
	return 0
}

func isTablePart(tag atom.Atom) bool {
	switch tag {
	case atom.Td, atom.Th, atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Caption, atom.Colgroup:
		return true
	}
	return false
}

// isMetadata reports whether tag may stand in a head. The start tag of anything
// else is the end of it.
func isMetadata(tag atom.Atom) bool {
	switch tag {
	case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Title, atom.Style, atom.Script, atom.Noscript, atom.Noframes, atom.Template:
		return true
	}
	return false
}

// isBlock reports whether tag begins and ends a line of its own.
func isBlock(tag atom.Atom) bool {
	switch tag {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Center, atom.Dd, atom.Details, atom.Dialog, atom.Dir,
		atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.Frameset,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Legend, atom.Li, atom.Listing,
		atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.P, atom.Plaintext, atom.Pre, atom.Section,
		atom.Summary, atom.Table, atom.Textarea, atom.Ul, atom.Xmp, atom.Search,
		atom.Td, atom.Th, atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Caption:
		return true
	}
	return false
}

// isHidden reports whether a reader sees nothing of tag.
func isHidden(tag atom.Atom) bool {
	switch tag {
	case atom.Head, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Iframe, atom.Noembed, atom.Noframes,
		atom.Title, atom.Meta, atom.Link, atom.Base, atom.Datalist, atom.Audio, atom.Video, atom.Canvas, atom.Object, atom.Param,
		atom.Source, atom.Track, atom.Colgroup, atom.Col, atom.Embed, comment:
		return true
	}
	return false
}
