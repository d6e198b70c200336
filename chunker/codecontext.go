package chunker

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
)

// codeContextShare is the part of the limit that the lines beside a piece of
// code may take. With a quarter an index loses the piece among its neighbours;
// see docs/architecture.md.
const codeContextShare = 8

// A codeContext finds the lines that go below the path in the context of a
// piece of code: the imports that it uses, and the signatures of the
// definitions next to it in its scope. They take room that is left when all
// else is settled, so no cut and no text depends on them.
type codeContext struct {
	p        *planner
	imports  []ast.Import
	words    map[string][]imported // by the word that they are used by
	siblings map[int32][]sibling   // by scope, in the order of the source
}

// An imported is an item of an import, as a word can mean it.
type imported struct {
	statement, item int  // indexes of codeContext.imports and of its Items
	qualifies       bool // means it only before a "."
}

// A sibling is a definition right below a scope.
type sibling struct {
	node *ast.Node
	line string // its signature; "" where it was not asked for yet
	size int
}

func newCodeContext(p *planner) *codeContext {
	c := &codeContext{p: p, words: map[string][]imported{}, siblings: map[int32][]sibling{}}
	if p.doc.Imports != nil {
		c.imports = p.doc.Imports()
	}
	for i, m := range c.imports {
		for k, item := range m.Items {
			for _, name := range item.Names {
				word, qualifies := strings.CutSuffix(name, ".")
				c.words[word] = append(c.words[word], imported{i, k, qualifies})
			}
		}
	}
	return c
}

// add gives a piece its lines, as many as there is room for: imports before
// signatures, and of those the nearest. Where there is no room for all of the
// path and the repeated heads there is none for them.
func (c *codeContext) add(pc *piece, text string) {
	if c.p.atoms[pc.first].content != source || c.p.sheds(pc) {
		return
	}
	room := min(c.p.opt.Max-pc.size, c.p.opt.Max/codeContextShare)
	imports, room := c.used(pc, text, room)
	before, after := c.nearest(pc, room)
	for {
		// The nearest go last.
		pc.beside = strings.Join(slices.Concat(imports, before, after), "\n")
		size := c.p.opt.Sizer.Count(embedded(c.p.context(pc), text))
		switch {
		case size <= c.p.opt.Max || pc.beside == "":
			if pc.beside != "" {
				pc.size = size
			}
			return
		case len(after) > 0:
			after = after[:len(after)-1]
		case len(before) > 0:
			before = before[1:]
		default:
			imports = imports[:len(imports)-1]
		}
	}
}

// used returns the imports of which text has a name, of those outside the
// piece, and the room that they leave.
func (c *codeContext) used(pc *piece, text string, room int) (lines []string, left int) {
	if len(c.imports) == 0 {
		return nil, room
	}
	items := map[int][]int{} // by statement
	words(text, func(word string, qualifies bool) {
		for _, m := range c.words[word] {
			if qualifies || !m.qualifies {
				items[m.statement] = append(items[m.statement], m.item)
			}
		}
	})
	statements := make([]int, 0, len(items))
	for i := range items {
		statements = append(statements, i)
	}
	sort.Ints(statements)
	for _, i := range statements {
		m := &c.imports[i]
		if at := c.p.view.at(m.Span.Start); pc.start <= at && at < pc.end {
			continue
		}
		start, _ := c.p.view.trim(pc.start, pc.end)
		if from, to := c.p.view.span(m.Within); from < to && (start < from || to <= start) {
			continue // not known there
		}
		line := m.Line(func(item int) bool { return slices.Contains(items[i], item) })
		if size := c.p.opt.Sizer.Count(line + "\n"); size <= room {
			lines, room = append(lines, line), room-size
		}
	}
	return lines, room
}

// words calls use with each word of text that is not a part of what stands
// before it, as a field is, and whether it is followed by a part of it.
func words(text string, use func(word string, qualifies bool)) {
	isPart := func(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !isPart(r) {
			at += size
			continue
		}
		end := len(text)
		if i := strings.IndexFunc(text[at:], func(r rune) bool { return !isPart(r) }); i >= 0 {
			end = at + i
		}
		before := strings.TrimSuffix(text[:at], "...") // spread out, not a part of
		if !strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "::") && !strings.HasSuffix(before, "->") {
			behind, ok := strings.CutPrefix(text[end:], ".")
			next, _ := utf8.DecodeRuneInString(behind)
			use(text[at:end], ok && isPart(next))
		}
		at = end
	}
}

// nearest returns the signatures of the definitions of the piece's scope that
// are nearest before it and behind it, in the order of the source.
func (c *codeContext) nearest(pc *piece, room int) (before, after []string) {
	siblings := c.of(pc.scope)
	view := c.p.view
	next := sort.Search(len(siblings), func(i int) bool { return view.at(siblings[i].node.Span.Start) >= pc.end })
	last := sort.Search(next, func(i int) bool { return view.at(siblings[i].node.Span.End) > pc.start }) - 1
	for last >= 0 || next < len(siblings) {
		var s *sibling
		isBefore := next == len(siblings) || last >= 0 &&
			pc.start-view.at(siblings[last].node.Span.End) <= view.at(siblings[next].node.Span.Start)-pc.end
		if isBefore {
			s = &siblings[last]
			last--
		} else {
			s = &siblings[next]
			next++
		}
		c.sign(s)
		if room -= s.size; room < 0 {
			break
		}
		if isBefore {
			before = append(before, s.line)
		} else {
			after = append(after, s.line)
		}
	}
	slices.Reverse(before)
	return before, after
}

// of returns the definitions right below a scope.
func (c *codeContext) of(scope int32) []sibling {
	list, ok := c.siblings[scope]
	if !ok {
		for _, n := range c.p.scopes[scope].node.Children {
			if !n.Sign.IsEmpty() {
				list = append(list, sibling{node: n})
			}
		}
		c.siblings[scope] = list
	}
	return list
}

// sign fills in the signature, on one line.
func (c *codeContext) sign(s *sibling) {
	if s.line == "" {
		start, end := c.p.view.span(s.node.Sign)
		s.line = strings.Join(strings.Fields(c.p.view.text[start:end]), " ")
		s.size = c.p.opt.Sizer.Count(s.line + "\n")
	}
}
