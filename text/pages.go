package text

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
)

// Programs that write the text of a printed document put a form feed at the end
// of each page, and what its foot says before that.

// pages returns the paragraphs of a text, and where its pages begin, which form
// feeds part. The form feeds are Markup, with the number of the page where the
// last line before one is nothing else, and with blank lines behind them. A
// paragraph whose sentence goes on behind them is one.
func pages(src []byte) (nodes []*ast.Node, starts []int) {
	if bytes.IndexByte(src, '\f') < 0 {
		return paragraphs(src, ast.Span{End: len(src)}), nil
	}
	feet := feet(src)
	at := 0
	for i, foot := range feet {
		starts = append(starts, foot.page.Start)
		markup := ast.Span{Start: foot.page.End, End: len(src)}
		if foot.number > 0 {
			markup.Start = foot.line
		}
		if i+1 < len(feet) {
			markup.End = textAfter(src, feet[i+1].page.Start)
		}
		if body := (ast.Span{Start: at, End: markup.Start}); isBlank(src[at:max(at, body.End)]) {
			markup.Start = at
		} else {
			nodes = append(nodes, paragraphs(src, body)...)
		}
		switch n := len(nodes); {
		case markup.IsEmpty():
		case n > 0 && nodes[n-1].Kind == ast.Markup:
			nodes[n-1].Span.End = markup.End
		default:
			nodes = append(nodes, &ast.Node{Kind: ast.Markup, Span: markup})
		}
		at = max(at, markup.End)
	}
	return runOn(src, nodes), starts
}

// textAfter returns the start of the first line from offset at on that is not
// blank.
func textAfter(src []byte, at int) int {
	for at < len(src) && src[at] != '\f' {
		end := at + bytes.IndexAny(src[at:], "\n\r\f") + 1
		if end == at || !isBlank(src[at:end]) || src[end-1] == '\f' {
			break
		}
		at = end
	}
	return at
}

// feed returns the offset of the first form feed from at on, or the length of
// src. One between bytes that are no UTF-8 parts no pages: without it they would
// come together to a character.
func feed(src []byte, at int) int {
	for ; at < len(src); at++ {
		n := bytes.IndexByte(src[at:], '\f')
		if n < 0 {
			break
		}
		at += n
		r, size := utf8.DecodeLastRune(src[:at])
		if broken := r == utf8.RuneError && size == 1; !broken && (at+1 == len(src) || utf8.RuneStart(src[at+1])) {
			return at
		}
	}
	return len(src)
}

// A foot is where a page ends.
type foot struct {
	page   ast.Span // up to the form feed
	line   int      // start of its last line
	number int      // that the line says, 0 where it is something else
	roman  bool
}

// feet returns where the pages of src end. A number counts where it is that of
// the page, or goes on with that of another one: a page may end with an amount.
func feet(src []byte) []foot {
	var all []foot
	for at := 0; at < len(src); {
		end := feed(src, at)
		if f := (foot{page: ast.Span{Start: at, End: end}}); len(all) == 0 || end < len(src) || !isBlank(src[at:]) {
			text := bytes.TrimRight(src[at:end], " \t\r\n")
			f.line = at + max(bytes.LastIndexByte(text, '\n'), bytes.LastIndexByte(text, '\r')) + 1
			f.number, f.roman = pageNumber(string(src[f.line : at+len(text)]))
			all = append(all, f)
		}
		at = end + 1
	}
	counts := map[[2]int]int{} // pages by how far they are from their number
	key := func(i int) [2]int {
		k := [2]int{all[i].number - i, 0}
		if all[i].roman {
			k[1] = 1
		}
		return k
	}
	for i := range all {
		if all[i].number > 0 {
			counts[key(i)]++
		}
	}
	for i := range all {
		if k := key(i); counts[k] < 2 && k[0] != 1 {
			all[i].number = 0
		}
	}
	return all
}

var pageLine = regexp.MustCompile(`^(?i)[-–—|\[(]?\s*(?:page\s+|p\.\s*|第\s*)?(\d{1,4}|[ivxlc]{1,7})(?:\s*页)?(?:\s*(?:/|of)\s*\d{1,4})?\s*[-–—|\])]?$`)

// pageNumber returns the number of a page that a line says, 0 where it says
// something else.
func pageNumber(line string) (number int, isRoman bool) {
	line = strings.TrimSpace(line)
	if len(line) > 40 {
		return 0, false
	}
	m := pageLine.FindStringSubmatch(line)
	if m == nil {
		return 0, false
	}
	if number, err := strconv.Atoi(m[1]); err == nil {
		return number, false
	}
	return roman(strings.ToLower(m[1])), true
}

// runOn makes one of two paragraphs where a page ends within a sentence.
func runOn(src []byte, nodes []*ast.Node) []*ast.Node {
	out := nodes[:0]
	for _, n := range nodes {
		if k := len(out) - 1; k > 0 && out[k].Kind == ast.Markup && out[k-1].Kind == ast.Paragraph {
			above, below := out[k-1], textOf(src, n)
			text := strings.TrimRight(textOf(src, above), blanks+"\r\n") + "\n"
			if goesOn(text, below) && utf8.ValidString(text) && utf8.ValidString(below) {
				if above.Text == "" {
					above.Marks = []ast.Mark{{Text: 0, Source: above.Span.Start}}
				}
				above.Marks = append(above.Marks, ast.Mark{Text: len(text), Source: n.Span.Start})
				above.Text = text + below
				above.Span.End = n.Span.End
				out = out[:k]
				continue
			}
		}
		out = append(out, n)
	}
	return out
}

// goesOn reports whether a sentence that begins in a paragraph ends in the
// next.
func goesOn(a, b string) bool {
	const shortest = 40 // bytes; less is a heading
	a, b = strings.TrimSpace(a), strings.TrimLeft(b, blanks)
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	if len(a) < shortest || strings.ContainsRune(".!?:;。！？：；", last) || parseLabel(b).size > 0 {
		return false
	}
	return unicode.IsLower(first) || strings.ContainsRune(",，、", last) && unicode.IsLetter(first)
}
