package html

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/tables"
)

// A rank orders headings that are no heading tags; a lower one is further out.
type rank int

const (
	noRank   rank = -1
	part     rank = 0   // PART II
	item     rank = 1   // Item 7. Management's Discussion
	chapter  rank = 2   // Chapter 3, 第三章
	report   rank = 3   // CONSOLIDATED BALANCE SHEETS, Notes to Consolidated Financial Statements
	note     rank = 4   // Note 3 - Leases
	numbered rank = 10  // 1.2 Scope: one more for each number
	styled   rank = 100 // by looks: one more for each look, the strongest first
)

var (
	partLine     = regexp.MustCompile(`^(?i:part)\s+([IVX]{1,4}|[1-4])\s*([.:,–—-].*)?$`)
	itemLine     = regexp.MustCompile(`^(?i:items?)\s+(\d{1,2})\s?([A-Ca-c]?)\s*([.:–—-]|\s|$)`)
	chapterLine  = regexp.MustCompile(`^((?i:chapter|article|appendix|annex)\s+([0-9]{1,3}|[IVXLC]+|[A-Z])\b|第[0-9一二三四五六七八九十百]+[章编篇])`)
	reportLine   = regexp.MustCompile(`^(?i)((index to |notes to )?(the )?(condensed )?(consolidated )?(condensed )?(interim )?(statements? of (operations|income|earnings|comprehensive|cash|financial|stockholders|shareholders|changes|equity)|balance sheets?|financial statements)|reports? of (independent|management)|management.s report|signatures?$|exhibit index)`)
	noteLine     = regexp.MustCompile(`^(?i:note)\s+(\d{1,2}|[A-Z])\s*([.:–—-]|\s|$)`)
	contentsLine = regexp.MustCompile(`^(?i)(table of )?contents$|^(?i)index$`)
	numberLine   = regexp.MustCompile(`^(\d{1,2}(?:\.\d{1,2})*)(\.|\s)\s*\p{Lu}`)
)

// rankOf returns the rank of a line by its words, noRank where they say none.
func rankOf(line string) rank {
	const word = len("part")
	if len(line) <= word || len(line) > 300 {
		return noRank
	}
	switch strings.ToLower(line[:word]) {
	case "part":
		if partLine.MatchString(line) {
			return part
		}
	case "item":
		if itemLine.MatchString(line) {
			return item
		}
	case "note":
		if noteLine.MatchString(line) {
			return note
		}
	}
	return noRank
}

// A candidate is a block that may be a heading.
type candidate struct {
	block int
	rank  rank
	text  string
}

// findHeadings makes headings of lines that look like some: they stand alone,
// are bold, larger, underlined or numbered.
func (f *flow) findHeadings() {
	body := f.bodySize()
	start := f.afterContents(body)
	var found []candidate
	for i := range f.blocks {
		b := &f.blocks[i]
		if b.node.Kind != ast.Paragraph {
			continue
		}
		text := strings.TrimSpace(b.node.Text)
		r := rankOf(text)
		if i < start || !f.looksLikeHeading(i, text, r, body) {
			continue
		}
		found = append(found, candidate{i, r, text})
	}
	found = f.dropContents(found)
	found = f.joinTitles(found)
	found = inOrder(found)
	f.rankByLook(found)
	var open []rank
	for _, c := range found {
		for len(open) > 0 && open[len(open)-1] >= c.rank {
			open = open[:len(open)-1]
		}
		open = append(open, c.rank)
		n := f.blocks[c.block].node
		n.Kind, n.Level = ast.Heading, len(open)
		before := strings.Repeat("#", min(n.Level, 6)) + " "
		n.Marks = shiftMarks(n.Marks, len(before), len(n.Text))
		n.Text = before + strings.ReplaceAll(strings.TrimSpace(n.Text), "\n", " ") + "\n\n"
	}
}

// bodySize returns the size in points that most letters have.
func (f *flow) bodySize() float64 {
	letters := map[float64]int{}
	var sizes []float64
	for _, b := range f.blocks {
		if b.node.Kind == ast.Paragraph {
			if letters[b.look.size] == 0 {
				sizes = append(sizes, b.look.size)
			}
			letters[b.look.size] += b.look.letters
		}
	}
	if len(sizes) == 0 {
		return 0
	}
	return slices.MaxFunc(sizes, func(a, b float64) int {
		return cmp.Or(letters[a]-letters[b], cmp.Compare(a, b))
	})
}

