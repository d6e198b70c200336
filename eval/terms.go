package eval

import (
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// A vocabulary numbers terms: words, the parts of words written in camelCase or
// snake_case besides, both stemmed as English; and of a run of Chinese or
// Japanese each two characters that stand together.
type vocabulary struct {
	ids   map[string]int32
	stems map[string]string
}

func newVocabulary() *vocabulary {
	return &vocabulary{map[string]int32{}, map[string]string{}}
}

// terms appends the terms of text.
func (v *vocabulary) terms(dst []string, text string) []string {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case isWord(c):
			j := i + 1
			for j < len(text) && isWord(text[j]) {
				j++
			}
			dst = v.word(dst, text[i:j])
			i = j
		case c < 0x80:
			i++
		default:
			n := 0
			if dst, n = bigrams(dst, text[i:]); n == 0 {
				_, n = utf8.DecodeRuneInString(text[i:])
			}
			i += n
		}
	}
	return dst
}

func (v *vocabulary) word(dst []string, w string) []string {
	dst = append(dst, v.stem(w))
	whole := len(dst)
	for i := 0; i < len(w); {
		j := i
		switch {
		case isUpper(w[i]):
			for j < len(w) && isUpper(w[j]) {
				j++
			}
			switch {
			case j == len(w) || !isLower(w[j]):
			case j-i > 1:
				j-- // the last capital begins the next part: HTTPServer
			default:
				for j < len(w) && isLower(w[j]) {
					j++
				}
			}
		case isLower(w[i]):
			for j < len(w) && isLower(w[j]) {
				j++
			}
		case isDigit(w[i]):
			for j < len(w) && isDigit(w[j]) {
				j++
			}
		default:
			i++
			continue
		}
		dst = append(dst, v.stem(w[i:j]))
		i = j
	}
	if len(dst) == whole+1 {
		dst = dst[:whole]
	}
	return dst
}

func (v *vocabulary) stem(w string) string {
	s, ok := v.stems[w]
	if !ok {
		s = english.Stem(w, true)
		v.stems[w] = s
	}
	return s
}

// id returns the number of a term, -1 for one that is not known and not to be
// added.
func (v *vocabulary) id(term string, add bool) int32 {
	id, ok := v.ids[term]
	switch {
	case ok:
		return id
	case !add:
		return -1
	}
	id = int32(len(v.ids))
	v.ids[term] = id
	return id
}

// bigrams appends the bigrams of the run of Chinese or Japanese that text begins
// with, or its one character, and returns the bytes of the run.
func bigrams(dst []string, text string) ([]string, int) {
	last, n := -1, 0
	for {
		r, size := utf8.DecodeRuneInString(text[n:])
		if !isCJK(r) {
			break
		}
		if last >= 0 {
			dst = append(dst, text[last:n+size])
		}
		last, n = n, n+size
	}
	if last == 0 {
		dst = append(dst, text[:n])
	}
	return dst, n
}

func isCJK(r rune) bool {
	return 0x3040 <= r && r <= 0x30ff || 0x3400 <= r && r <= 0x4dbf || 0x4e00 <= r && r <= 0x9fff || 0xf900 <= r && r <= 0xfaff
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isWord(c byte) bool  { return isUpper(c) || isLower(c) || isDigit(c) || c == '_' }
