package tokens

import (
	"math/bits"
	"slices"
	"strings"
	"testing"
)

func TestMeasures(t *testing.T) {
	for _, c := range []struct {
		text         string
		chars, words int
	}{
		{"", 0, 0},
		{" \n\t", 3, 0},
		{"one", 3, 1},
		{" one  two\nthree ", 16, 3},
		{"well-known, isn't it?", 21, 3},
		{"中文", 2, 2},
		{"中文，好。", 5, 3},
		{"用Go写 code", 9, 4},
		{"カーテン", 4, 4},
		{"한국어", 3, 3},
		{"naïve\u00a0café", 10, 2},
		{"第3章", 3, 3},
		{"😀 😀", 3, 2},
		{"a\xffb", 3, 1},
		{"\xff\xff", 2, 1},
	} {
		for _, m := range []struct {
			e    Encoding
			want int
		}{{chars{}, c.chars}, {words{}, c.words}} {
			if n := m.e.Count(c.text); n != m.want {
				t.Errorf("%s: Count(%q) = %d, want %d", m.e.Name(), c.text, n, m.want)
			}
			for limit := -1; limit <= m.want+1; limit++ {
				if n, want := m.e.CountUntil(c.text, limit), min(m.want, max(limit, 0)+1); n != want {
					t.Errorf("%s: CountUntil(%q, %d) = %d, want %d", m.e.Name(), c.text, limit, n, want)
				}
			}
			if n := marks(m.e, c.text); n != m.want {
				t.Errorf("%s: Mark(%q) sets %d bits, want %d", m.e.Name(), c.text, n, m.want)
			}
		}
	}
}

// TestCharsMark holds the marks against a loop over runes, where they begin at
// any offset within a word of bits.
func TestCharsMark(t *testing.T) {
	for _, middle := range []string{"", "é", "船", "😀", "\xff", "\xe8\x88", "abcdefgh", "a船b"} {
		for before := range 70 {
			text := strings.Repeat("x", before) + middle + strings.Repeat("y", 70-before) + middle
			got, pieces, want := make([]uint64, len(text)/64+1), make([]uint64, len(text)/64+1), make([]uint64, len(text)/64+1)
			for i := range text {
				want[i/64] |= 1 << (i % 64)
			}
			if !(chars{}).MarkPieces(text, got, pieces) || !slices.Equal(got, want) || !slices.Equal(pieces, want) {
				t.Errorf("%q: marks %x, pieces %x, want %x", text, got, pieces, want)
			}
		}
	}
}

// marks returns how many bits Mark sets.
func marks(e Encoding, text string) int {
	set := make([]uint64, (len(text)+63)/64)
	e.Mark(text, set)
	n := 0
	for _, w := range set {
		n += bits.OnesCount64(w)
	}
	return n
}
