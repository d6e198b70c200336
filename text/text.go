package text

import "github.com/cantle/cantle/ast"

// Options say how to read a plain text. The zero value finds all there is.
type Options struct {
	Plain bool // paragraphs only: no headings, lists, clauses or questions
}

// Parse returns the tree of a plain text. It takes any bytes, in time linear in
// them. name is kept as Document.Name; src is not modified, and the document
// refers to it.
//
// What blank lines part are paragraphs; the blank lines behind a paragraph
// belong to it, those at the start of the text to the first. Form feeds part
// pages; they and the numbers of pages before them are Markup, and a sentence
// goes on behind them. Underlined lines are headings. Numbered clauses and questions are found as by [Clauses] and
// [Questions], but plain numbers by themselves make clauses only where they
// have titles. In a text without clauses short lines in capitals are headings
// where there are several. Lines with bullets or numbers in order become lists.
func Parse(name string, src []byte, opts Options) *ast.Document {
	d := &ast.Document{Name: name, Format: "text", Source: src,
		Root: &ast.Node{Kind: ast.Root, Span: ast.Span{Start: 0, End: len(src)}}}
	d.Root.Children, d.Pages = pages(src)
	if opts.Plain || len(src) == 0 {
		return d
	}
	underlined(d)
	asks := Questions(d)
	if !clauses(d, false) && !asks {
		capitals(d)
	}
	lists(d)
	return d
}

// paragraphs returns a paragraph for each run of lines between blank lines of
// span.
func paragraphs(src []byte, span ast.Span) (nodes []*ast.Node) {
	src = src[:span.End]
	start, seen, blank := span.Start, false, true
	for at := span.Start; at < len(src); {
		end := lineEnd(src, at)
		empty := isBlank(src[at:end])
		if !empty && blank && seen {
			nodes = append(nodes, &ast.Node{Kind: ast.Paragraph, Span: ast.Span{Start: start, End: at}})
			start = at
		}
		seen = seen || !empty
		blank = empty
		at = end
	}
	if start < len(src) {
		nodes = append(nodes, &ast.Node{Kind: ast.Paragraph, Span: ast.Span{Start: start, End: len(src)}})
	}
	return nodes
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
