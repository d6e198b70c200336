package code

import (
	"bytes"

	"github.com/cantle/cantle/ast"
)

// A part of a file that holds several languages, each between tags: the
// script, the style and the template of a component.
type part struct {
	tag  string   // "script"; "" for what stands between the parts
	lang string   // of the body
	span ast.Span // everything, up to the next part
	body ast.Span // what is between the tags' lines; empty where tag is ""
}

// parseParts returns the nodes that tile such a file. A part is a block with
// the comment above it and its opening tag as head; its body is parsed in its own
// language. Where one has definitions all are scopes, named after their tags.
func parseParts(src []byte, opts Options, problem func(int, string)) (nodes []*ast.Node, imports []importing) {
	tags := map[*ast.Node]string{}
	scopes := false
	for _, p := range parts(src) {
		if p.tag == "" {
			children, _ := parsePart(markup.Name, src, p.span, opts, problem)
			nodes = append(nodes, children...)
			continue
		}
		n := &ast.Node{Kind: ast.Block, Span: p.span, Lang: p.lang}
		nodes = append(nodes, n)
		if len(bytes.TrimSpace(src[p.body.Start:p.body.End])) == 0 {
			continue
		}
		n.Head = ast.Span{Start: p.span.Start, End: p.body.Start}
		n.Lead = n.Head
		children, taken := parsePart(p.lang, src, p.body, opts, problem)
		n.Children = append([]*ast.Node{{Kind: ast.Block, Span: n.Head, Lang: p.lang}}, children...)
		imports = append(imports, taken...)
		tags[n], scopes = p.tag, scopes || n.IsScope()
		switch {
		case p.body.End == p.span.End:
		case n.IsScope():
			n.Tail = ast.Span{Start: p.body.End, End: p.span.End}
			n.Children = append(n.Children, &ast.Node{Kind: ast.Block, Span: n.Tail, Lang: p.lang})
		default:
			stretch(n.Children[len(n.Children)-1], p.span.End)
		}
	}
	for _, n := range nodes {
		if tag := tags[n]; scopes && tag != "" {
			n.Name, n.Scope = tag, !n.IsScope()
		}
	}
	return nodes, imports
}

// parsePart returns the nodes that tile span, and the statements in it that import.
func parsePart(lang string, src []byte, span ast.Span, opts Options, problem func(int, string)) ([]*ast.Node, []importing) {
	text := src[span.Start:span.End]
	l := lookup(lang)
	if l == markup {
		l = template
	}
	if l == nil || len(bytes.TrimSpace(text)) == 0 {
		return paragraphs(src, span, lang), nil
	}
	nodes, imports := parse(l, text, opts, func(offset int, message string) { problem(span.Start+offset, message) })
	ast.Shift(nodes, span.Start)
	for i := range imports {
		m := &imports[i]
		m.span = ast.Span{Start: m.span.Start + span.Start, End: m.span.End + span.Start}
		if !m.within.IsEmpty() {
			m.within = ast.Span{Start: m.within.Start + span.Start, End: m.within.End + span.Start}
		}
	}
	return nodes, imports
}

