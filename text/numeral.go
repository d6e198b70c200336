package text

import (
	"strings"
	"unicode/utf8"
)

// maxNumber bounds the numbers of clauses. A year is no clause.
const maxNumber = 1899

// digits reads the Arabic number that s begins with, of full-width digits too,
// and returns its value and its length in bytes, 0 for none. A number above
// [maxNumber] is none.
func digits(s string) (value, size int) {
	for size < len(s) {
		r, n := utf8.DecodeRuneInString(s[size:])
		switch {
		case '0' <= r && r <= '9':
			value = value*10 + int(r-'0')
		case '０' <= r && r <= '９':
			value = value*10 + int(r-'０')
		default:
			return value, size
		}
		if size += n; value > maxNumber {
			return 0, 0
		}
	}
	return value, size
}

const hanDigits = "〇一二三四五六七八九"

// hanNumber reads the Chinese number that s begins with: 十二, 一百〇三.
func hanNumber(s string) (value, size int) {
	digit := 0 // not yet multiplied by a unit
	for size < len(s) {
		r, n := utf8.DecodeRuneInString(s[size:])
		if r == '零' {
			r = '〇'
		}
		unit := 0
		switch r {
		case '十':
			unit = 10
		case '百':
			unit = 100
		case '千':
			unit = 1000
		default:
			i := strings.IndexRune(hanDigits, r)
			if i < 0 {
				return within(value+digit, size)
			}
			digit = digit*10 + i/len("一")
		}
		if unit > 0 {
			value += max(digit, 1) * unit
			digit = 0
		}
		if size += n; value+digit > maxNumber {
			return 0, 0
		}
	}
	return within(value+digit, size)
}

func within(value, size int) (int, int) {
	if value == 0 {
		return 0, 0
	}
	return value, size
}

var romans = [...]struct {
	value int
	text  string
}{{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}}

// roman returns the value of a Roman number in lower case, 0 for what is none
// or is not written as it should be.
func roman(s string) int {
	value, rest := 0, s
	for _, r := range romans {
		for strings.HasPrefix(rest, r.text) && value < maxNumber {
			value += r.value
			rest = rest[len(r.text):]
		}
	}
	if rest != "" || romanText(value) != s {
		return 0
	}
	return value
}

func romanText(value int) string {
	var b strings.Builder
	for _, r := range romans {
		for ; value >= r.value; value -= r.value {
			b.WriteString(r.text)
		}
	}
	return b.String()
}

// letters returns the value of a, b, ... z, aa, bb, ... in one case.
func letters(s string) int {
	c := s[0] | 0x20
	if len(s) > 2 || c < 'a' || c > 'z' || s[len(s)-1] != s[0] {
		return 0
	}
	return int(c-'a') + 1 + 26*(len(s)-1)
}

// word returns the value of a number that is written out.
func word(s string) int {
	for i, w := range [...]string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
		"eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"} {
		if s == w {
			return i + 1
		}
	}
	return 0
}
