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
// Where every byte of a document shows, the view is the source itself and
// marks is nil.
type view struct {
	text  string
	marks []ast.Mark // ascending in both; between two of them bytes run one to one
	exact bool       // text between two marks is the source's, byte for byte
}

func newView(d *ast.Document) *view {
	if d.Root == nil || plain(d.Root) {
		// The source is never modified, so the string may share its bytes.
		return &view{text: unsafe.String(unsafe.SliceData(d.Source), len(d.Source)), exact: true}
	}
	v := &view{exact: true}
	var b strings.Builder
	b.Grow(len(d.Source))
	v.add(&b, d.Source, d.Root)
	v.marks = append(v.marks, ast.Mark{Text: b.Len(), Source: len(d.Source)})
	v.text = b.String()
	return v
}

// plain reports whether every node shows as it stands in the source.
func plain(root *ast.Node) bool {
	for n := range root.All() {
		if n.Text != "" || n.Kind == ast.Markup || n.Kind == ast.Meta {
			return false
		}
	}
	return true
}

// add appends the text of n. It recurses at most ast.MaxDepth deep.
func (v *view) add(b *strings.Builder, src []byte, n *ast.Node) {
	at := b.Len()
	switch {
	case n.Kind == ast.Markup || n.Kind == ast.Meta:
		v.mark(at, n.Span.Start)
	case n.Text != "" && !n.IsSpelled():
		v.exact = false
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
