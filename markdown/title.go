package markdown

import (
	"bytes"
	"html"
	"strings"

	gast "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxTitle is the length in bytes above which marks are left in a title:
// goldmark's inline parser takes quadratic time on some inputs.
const maxTitle = 2000

// inlineParser parses a line of text.
var inlineParser = parser.NewParser(
	parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
	parser.WithInlineParsers(append(parser.DefaultInlineParsers(), util.Prioritized(extension.NewStrikethroughParser(), 500))...),
)

// titles makes plain text of headings and table headers.
type titles struct {
	labels map[string]bool // normalised labels of the document's link reference definitions
}

// title returns the plain text of a heading: no marks, entities decoded, the
// alternative text of images and the text of links kept, white space
// collapsed. An id in braces at the end ("{#ports}", "{/*ports*/}") is left out.
func (t titles) title(source []byte) string {
	return t.label(withoutID(source))
}

// label returns the plain text of source, or source itself where it is
// nothing but marks.
func (t titles) label(source []byte) string {
	source = bytes.TrimPrefix(source, []byte("\ufeff"))
	if len(source) > maxTitle || !bytes.ContainsAny(source, "\\`*_[]<>&~!") {
		return collapse(string(source))
	}
	line := []byte(collapse(string(source)))
	pc := &labelContext{parser.NewContext(), t.labels}
	doc := inlineParser.Parse(text.NewReader(line), parser.WithContext(pc))
	var b strings.Builder
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		plain(&b, n, line)
	}
	if name := collapse(b.String()); name != "" {
		return name
	}
	return string(line)
}

// plain writes what a reader sees of n. Its depth is bounded by maxTitle.
func plain(b *strings.Builder, n gast.Node, source []byte) {
	switch n := n.(type) {
	case *gast.Text:
		writeUnescaped(b, n.Segment.Value(source))
	case *gast.AutoLink:
		b.Write(n.Label(source))
	case *gast.CodeSpan:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*gast.Text); ok {
				b.Write(t.Segment.Value(source))
			}
		}
	case *gast.RawHTML:
		// A tag: no reader sees it.
	default:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			plain(b, c, source)
		}
	}
}

// writeUnescaped writes s with backslash escapes and entities resolved.
func writeUnescaped(b *strings.Builder, s []byte) {
	for len(s) > 0 {
		i := bytes.IndexAny(s, `\&`)
		if i < 0 || i+1 == len(s) {
			b.Write(s)
			return
		}
		b.Write(s[:i])
		size := 1
		switch {
		case s[i] == '\\' && util.IsPunct(s[i+1]):
			b.WriteByte(s[i+1])
			size = 2
		case s[i] == '&' && bytes.IndexByte(s[i:], ';') > 0:
			size = bytes.IndexByte(s[i:], ';') + 1
			b.WriteString(html.UnescapeString(string(s[i : i+size])))
		default:
			b.WriteByte(s[i])
		}
		s = s[i+size:]
	}
}

// withoutID returns the text of a heading without the id or the attributes in
// braces that some dialects put at its end.
func withoutID(source []byte) []byte {
	s := bytes.TrimRight(source, " \t\r\n")
	if len(s) == 0 || s[len(s)-1] != '}' {
		return source
	}
	open := bytes.LastIndexByte(s, '{')
	if open <= 0 {
		return source
	}
	switch inner := s[open+1:]; {
	case inner[0] == '#', inner[0] == '.', inner[0] == ':', bytes.HasPrefix(inner, []byte("/*")):
		return s[:open]
	}
	return source
}

// collapse returns s as valid UTF-8 with each run of white space as one blank.
func collapse(s string) string {
	return strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "\ufffd")
}

// labelContext resolves the references whose labels it knows. Only the text of
// a link is wanted, so they lead nowhere.
type labelContext struct {
	parser.Context
	labels map[string]bool
}

func (c *labelContext) Reference(label string) (parser.Reference, bool) {
	if !c.labels[label] {
		return nil, false
	}
	return parser.NewReference([]byte(label), nil, nil), true
}
