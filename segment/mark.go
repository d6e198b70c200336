package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// A mark says how a character stands to the units beside it.
type mark uint8

const (
	letter   mark = iota // anything that is none of the others
	blank                // white space other than a line end
	newline              // \n or \r
	opening              // bracket or quote that belongs to what follows
	closing              // bracket or quote that belongs to what precedes
	quote                // " or ': either, by its neighbours
	emphasis             // * _ ~ `: either, by its neighbours
	pause                // comma, colon and kin: never first in a unit
	stop                 // full stop and kin: never first in a unit
	symbol               // other ASCII punctuation
)

var asciiMarks = [utf8.RuneSelf]mark{
	' ': blank, '\t': blank, '\v': blank, '\f': blank,
	'\n': newline, '\r': newline,
	'(': opening, '[': opening, '{': opening,
	')': closing, ']': closing, '}': closing,
	'"': quote, '\'': quote,
	'*': emphasis, '_': emphasis, '~': emphasis, '`': emphasis,
	',': pause, ';': pause, ':': pause,
	'.': stop, '!': stop, '?': stop,
	'#': symbol, '$': symbol, '%': symbol, '&': symbol, '+': symbol, '-': symbol,
	'/': symbol, '<': symbol, '=': symbol, '>': symbol, '@': symbol, '\\': symbol,
	'^': symbol, '|': symbol,
}

// markOf returns the mark of r.
func markOf(r rune) mark {
	if r < utf8.RuneSelf {
		return asciiMarks[r]
	}
	switch r {
	case '\u00a0', '\u3000', '\u202f', '\u205f':
		return blank
	case '“', '‘', '«', '‹', '„', '‚', '¿', '¡',
		'「', '『', '（', '【', '《', '〈', '〔', '［', '｛', '〖', '〘', '〝', '｢':
		return opening
	case '”', '’', '»', '›',
		'」', '』', '）', '】', '》', '〉', '〕', '］', '｝', '〗', '〙', '〞', '〟', '｣':
		return closing
	case '，', '、', '；', '：', '､', '،', '؛':
		return pause
	case '。', '！', '？', '｡', '．', '…', '।', '॥', '؟', '۔', '։', '።', '፧', '፨', '។', '៕', '။':
		return stop
	}
	if '\u2000' <= r && r <= '\u200a' {
		return blank
	}
	return letter
}

// firstBytes returns the set of the first bytes of chars.
func firstBytes(chars string) (set [256]bool) {
	for i := range chars {
		set[chars[i]] = true
	}
	return set
}

// markAt returns the mark of the character at i, and its length in bytes: 0 at
// the end of text, where the mark is newline.
func markAt(text string, i int) (mark, int) {
	if i >= len(text) {
		return newline, 0
	}
	if c := text[i]; c < utf8.RuneSelf {
		return asciiMarks[c], 1
	}
	r, n := utf8.DecodeRuneInString(text[i:])
	return markOf(r), n
}

// lineEnd returns the length in bytes of the line end at i, 0 if there is none.
func lineEnd(text string, i int) int {
	switch {
	case text[i] == '\n':
		return 1
	case text[i] != '\r':
		return 0
	case i+1 < len(text) && text[i+1] == '\n':
		return 2
	}
	return 1
}

// skipBlanks returns the offset of the first character at or after i that is not
// a blank.
func skipBlanks(text string, i int) int {
	for {
		m, n := markAt(text, i)
		if m != blank {
			return i
		}
		i += n
	}
}

// extends reports whether the character at i continues the grapheme cluster of
// the mark or line end before it. These never draw the next character to them, so
// the two decide, whatever came before.
func extends(text string, i int) bool {
	if i >= len(text) || text[i] < utf8.RuneSelf {
		return false
	}
	r, n := utf8.DecodeRuneInString(text[i:])
	if '一' <= r && r <= '鿿' || 'ァ' <= r && r <= 'ヺ' || r == utf8.RuneError {
		return false
	}
	_, before := utf8.DecodeLastRuneInString(text[:i])
	pair := graphemes.FromString(text[i-before : i+n])
	return len(pair.First()) > before
}

// isCJK reports whether r is of a script that is written without blanks between
// words: Han, kana and their punctuation. Hangul is not.
func isCJK(r rune) bool {
	return '\u2e80' <= r && r <= '\ua4cf' && !('\u3130' <= r && r <= '\u318f') || '\uf900' <= r && r <= '\ufaff' ||
		'\uff00' <= r && r <= '\uff9f' || 0x20000 <= r && r <= 0x3ffff
}

func isHan(r rune) bool {
	return '\u4e00' <= r && r <= '\u9fff' || r > utf8.RuneSelf && unicode.Is(unicode.Han, r)
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' || '０' <= r && r <= '９' }

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// isWord reports whether c is an ASCII letter or digit.
func isWord(c byte) bool { return isLower(c|0x20) || '0' <= c && c <= '9' }

// runeBefore returns the character that ends at i, 0 where there is none.
func runeBefore(text string, i int) rune {
	if i == 0 {
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return r
}

// runeAt returns the character at i, 0 at the end of text.
func runeAt(text string, i int) rune {
	if i >= len(text) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return r
}

// tag returns the offset after the closing HTML tag or line break that starts at
// i, or i. Tags longer than 32 bytes are not looked for.
func tag(text string, i int) int {
	if !strings.HasPrefix(text[i:], "</") && !strings.HasPrefix(text[i:], "<br") {
		return i
	}
	if n := strings.IndexByte(text[i:min(len(text), i+32)], '>'); n > 0 {
		return i + n + 1
	}
	return i
}
