package rank

import (
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// An Analyzer cuts texts into terms: words, the parts of words written in
// camelCase or snake_case besides, both stemmed as English; and of a run of
// Chinese or Japanese each two characters that stand together. The zero value
// is ready; it remembers stems, so one goroutine at a time may use it.
type Analyzer struct {
	stems map[string]string
}

// maxStems bounds what an Analyzer remembers; natural text has fewer words.
const maxStems = 1 << 18

// Terms appends the terms of text to dst, in their order.
func (a *Analyzer) Terms(dst []string, text string) []string {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case isWord(c):
			j := i + 1
			for j < len(text) && isWord(text[j]) {
				j++
			}
			dst = a.word(dst, text[i:j])
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

// word appends a word and, where it has more than one, its parts.
func (a *Analyzer) word(dst []string, w string) []string {
	dst = append(dst, a.stem(w))
	whole := len(dst)
	for i := 0; i < len(w); {
		n := part(w[i:])
		if n == 0 {
			i++
			continue
		}
		dst = append(dst, a.stem(w[i:i+n]))
		i += n
	}
	if len(dst) == whole+1 {
		dst = dst[:whole]
	}
	return dst
}

// part returns the bytes of the part that w begins with, 0 for an underscore.
// The last of several capitals begins the next part: HTTPServer.
func part(w string) int {
	switch {
	case isUpper(w[0]):
		n := run(w, isUpper)
		switch {
		case n == len(w) || !isLower(w[n]):
			return n
		case n > 1:
			return n - 1
		}
		return n + run(w[n:], isLower)
	case isLower(w[0]):
		return run(w, isLower)
	case isDigit(w[0]):
		return run(w, isDigit)
	}
	return 0
}

func run(w string, is func(byte) bool) int {
	n := 0
	for n < len(w) && is(w[n]) {
		n++
	}
	return n
}

func (a *Analyzer) stem(w string) string {
	s, ok := a.stems[w]
	if !ok {
		if a.stems == nil || len(a.stems) >= maxStems {
			a.stems = map[string]string{}
		}
		s = english.Stem(w, true)
		a.stems[w] = s
	}
	return s
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
