package verify

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
)

// verbatim checks that the text of a chunk is the document's own, the blanks
// within included. Those between a repeated head and own text do not count,
// nor do those at the ends; but in code the indentation of the first line does.
func (c *checker) verbatim(p *placed, own span) {
	if p.foreign != "" {
		return
	}
	if !c.reading.exact {
		c.report.Verbatim++
		return
	}
	rest := p.rec.Text
	for i, r := range p.runs {
		where := c.reading.original(r.span, c.doc.Source)
		want := valid(c.doc.Source[where.Start:where.End])
		text := strings.TrimLeftFunc(rest, blank)
		if r.label != "" {
			text = text[max(0, strings.Index(text, want)):]
		}
		if !strings.HasPrefix(text, want) {
			c.fault(Blanks, p.rec, where, firstDifference(text, want), "blanks are not the document's")
			return
		}
		if i == 0 && c.code(where.Start) {
			indent := indentation(c.doc.Source, where.Start)
			if !strings.HasSuffix(rest[:len(rest)-len(text)], indent) {
				c.fault(Blanks, p.rec, where, text, "the indentation of the first line is lost")
				return
			}
		}
		rest = text[len(want):]
	}
	c.report.Verbatim++
}

// valid returns b as JSON writes it: each broken byte is U+FFFD.
func valid(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string([]rune(string(b)))
}

// code reports whether a source offset is in code, where blanks say something.
func (c *checker) code(offset int) bool {
	n := c.leaf(offset)
	return n != nil && (n.Kind == ast.Code || n.Kind == ast.Block || n.Kind == ast.Decl)
}

// indentation returns the blanks between the start of a line and offset, or ""
// where something else stands between.
func indentation(src []byte, offset int) string {
	i := offset
	for i > 0 && (src[i-1] == ' ' || src[i-1] == '\t') {
		i--
	}
	if i > 0 && src[i-1] != '\n' && src[i-1] != '\r' {
		return ""
	}
	return string(src[i:offset])
}

// firstDifference returns the line of got in which it is not as want.
func firstDifference(got, want string) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	start := strings.LastIndexByte(got[:i], '\n') + 1
	return got[start:]
}

// hasWord reports whether s has a letter, a digit or a symbol of a script.
func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// A shared text of fewer bytes than this is no fault: a closing brace is found
// in many places.
const fewBytes = 12

// coverage finds what is lost and what is in several chunks.
func (c *checker) coverage() {
	c.held = make([]bool, len(c.reading.text))
	heads := c.heads()
	end := 0 // of the own text of the chunk before
	for i := range c.chunks {
		p := &c.chunks[i]
		for j, r := range p.runs {
			if r.role != chunker.RoleBody {
				continue
			}
			again := c.hold(r.span)
			switch {
			case again == 0:
			case within(heads, r.span):
				c.report.Repeated += int64(again)
			case j == 0 && r.start < end && r.start+again == end && r.end > end:
				c.report.Overlap += int64(again)
			default:
				c.report.Doubled += int64(again)
				if again >= fewBytes {
					c.at(Doubled, p.rec, r.span, "%d bytes of it are in another chunk", again)
				}
			}
		}
		if own, ok := p.own(); ok {
			end = own.end
		}
	}
	// What is repeated may be repeated from behind.
	for i := range c.chunks {
		p := &c.chunks[i]
		for _, r := range p.runs {
			if r.role == chunker.RoleBody {
				continue
			}
			again := c.hold(r.span)
			switch {
			case r.role == chunker.RoleOverlap:
				c.report.Overlap += int64(again)
			case len(p.rec.Parts) > 0 || again < fewBytes || within(heads, r.span):
				c.report.Repeated += int64(again)
			default:
				c.report.Doubled += int64(again)
				c.at(Doubled, p.rec, r.span, "%d bytes of it are in another chunk", again)
			}
		}
	}
	c.losses()
	c.report.Text = int64(c.reading.shown(span{0, len(c.held)}))
	c.report.Covered = c.report.Text
	for _, s := range c.lost {
		c.report.Covered -= int64(s.len())
	}
}

// hold marks s as held, and returns how much of it was already.
func (c *checker) hold(s span) (again int) {
	for at := s.start; at < s.end; at++ {
		if c.held[at] {
			again++
		}
		c.held[at] = true
	}
	return again
}

// losses finds what is in no chunk. Not lost is a heading that the chunk
// behind it carries in its path.
func (c *checker) losses() {
	hidden := c.reading.hidden
	for at := 0; at < len(c.held); {
		if len(hidden) > 0 && at >= hidden[0].start {
			at, hidden = max(at, hidden[0].end), hidden[1:]
			continue
		}
		if c.held[at] {
			at++
			continue
		}
		end := at + 1
		for end < len(c.held) && !c.held[end] && (len(hidden) == 0 || end < hidden[0].start) {
			end++
		}
		if !c.inPath(span{at, end}) {
			c.lost = append(c.lost, span{at, end})
		}
		at = end
	}
	// A loss goes on over what no reader sees.
	for i := 0; i < len(c.lost); {
		all := c.lost[i]
		for i++; i < len(c.lost) && c.reading.shown(span{all.end, c.lost[i].start}) == 0; i++ {
			all.end = c.lost[i].end
		}
		if hasWord(c.reading.text[all.start:all.end]) {
			c.at(Lost, nil, all, "%d bytes are in no chunk", c.reading.shown(all))
		}
	}
}

// inPath reports whether s is nothing but headings that are in the path or the
// context of the chunk that begins behind s.
func (c *checker) inPath(s span) bool {
	i := c.behind(s.end)
	if i < 0 {
		return false
	}
	carried := fold(c.chunks[i].rec.Context + " " + strings.Join(c.chunks[i].rec.Path, " "))
	for at := s.start; at < s.end; {
		n := c.leaf(int(c.reading.source[at]))
		if n == nil || n.Kind != ast.Heading {
			return false
		}
		if title := fold(c.reading.text[c.reading.of(n.Span).start:c.reading.of(n.Span).end]); !strings.Contains(carried, title) {
			return false
		}
		at = max(at+1, c.reading.of(n.Span).end)
	}
	return true
}

// behind returns the chunk whose own text is the first to begin at or behind a
// place, or -1.
func (c *checker) behind(at int) int {
	if c.starts == nil {
		for i := range c.chunks {
			if own, ok := c.chunks[i].own(); ok {
				c.starts = append(c.starts, extent{own, i})
			}
		}
		slices.SortStableFunc(c.starts, func(a, b extent) int { return a.start - b.start })
	}
	i := sort.Search(len(c.starts), func(i int) bool { return c.starts[i].start >= at })
	if i == len(c.starts) {
		return -1
	}
	return c.starts[i].chunk
}

// heads returns the heads and tails of the document, which may be repeated.
func (c *checker) heads() []span {
	var all []span
	for n := range c.doc.Root.All() {
		for _, s := range [...]ast.Span{n.Head, n.Tail} {
			if !s.IsEmpty() {
				all = append(all, c.reading.of(s))
			}
		}
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Or(a.start-b.start, b.end-a.end) })
	merged := all[:0]
	for _, s := range all {
		if k := len(merged); k > 0 && s.start <= merged[k-1].end {
			merged[k-1].end = max(merged[k-1].end, s.end)
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// within reports whether s lies within one of the spans, which ascend.
func within(spans []span, s span) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].end > s.start })
	return i < len(spans) && spans[i].start <= s.start && s.end <= spans[i].end
}

// fold leaves of a text its letters and digits, in lower case: what is left
// when marks, bars and blanks are written otherwise.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
