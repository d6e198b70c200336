package html

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/cantle/cantle/ast"
)

// code makes a Code node of a <pre>: a fence, the lines as they are, a fence.
func (f *flow) code(n int32, face face) {
	e := &f.elements[n]
	f.w.preserve = true
	face.pre = true
	f.walk(n, face)
	f.w.preserve = false
	w := &f.w
	f.look, f.breaks = look{}, 0
	if strings.TrimSpace(string(w.buf)) == "" {
		w.reset()
		f.markup(e.start, e.end)
		return
	}
	body := string(w.buf)
	marks := shiftMarks(w.marks, 0, len(body))
	start, end := w.start, w.end
	w.reset()
	if trimmed := strings.TrimLeft(body, "\r\n"); len(trimmed) < len(body) { // HTML drops the first line end
		cut := len(body) - len(trimmed)
		body = trimmed
		marks = dropMarks(marks, cut)
		if len(marks) > 0 {
			start = marks[0].Source
		}
	}
	if trimmed := strings.TrimRight(body, " \t\r\n"); len(trimmed) < len(body) {
		body = trimmed
	}
	body += "\n"
	marks = shiftMarks(marks, 0, len(body))
	lang := f.language(n)
	fence := strings.Repeat("`", max(3, longestRun(body, '`')+1))
	opening, closing := fence+lang+"\n", fence+"\n\n"
	node := &ast.Node{Kind: ast.Code, Lang: lang, Span: ast.Span{Start: e.start, End: e.end}, Text: opening + body + closing}
	node.Marks = shiftMarks(marks, len(opening), len(body))
	if start <= e.start || end >= e.end { // no end tag: the fences have no bytes to stand for
		f.append(node)
		return
	}
	inner := f.structure(lang, body, marks, ast.Span{Start: start, End: end})
	node.Head = ast.Span{Start: e.start, End: start}
	node.Tail = ast.Span{Start: end, End: e.end}
	node.Children = append(node.Children, &ast.Node{Kind: ast.Block, Span: node.Head, Text: opening})
	node.Children = append(node.Children, inner...)
	node.Children = append(node.Children, &ast.Node{Kind: ast.Block, Span: node.Tail, Text: closing})
	f.append(node)
}

// dropMarks takes the first cut bytes from the text of marks.
func dropMarks(marks []ast.Mark, cut int) []ast.Mark {
	for len(marks) > 1 && marks[1].Text <= cut {
		marks = marks[1:]
	}
	for i := range marks {
		if over := cut - marks[i].Text; over > 0 {
			marks[i].Source += over
			marks[i].Text = cut
		}
		marks[i].Text -= cut
	}
	return marks
}

// structure returns the parts of the code in span, whose text is body.
func (f *flow) structure(lang, body string, marks []ast.Mark, span ast.Span) []*ast.Node {
	leaf := &ast.Node{Kind: ast.Code, Lang: lang, Span: span, Text: body, Marks: marks}
	if f.opts.Code == nil || lang == "" {
		return []*ast.Node{leaf}
	}
	nodes := f.opts.Code(lang, []byte(body))
	if len(nodes) == 0 {
		return []*ast.Node{leaf}
	}
	source := func(at int) int { // the offset in the source of an offset in body
		if at >= len(body) {
			return span.End
		}
		i := len(marks) - 1
		for i > 0 && marks[i].Text > at {
			i--
		}
		limit := span.End
		if i+1 < len(marks) {
			limit = marks[i+1].Source
		}
		return min(marks[i].Source+at-marks[i].Text, limit)
	}
	ok := true
	for _, top := range nodes {
		for n := range top.All() {
			n.Text = body[n.Span.Start:n.Span.End]
			n.Marks = nil
			for _, s := range [...]*ast.Span{&n.Span, &n.Head, &n.Lead, &n.Tail} {
				if s.IsEmpty() {
					*s = ast.Span{}
					continue
				}
				s.Start, s.End = source(s.Start), source(s.End)
			}
			n.Marks = []ast.Mark{{Text: 0, Source: n.Span.Start}}
			ok = ok && !n.Span.IsEmpty()
		}
	}
	if !ok { // code that ends in line ends the page does not have
		return []*ast.Node{leaf}
	}
	return nodes
}

// language returns the language that the class of a <pre>, or of the <code> in
// it or a <div> around it, names: "language-go", "lang-go", "highlight-go",
// "brush: go".
func (f *flow) language(n int32) string {
	candidates := []int32{n}
	for c := f.elements[n].first; c != 0; c = f.elements[c].next {
		if f.elements[c].tag == atom.Code {
			candidates = append(candidates, c)
			break
		}
	}
	for p, i := f.elements[n].parent, 0; p != 0 && i < 2; p, i = f.elements[p].parent, i+1 {
		candidates = append(candidates, p)
	}
	for _, c := range candidates {
		class := strings.ReplaceAll(f.elements[c].class, "brush: ", "brush:")
		for name := range strings.FieldsSeq(class) {
			for _, prefix := range [...]string{"language-", "lang-", "highlight-source-", "highlight-", "brush:", "sourceCode-"} {
				if lang, ok := strings.CutPrefix(name, prefix); ok && lang != "" && len(lang) < 24 {
					return strings.ToLower(strings.Trim(lang, ";,`"))
				}
			}
		}
	}
	return ""
}
