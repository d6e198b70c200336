package bert

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A wordPiece is BERT's tokenizer: words are what stands between white space,
// punctuation and Chinese characters, and each is cut into the longest pieces
// that the vocabulary has, from left to right.
//
// Text that looks like a special token is text. Ids are those of Hugging Face's
// tokenizers for every character of Unicode 8, of which their tables are; of the
// later ones some marks and punctuation are taken apart differently.
type wordPiece struct {
	vocab        map[string]int32 // pieces; those inside a word begin with prefix
	prefix       string           // "##"
	unknown      int32
	start, end   int32 // [CLS] and [SEP]
	maxWord      int   // runes; a longer word is unknown
	lowercase    bool
	stripAccents bool
	chinese      bool // Chinese characters are words
}

// encode returns the ids of text between those of start and end, at most limit
// in all: later pieces are left out. It reads no more of text than it needs.
func (w *wordPiece) encode(text string, limit int) []int32 {
	ids := append(make([]int32, 0, 32), w.start)
	for i := 0; i < len(text) && len(ids) < limit-1; {
		r, size := utf8.DecodeRuneInString(text[i:])
		end := i + size
		if !w.isAlone(r) {
			for end < len(text) {
				r, size := utf8.DecodeRuneInString(text[end:])
				if w.isAlone(r) {
					break
				}
				end += size
			}
		}
		ids = w.appendWords(ids, text[i:end], limit-1)
		i = end
	}
	return append(ids, w.end)
}

// isAlone reports whether r ends the run before it and is none of the next.
func (w *wordPiece) isAlone(r rune) bool {
	return isSpace(r) || w.chinese && isChinese(r)
}

// appendWords appends the pieces of a run without white space, while there are
// fewer than limit.
func (w *wordPiece) appendWords(ids []int32, run string, limit int) []int32 {
	run = w.normal(run)
	for run != "" && len(ids) < limit {
		n := strings.IndexFunc(run, isPunctuation)
		switch {
		case n < 0:
			n = len(run)
		case n == 0:
			_, n = utf8.DecodeRuneInString(run)
		}
		ids = w.appendPieces(ids, run[:n], limit)
		run = run[n:]
	}
	return ids
}

// normal drops white space, control characters and, if so set, case and accents.
func (w *wordPiece) normal(run string) string {
	if w.stripAccents && !isASCII(run) {
		run = norm.NFD.String(strings.Map(clean, run))
	}
	return strings.Map(func(r rune) rune {
		if r = clean(r); w.stripAccents && r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r) {
			return -1
		}
		if w.lowercase {
			r = unicode.ToLower(r)
		}
		return r
	}, run)
}

// clean returns -1 for what is no part of any word.
func clean(r rune) rune {
	if r == utf8.RuneError || isSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs) {
		return -1
	}
	return r
}

// appendPieces appends the pieces of one word, or unknown.
func (w *wordPiece) appendPieces(ids []int32, word string, limit int) []int32 {
	if utf8.RuneCountInString(word) > w.maxWord {
		return append(ids, w.unknown)
	}
	at := len(ids)
	prefix := ""
	for word != "" {
		n := len(word)
		for n > 0 {
			if id, ok := w.vocab[prefix+word[:n]]; ok {
				ids = append(ids, id)
				break
			}
			_, size := utf8.DecodeLastRuneInString(word[:n])
			n -= size
		}
		if n == 0 {
			return append(ids[:at], w.unknown)
		}
		word, prefix = word[n:], w.prefix
	}
	return ids[:min(len(ids), limit)]
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isSpace(r rune) bool {
	return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r > 0x85 && unicode.IsSpace(r)
}

// isPunctuation has all of ASCII that is neither letter, digit, space nor
// control, also what Unicode calls symbols.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7f && !('0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z')
	}
	return unicode.IsPunct(r)
}

// isChinese reports whether r is in one of the blocks of ideographs that BERT
// takes apart; later extensions are not among them.
func isChinese(r rune) bool {
	switch {
	case r < 0x3400:
		return false
	case r <= 0x4dbf, r >= 0x4e00 && r <= 0x9fff, r >= 0xf900 && r <= 0xfaff,
		r >= 0x20000 && r <= 0x2a6df, r >= 0x2a700 && r <= 0x2ceaf, r >= 0x2f800 && r <= 0x2fa1f:
		return true
	}
	return false
}
