package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// identity leaves the text in one piece.
func identity(_ *pipelineWorker, text aligned, yield func(aligned) bool) bool {
	return len(text.text) == 0 || yield(text)
}

// then splits the pieces of first by second.
func (first pretokenizer) then(second pretokenizer) pretokenizer {
	return func(w *pipelineWorker, text aligned, yield func(aligned) bool) bool {
		return first(w, text, func(piece aligned) bool { return second(w, piece, yield) })
	}
}

// splitBy splits where the encoding's regular expression would.
func splitBy(split splitter) pretokenizer {
	return func(_ *pipelineWorker, text aligned, yield func(aligned) bool) bool {
		s := text.view()
		var ends [32]int
		for i := 0; i < len(s); {
			for _, end := range ends[:split(s, i, ends[:])] {
				if !yield(text.slice(i, end)) {
					return false
				}
				i = end
			}
		}
		return true
	}
}

// A behaviour says what becomes of what separates pieces.
type behaviour string

const (
	removed            behaviour = "Removed"
	isolated           behaviour = "Isolated"
	contiguous         behaviour = "Contiguous" // as isolated, but separators in a row are one piece
	mergedWithPrevious behaviour = "MergedWithPrevious"
	mergedWithNext     behaviour = "MergedWithNext"
)

// separate splits at separators. size returns the length in bytes of the one that
// s starts with, 0 if there is none.
func separate(size func(s string) int, b behaviour) pretokenizer {
	return func(_ *pipelineWorker, text aligned, yield func(aligned) bool) bool {
		s := text.view()
		start := 0         // of the piece that is under way
		separator := false // whether it is separators
		emit := func(end int) bool {
			piece := text.slice(start, end)
			start = end
			return len(piece.text) == 0 || separator && b == removed || yield(piece)
		}
		for i := 0; i < len(s); {
			n := size(s[i:])
			if n == 0 {
				if separator && b != mergedWithNext && !emit(i) {
					return false
				}
				separator = false
				_, n = utf8.DecodeRuneInString(s[i:])
				i += n
				continue
			}
			switch {
			case b == mergedWithPrevious:
				if i += n; !emit(i) {
					return false
				}
				continue
			case separator && (b == contiguous || b == removed):
			default:
				if !emit(i) {
					return false
				}
			}
			separator = b != mergedWithNext
			i += n
		}
		return emit(len(s))
	}
}

// runeSeparator makes a separator of each rune that is says.
func runeSeparator(is func(rune) bool) func(string) int {
	return func(s string) int {
		r, n := utf8.DecodeRuneInString(s)
		if is(r) {
			return n
		}
		return 0
	}
}

func isNumber(r rune) bool { return classes()[r]&number != 0 }

func stringSeparator(sep string) func(string) int {
	return func(s string) int {
		if strings.HasPrefix(s, sep) {
			return len(sep)
		}
		return 0
	}
}

// bertWords splits at white space, which goes, and sets each punctuation mark apart.
func bertWords(_ *pipelineWorker, text aligned, yield func(aligned) bool) bool {
	s := text.view()
	start := 0
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		} else if isASCIIAlnum(r) {
			i++
			continue
		}
		space := asciiSpace(r) || r >= utf8.RuneSelf && unicode.IsSpace(r)
		if !space && !isPunctuation(r) {
			i += n
			continue
		}
		if start < i && !yield(text.slice(start, i)) {
			return false
		}
		if i += n; !space && !yield(text.slice(i-n, i)) {
			return false
		}
		start = i
	}
	return start == len(s) || yield(text.slice(start, len(s)))
}

// wordsAndSymbols splits as \w+|[^\w\s]+ does.
func wordsAndSymbols(_ *pipelineWorker, text aligned, yield func(aligned) bool) bool {
	const (
		blank = iota
		word
		symbol
	)
	s := text.view()
	start, at := 0, blank
	for i, r := range s {
		kind := symbol
		switch {
		case isWord(r):
			kind = word
		case unicode.IsSpace(r):
			kind = blank
		}
		if kind == at {
			continue
		}
		if at != blank && !yield(text.slice(start, i)) {
			return false
		}
		start, at = i, kind
	}
	return at == blank || yield(text.slice(start, len(s)))
}

// before returns where a space that is put before text comes from: the byte before
// it, where it mostly stands for one that was dropped. So the space is not taken
// to start where the first token of the text does.
func before(text aligned) uint32 {
	if from := text.from[0]; from > 0 {
		return from - 1
	}
	return 0
}

// spacePrefix puts a space before text that does not start with one.
func spacePrefix(w *pipelineWorker, text aligned, yield func(aligned) bool) bool {
	if len(text.text) == 0 || text.text[0] == ' ' {
		return identity(w, text, yield)
	}
	w.rewrite.reset(len(text.text) + 1)
	w.rewrite.addByte(' ', before(text))
	w.rewrite.take(text)
	return yield(w.rewrite)
}

// metaspace writes mark for spaces, before the text too if that is asked for, and
// lets each piece start with one.
func metaspace(mark string, scheme string, split bool) pretokenizer {
	cut := identity
	if split {
		cut = separate(stringSeparator(mark), mergedWithNext)
	}
	return func(w *pipelineWorker, text aligned, yield func(aligned) bool) bool {
		if len(text.text) == 0 {
			return true
		}
		out := &w.rewrite
		out.reset(len(text.text))
		s := text.view()
		if s[0] != ' ' && !strings.HasPrefix(s, mark) && (scheme == "always" || scheme == "first" && text.from[0] == 0) {
			out.add(mark, before(text))
		}
		for i := range len(s) {
			if s[i] == ' ' {
				out.add(mark, text.from[i])
			} else {
				out.addByte(s[i], text.from[i])
			}
		}
		return cut(w, *out, yield)
	}
}

// beforeSpaces splits before each run of space marks, but not after a byte that
// joins says.
func beforeSpaces(joins *[256]bool) pretokenizer {
	return func(_ *pipelineWorker, text aligned, yield func(aligned) bool) bool {
		s := text.view()
		start := 0
		for i := 0; ; {
			for strings.HasPrefix(s[i:], spaceMark) {
				i += len(spaceMark)
			}
			n := strings.Index(s[i:], spaceMark)
			if n < 0 {
				return start == len(s) || yield(text.slice(start, len(s)))
			}
			if i += n; i == 0 || joins[s[i-1]] {
				continue
			}
			if !yield(text.slice(start, i)) {
				return false
			}
			start = i
		}
	}
}
