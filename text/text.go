// Package text parses plain text into paragraphs: what blank lines part.
package text

import "github.com/cantle/cantle/ast"

// Parse returns the tree of a plain text: one paragraph for each run of lines
// between blank lines. The blank lines behind a paragraph belong to it, those
// at the start of the text to the first. It takes any bytes.
func Parse(name string, src []byte) *ast.Document {
	root := &ast.Node{Kind: ast.Root, Span: ast.Span{Start: 0, End: len(src)}}
	start, seen, blank := 0, false, true
	for at := 0; at < len(src); {
		end := lineEnd(src, at)
		empty := isBlank(src[at:end])
		if !empty && blank && seen {
			root.Children = append(root.Children, &ast.Node{Kind: ast.Paragraph, Span: ast.Span{Start: start, End: at}})
			start = at
		}
		seen = seen || !empty
		blank = empty
		at = end
	}
	if start < len(src) {
		root.Children = append(root.Children, &ast.Node{Kind: ast.Paragraph, Span: ast.Span{Start: start, End: len(src)}})
	}
	return &ast.Document{Name: name, Format: "text", Source: src, Root: root}
}

// lineEnd returns the offset behind the line that starts at offset at.
func lineEnd(src []byte, at int) int {
	for i := at; i < len(src); i++ {
		if src[i] == '\n' || src[i] == '\r' && (i+1 == len(src) || src[i+1] != '\n') {
			return i + 1
		}
	}
	return len(src)
}

func isBlank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v' {
			return false
		}
	}
	return true
}