// parts finds the outermost script, style and template tags. It looks at each
// byte a bounded number of times: a tag that is not closed reaches to the end.
func parts(src []byte) []part {
	var list []part
	from := 0 // where what is not in list yet begins
	for at := 0; at < len(src); {
		i := bytes.IndexByte(src[at:], '<')
		if i < 0 {
			break
		}
		at += i
		if bytes.HasPrefix(src[at:], []byte("<!--")) {
			end := bytes.Index(src[at:], []byte("-->"))
			if end < 0 {
				break
			}
			at += end
			continue
		}
		tag := partTag(src[at:])
		if tag == "" {
			at++
			continue
		}
		end := bytes.IndexByte(src[at:], '>')
		if end < 0 {
			break
		}
		open := src[at : at+end+1]
		if open[len(open)-2] == '/' {
			at += end + 1
			continue
		}
		start, body := lineOf(src, at), at+end+1
		if rest := src[body:]; len(bytes.TrimLeft(rest, " \t\r")) > 0 && bytes.TrimLeft(rest, " \t\r")[0] == '\n' {
			body += bytes.IndexByte(rest, '\n') + 1
		}
		closing := closeOf(src, body, tag)
		span := ast.Span{Start: max(start, from), End: lineAfter(src, closing)}
		switch above := src[from:span.Start]; {
		case isCommented(above):
			span.Start = from
		case len(above) > 0:
			list = append(list, part{span: ast.Span{Start: from, End: span.Start}})
		}
		list = append(list, part{tag: tag, lang: partLang(tag, open), span: span, body: ast.Span{Start: body, End: max(body, lineOf(src, closing))}})
		from, at = span.End, span.End
	}
	if from < len(src) {
		list = append(list, part{span: ast.Span{Start: from, End: len(src)}})
	}
	return list
}

// isCommented reports whether s has nothing but comments, at least one.
func isCommented(s []byte) bool {
	s = bytes.TrimSpace(s)
	for n := 0; ; n++ {
		if len(s) == 0 {
			return n > 0
		}
		rest, ok := bytes.CutPrefix(s, []byte("<!--"))
		if !ok {
			return false
		}
		if _, s, ok = bytes.Cut(rest, []byte("-->")); !ok {
			return false
		}
		s = bytes.TrimSpace(s)
	}
}

// partTag returns the name of the part that s opens, "" if it opens none.
func partTag(s []byte) string {
	for _, tag := range [...]string{"script", "style", "template"} {
		if rest, ok := bytes.CutPrefix(s[1:], []byte(tag)); ok && len(rest) > 0 && (isSpace(rest[0]) || rest[0] == '>') {
			return tag
		}
	}
	return ""
}

// partLang returns the language that the opening tag of a part asks for.
func partLang(tag string, open []byte) string {
	if _, value, ok := bytes.Cut(open, []byte("lang=")); ok && len(value) > 1 {
		if end := bytes.IndexByte(value[1:], value[0]); end > 0 && (value[0] == '"' || value[0] == '\'') {
			lang := string(value[1 : 1+end])
			if l := lookup(lang); l != nil {
				return l.Name
			}
			return lang
		}
	}
	return map[string]string{"script": javascript.Name, "style": css.Name, "template": markup.Name}[tag]
}

// closeOf returns where the tag that closes a part begins, or the end of src.
// Templates may hold templates.
func closeOf(src []byte, from int, tag string) int {
	for depth := 0; ; {
		i := bytes.Index(src[from:], []byte(tag))
		if i < 0 {
			return len(src)
		}
		at := from + i
		from = at + len(tag)
		switch {
		case bytes.HasSuffix(src[:at], []byte("</")):
			if depth == 0 {
				return at - 2
			}
			depth--
		case tag == "template" && bytes.HasSuffix(src[:at], []byte("<")) && from < len(src) && (isSpace(src[from]) || src[from] == '>'):
			depth++
		}
	}
}

// lineOf returns where the line of offset begins if only blanks stand before
// offset on it, else offset.
func lineOf(src []byte, offset int) int {
	at := offset
	for at > 0 && (src[at-1] == ' ' || src[at-1] == '\t') {
		at--
	}
	if at == 0 || src[at-1] == '\n' {
		return at
	}
	return offset
}

// lineAfter returns the offset behind the line of offset and the blank lines
// that follow it.
func lineAfter(src []byte, offset int) int {
	i := bytes.IndexByte(src[offset:], '\n')
	if i < 0 {
		return len(src)
	}
	at := offset + i + 1
	for end := at; end < len(src) && isSpace(src[end]); end++ {
		if src[end] == '\n' {
			at = end + 1
		}
	}
	return at
}
