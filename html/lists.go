package html

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/tables"
)

// findBullets makes lists of paragraphs that begin with a bullet, as word
// processors write them. The bullet becomes "-".
func (f *flow) findBullets() {
	kept := make([]block, 0, len(f.blocks))
	for i := 0; i < len(f.blocks); {
		end, last := i, i
		for end < len(f.blocks) && (bulletOf(f.blocks[end].node) > 0 || end > i && f.blocks[end].node.Kind == ast.Markup) {
			if f.blocks[end].node.Kind != ast.Markup {
				last = end
			}
			end++
		}
		if end == i {
			kept = append(kept, f.blocks[i])
			i++
			continue
		}
		list := &ast.Node{Kind: ast.List}
		outer := f.blocks[i].look.indent
		for _, b := range f.blocks[i : last+1] {
			if n := b.node; n.Kind == ast.Paragraph {
				itemOf(n, b.look.indent > outer+6)
			}
			list.Children = append(list.Children, b.node)
		}
		endBlock(list)
		list.Span = union(list.Children)
		kept = append(kept, block{node: list})
		i = last + 1
	}
	f.blocks = kept
}

// bulletOf returns the length of the bullet that a paragraph begins with.
func bulletOf(n *ast.Node) int {
	if n.Kind != ast.Paragraph {
		return 0
	}
	r, size := utf8.DecodeRuneInString(n.Text)
	if r < utf8.RuneSelf || r == '–' || r == '—' || !strings.ContainsRune(bullets, r) || len(strings.TrimSpace(n.Text)) <= size {
		return 0
	}
	return size
}

// itemOf makes an item of a paragraph with a bullet.
func itemOf(n *ast.Node, inner bool) {
	size := bulletOf(n)
	rest := strings.TrimLeftFunc(n.Text[size:], unicode.IsSpace)
	body := strings.TrimSpace(rest)
	bullet := "- "
	if inner {
		bullet = "  - "
	}
	marks := dropMarks(slices.Clone(n.Marks), len(n.Text)-len(rest))
	n.Kind, n.Marks = ast.Item, shiftMarks(marks, len(bullet), len(body))
	n.Text = bullet + strings.ReplaceAll(body, "\n", " ") + "\n"
}

// maxCaption is the length in bytes of the longest paragraph that is taken for
// the caption of a table or the line that leads into a list.
const maxCaption = 400

// attach makes the lines that lead into a list its Head, the caption and unit
// above a table its Head, and the notes below a table its Tail.
func (f *flow) attach() {
	kept := make([]block, 0, len(f.blocks))
	var units units
	for i := 0; i < len(f.blocks); i++ {
		b := f.blocks[i]
		units.see(b.node)
		switch b.node.Kind {
		case ast.List:
			if from := leadIn(kept); from < len(kept) {
				prepend(b.node, kept[from:])
				kept = kept[:from]
			}
		case ast.Table:
			if from := captions(kept); from < len(kept) {
				prepend(b.node, kept[from:])
				kept = kept[:from]
			}
			if unit := units.of(b.node); unit != "" {
				f.opts.Tables.AddUnit(b.node, unit)
			}
			i += f.takeNotes(b.node, f.blocks[i+1:])
		}
		kept = append(kept, b)
	}
	f.blocks = kept
}

// units keeps the unit that was stated last for the tables to come: by a
// heading, by a sentence before a table, or by one that announces several
// tables, which holds to the end of its section.
type units struct {
	level     int // of the section at hand
	heading   string
	sentence  string // since the last table or heading
	announced string
	since     int  // level of the section that announced is in
	once      bool // announced is for one table
}

func (u *units) see(n *ast.Node) {
	switch n.Kind {
	case ast.Heading:
		if n.Level <= u.since {
			u.announced = ""
		}
		u.level, u.heading, u.sentence = n.Level, tables.Unit(n.Text), ""
	case ast.Paragraph:
		unit := tables.Unit(n.Text)
		if unit == "" {
			return
		}
		u.sentence = unit
		if strings.Contains(n.Text, "table") {
			u.announced, u.since, u.once = unit, u.level, !strings.Contains(n.Text, "tables")
		}
	}
}

