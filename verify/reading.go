package verify

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
)

// A reading is a document as a reader sees it, blanks left out: what chunks of
// whatever making can be compared with. Its offsets are called places.
//
// Where a document shows as it stands, what no reader sees (front matter,
// comments) is in the reading too, marked as hidden, since other chunkers take
// it for text. Of a page of HTML only the text is.
type reading struct {
	text   string
	source []int32 // where each byte of text comes from
	hidden []span  // ascending, in places
	exact  bool    // the document shows as it stands
}

// A span is a half-open range of places.
type span struct{ start, end int }

func (s span) len() int { return s.end - s.start }

func read(d *ast.Document) *reading {
	r := &reading{exact: true}
	for n := range d.Root.All() {
		if n.Text != "" {
			r.exact = false
			break
		}
	}
	var b strings.Builder
	b.Grow(len(d.Source))
	r.source = make([]int32, 0, len(d.Source))
	r.add(&b, d.Source, d.Root)
	r.text = b.String()
	return r
}

// add appends what is seen of n. It recurses at most ast.MaxDepth deep.
func (r *reading) add(b *strings.Builder, src []byte, n *ast.Node) {
	switch {
	case n.Kind == ast.Markup || n.Kind == ast.Meta:
		if !r.exact {
			return
		}
		at := b.Len()
		r.write(b, string(src[n.Span.Start:n.Span.End]), func(i int) int { return n.Span.Start + i })
		if k := len(r.hidden); k > 0 && r.hidden[k-1].end == at {
			r.hidden[k-1].end = b.Len()
		} else if b.Len() > at {
			r.hidden = append(r.hidden, span{at, b.Len()})
		}
	case n.Text != "" && !n.IsSpelled():
		marks, next := n.Marks, 0
		from := ast.Mark{Source: n.Span.Start}
		r.write(b, n.Text, func(i int) int {
			for next < len(marks) && marks[next].Text <= i {
				from = marks[next]
				next++
			}
			limit := n.Span.End - 1
			if next < len(marks) {
				limit = min(limit, marks[next].Source)
			}
			return min(limit, from.Source+i-from.Text)
		})
	case n.IsLeaf():
		r.write(b, string(src[n.Span.Start:n.Span.End]), func(i int) int { return n.Span.Start + i })
	default:
		for _, c := range n.Children {
			r.add(b, src, c)
		}
	}
}

// write appends s without its blanks. Broken bytes become U+FFFD, as they do
// in JSON. Where a byte comes from is said by from, asked in ascending order.
func (r *reading) write(b *strings.Builder, s string, from func(int) int) {
	for i, c := range s {
		if blank(c) {
			continue
		}
		at := int32(from(i))
		if k := len(r.source); k > 0 {
			at = max(at, r.source[k-1]) // of a text that a parser wrote anew
		}
		n, _ := b.WriteRune(c)
		step := int32(1)
		if c == utf8.RuneError && s[i] != 0xef {
			step = 0 // one broken byte
		}
		for j := range n {
			r.source = append(r.source, at+int32(j)*step)
		}
	}
}

// blank reports whether a rune does not count when texts are compared.
func blank(c rune) bool { return unicode.IsSpace(c) || c == '\ufeff' || c == '\u200b' }

// squeeze leaves out blanks.
func squeeze(s string) string {
	return strings.Map(func(c rune) rune {
		if blank(c) {
			return -1
		}
		return c
	}, s)
}

// at returns the place of the first text at or behind a source offset.
func (r *reading) at(offset int) int {
	return sort.Search(len(r.source), func(i int) bool { return int(r.source[i]) >= offset })
}

// of returns the places of a range of the source.
func (r *reading) of(s ast.Span) span { return span{r.at(s.Start), r.at(s.End)} }

// seen returns s without what is hidden at its ends.
func (r *reading) seen(s span) span {
	for _, h := range r.hiddenIn(s) {
		if h.start <= s.start {
			s.start = min(h.end, s.end)
		}
	}
	hidden := r.hiddenIn(s)
	for i := len(hidden) - 1; i >= 0 && hidden[i].end >= s.end; i-- {
		s.end = max(s.start, hidden[i].start)
	}
	return s
}

// hiddenIn returns what is hidden of s, whole.
func (r *reading) hiddenIn(s span) []span {
	first := sort.Search(len(r.hidden), func(i int) bool { return r.hidden[i].end > s.start })
	last := first + sort.Search(len(r.hidden)-first, func(i int) bool { return r.hidden[first+i].start >= s.end })
	return r.hidden[first:last]
}

// shown returns how many bytes of s are not hidden.
func (r *reading) shown(s span) int {
	n := s.len()
	for _, h := range r.hiddenIn(s) {
		n -= min(h.end, s.end) - max(h.start, s.start)
	}
	return n
}

// original returns the source range of s.
func (r *reading) original(s span, src []byte) ast.Span {
	if s.len() <= 0 {
		return ast.Span{}
	}
	end := int(r.source[s.end-1])
	return ast.Span{Start: int(r.source[s.start]), End: min(len(src), end+1)}
}
