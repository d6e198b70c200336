package code

import (
	"bytes"

	"github.com/cantle/cantle/ast"
)

// maxNesting bounds the depth to which indentation is followed, and so the
// number of times that a line is looked at.
const maxNesting = 12

// paragraphs tiles span by blank lines and indentation: a paragraph, and the
// paragraphs behind it that are indented deeper, are one block. It is for
// what no grammar can place.
func (b *builder) paragraphs(span ast.Span) []*ast.Node {
	if span.IsEmpty() {
		return nil
	}
	return paragraphs(b.src, span, b.name())
}

// name returns the language's name, "" for none.
func (b *builder) name() string {
	if b.lang == nil {
		return ""
	}
	return b.lang.Name
}

// A paragraph begins at a line behind a blank one.
type paragraph struct{ start, indent int }

func paragraphs(src []byte, span ast.Span, lang string) []*ast.Node {
	var list []paragraph
	blank := true
	for at := span.Start; at < span.End; {
		end := span.End
		if i := bytes.IndexByte(src[at:end], '\n'); i >= 0 {
			end = at + i + 1
		}
		if isBlank(src[at:end]) {
			blank = true
		} else {
			if blank {
				list = append(list, paragraph{at, indentation(src[at:end])})
			}
			blank = false
		}
		at = end
	}
	return nest(list, span, lang, 0)
}

// nest makes blocks of the paragraphs that are indented least.
func nest(list []paragraph, span ast.Span, lang string, depth int) []*ast.Node {
	n := &ast.Node{Kind: ast.Block, Span: span, Lang: lang}
	if len(list) < 2 {
		return []*ast.Node{n}
	}
	least := list[0].indent
	for _, p := range list[1:] {
		least = min(least, p.indent)
	}
	var nodes []*ast.Node
	from := 0
	for i := 1; i <= len(list); i++ {
		if i < len(list) && list[i].indent > least {
			continue
		}
		part := ast.Span{Start: span.Start, End: span.End}
		if i < len(list) {
			part.End = list[i].start
		}
		n := &ast.Node{Kind: ast.Block, Span: part, Lang: lang}
		if i-from > 1 && depth < maxNesting {
			first := ast.Span{Start: part.Start, End: list[from+1].start}
			n.Children = append([]*ast.Node{{Kind: ast.Block, Span: first, Lang: lang}},
				nest(list[from+1:i], ast.Span{Start: first.End, End: part.End}, lang, depth+1)...)
		}
		nodes = append(nodes, n)
		from, span.Start = i, part.End
	}
	return nodes
}

// isBlank reports whether a line shows nothing, or only the mark of a comment.
func isBlank(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) <= 3 && len(bytes.Trim(line, "/*#-;!%'")) == 0
}

// indentation counts the columns before the first byte that shows; a tab ends
// at a multiple of 4.
func indentation(line []byte) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4 - n%4
		default:
			return n
		}
	}
	return n
}
