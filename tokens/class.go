package tokens

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// A class says which of the sets that split patterns speak of hold a rune.
type class uint8

const (
	letter  class = 1 << iota // \p{L}
	number                    // \p{N}
	space                     // \s, newlines included
	newline                   // \r and \n
	upper                     // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
	lower                     // [\p{Ll}\p{Lm}\p{Lo}\p{M}]
)

// classTable holds the class of every code point: a megabyte, of which a text
// touches the few pages of its scripts.
type classTable [unicode.MaxRune + 1]class

// classes builds the table at its first use.
var classes = sync.OnceValue(func() *classTable {
	t := new(classTable)
	t.add(letter|upper, unicode.Lu, unicode.Lt)
	t.add(letter|lower, unicode.Ll)
	t.add(letter|upper|lower, unicode.Lm, unicode.Lo)
	t.add(upper|lower, unicode.M)
	t.add(number, unicode.N)
	t.add(space, unicode.White_Space)
	for _, r := range newRunes {
		for i := r.lo; i <= r.hi; i++ {
			t[i] |= r.class
		}
	}
	t['\r'] |= newline
	t['\n'] |= newline
	return t
})

func (t *classTable) add(c class, tables ...*unicode.RangeTable) {
	for _, table := range tables {
		for _, r := range table.R16 {
			for i := rune(r.Lo); i <= rune(r.Hi); i += rune(r.Stride) {
				t[i] |= c
			}
		}
		for _, r := range table.R32 {
			for i := rune(r.Lo); i <= rune(r.Hi); i += rune(r.Stride) {
				t[i] |= c
			}
		}
	}
}

// at returns the class of the rune that starts at s[i], and its length in bytes;
// 0, 0 at the end of s.
func (t *classTable) at(s string, i int) (class, int) {
	if i >= len(s) {
		return 0, 0
	}
	if c := s[i]; c < utf8.RuneSelf {
		return t[c], 1
	}
	return t.wide(s, i)
}

// wide is at for a rune that is not ASCII. s must be valid UTF-8 from i on.
func (t *classTable) wide(s string, i int) (class, int) {
	switch c := s[i]; {
	case c < 0xE0:
		return t[rune(c&0x1F)<<6|rune(s[i+1]&0x3F)], 2
	case c < 0xF0:
		return t[rune(c&0x0F)<<12|rune(s[i+1]&0x3F)<<6|rune(s[i+2]&0x3F)], 3
	default:
		return t[rune(c&0x07)<<18|rune(s[i+1]&0x3F)<<12|rune(s[i+2]&0x3F)<<6|rune(s[i+3]&0x3F)], 4
	}
}
