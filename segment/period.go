package segment

import (
	"unicode"
	"unicode/utf8"
)

// A word is what a sentence that may begin here begins with, quotes, brackets and
// emphasis marks passed over.
type word struct {
	text                string // its leading ASCII letters
	dotted              bool   // a full stop follows them
	lower, upper, digit bool   // of the first character
}

func (w word) is(text string) bool { return w.text == text && !w.dotted }

// wordAt reads the word at i. A code span has no case, whatever is in it.
func wordAt(text string, i int) word {
	const mostMarks = 8
	for range mostMarks {
		m, n := markAt(text, i)
		if m != opening && m != quote && m != emphasis || n == 0 || text[i] == '`' {
			break
		}
		i += n
	}
	r := runeAt(text, i)
	w := word{lower: unicode.IsLower(r), upper: unicode.IsUpper(r), digit: isDigit(r)}
	const longest = 16
	j := i
	for j < len(text) && j-i < longest && isLower(text[j]|0x20) {
		j++
	}
	w.text = text[i:j]
	w.dotted = j < len(text) && text[j] == '.'
	return w
}

// period reports whether the single full stop of f ends a sentence before w.
func (s *sentences) period(f finish, w word) bool {
	const longest = 16
	from := f.from
	for from > s.start && f.from-from < longest && (isWord(s.text[from-1]) || s.text[from-1] == '.') {
		from--
	}
	before := s.text[from:f.from]
	edge := runeBefore(s.text, from)
	if from > s.start && (edge >= utf8.RuneSelf && unicode.IsLetter(edge) && !isCJK(edge)) {
		return !w.lower // a word with letters beyond ASCII: none is listed
	}
	if s.opensList(from, before) {
		return false
	}
	switch habitOf(before, edge) {
	case title:
		return false
	case label:
		return !w.lower && !w.digit && (w.upper && !isUpper(before[0]) || startsSentence(w.text) && !w.dotted)
	case final:
		return w.upper && !w.dotted && startsSentence(w.text)
	}
	if w.lower {
		return isPlain(before) && (edge == 0 || markOf(edge) == blank || markOf(edge) == newline)
	}
	return true
}

// habitOf returns the habit of word, which follows edge, initials and dotted
// letters included. The last letter of R&D is no initial.
func habitOf(word string, edge rune) habit {
	if h := abbreviation(word); h != ordinary {
		return h
	}
	switch n := len(word); {
	case n == 1 && isUpper(word[0]) && markOf(edge) != symbol:
		return final
	case n >= 3 && word[n-2] == '.' && isLower(word[n-1]|0x20): // U.S, a.m
		return final
	}
	return ordinary
}

// isPlain reports whether word is long enough, and enough of a word, to end a
// sentence even before a lower-case word such as a command's name: an
// abbreviation that is not listed is short.
func isPlain(word string) bool {
	const shortest = 5
	for i := range len(word) {
		if !isLower(word[i]) {
			return false
		}
	}
	return len(word) >= shortest
}

// opensList reports whether number, which starts at from, is that of a list item:
// first in its sentence or after a colon.
func (s *sentences) opensList(from int, number string) bool {
	if len(number) == 0 || ordinal(number, 0) != len(number) {
		return false
	}
	const mostMarks = 16
	for i := from; i > s.start; i-- {
		if from-i == mostMarks {
			return false
		}
		switch s.text[i-1] {
		case ' ', '\t', '>', '#', '*', '_', '(':
		default:
			return s.text[i-1] == ':' && i < from
		}
	}
	return true
}
