package code

import (
	"bytes"

	"github.com/cantle/cantle/ast"
)

// sign returns the signature of a definition within span: without the comments
// above it and without what stands before it on lines of its own, such as
// decorators, up to its body or to a comment before that. Where there is no
// body to be found it is the first line, with those behind it on which a list
// of parameters goes on.
func (b *builder) sign(g *group, d definition, span ast.Span) ast.Span {
	s := ast.Span{Start: g.items[g.main].start, End: min(d.node.end(), span.End)}
	if above := d.node.start() - s.Start; above > 0 {
		s.Start = b.skipBlanks(s.Start+bytes.LastIndexByte(b.src[s.Start:s.Start+above], '\n')+1, s.End)
	}
	for s.Start < s.End && isAttribute(b.src[s.Start:s.End], d.body.ok()) {
		next := b.skipBlanks(b.balanced(s), s.End)
		if next == s.End {
			break
		}
		s.Start = next
	}
	if !d.body.ok() || d.body.start() <= s.Start {
		s.End = b.balanced(s)
	} else {
		s.End = min(s.End, d.body.start())
		for c := d.holder.first(); c.ok() && c.i < d.body.i; c = c.next(d.holder) {
			if c.role() == comment && c.start() > s.Start {
				s.End = min(s.End, c.start())
			}
		}
	}
	text := bytes.TrimRight(b.src[s.Start:s.End], " \t\r\n\f{<")
	s.End = s.Start + len(text)
	return s
}

func (b *builder) skipBlanks(at, end int) int {
	for at < end && isSpace(b.src[at]) {
		at++
	}
	return at
}

// isAttribute reports whether text begins as attributes and annotations do. A
// bracket says so only before what has a body: it is a header in TOML.
func isAttribute(text []byte, hasBody bool) bool {
	return text[0] == '@' || text[0] == '[' && hasBody || bytes.HasPrefix(text, []byte("#["))
}

// balanced returns the end of the first line of s at which all parentheses and
// square brackets are closed, or the end of s. Those in a string count too.
func (b *builder) balanced(s ast.Span) int {
	depth := 0
	for at := s.Start; at < s.End; at++ {
		switch b.src[at] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '\n':
			if depth <= 0 {
				return at
			}
		}
	}
	return s.End
}
