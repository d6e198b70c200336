package tokens

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// A splitter cuts text into the pieces that byte pair encoding works on, as the
// encoding's regular expression would. It starts at offset i of text, which must
// be valid UTF-8, writes the end of one piece after the other to ends until that
// is full or text is at its end, and returns how many it wrote.
//
// It fills a buffer, rather than return one piece, so that the cost of the call
// is shared and the look-ups that follow can overlap.
type splitter func(text string, i int, ends []int) int

// word64 returns the eight bytes at s[i:], the first one lowest.
func word64(s string, i int) uint64 {
	return binary.LittleEndian.Uint64([]byte(s[i : i+8]))
}

const (
	everyByte = 0x0101010101010101
	highBits  = 0x80 * everyByte
)

// asciiLetters returns the end of the run of ASCII letters at i, eight bytes at a
// step: with its case bit set and its high bit cleared, a letter's byte is one
// that carries into the high bit when 0x80-'a' is added, and not when 0x80-'z'-1 is.
func asciiLetters(s string, i int) int {
	for i+8 <= len(s) {
		x := word64(s, i)
		y := (x | 0x20*everyByte) &^ highBits
		yes := (y + (0x80-'a')*everyByte) &^ (y + (0x80-'z'-1)*everyByte) &^ x & highBits
		if yes != highBits {
			return i + bits.TrailingZeros64(yes^highBits)/8
		}
		i += 8
	}
	for i < len(s) && (s[i]|0x20)-'a' <= 'z'-'a' {
		i++
	}
	return i
}

// letters returns the end of the run of letters at i.
func (t *classTable) letters(s string, i int) int {
	for {
		i = asciiLetters(s, i)
		if i == len(s) || s[i] < utf8.RuneSelf {
			return i
		}
		for i < len(s) && s[i] >= utf8.RuneSelf {
			c, n := t.wide(s, i)
			if c&letter == 0 {
				return i
			}
			i += n
		}
	}
}

// digits returns the end of a run of at most limit numbers at i.
func (t *classTable) digits(s string, i, limit int) int {
	for ; limit > 0; limit-- {
		c, n := t.at(s, i)
		if c&number == 0 {
			break
		}
		i += n
	}
	return i
}

// symbols returns the end of the run at i of what is no letter, number or space.
func (t *classTable) symbols(s string, i int) int {
	for i < len(s) {
		c, n := t.at(s, i)
		if c&(letter|number|space) != 0 {
			break
		}
		i += n
	}
	return i
}

// blanks returns the end of the piece at i, where white space starts that no word
// takes in: \s*[\r\n]+|\s+(?!\S)|\s+, or without the first of these if lines is
// false. That is: all up to the last newline, else all but the last character,
// which the next word takes, else all.
func (t *classTable) blanks(s string, i int, lines bool) int {
	end, last, lineEnd := i, i, i
	for {
		c, n := t.at(s, end)
		if c&space == 0 {
			break
		}
		last = end
		end += n
		if c&newline != 0 {
			lineEnd = end
		}
	}
	switch {
	case lines && lineEnd > i:
		return lineEnd
	case end == len(s) || last == i:
		return end
	default:
		return last
	}
}

// contraction returns the end of an English contraction at i, i if there is none:
// 's 't 'm 'd 're 've 'll, in either case if fold is true. Folding case lets the
// long s, U+017F, stand for s.
func contraction(s string, i int, fold bool) int {
	if i+1 >= len(s) || s[i] != '\'' {
		return i
	}
	var mask byte
	if fold {
		mask = 0x20
	}
	a := s[i+1] | mask
	switch a {
	case 's', 't', 'm', 'd':
		return i + 2
	}
	if i+2 >= len(s) {
		return i
	}
	b := s[i+2] | mask
	switch {
	case a == 'r' && b == 'e', a == 'v' && b == 'e', a == 'l' && b == 'l':
		return i + 3
	case fold && s[i+1:i+3] == "\u017f":
		return i + 3
	}
	return i
}