// afterContents returns the first block after the table of contents, where a
// page has one in its first half, or after its cover, which is all bold lines,
// or the first PART or Item.
func (f *flow) afterContents(body float64) int {
	first, cover := -1, 0
	for i := range f.blocks {
		if f.blocks[i].node.Span.Start < f.coverEnd {
			cover = i + 1
		}
		switch n := f.blocks[i].node; n.Kind {
		case ast.Table:
			if i < len(f.blocks)/2 && isContents(n) {
				return i + 1
			}
		case ast.Paragraph:
			if b := &f.blocks[i]; first < 0 && b.look.linked*2 < b.look.letters && rankOf(strings.TrimSpace(n.Text)) <= item &&
				rankOf(strings.TrimSpace(n.Text)) >= part && (b.look.isBold() || b.look.size > body) {
				first = i
			}
		}
	}
	return max(first, cover)
}

// isContents reports whether a table is a table of contents: its rows name the
// items of a filing, or end in numbers of pages that never fall.
func isContents(table *ast.Node) bool {
	items, pages, last, rows := 0, 0, 0, 0
	for n := range table.All() {
		if n.Kind != ast.Row {
			continue
		}
		rows++
		text := strings.Trim(n.Text, "| \n")
		if rankOf(text) != noRank || strings.HasPrefix(strings.ToLower(text), "item") {
			items++
		}
		number := text[strings.LastIndexAny(text, "| ")+1:]
		if page, err := strconv.Atoi(number); err == nil && page >= last && page < 2000 {
			pages++
			last = page
		}
	}
	return items >= 4 || pages >= 8 && pages*3 >= rows*2
}

func (l look) isBold() bool      { return l.bold*10 >= l.letters*9 && l.letters > 0 }
func (l look) isItalic() bool    { return l.italic*10 >= l.letters*9 && l.letters > 0 }
func (l look) isUnderline() bool { return l.line*10 >= l.letters*9 && l.letters > 0 }

// looksLikeHeading reports whether block i, whose text has rank r by its
// words, stands out as headings do.
func (f *flow) looksLikeHeading(i int, text string, r rank, body float64) bool {
	l := f.blocks[i].look
	if text == "" || l.linked*2 > l.letters || l.rows > 3 || !hasLetters(text) {
		return false
	}
	bold, large := l.isBold(), l.size > body*1.12 && body > 0
	switch r {
	case part, item:
		return (bold || large || l.isUnderline() || isUpper(text)) && len(text) < 250 && !endsInNumber(text)
	case note:
		return (bold || large || l.isUnderline()) && len(text) < 200
	}
	last, _ := utf8.DecodeLastRuneInString(text)
	first, _ := utf8.DecodeRuneInString(text)
	switch {
	case contentsLine.MatchString(text), tables.IsUnit(text), first == '(' || first == '*', strings.HasPrefix(text, "•"), last == ':' || last == ';' || last == ',':
		return false
	case !unicode.IsUpper(first) && !unicode.IsDigit(first) && !unicode.Is(unicode.Han, first) && !isName(text):
		return false
	case !f.introduces(i, l):
		return false
	case bold:
		return len(text) < 300
	case large:
		return len(text) < 200
	case l.isUnderline(), l.isItalic():
		return len(text) < 120 && last != '.' && last != '”' && !strings.HasPrefix(text, "See ") && !strings.HasPrefix(text, "The accompanying")
	}
	return false
}

// introduces reports whether something follows block i that a heading can
// stand above.
func (f *flow) introduces(i int, l look) bool {
	next := f.nearest(i+1, 1)
	if next < 0 {
		return false
	}
	return f.blocks[next].node.Kind != ast.Paragraph || strings.TrimSpace(f.blocks[next].node.Text) != ""
}

// isName reports whether text is a name that begins in lower case: "iPhone".
func isName(text string) bool {
	return len(text) < 30 && strings.ContainsFunc(text, unicode.IsUpper) && !strings.ContainsRune(text, ' ')
}

func hasLetters(s string) bool {
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= 2
}

func isUpper(s string) bool { return strings.ToUpper(s) == s && hasLetters(s) }

// endsInNumber reports whether a line ends in the number of a page.
func endsInNumber(s string) bool {
	i := strings.LastIndexAny(s, " .\t")
	return i > 0 && isPageNumber(s[i+1:]) && !strings.HasSuffix(strings.ToLower(s[:i]), "item") && !strings.HasSuffix(strings.ToLower(s[:i]), "part") && len(s) > 12
}

