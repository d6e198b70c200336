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
	type classed struct {
		rune  rune
		class uint8 // canonical combining class, 0 for a starter
	}
	var runes []classed
	for _, r := range segment {
		for _, d := range decompose.String(string(r)) {
			runes = append(runes, classed{d, norm.NFD.PropertiesString(string(d)).CCC()})
		}
	}
	for i := 0; i < len(runes); {
		j := i
		for j < len(runes) && runes[j].class != 0 {
			j++
		}
		slices.SortStableFunc(runes[i:j], func(a, b classed) int { return int(a.class) - int(b.class) })
		i = j + 1
	}
	if f == norm.NFC || f == norm.NFKC {
		kept := runes[:0]
		starter := -1 // index in kept of the last starter
		for _, r := range runes {
			if starter >= 0 && (len(kept)-1 == starter || kept[len(kept)-1].class < r.class) {
				pair := norm.NFC.String(string([]rune{kept[starter].rune, r.rune}))
				if c, n := utf8.DecodeRuneInString(pair); n == len(pair) {
					kept[starter].rune = c
					continue
				}
			}
			if r.class == 0 {
				starter = len(kept)
			}
			kept = append(kept, r)
		}
		runes = kept
	}
	var text []byte
	for _, r := range runes {
		text = utf8.AppendRune(text, r.rune)
	}
	return text
}
