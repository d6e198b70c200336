package ast

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Dump writes the tree in the form that goldens and `cantle tree` show: a line
// a node, two blanks a level, with the span, what is set of Scope, Level, Name, Lang,
// Head, Lead, Tail and Sign, and for a leaf its first words after a bar. Bytes that
// a reader would not see are written as escapes.
//
//	document 0:64
//	  section 0:64 L1 head 0:8 "Ports"
//	    heading 0:8 L1 | # Ports\n
//	    paragraph 8:64 | Which port serves what.
func Dump(w io.Writer, d *Document) error {
	var b strings.Builder
	for n, depth := range d.Root.All() {
		b.Reset()
		fmt.Fprintf(&b, "%*s%v %d:%d", 2*depth, "", n.Kind, n.Span.Start, n.Span.End)
		if n.Scope {
			b.WriteString(" scope")
		}
		if n.Level != 0 {
			fmt.Fprintf(&b, " L%d", n.Level)
		}
		if n.Lang != "" {
			fmt.Fprintf(&b, " %s", n.Lang)
		}
		for _, part := range [...]struct {
			name string
			span Span
		}{{"head", n.Head}, {"lead", n.Lead}, {"tail", n.Tail}, {"sign", n.Sign}} {
			if !part.span.IsEmpty() {
				fmt.Fprintf(&b, " %s %d:%d", part.name, part.span.Start, part.span.End)
			}
		}
		if n.Name != "" {
			fmt.Fprintf(&b, " %q", n.Name)
		}
		if len(n.Columns) > 0 {
			fmt.Fprintf(&b, " columns %q", n.Columns)
		}
		if n.Text != "" {
			fmt.Fprintf(&b, " = %s", Excerpt(n.Text, 60))
		} else if n.IsLeaf() {
			fmt.Fprintf(&b, " | %s", Excerpt(string(d.Source[n.Span.Start:min(n.Span.End, n.Span.Start+256)]), 60))
		}
		b.WriteByte('\n')
		if _, err := io.WriteString(w, b.String()); err != nil {
			return err
		}
	}
	for _, p := range d.Problems {
		if _, err := fmt.Fprintf(w, "problem %d: %s\n", p.Offset, p.Message); err != nil {
			return err
		}
	}
	return nil
}

// Excerpt returns the first runes of s, at most limit of them, on one line:
// line ends, tabs and other bytes that do not show are escaped.
func Excerpt(s string, limit int) string {
	var b strings.Builder
	for count := 0; s != "" && count < limit; count++ {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f || r == 0xfeff || r == 0xa0:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		s = s[size:]
	}
	return b.String()
}