// of returns the unit of a table that has none in its labels or in a line of
// its own.
func (u *units) of(table *ast.Node) string {
	sentence, announced := u.sentence, u.announced
	u.sentence = ""
	if u.once {
		u.announced = ""
	}
	for _, label := range table.Columns {
		if tables.IsUnit(label) || tables.Unit(label) != "" {
			return ""
		}
	}
	for n := range table.All() {
		if n.Span.End > table.Head.End || n.Kind != ast.Paragraph && n.Kind != ast.Row {
			continue
		}
		if tables.IsUnit(strings.TrimSpace(n.Text)) {
			return ""
		}
		if unit := tables.Unit(n.Text); unit != "" { // in a sentence, which is the first thing to go where room is short
			return unit
		}
	}
	switch {
	case sentence != "":
		return sentence
	case u.heading != "":
		return u.heading
	}
	return announced
}

// prepend puts blocks before the children of n and makes them part of its Head.
func prepend(n *ast.Node, blocks []block) {
	children := make([]*ast.Node, 0, len(blocks)+len(n.Children))
	for _, b := range blocks {
		children = append(children, b.node)
	}
	end := n.Head.End
	if n.Head.IsEmpty() {
		end = children[len(children)-1].Span.End
	}
	n.Children = append(children, n.Children...)
	n.Span.Start = children[0].Span.Start
	n.Head = ast.Span{Start: n.Span.Start, End: end}
}

// leadIn returns where the paragraph that leads into a list begins, the length
// of blocks where there is none.
func leadIn(blocks []block) int {
	i := len(blocks) - 1
	if i < 0 || blocks[i].node.Kind != ast.Paragraph || len(blocks[i].node.Text) > maxCaption {
		return len(blocks)
	}
	if text := strings.TrimSpace(blocks[i].node.Text); !strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "：") {
		return len(blocks)
	}
	return i
}

// captions returns where the lines that caption a table begin, the length of
// blocks where there are none: units, a bold or numbered title, a sentence that
// ends in a colon. There are no more than three.
func captions(blocks []block) int {
	from := len(blocks)
	for i := len(blocks) - 1; i >= 0 && len(blocks)-i <= 4; i-- {
		n := blocks[i].node
		if n.Kind == ast.Markup {
			if n.Span.Len() > 4096 {
				break
			}
			continue
		}
		if n.Kind != ast.Paragraph || len(n.Text) > 2*maxCaption {
			break
		}
		text := strings.TrimSpace(n.Text)
		bold := blocks[i].look.isBold() && len(text) < 200
		switch {
		case tables.IsUnit(text), bold, isTableTitle(text):
			from = i
			continue
		case strings.HasSuffix(text, ":") || strings.HasSuffix(text, "："), statesUnit(text):
			return i
		}
		break
	}
	return from
}

// isTableTitle reports whether text is "Table 3 ..." or the like.
func isTableTitle(text string) bool {
	return (strings.HasPrefix(text, "Table ") || strings.HasPrefix(text, "TABLE ") || strings.HasPrefix(text, "表")) && len(text) < 200
}

// statesUnit reports whether a sentence that leads to a table says its unit.
func statesUnit(text string) bool {
	if len(text) > maxCaption {
		return false
	}
	lower := strings.ToLower(text)
	return strings.Contains(lower, "(in millions") || strings.Contains(lower, "(dollars in") || strings.Contains(lower, "(in thousands") ||
		strings.Contains(lower, "(in billions") || strings.Contains(lower, "(amounts in") || strings.Contains(lower, "(in percent") || strings.Contains(lower, "(单位")
}

// takeNotes makes short notes that follow a table its Tail, and returns how
// many blocks these were.
func (f *flow) takeNotes(table *ast.Node, blocks []block) int {
	taken, size := 0, 0
	for i, b := range blocks {
		if b.node.Kind == ast.Markup {
			if b.node.Span.Len() > 200 {
				break
			}
			continue
		}
		text := strings.TrimSpace(b.node.Text)
		size += len(text)
		if b.node.Kind != ast.Paragraph || size > 2*maxCaption || !tables.IsNote(text) {
			break
		}
		taken = i + 1
	}
	if taken == 0 {
		return 0
	}
	if table.Tail.IsEmpty() {
		table.Tail.Start = blocks[0].node.Span.Start
	}
	for _, b := range blocks[:taken] {
		table.Children = append(table.Children, b.node)
	}
	table.Span.End = table.Children[len(table.Children)-1].Span.End
	table.Tail.End = table.Span.End
	return taken
}
