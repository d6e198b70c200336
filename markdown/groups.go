package markdown

import (
	"bytes"
	"strings"

	"github.com/cantle/cantle/ast"
)

const (
	maxGroups     = 8   // containers of tags within one another, among the same siblings
	maxGroupDepth = 4   // containers of Markdown around them; the product keeps the tree below ast.MaxDepth
	maxGroupTag   = 300 // bytes of the block that opens or closes one, to be its Head or Tail
	maxTags       = 64  // elements that are open at once
)

// group makes a Quote of the blocks from one that leaves an element or a
// shortcode open, such as <details> or {{< tabs >}}, to the one that closes it. Where headings between
// them make sections, the blocks stay siblings, and the sections end with the
// element.
func group(src []byte, entries []entry, top bool) []entry {
	type element struct {
		name string
		at   int // index in out of the block that opens it
	}
	var open []element
	out := entries[:0]
	for _, e := range entries {
		out = append(out, e)
		text, names := src[e.node.Span.Start:e.node.Span.End], tags
		switch {
		case e.construct == shortcode:
			names = shortcodes
		case !e.isHTML || e.node.Kind != ast.Paragraph && e.node.Kind != ast.Heading:
			continue
		}
		start := len(out) - 1
		for name, closes := range names(text) {
			if !closes {
				if len(open) == maxTags {
					open = append(open[:0], open[1:]...) // the outermost is hardly ever closed now
				}
				open = append(open, element{name, len(out) - 1})
				continue
			}
			for i := len(open) - 1; i >= 0; i-- {
				if strings.EqualFold(open[i].name, name) {
					start = min(start, open[i].at)
					open = open[:i]
					break
				}
			}
		}
		headed := true
		if len(open) > 0 && open[len(open)-1].at >= start {
			start, headed = open[len(open)-1].at+1, false // its block has more to close
		}
		if start < len(out)-1 {
			out = enclose(out, start, headed, top)
		}
	}
	return out
}

// enclose makes a Quote of out from index start on, or ends its sections with
// its last block. headed says that the block at start opens what the last one
// closes.
func enclose(out []entry, start int, headed, top bool) []entry {
	inner := out[start:]
	height := 0
	for _, e := range inner {
		height = max(height, e.height)
	}
	switch {
	case top && hasHeading(inner):
		if inner[0].node.Kind != ast.Heading {
			inner[0].end = inner[len(inner)-1].node
		}
		return out
	case height >= maxGroups:
		return out
	}
	var head, tail ast.Span
	if span := inner[0].node.Span; headed && span.Len() <= maxGroupTag {
		head = span
	}
	if span := inner[len(inner)-1].node.Span; span.Len() <= maxGroupTag {
		tail = span
	}
	e := quote(inner, head, tail)
	e.height = height + 1
	return append(out[:start], e)
}

// tags yields the names of the elements that text opens and closes, in order.
// Elements that are closed in themselves, that cannot be, or that need not be
// closed are left out.
func tags(text []byte) func(yield func(name string, closes bool) bool) {
	return func(yield func(string, bool) bool) {
		for {
			i := bytes.IndexByte(text, '<')
			if i < 0 {
				return
			}
			text = text[i+1:]
			if bytes.HasPrefix(text, []byte("!--")) {
				end := bytes.Index(text, []byte("-->"))
				if end < 0 {
					return
				}
				text = text[end+3:]
				continue
			}
			closes := bytes.HasPrefix(text, []byte("/"))
			if closes {
				text = text[1:]
			}
			size := 0
			for size < len(text) && (isLetter(text[size]) || size > 0 && isNameByte(text[size])) {
				size++
			}
			if size == 0 {
				continue
			}
			name := string(text[:size])
			end := tagEnd(text)
			isClosed := end > 0 && text[end-1] == '/'
			text = text[end:]
			if isClosed || loose[strings.ToLower(name)] {
				continue
			}
			if !yield(name, closes) {
				return
			}
		}
	}
}

// tagEnd returns the offset of the ">" that ends the tag text begins with, or
// len(text). A ">" in quotes or in braces does not end it.
func tagEnd(text []byte) int {
	var quote byte
	braces := 0
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{':
			braces++
		case c == '}':
			braces--
		case c == '>' && braces <= 0:
			return i
		}
	}
	return len(text)
}

func isNameByte(b byte) bool {
	return isLetter(b) || '0' <= b && b <= '9' || b == '-' || b == '.' || b == ':' || b == '_'
}

// loose holds the elements that are empty or need no closing tag.
var loose = func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq("area base br col embed hr img input link meta param source track wbr" +
		" p li dt dd tr td th thead tbody tfoot option") {
		m[name] = true
	}
	return m
}()

// firstTag returns the name of the element that text opens first, in lower case.
func firstTag(text []byte) string {
	for name := range tags(text) {
		return strings.ToLower(name)
	}
	return ""
}
