package html

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
)

// A page is where a page of the printed document begins.
type page struct {
	offset int // in the source
	block  int // the first block on it
}

// findPages fills Document.Pages, makes Markup of page numbers and of lines
// that run along the top or bottom of pages, and joins the sentences that a
// page break cut.
func (f *flow) findPages() {
	for _, p := range f.pages {
		f.doc.Pages = append(f.doc.Pages, p.offset)
	}
	if len(f.doc.Pages) == 0 {
		return
	}
	f.doc.Pages = append(f.doc.Pages, 0)
	slices.Sort(f.doc.Pages)
	f.doc.Pages = slices.Compact(f.doc.Pages)
	if last := len(f.doc.Pages) - 1; f.doc.Pages[last] == len(f.doc.Source) {
		f.doc.Pages = f.doc.Pages[:last]
	}
	f.findCover()
	if !f.opts.keepRunning {
		f.dropFurniture()
	}
	f.joinSentences()
}

// findCover notes where the cover of a filing ends: with its first page.
func (f *flow) findCover() {
	if len(f.pages) == 0 || f.pages[0].block >= len(f.blocks) {
		return
	}
	for _, b := range f.blocks[:f.pages[0].block] {
		if strings.Contains(strings.ToUpper(b.node.Text), "SECURITIES AND EXCHANGE COMMISSION") {
			if next := f.nearest(f.pages[0].block, 1); next >= 0 {
				f.coverEnd = f.blocks[next].node.Span.Start
			}
			return
		}
	}
}

// margin is how many blocks at each end of a page may be running lines.
const margin = 5

// dropFurniture makes Markup of the running lines.
func (f *flow) dropFurniture() {
	edges := make([][]int, 0, 2*len(f.pages)) // blocks at an end of a page, outermost first
	start := 0
	for i := 0; i <= len(f.pages); i++ {
		end := len(f.blocks)
		if i < len(f.pages) {
			end = f.pages[i].block
		}
		edges = append(edges, f.edge(start, end, 1), f.edge(end-1, start-1, -1))
		start = end
	}
	count := map[string]int{}
	for _, edge := range edges {
		for _, b := range edge {
			count[masked(f.line(b))]++
		}
	}
	often := max(3, len(f.pages)/12)
	numbered := f.numbered(edges)
	words := 0
	for _, edge := range edges {
		for _, b := range edge {
			line := f.line(b)
			if line == "" {
				continue // an edge of a short page, seen from its other end
			}
			if !isPageNumber(line) && !numbered[b] && (count[masked(line)] < often || rankOf(line) != noRank) {
				break
			}
			words += len(strings.Fields(line))
			n := f.blocks[b].node
			*n = ast.Node{Kind: ast.Markup, Span: n.Span}
		}
	}
	f.leave("running lines", words)
}

// numbered returns the blocks at the bottom or top of pages that hold the
// number of the page beside other words: the same edge of the page before or
// after holds the number before or after.
func (f *flow) numbered(edges [][]int) map[int]bool {
	found := map[int]bool{}
	for i := range edges {
		if i+2 >= len(edges) {
			break
		}
		for _, b := range edges[i] {
			for _, c := range edges[i+2] {
				if n := pageNumber(f.line(b)); n > 0 && pageNumber(f.line(c)) == n+1 {
					found[b], found[c] = true, true
				}
			}
		}
	}
	return found
}

// pageNumber returns the number that line ends or begins with, 0 for none.
func pageNumber(line string) int {
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return 0
	}
	for _, word := range []string{fields[len(fields)-1], fields[0]} {
		if n, err := strconv.Atoi(word); err == nil && n > 0 && n < 10000 {
			return n
		}
	}
	return 0
}

// edge returns up to margin blocks with text from start on, stepping to end.
func (f *flow) edge(start, end, step int) []int {
	var edge []int
	for b := start; b != end && len(edge) < margin; b += step {
		switch f.blocks[b].node.Kind {
		case ast.Markup:
		case ast.Paragraph, ast.Heading:
			edge = append(edge, b)
		default:
			return edge
		}
	}
	return edge
}

// line returns the text of a block that is one short line, "" for others.
func (f *flow) line(b int) string {
	n := f.blocks[b].node
	if n.Kind != ast.Paragraph && n.Kind != ast.Heading || len(n.Text) > 150 {
		return ""
	}
	return strings.TrimSpace(n.Text)
}

// masked returns line with its digits alike.
func masked(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '0'
		}
		return unicode.ToLower(r)
	}, line)
}

// isPageNumber reports whether line is the number of a page: "12", "F-3",
// "- 12 -", "Page 12 of 90".
func isPageNumber(line string) bool {
	line = strings.Trim(strings.TrimPrefix(strings.ToLower(line), "page "), "-–—| ")
	if number, of, ok := strings.Cut(line, " of "); ok && isPageNumber(of) {
		line = number
	}
	if len(line) > 2 && line[1] == '-' && isAlphanumeric(line[0]) {
		line = line[2:]
	}
	if line == "" || len(line) > 5 {
		return false
	}
	return strings.Trim(line, "0123456789") == "" || strings.Trim(line, "ivxl") == ""
}

// joinSentences makes one paragraph of two that a page break parts within a
// sentence. What stands in between becomes part of its span.
func (f *flow) joinSentences() {
	gone := false
	for _, p := range f.pages {
		before, after := f.nearest(p.block-1, -1), f.nearest(p.block, 1)
		if before < 0 || after < 0 {
			continue
		}
		a, b := &f.blocks[before], &f.blocks[after]
		if a.node.Kind != ast.Paragraph || b.node.Kind != ast.Paragraph || a.look.size != b.look.size ||
			a.look.isBold() != b.look.isBold() || !runsOn(a.node.Text, b.node.Text) {
			continue
		}
		text := strings.TrimRight(a.node.Text, "\n") + " "
		marks := append(a.node.Marks, shiftMarks(b.node.Marks, len(text), len(b.node.Text))...)
		b.node.Text, b.node.Marks = text+b.node.Text, marks
		b.node.Span.Start = a.node.Span.Start
		b.look.letters += a.look.letters
		b.look.bold += a.look.bold
		b.look.italic += a.look.italic
		for i := before; i < after; i++ {
			f.blocks[i].node = nil
		}
		gone = true
	}
	if !gone {
		return
	}
	kept := f.blocks[:0]
	for _, b := range f.blocks {
		if b.node != nil {
			kept = append(kept, b)
		}
	}
	f.blocks = kept
	f.pages = nil // the blocks have other numbers now
}

// nearest returns the first block from b on, in steps, that is not Markup, -1
// where there is none.
func (f *flow) nearest(b, step int) int {
	for ; b >= 0 && b < len(f.blocks); b += step {
		if n := f.blocks[b].node; n != nil && n.Kind != ast.Markup {
			return b
		}
	}
	return -1
}

// runsOn reports whether a sentence begins in a and ends in b.
func runsOn(a, b string) bool {
	a = strings.TrimRight(a, "\n ")
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	switch {
	case len(a) < 40 || strings.ContainsRune(".!?:;。！？：；", last):
		return false
	case last == ',' || last == '-':
		return unicode.IsLetter(first) || unicode.IsDigit(first)
	}
	return unicode.IsLower(first) || first == '(' && unicode.IsLetter(last)
}

// leave counts words of a kind that are left out.
func (f *flow) leave(kind string, words int) {
	if words == 0 {
		return
	}
	counts, _ := f.doc.Meta["left_out"].(map[string]int)
	if counts == nil {
		counts = map[string]int{}
		f.doc.Meta["left_out"] = counts
	}
	counts[kind] += words
}