// dropContents drops four or more items that follow one another with nothing
// in between.
func (f *flow) dropContents(found []candidate) []candidate {
	kept := found[:0:0]
	for i := 0; i < len(found); {
		end := i + 1
		for end < len(found) && found[end].rank <= item && found[end].rank >= part && found[end-1].rank >= part && found[end-1].rank <= item &&
			f.nearest(found[end-1].block+1, 1) == found[end].block {
			end++
		}
		if end-i < 5 {
			kept = append(kept, found[i:end]...)
		}
		i = end
	}
	return kept
}

// joinTitles joins "Item 7." with the title that stands in a line of its own,
// and the name of the company above a statement with that of the statement.
func (f *flow) joinTitles(found []candidate) []candidate {
	kept := found[:0]
	for i := 0; i < len(found); i++ {
		c := found[i]
		if i+1 < len(found) && f.nearest(c.block+1, 1) == found[i+1].block {
			next := found[i+1]
			bare := (c.rank == item || c.rank == note) && isBare(c.text) && next.rank == noRank
			company := c.rank == noRank && len(c.text) < 100 && isReport(next.text) && !isReport(c.text)
			if bare || company {
				f.joinNext(c.block, next.block)
				if c.text = c.text + " " + next.text; company {
					c.text = next.text
					f.titles[f.blocks[c.block].node] = next.text
				}
				i++
			}
		}
		kept = append(kept, c)
	}
	return kept
}

// joinNext appends the text of block next to that of block b.
func (f *flow) joinNext(b, next int) {
	n, m := f.blocks[b].node, f.blocks[next].node
	text := strings.TrimSpace(n.Text) + " "
	n.Marks = append(n.Marks, shiftMarks(m.Marks, len(text), len(m.Text))...)
	n.Text = text + m.Text
	n.Span.End = m.Span.End
	for i := b + 1; i <= next; i++ {
		f.blocks[i].node = &ast.Node{Kind: ast.Markup, Span: ast.Span{Start: n.Span.End, End: n.Span.End}}
	}
}

func isReport(text string) bool { return len(text) < 120 && reportLine.MatchString(text) }

// isBare reports whether an item has a number and no title.
func isBare(text string) bool {
	m := itemLine.FindString(text)
	if m == "" {
		m = noteLine.FindString(text)
	}
	return m != "" && strings.Trim(text[len(m):], " .:–—-") == ""
}

// inOrder drops items and parts that are out of order: the names of those at
// hand repeated at the top of a page, or mentioned.
func inOrder(found []candidate) []candidate {
	kept := found[:0]
	lastPart, lastItem := 0, 0
	for _, c := range found {
		switch c.rank {
		case part:
			n := roman(partLine.FindStringSubmatch(c.text)[1])
			if n <= lastPart {
				continue
			}
			lastPart, lastItem = n, 0
		case item:
			m := itemLine.FindStringSubmatch(c.text)
			n := 0
			for _, d := range m[1] {
				n = n*10 + int(d-'0')
			}
			n *= 10
			if m[2] != "" {
				n += int(m[2][0]|0x20-'a') + 1
			}
			if n <= lastItem {
				continue
			}
			lastItem = n
		}
		kept = append(kept, c)
	}
	return kept
}

func roman(s string) int {
	switch strings.ToUpper(s) {
	case "I", "1":
		return 1
	case "II", "2":
		return 2
	case "III", "3":
		return 3
	case "IV", "4":
		return 4
	}
	return 0
}

// rankByLook gives the candidates without a rank one by their words or looks.
func (f *flow) rankByLook(found []candidate) {
	var strengths []int
	for i := range found {
		c := &found[i]
		switch {
		case c.rank != noRank:
		case chapterLine.MatchString(c.text):
			c.rank = chapter
		case isReport(c.text):
			c.rank = report
		default:
			if m := numberLine.FindStringSubmatch(c.text); m != nil {
				c.rank = numbered + rank(strings.Count(m[1], "."))
				continue
			}
			strengths = append(strengths, f.strength(c))
		}
	}
	slices.Sort(strengths)
	strengths = slices.Compact(strengths)
	for i := range found {
		if c := &found[i]; c.rank == noRank {
			at, _ := slices.BinarySearch(strengths, f.strength(c))
			c.rank = styled + rank(len(strengths)-1-at)
		}
	}
}

// strength orders looks: by size, then capitals, weight, and the rest.
func (f *flow) strength(c *candidate) int {
	l := f.blocks[c.block].look
	s := int(l.size*2) * 64
	if isUpper(c.text) {
		s += 32
	}
	if l.isBold() {
		s += 16
	}
	if l.center {
		s += 8
	}
	if l.isUnderline() {
		s += 4
	}
	if l.isItalic() {
		s -= 2
	}
	return s
}
