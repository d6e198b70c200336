package tokens

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/rangetable"
)

// unicode9 is what the normalisers of Hugging Face know: to them later runes are
// unassigned, and stay as and where they are.
var unicode9 = rangetable.Assigned("9.0.0")

// longSegment is the number of runes in a segment up to which package norm is
// sure not to break it: it puts a joiner into more than thirty marks in a row, of
// which a rune can stand for a few.
const longSegment = 8

// unicodeForm normalises to one of Unicode's forms.
func unicodeForm(f norm.Form) normaliser {
	return func(in aligned, out *aligned) {
		var buf [128]byte
		for i := 0; i < len(in.text); {
			n := f.QuickSpan(in.text[i:])
			out.take(in.slice(i, i+n))
			if i += n; i == len(in.text) {
				return
			}
			n, runes, known := segment(f, in.text[i:])
			switch {
			case !known:
				out.take(in.slice(i, i+n))
			case runes <= longSegment:
				out.addBytes(f.Append(buf[:0], in.text[i:i+n]...), in.from[i])
			default:
				out.addBytes(normaliseLong(f, string(in.text[i:i+n])), in.from[i])
			}
			i += n
		}
	}
}

// segment returns the length in bytes and runes of what has to be normalised
// together at the start of text, and whether it is known.
func segment(f norm.Form, text []byte) (size, runes int, known bool) {
	r, size := utf8.DecodeRune(text)
	if !unicode.Is(unicode9, r) {
		return size, 1, false
	}
	runes = 1
	for size < len(text) && !f.Properties(text[size:]).BoundaryBefore() {
		r, n := utf8.DecodeRune(text[size:])
		if !unicode.Is(unicode9, r) {
			break
		}
		size += n
		runes++
	}
	return size, runes, true
}

// normaliseLong normalises a segment of any length, by the book: decompose, order
// the marks by their class, compose.
func normaliseLong(f norm.Form, segment string) []byte {
	decompose := norm.NFD
	if f == norm.NFKC || f == norm.NFKD {
		decompose = norm.NFKD
	}
	var runes []rune
	for _, r := range segment {
		runes = append(runes, []rune(decompose.String(string(r)))...)
	}
	classOf := func(r rune) uint8 { return norm.NFD.PropertiesString(string(r)).CCC() }
	for i := 0; i < len(runes); {
		j := i
		for j < len(runes) && classOf(runes[j]) != 0 {
			j++
		}
		slices.SortStableFunc(runes[i:j], func(a, b rune) int { return int(classOf(a)) - int(classOf(b)) })
		i = j + 1
	}
	if f == norm.NFD || f == norm.NFKD {
		return []byte(string(runes))
	}
	kept := runes[:0]
	starter, last := -1, uint8(0) // index in kept of the last starter, class of the rune kept last after it
	for _, r := range runes {
		class := classOf(r)
		if starter >= 0 && (len(kept)-1 == starter || last < class) {
			if c := []rune(norm.NFC.String(string([]rune{kept[starter], r}))); len(c) == 1 {
				kept[starter] = c[0]
				continue
			}
		}
		kept = append(kept, r)
		if last = class; class == 0 {
			starter = len(kept) - 1
		}
	}
	return []byte(string(kept))
}
