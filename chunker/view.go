package chunker

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/cantle/cantle/ast"
)

// A view is the text of a document as a reader sees it, and the way from its
// offsets to the offsets of the source and back. All planning is done in the
// offsets of a view.
//
// Where the bytes that show are one run of the source, text shares them. Where
// they are the whole source, marks is nil.
type view struct {
	text  string
	marks []ast.Mark // ascending in both; between two of them bytes run one to one
	exact bool       // text between two marks is the source's, byte for byte
}

func newView(d *ast.Document) *view {
	hides, writes := false, false
	if d.Root != nil {
		for n := range d.Root.All() {
			hides = hides || n.Kind == ast.Markup || n.Kind == ast.Meta
			writes = writes || n.Text != ""
		}
	}
	v := &view{exact: !writes}
	switch {
	case writes:
		var b strings.Builder
		b.Grow(len(d.Source))
		v.add(&b, d.Source, d.Root)
		v.text = b.String()
		v.marks = append(v.marks, ast.Mark{Text: b.Len(), Source: len(d.Source)})
	case hides:
		size := v.addShown(0, d.Root)
		v.marks = append(v.marks, ast.Mark{Text: size, Source: len(d.Source)})
		v.text = v.shown(d.Source)
	default:
		v.text = shared(d.Source)
	}
	return v
}

// shared returns src as a string of the same bytes: a source is never modified.
func shared(src []byte) string { return unsafe.String(unsafe.SliceData(src), len(src)) }

// shown returns the parts of src between the marks.
func (v *view) shown(src []byte) string {
	var parts []string
	for i := range len(v.marks) - 1 {
		if n := v.marks[i+1].Text - v.marks[i].Text; n > 0 {
			parts = append(parts, shared(src[v.marks[i].Source:][:n]))
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return strings.Join(parts, "")
}

// addShown marks what shows of n, whose text starts at offset at, and returns
// where it ends.
func (v *view) addShown(at int, n *ast.Node) int {
	switch {
	case n.Kind == ast.Markup || n.Kind == ast.Meta:
		v.mark(at, n.Span.Start)
	case n.IsLeaf():
		v.mark(at, n.Span.Start)
		at += n.Span.Len()
	default:
		for _, c := range n.Children {
			at = v.addShown(at, c)
		}
	}
	return at
}

// add appends the text of n. It recurses at most ast.MaxDepth deep.
func (v *view) add(b *strings.Builder, src []byte, n *ast.Node) {
	at := b.Len()
	switch {
	case n.Kind == ast.Markup || n.Kind == ast.Meta:
		v.mark(at, n.Span.Start)
	case n.Text != "" && !n.IsSpelled():
		v.mark(at, n.Span.Start)
		for _, m := range n.Marks {
			v.mark(at+m.Text, m.Source)
		}
		b.WriteString(n.Text)
	case n.IsLeaf():
		v.mark(at, n.Span.Start)
		b.Write(src[n.Span.Start:n.Span.End])
	default:
		for _, c := range n.Children {
			v.add(b, src, c)
		}
	}
}

func (v *view) mark(text, source int) {
	if k := len(v.marks); k > 0 {
		last := v.marks[k-1]
		if source-last.Source == text-last.Text {
			return // the bytes go on as they did
		}
	}
	v.marks = append(v.marks, ast.Mark{Text: text, Source: source})
}

// at returns the offset in the view of an offset in the source: of the first
// text at or behind it.
func (v *view) at(source int) int {
	if v.marks == nil {
		return source
	}
	i := sort.Search(len(v.marks), func(i int) bool { return v.marks[i].Source > source }) - 1
	if i < 0 {
		return 0
	}
	t := v.marks[i].Text + source - v.marks[i].Source
	if i+1 < len(v.marks) {
		t = min(t, v.marks[i+1].Text)
	}
	return t
}

// start returns the source offset of the text at t, and end the source offset
// behind the text before t. They differ where something hidden lies between.
func (v *view) start(t int) int {
	if v.marks == nil {
		return t
	}
	return v.source(t, sort.Search(len(v.marks), func(i int) bool { return v.marks[i].Text > t })-1)
}

func (v *view) end(t int) int {
	if v.marks == nil {
		return t
	}
	return v.source(t, sort.Search(len(v.marks), func(i int) bool { return v.marks[i].Text >= t })-1)
}

func (v *view) source(t, i int) int {
	if i < 0 {
		return v.marks[0].Source
	}
	s := v.marks[i].Source + t - v.marks[i].Text
	if i+1 < len(v.marks) {
		s = min(s, v.marks[i+1].Source)
	}
	return s
}

// span returns the range in the view of a range of the source.
func (v *view) span(s ast.Span) (start, end int) { return v.at(s.Start), v.at(s.End) }

// spans appends the source ranges behind the text from start to end: one, or
// several where hidden bytes lie between and the text is the source's own.
func (v *view) spans(dst []ast.Span, start, end int) []ast.Span {
	if v.exact && v.marks != nil {
		i := sort.Search(len(v.marks), func(i int) bool { return v.marks[i].Text > start })
		for ; i < len(v.marks) && v.marks[i].Text < end; i++ {
			if v.marks[i].Text == start {
				continue // two hidden parts in a row
			}
			dst = append(dst, ast.Span{Start: v.start(start), End: v.end(v.marks[i].Text)})
			start = v.marks[i].Text
		}
	}
	return append(dst, ast.Span{Start: v.start(start), End: v.end(end)})
}

// trim drops blank lines before, and blanks and line ends behind, the text
// from start to end. The indentation of the first line stays.
func (v *view) trim(start, end int) (int, int) {
	for end > start {
		n := blankBefore(v.text[start:end])
		if n == 0 {
			break
		}
		end -= n
	}
	for i := start; i < end; {
		n := blankAt(v.text[i:end])
		if n == 0 {
			break
		}
		if c := v.text[i]; c == '\n' || c == '\r' {
			start = i + n
		}
		i += n
	}
	return start, end
}

// blankAt returns the length in bytes of the blank s begins with, or 0.
func blankAt(s string) int {
	if c := s[0]; c < utf8.RuneSelf {
		return blankByte(c)
	}
	if r, n := utf8.DecodeRuneInString(s); unicode.IsSpace(r) {
		return n
	}
	return 0
}

// blankBefore returns the length in bytes of the blank s ends with, or 0.
func blankBefore(s string) int {
	if c := s[len(s)-1]; c < utf8.RuneSelf {
		return blankByte(c)
	}
	if r, n := utf8.DecodeLastRuneInString(s); unicode.IsSpace(r) {
		return n
	}
	return 0
}

func blankByte(c byte) int {
	if c == ' ' || '\t' <= c && c <= '\r' {
		return 1
	}
	return 0
}

// blank reports whether s holds nothing but blanks.
func blank(s string) bool { return strings.TrimSpace(s) == "" }
