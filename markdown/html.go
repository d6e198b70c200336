package markdown

import (
	"bytes"
	"html"
	"regexp"

	gast "github.com/yuin/goldmark/ast"

	"github.com/cantle/cantle/ast"
)

var (
	htmlHeading = regexp.MustCompile(`(?is)<h([1-6])(?:\s[^>]*)?>(.*?)</h[1-6]\s*>`)
	htmlUnseen  = regexp.MustCompile(`(?s)<!--.*?-->|<\?.*?\?>|<![a-zA-Z][^>]*>`)
	htmlTag     = regexp.MustCompile(`(?s)<!--.*?-->|</?[a-zA-Z][^>]*>`)
	htmlAlt     = regexp.MustCompile(`(?is)^<img\s.*?\balt\s*=\s*(?:"([^"]*)"|'([^']*)')`)
)

// html appends what a block of HTML stands for: comments, instructions and
// declarations are Markup, headings
// and tables in it are found by lines, and what is left stays as it is.
func (b *builder) html(list []entry, node *gast.HTMLBlock, span ast.Span) []entry {
	text := b.src[span.Start:span.End]
	leaf := b.node(ast.Paragraph, span)
	switch node.HTMLBlockType {
	case gast.HTMLBlockType1:
		switch name := firstTag(text); name {
		case "style":
			leaf.Kind = ast.Markup
		case "script":
			leaf.Kind, leaf.Lang = ast.Code, "javascript"
		case "pre":
			leaf.Kind = ast.Code
		}
		return append(list, entry{node: leaf, isHTML: true})
	case gast.HTMLBlockType2, gast.HTMLBlockType3, gast.HTMLBlockType4:
		if len(bytes.TrimSpace(htmlUnseen.ReplaceAll(text, nil))) == 0 {
			leaf.Kind = ast.Markup
		}
		return append(list, entry{node: leaf, isHTML: true})
	case gast.HTMLBlockType5:
		return append(list, entry{node: leaf, isHTML: true})
	}
	if bytes.Contains(text, []byte("<table")) {
		return b.htmlTable(list, span)
	}
	return b.htmlHeadings(list, span)
}

// htmlHeadings appends the blocks of span, cut before and after the lines that
// hold a heading.
func (b *builder) htmlHeadings(list []entry, span ast.Span) []entry {
	at := span.Start
	rest := func(end int) {
		if at < end {
			list = append(list, entry{node: b.node(ast.Paragraph, ast.Span{Start: at, End: end}), isHTML: true})
			at = end
		}
	}
	text := b.src[span.Start:span.End]
	if bytes.Contains(text, []byte("<h")) || bytes.Contains(text, []byte("<H")) {
		for _, m := range htmlHeading.FindAllSubmatchIndex(text, -1) {
			start := bytes.LastIndexByte(b.src[:span.Start+m[0]], '\n') + 1
			end := min(lineEnd(b.src, span.Start+m[1]), span.End)
			title := htmlText(text[m[4]:m[5]])
			if start < at || title == "" {
				continue
			}
			rest(start)
			n := b.node(ast.Heading, ast.Span{Start: start, End: end})
			n.Level = int(text[m[2]] - '0')
			list = append(list, entry{node: n, title: title, isHTML: true})
			at = end
		}
	}
	if n := len(list); at > span.Start && len(bytes.TrimSpace(b.src[at:span.End])) == 0 {
		list[n-1].node.Span.End = span.End // blank lines go with the heading
		return list
	}
	rest(span.End)
	return list
}

// htmlText returns the text of a piece of HTML, with the alternative text of images.
func htmlText(source []byte) string {
	text := htmlTag.ReplaceAllFunc(source, func(tag []byte) []byte {
		if m := htmlAlt.FindSubmatch(tag); m != nil {
			return append(m[1], m[2]...)
		}
		if bytes.HasPrefix(tag, []byte("<br")) {
			return []byte(" ")
		}
		return nil
	})
	return collapse(html.UnescapeString(string(text)))
}

