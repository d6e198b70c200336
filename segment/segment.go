// Package segment finds where prose may be cut: at sentences, clauses, words,
// grapheme clusters and lines, in English, Chinese, Japanese and mixtures of
// them, plain or with Markdown's inline marks left in.
//
// Every function appends the ends of the units of a text to dst and returns it.
// Ends are byte offsets into the text; they strictly increase, exclude 0 and
// include len(text), so there are none for the empty text:
//
//	segment.Sentences(nil, "It rains. Stay in.") // [10 18]
//
// A unit ends where the next begins: trailing blanks and line ends belong to the
// unit before them, as do closing quotes, brackets and emphasis marks. Units of
// every kind are runs of whole grapheme clusters where text is valid UTF-8, and of
// whole runes and single broken bytes where it is not.
//
// Any bytes are accepted, in time linear in them. What a text is (a paragraph, a
// heading, a fence) is for the caller to know; code and tables are better cut by
// their own structure.
package segment

import "github.com/clipperhouse/uax29/v2/graphemes"

// Lines appends the ends of text's lines to dst. A line ends after "\n", "\r\n"
// or a lone "\r".
func Lines(dst []int, text string) []int {
	for i := 0; i < len(text); {
		n := lineEnd(text, i)
		i += max(n, 1)
		if n > 0 && i < len(text) {
			dst = append(dst, i)
		}
	}
	return closeAll(dst, text)
}

// Graphemes appends the ends of text's extended grapheme clusters (UAX #29) to
// dst. A byte that is not valid UTF-8 counts as a character; what seems to be a rune
// that the end of text cuts off belongs, with the rest, to the cluster before it.
func Graphemes(dst []int, text string) []int {
	for g := graphemes.FromString(text); g.Next(); {
		dst = append(dst, g.End())
	}
	return dst
}

// closeAll appends the end of the last unit, which is that of text.
func closeAll(dst []int, text string) []int {
	if text == "" {
		return dst
	}
	return append(dst, len(text))
}
