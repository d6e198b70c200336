package segment

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

type cutter func(dst []int, text string) []int

var cutters = []struct {
	name string
	cut  cutter
}{
	{"Sentences", Sentences},
	{"Clauses", Clauses},
	{"Words", Words},
	{"Graphemes", Graphemes},
	{"Lines", Lines},
}

// checkLaws fails the test if ends are not those of a cut of text. Clusters of
// text that is not valid UTF-8 are not Unicode's to define; its valid runes must
// still be whole.
func checkLaws(t testing.TB, name, text string, ends []int) {
	t.Helper()
	last := 0
	unit := 0 // end of the last rune or cluster looked at
	g := graphemes.FromString(text)
	valid := utf8.ValidString(text)
	for _, end := range ends {
		if end <= last || end > len(text) {
			t.Fatalf("%s(%q): end %d after %d", name, text, end, last)
		}
		for unit < end {
			if valid {
				g.Next()
				unit = g.End()
			} else {
				_, n := utf8.DecodeRuneInString(text[unit:])
				unit += n
			}
		}
		if unit != end {
			t.Fatalf("%s(%q): end %d is inside the cluster or rune that ends at %d", name, text, end, unit)
		}
		last = end
	}
	if last != len(text) {
		t.Fatalf("%s(%q): last end is %d, want %d", name, text, last, len(text))
	}
}

func FuzzLaws(f *testing.F) {
	for _, text := range []string{
		"", " ", ".", "a. B", "\r\n\r", "J. R. Hale.\n\n- 5分钟。\t", "他说：“好！”\u0301走", "a.\u200d B", "\xff.\xc3 \xe3\x80",
		"`a. B` [x](y. Z). \"So?\" she", "नमस्ते। हाँ॥", "👩\u200d👩. 🇩🇪🇫🇷!", "1. a\n   b\n2) c", "\u0600. A", "क्\u200dष. क्ष", "·",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range cutters {
			checkLaws(t, c.name, text, c.cut(nil, text))
			held := c.cut([]int{len(text)}, text)
			if held[0] != len(text) || len(held) != 1+len(c.cut(nil, text)) {
				t.Fatalf("%s(%q): dst not kept: %v", c.name, text, held)
			}
		}
		for i, r := range text {
			if m, n := markAt(text, i); n != max(1, utf8.RuneLen(r)) && r != utf8.RuneError {
				t.Fatalf("markAt(%q, %d) = %d, %d", text, i, m, n)
			}
		}
	})
}

// TestPathological guards against work that grows faster than the text.
func TestPathological(t *testing.T) {
	const size = 1 << 20
	for _, unit := range []string{
		".", "!", "\"", "'", " ", "\n", "\r", "\n ", "a", "é", "一", "。", "”", "…", "*", "`", "(", "](", "](a", ")", "[", "[^", "<", "</", "#", ">", "-", "- ", "1.", "1. ",
		". ", ".\n", ".\n ", ".\"", ".[^", ".</", ". \"", "`a``", "a.b.", "A. ", "，", ", ", ",\"", "5", "第", "5百", "\u0301", ".\u0301", "\u200d", "👩\u200d", "🇩", "\xff", "\xe3", "क्", "\u0600",
		"　", "\t", "一、", "“", "_", ":", "\u05d0\"", "a'", "a:\u0301",
	} {
		text := strings.Repeat(unit, size/len(unit))
		for _, c := range cutters {
			start := time.Now()
			ends := c.cut(nil, text)
			if took := time.Since(start); took > 3*time.Second {
				t.Errorf("%s(%q repeated to 1 MB) took %v", c.name, unit, took)
			}
			if ends[len(ends)-1] != len(text) {
				t.Errorf("%s(%q...): last end is %d", c.name, unit, ends[len(ends)-1])
			}
		}
	}
}
