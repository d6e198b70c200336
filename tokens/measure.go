package tokens

import (
	"unicode"
	"unicode/utf8"
)

// chars counts runes; a byte that is not part of valid UTF-8 counts as one.
type chars struct{}

func (chars) Name() string { return "chars" }

func (chars) Count(text string) int { return utf8.RuneCountInString(text) }

func (chars) CountUntil(text string, limit int) int {
	n := 0
	for range text {
		if n++; n > limit {
			return max(limit, 0) + 1
		}
	}
	return n
}

func (chars) Mark(text string, bits []uint64) {
	for i := 0; i < len(text); {
		if i+8 <= len(text) && word64(text, i)&highBits == 0 {
			bits[i/64] |= 0xFF << (i % 64)
			if over := i%64 - 56; over > 0 {
				bits[i/64+1] |= 0xFF >> (8 - over)
			}
			i += 8
			continue
		}
		bits[i/64] |= 1 << (i % 64)
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		i += n
	}
}

// MarkPieces is part of Piecer: each rune is a piece.
func (c chars) MarkPieces(text string, bits, pieces []uint64) bool {
	c.Mark(text, bits)
	copy(pieces, bits)
	return true
}

// words counts words as word processors do: what stands between white space, and
// in Chinese, Japanese and Korean each character by itself. Punctuation that
// follows without a space belongs to the word before it.
type words struct{}

func (words) Name() string { return "words" }

func (words) Count(text string) int {
	n := 0
	eachWord(text, func(int) bool { n++; return true })
	return n
}

func (words) CountUntil(text string, limit int) int {
	n := 0
	eachWord(text, func(int) bool { n++; return n <= limit })
	return min(n, max(limit, 0)+1)
}

func (words) Mark(text string, bits []uint64) {
	eachWord(text, func(i int) bool {
		bits[i/64] |= 1 << (i % 64)
		return true
	})
}

// eachWord calls f with the offset of each word's first byte, until f returns
// false.
func eachWord(text string, f func(int) bool) {
	const (
		space      = iota // or the start
		spaced            // in a word that white space ends
		ideographs        // right after a character that is a word
	)
	at := space
	for i, r := range text {
		was := at
		switch {
		case r < utf8.RuneSelf && asciiSpace(r) || r >= utf8.RuneSelf && unicode.IsSpace(r):
			at = space
			continue
		case r >= utf8.RuneSelf && isIdeograph(r):
			at = ideographs
		case was == space || was == ideographs && (unicode.IsLetter(r) || unicode.IsNumber(r)):
			at = spaced
		default:
			continue
		}
		if !f(i) {
			return
		}
	}
}

func asciiSpace(r rune) bool { return r == ' ' || r >= '\t' && r <= '\r' }

// isIdeograph reports whether r is a word of its own. The prolonged sound mark
// and the iteration marks have no script of their own but count as kana and han.
func isIdeograph(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) ||
		r == 'ー' || r == 'ｰ'
}