// htmlTable appends the blocks of span around one table whose rows begin on
// lines of their own. Lines before the first row, and header rows, are its
// Head; the lines after the last row its Tail. Any other table stays a leaf.
func (b *builder) htmlTable(list []entry, span ast.Span) []entry {
	text := bytes.ToLower(b.src[span.Start:span.End])
	open, end := bytes.Index(text, []byte("<table")), bytes.LastIndex(text, []byte("</table"))
	leaf := entry{node: b.node(ast.Paragraph, span), isHTML: true}
	if end < open || bytes.Count(text, []byte("<table")) != 1 || len(text) != span.Len() {
		return append(list, leaf)
	}
	open = bytes.LastIndexByte(text[:open], '\n') + 1
	closing := bytes.LastIndexByte(text[:end], '\n') + 1
	after := lineEnd(text, end)
	if len(bytes.TrimSpace(text[after:])) == 0 {
		after = len(text)
	}

	var starts []int // of rows, then of what follows the last
	for at := open; at < closing; at = lineEnd(text, at) {
		line := bytes.TrimLeft(text[at:lineEnd(text, at)], " \t>")
		switch {
		case bytes.HasPrefix(line, []byte("<tr")):
			starts = append(starts, at)
		case bytes.Contains(line, []byte("<tr")):
			return append(list, leaf)
		}
	}
	if len(starts) < 2 {
		return append(list, leaf)
	}
	for closing > starts[len(starts)-1] && isClosingLine(text[bytes.LastIndexByte(text[:closing-1], '\n')+1:closing]) {
		closing = bytes.LastIndexByte(text[:closing-1], '\n') + 1
	}
	starts = append(starts, closing)

	n := &ast.Node{Kind: ast.Table, Span: ast.Span{Start: span.Start + open, End: span.Start + after}}
	add := func(kind ast.Kind, start, end int) {
		n.Children = append(n.Children, b.node(kind, ast.Span{Start: span.Start + start, End: span.Start + end}))
	}
	if open < starts[0] {
		add(ast.Paragraph, open, starts[0])
		n.Head = n.Children[0].Span
	}
	isHead := true
	for i := range len(starts) - 1 {
		row := text[starts[i]:starts[i+1]]
		add(ast.Row, starts[i], starts[i+1])
		if isHead = isHead && bytes.Contains(row, []byte("<th")) && !bytes.Contains(row, []byte("<td")); isHead {
			n.Head = ast.Span{Start: n.Span.Start, End: span.Start + starts[i+1]}
			n.Columns = htmlColumns(b.src[span.Start+starts[i] : span.Start+starts[i+1]])
		}
	}
	if n.Head.End == span.Start+closing { // header rows only
		n.Head = ast.Span{}
	}
	add(ast.Paragraph, closing, after)
	n.Tail = n.Children[len(n.Children)-1].Span

	if open > 0 {
		list = b.htmlHeadings(list, ast.Span{Start: span.Start, End: span.Start + open})
	}
	list = append(list, entry{node: n, isHTML: true})
	if after < len(text) {
		list = b.htmlHeadings(list, ast.Span{Start: span.Start + after, End: span.End})
	}
	return list
}

// isClosingLine reports whether line holds closing tags of a table's body only.
func isClosingLine(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || bytes.Equal(line, []byte("</tbody>")) || bytes.Equal(line, []byte("</tfoot>"))
}

var htmlHeaderCell = regexp.MustCompile(`(?is)<th(?:\s[^>]*)?>(.*?)(?:</th|<th[\s>]|$)`)

func htmlColumns(row []byte) []string {
	var columns []string
	for _, m := range htmlHeaderCell.FindAllSubmatch(row, -1) {
		columns = append(columns, htmlText(m[1]))
	}
	return columns
}
