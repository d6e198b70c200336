package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/rangetable"
)

// unicode8 is the version whose classes Hugging Face's normalisers and
// pre-tokenizers go by. The few runes that have changed their class since are
// named in the functions below.
var unicode8 = rangetable.Assigned("8.0.0")

func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7F && !isASCIIAlnum(r)
	}
	return unicode.Is(unicode.P, r) && unicode.Is(unicode8, r) || r == '\u166d' || r == '\U000111c9'
}

func isASCIIAlnum(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
}

// isMark is by Unicode 9, as the forms are.
func isMark(r rune) bool {
	return unicode.Is(unicode.M, r) && unicode.Is(unicode9, r) && r != '\U000111c9' || r == '\u1cf2' || r == '\u1cf3'
}

func isNonspacingMark(r rune) bool {
	switch r {
	case '\u1734':
		return true
	case '\u1885', '\u1886', '\ua9bd', '\U000111c9':
		return false
	}
	return unicode.Is(unicode.Mn, r) && unicode.Is(unicode8, r)
}

// isRemoved reports whether BERT's cleaning drops r.
func isRemoved(r rune) bool {
	if r < utf8.RuneSelf {
		return (r < ' ' || r == 0x7F) && r != '\t' && r != '\n' && r != '\r'
	}
	return r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Co) || unicode.Is(unicode.Cf, r) && unicode.Is(unicode8, r)
}

// isHanBlock reports whether BERT sets r apart as a Chinese character.
func isHanBlock(r rune) bool {
	switch {
	case r < 0x3400:
		return false
	case r <= 0x4DBF, 0x4E00 <= r && r <= 0x9FFF, 0xF900 <= r && r <= 0xFAFF,
		0x20000 <= r && r <= 0x2A6DF, 0x2A700 <= r && r <= 0x2B73F, 0x2B740 <= r && r <= 0x2B81F,
		0x2B920 <= r && r <= 0x2CEAF, 0x2F800 <= r && r <= 0x2FA1F:
		return true
	}
	return false
}

// bertClean drops control characters, makes all white space spaces if clean is
// true, and sets Chinese characters apart by spaces if han is true.
func bertClean(clean, han bool) normaliser {
	return func(in aligned, out *aligned) {
		for i, r := range in.view() {
			from := in.from[i]
			if clean && isRemoved(r) {
				continue
			}
			switch {
			case clean && (asciiSpace(r) || r >= utf8.RuneSelf && unicode.IsSpace(r)):
				out.addByte(' ', from)
			case han && isHanBlock(r):
				out.addByte(' ', from)
				out.addRune(r, from)
				out.addByte(' ', from)
			default:
				out.addRune(r, from)
			}
		}
	}
}

// lowercase makes each rune lower case by itself, as Unicode's full mapping has it.
func lowercase(in aligned, out *aligned) {
	for i, r := range in.view() {
		from := in.from[i]
		switch {
		case 'A' <= r && r <= 'Z':
			out.addByte(byte(r)|0x20, from)
		case r < utf8.RuneSelf:
			out.addByte(byte(r), from)
		case r == 'İ':
			out.add("i\u0307", from)
		default:
			out.addRune(unicode.ToLower(r), from)
		}
	}
}

// without drops the runes that drop says.
func without(drop func(rune) bool) normaliser {
	return func(in aligned, out *aligned) {
		kept := 0 // in is copied up to here
		for i, r := range in.view() {
			if r >= utf8.RuneSelf && drop(r) {
				out.take(in.slice(kept, i))
				kept = i + utf8.RuneLen(r)
			}
		}
		out.take(in.slice(kept, len(in.text)))
	}
}

// strip drops white space at the ends.
func strip(left, right bool) normaliser {
	return func(in aligned, out *aligned) {
		s := in.view()
		i, j := 0, len(s)
		if left {
			i = spaceAfter(s, 0)
		}
		if right {
			j = max(i, spaceBefore(s, j))
		}
		out.take(in.slice(i, j))
	}
}

// replace puts content in the place of old.
func replace(old, content string) normaliser {
	return func(in aligned, out *aligned) {
		s := in.view()
		for i := 0; ; {
			j := strings.Index(s[i:], old)
			if j < 0 {
				out.take(in.slice(i, len(s)))
				return
			}
			out.take(in.slice(i, i+j))
			i += j
			out.add(content, in.from[i])
			i += len(old)
		}
	}
}

// replaceSpaces puts content in the place of two and more spaces.
func replaceSpaces(content string) normaliser {
	return func(in aligned, out *aligned) {
		for i := 0; i < len(in.text); {
			j := i
			for j < len(in.text) && in.text[j] == ' ' {
				j++
			}
			if j-i >= 2 {
				out.add(content, in.from[i])
				i = j
				continue
			}
			j = max(j, i+1)
			out.take(in.slice(i, j))
			i = j
		}
	}
}

// prepend puts s before text that is not empty.
func prepend(s string) normaliser {
	return func(in aligned, out *aligned) {
		if len(in.text) > 0 {
			out.add(s, in.from[0])
			out.take(in)
		}
	}
}

// nmt drops control characters and makes odd spaces spaces, as SentencePiece does
// for translation models.
func nmt(in aligned, out *aligned) {
	for i, r := range in.view() {
		switch {
		case 0x01 <= r && r <= 0x08, r == 0x0B, 0x0E <= r && r <= 0x1F, r == 0x7F, r == 0x8F, r == 0x9F:
		case r == '\t', r == '\n', r == '\f', r == '\r', r == 0x1680, 0x200B <= r && r <= 0x200F,
			r == 0x2028, r == 0x2029, r == 0x2581, r == 0xFEFF, r == 0xFFFD:
			out.addByte(' ', in.from[i])
		default:
			out.addRune(r, in.from[i])
		}
	}
}
