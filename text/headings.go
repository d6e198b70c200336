package text

import (
	"strings"
	"unicode"

	"github.com/cantle/cantle/ast"
)

const (
	maxHeading  = 100 // bytes of a heading
	minHeadings = 2   // lines in capitals that are headings only together
	levelCaps   = 1
)

// underlined makes sections of the lines of a document that a line of "=" or
// "-" underlines.
func underlined(d *ast.Document) {
	nest(d, func(p *ast.Node) (level, size int) {
		text := string(d.Source[p.Span.Start:min(p.Span.End, p.Span.Start+4*maxHeading)])
		at := len(text) - len(strings.TrimLeft(text, "\r\n"+blanks))
		title := strings.TrimSpace(lineOf(text, at))
		end := at + len(lineOf(text, at))
		end += lineBreak(text[end:])
		rule := strings.TrimSpace(lineOf(text, end))
		switch {
		case title == "" || len(title) > maxHeading || len(rule) < 3 || len(rule) < len([]rune(title))/2 || len(rule) > 2*maxHeading || strings.ContainsAny(title, "|+"):
		case strings.Trim(rule, "=") == "":
			level = 1
		case strings.Trim(rule, "-") == "" && !strings.ContainsAny(title[len(title)-1:], ".,;:"):
			level = 2
		}
		end += len(lineOf(text, end))
		return level, end + lineBreak(text[end:])
	})
}

// capitals makes sections of lines in capitals that stand by themselves, where
// there are several and other text is between them.
func capitals(d *ast.Document) {
	isCapital := func(p *ast.Node) bool {
		if p.Span.Len() > 2*maxHeading {
			return false
		}
		text := strings.TrimSpace(string(d.Source[p.Span.Start:p.Span.End]))
		return text != "" && len(text) <= maxHeading && !strings.ContainsAny(text, "\r\n|=:;,") && isUpper(text) && !strings.HasSuffix(text, ".")
	}
	count, plain := 0, 0
	capital := false // the paragraph before
	for _, c := range d.Root.Children {
		switch {
		case c.Kind == ast.Markup:
			continue
		case c.Kind != ast.Paragraph:
			return // a text with headings of another kind
		case isCapital(c):
			plain++
			capital = true
		default:
			if capital { // a heading of this
				plain--
				count++
			}
			plain++
			capital = false
		}
	}
	if count < minHeadings || plain < count {
		return
	}
	nest(d, func(p *ast.Node) (level, size int) {
		if isCapital(p) {
			return levelCaps, p.Span.Len()
		}
		return 0, 0
	})
}

// isUpper reports whether s has letters that have case, four or more, all of
// them in upper case.
func isUpper(s string) bool {
	count := 0
	for _, r := range s {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			count++
		}
	}
	return count >= 4
}

// nest makes sections of the paragraphs of a document that begin with a
// heading. isHeading returns its level, 0 for none, and its length in bytes.
func nest(d *ast.Document, isHeading func(p *ast.Node) (level, size int)) {
	var top []*ast.Node
	var open []*ast.Node
	add := func(n *ast.Node) {
		if len(open) == 0 {
			top = append(top, n)
			return
		}
		last := open[len(open)-1]
		last.Children = append(last.Children, n)
		for _, s := range open {
			s.Span.End = n.Span.End
		}
	}
	for _, p := range d.Root.Children {
		level, size := 0, 0
		if p.Kind == ast.Paragraph {
			level, size = isHeading(p)
		}
		if level == 0 {
			add(p)
			continue
		}
		parts := []*ast.Node{p}
		if text := textOf(d.Source, p); size < len(text) && !isBlankText(text[size:]) {
			parts = cut(d.Source, p, []int{size})
		}
		for len(open) > 0 && open[len(open)-1].Level >= level {
			open = open[:len(open)-1]
		}
		heading := parts[0]
		heading.Kind, heading.Level = ast.Heading, level
		first, _, _ := strings.Cut(strings.TrimSpace(textOf(d.Source, heading)), "\n")
		s := &ast.Node{Kind: ast.Section, Level: level, Span: heading.Span, Head: heading.Span, Lead: heading.Span,
			Name: plainText(strings.TrimRight(first, "\r")), Children: []*ast.Node{heading}}
		add(s)
		open = append(open, s)
		for _, rest := range parts[1:] {
			add(rest)
		}
	}
	d.Root.Children = top
}
