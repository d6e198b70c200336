package text

import (
	"strings"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
)

// Clauses finds the numbered clauses of a contract, a law or a set of rules and
// makes nodes of them, in place. It reports whether it found any.
//
// The numbers are 第三条 and its like (编, 章, 节, 款, 项), Article 5, Section 3.2,
// § 7, Schedule 1, 附件一, 附则, 3.1, 3., 一、, （一）, (a), (iv), ①. What stands within
// what is seen from their kinds and their order. A number counts only at the
// start of a paragraph, or of a line behind one that ends, and where it follows
// the one before it of its kind, or is the first of several; so a reference to a
// clause, a year or an amount opens nothing.
//
//   - A clause with a number that says what it is, or of one or two parts (3.1),
//     is a Section. Its Head is the number, with the title where it has one, and
//     Name is that in plain: "第十二条", "3.2 Payment".
//   - What is numbered within such a clause is an Item of a List, with the number
//     as Head, so that a clause that fits in a chunk stays whole. Where all of a
//     series have lines with titles they are Sections.
//   - Plain numbers with no such clause around them are Sections where they have
//     titles, or parts (1.1), or are as long as clauses are; else they are left.
//
// Sections of [QuestionLevel] are left as they are.
func Clauses(d *ast.Document) bool { return clauses(d, true) }

// clauses is Clauses. Where nobody asked for clauses, length alone does not
// make any.
func clauses(d *ast.Document, asked bool) bool {
	s := newSeries(d.Source)
	s.scope(d.Root, 0)
	if !s.decide(asked) {
		return false
	}
	s.build()
	return true
}

// A candidate is a line that begins with a number.
type candidate struct {
	scope  int       // index of series.scopes
	child  int       // index of the block among the scope's children
	item   int       // index among the children of a list, -1 for other blocks
	leaf   *ast.Node // that begins with the line, or holds it
	at     int       // offset of the line in the leaf's text
	pos    int       // offset of the line in the source
	label  label
	head   head
	first  bool // at the start of the block
	behind bool // the line before it ends a sentence, or is a short one
	below  int  // index of the candidate on the line before, or -1
}

// scope collects the candidates of a section or the document, and decides on
// them in order. It recurses as deep as sections are.
func (s *series) scope(n *ast.Node, depth int) {
	if depth > ast.MaxDepth-maxDeeper {
		return
	}
	here := len(s.scopes)
	s.scopes = append(s.scopes, n)
	for i, c := range n.Children {
		switch {
		case c.Kind == ast.Section:
			if c.Level != QuestionLevel {
				s.sections = append(s.sections, nested{len(s.candidates), c})
				s.scope(c, depth+1)
				s.sections = append(s.sections, nested{len(s.candidates), nil})
			}
		case n.Head.Contains(c.Span) && !n.Head.IsEmpty():
		case c.Kind == ast.Paragraph && c.IsLeaf():
			s.lines(here, i, c)
		case c.Kind == ast.List && c.Head.IsEmpty():
			for k, item := range c.Children {
				if leaf, around := firstLeaf(item); item.Kind == ast.Item && leaf != nil && len(around) < 2 {
					s.start(candidate{scope: here, child: i, item: k, leaf: leaf})
				}
			}
		default:
			if leaf, _ := firstLeaf(c); leaf != nil && (c.Kind == ast.List || c.Kind == ast.Table) {
				s.start(candidate{scope: here, child: i, item: -1, leaf: leaf})
			}
		}
	}
}

// start adds the candidate that begins a block, where it is one.
func (s *series) start(c candidate) {
	c.first, c.below = true, -1
	s.add(c, textOf(s.src, c.leaf), 0)
}

// lines adds the candidates among the lines of a paragraph.
func (s *series) lines(scope, child int, leaf *ast.Node) {
	text := textOf(s.src, leaf)
	widest := 0
	for at := 0; at < len(text); {
		line := lineOf(text, at)
		widest = max(widest, len(line))
		at += len(line) + lineBreak(text[at+len(line):])
	}
	last := -1      // candidate on the line before
	before := ""    // that line
	covered := 0    // offset behind the last head
	started := true // nothing but blank lines so far
	for at := 0; at < len(text); {
		line := lineOf(text, at)
		next := at + len(line) + lineBreak(text[at+len(line):])
		if !isBlankText(line) {
			n := len(s.candidates)
			if at >= covered {
				s.add(candidate{scope: scope, child: child, item: -1, leaf: leaf, first: started, below: last,
					behind: endsSentence(before) || len(before)*5 < widest*3}, text, at)
			}
			if last = -1; len(s.candidates) > n {
				last = n
				covered = s.candidates[n].head.end
			}
			started = false
			before = line
		}
		at = next
	}
}

// add adds c, whose line begins at offset at of text, where that begins with a
// label and can be cut off.
func (s *series) add(c candidate, text string, at int) {
	const longest = 48 // bytes of blanks and marks before a number
	start := text[at:min(len(text), at+longest)]
	label := at + len(start) - len(strings.TrimLeft(start, blanks+"*_\r\n"))
	if label == at+len(start) || strings.HasPrefix(start, "* ") {
		return
	}
	if c.label = parseLabel(lineOf(text, label)); c.label.size == 0 {
		return
	}
	c.at = at
	c.head = headOf(text, at, label, c.label)
	if isBlankText(text[c.head.end:]) {
		c.head.end = len(text)
	}
	ok := true
	if c.pos = c.leaf.Span.Start; at > 0 {
		c.pos, ok = sourceAt(s.src, c.leaf, at)
	}
	if ok && c.head.end < len(text) {
		var end int
		end, ok = sourceAt(s.src, c.leaf, c.head.end)
		ok = ok && end > c.pos
	}
	if ok {
		s.candidates = append(s.candidates, c)
	}
}

// endsSentence reports whether a line ends as a sentence or a clause does.
func endsSentence(line string) bool {
	line = strings.TrimRight(line, blanks+"*_)）\"”’】》")
	last, _ := utf8.DecodeLastRuneInString(line)
	if strings.ContainsRune(".;:!?。；：！？…，,", last) {
		return true
	}
	return strings.HasSuffix(line, " and") || strings.HasSuffix(line, " or")
}
