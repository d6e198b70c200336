package html

import (
	"bytes"
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"

	"github.com/cantle/cantle/ast"
)

// The alternative text of an image is written where the image stands, as text
// that the page shows: it is what a reader gets who does not see the image.

// saysAlt reports whether an alternative text says something: programs put the
// name of a file there, or a number.
func saysAlt(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, ext := range [...]string{".jpg", ".jpeg", ".png", ".gif", ".svg", ".webp", ".bmp", ".tif", ".tiff"} {
		if strings.HasSuffix(text, ext) {
			return false
		}
	}
	return strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) && !unicode.IsSpace(r) })
}

// attribute returns where the value of an attribute stands in the tag at span.
func attribute(src []byte, span ast.Span, name string) ast.Span {
	const blanks = " \t\r\n\f"
	tag := src[span.Start:span.End]
	at := len(tagName(tag[1:])) + 1
	for at < len(tag) {
		at += len(tag[at:]) - len(bytes.TrimLeft(tag[at:], blanks+"/"))
		key := at
		for at++; at < len(tag) && bytes.IndexByte([]byte(blanks+"/>="), tag[at]) < 0; at++ {
		}
		end := min(at, len(tag))
		at = len(tag) - len(bytes.TrimLeft(tag[end:], blanks))
		if at == len(tag) || tag[at] != '=' {
			continue
		}
		at++
		at += len(tag[at:]) - len(bytes.TrimLeft(tag[at:], blanks))
		value, size := at, -1
		switch {
		case at < len(tag) && (tag[at] == '"' || tag[at] == '\''):
			value++
			size = bytes.IndexByte(tag[value:], tag[at])
			at = value + size + 1
		default:
			size = bytes.IndexAny(tag[value:], blanks+">")
			at = value + size
		}
		if size < 0 {
			break
		}
		if strings.EqualFold(string(tag[key:end]), name) {
			return ast.Span{Start: span.Start + value, End: span.Start + value + size}
		}
	}
	return ast.Span{}
}

// altText returns the alternative text of an image as an element of text, nil
// where it has none.
func (e *element) altText() *element {
	if e.tag != atom.Img || e.alt.IsEmpty() {
		return nil
	}
	return &element{tag: text, parent: e.parent, start: e.alt.Start, end: e.alt.End, attributes: noAttributes}
}
