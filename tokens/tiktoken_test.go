package tokens

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	oracletk "github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// oracles holds tiktoken-go's encodings, the one that is right by definition.
var oracles sync.Map

func oracle(tb testing.TB, name string) *oracletk.Tiktoken {
	tb.Helper()
	switch name {
	case "gpt2":
		name = "r50k_base"
	case "o200k_harmony":
		name = "o200k_base"
	}
	if tk, ok := oracles.Load(name); ok {
		return tk.(*oracletk.Tiktoken)
	}
	oracletk.SetBpeLoader(loader.NewOfflineLoader())
	tk, err := oracletk.GetEncoding(name)
	if err != nil {
		tb.Fatal(err)
	}
	oracles.Store(name, tk)
	return tk
}

func coder(tb testing.TB, name string) Coder {
	tb.Helper()
	e, err := Get(name)
	if err != nil {
		tb.Fatal(err)
	}
	return e.(Coder)
}

// check compares every method with what the oracle says of text.
func check(t *testing.T, e Coder, tk *oracletk.Tiktoken, text string) {
	t.Helper()
	want := tk.EncodeOrdinary(text)
	got := e.Encode(text)
	if !slices.Equal(got, want) {
		t.Fatalf("%s: Encode(%s)\n got %v\nwant %v", e.Name(), excerpt(text), around(got, want), around(want, got))
	}
	checkAgrees(t, e, text, got)
}

// checkAgrees compares the methods of e with ids, what it encodes text to.
func checkAgrees(t *testing.T, e Coder, text string, ids []int) {
	t.Helper()
	if n := e.Count(text); n != len(ids) {
		t.Fatalf("%s: Count(%s) = %d, want %d", e.Name(), excerpt(text), n, len(ids))
	}
	for _, limit := range []int{-1, 0, 1, len(ids) / 2, len(ids) - 1, len(ids), len(ids) + 1} {
		want := min(len(ids), max(limit, 0)+1)
		if n := e.CountUntil(text, limit); n != want {
			t.Fatalf("%s: CountUntil(%s, %d) = %d, want %d", e.Name(), excerpt(text), limit, n, want)
		}
	}
	if utf8.ValidString(text) {
		if got := e.Decode(ids); got != text {
			t.Fatalf("%s: Decode(Encode(%s)) = %s", e.Name(), excerpt(text), excerpt(got))
		}
		marks := make([]uint64, (len(text)+63)/64)
		e.Mark(text, marks)
		want := make([]uint64, len(marks))
		at := 0
		for _, id := range ids {
			want[at/64] |= 1 << (at % 64)
			at += len(e.Decode([]int{id}))
		}
		if !slices.Equal(marks, want) {
			t.Fatalf("%s: Mark(%s)\n got %x\nwant %x", e.Name(), excerpt(text), marks, want)
		}
	}
}

// excerpt quotes the start of text.
func excerpt(text string) string {
	if len(text) > 200 {
		return fmt.Sprintf("%q... (%d bytes)", text[:200], len(text))
	}
	return fmt.Sprintf("%q", text)
}

// around returns the part of a that differs from b.
func around(a, b []int) []int {
	for len(a) > 1 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	return a[:min(len(a), 12)]
}

var tiktokenNames = []string{"cl100k_base", "o200k_base", "o200k_harmony", "p50k_base", "p50k_edit", "r50k_base", "gpt2"}

// distinctNames are those whose vocabulary or pattern no other shares.
var distinctNames = []string{"cl100k_base", "o200k_base", "p50k_base", "r50k_base"}

func TestTiktokenCases(t *testing.T) {
	cases := []string{
		"", "a", " ", "\n", "hello world", "Hello, World!", "it's IT'S we'll WE'LL I'd I'D they've they'RE 'tis '", "'s", " 's", "x's's", "'\u017f x'\u017fy", "'\u017f",
		"1", "12", "123", "1234567", " 1234", "a1b2", "½²³ ⅷ ١٢٣٤",
		"a  b", "a   b", "  a", "a  ", "a\n", "a\n\n", "a \n \n b", "a\r\nb\r\n\r\n c", "\t\tx", " \t x", "\n  ", "a\n  ", "  \n  \n", "\u00a0x", "a\u00a0\u00a0b", "\u3000\u3000中", "a\u0085b\u2028c",
		"!!", " !!", "a!!\n\n", "a!!//\n/", "//\r\n//", " /\n", "#!/bin/sh\n", "-- --", "....\r\n\r\nx",
		"HTTPServer", "parseHTML5", "iPhone", "ABCdef GHI", "ÀÉîõü ÑANDÚ", "ABあCD", "あABC", "e\u0301E\u0301A\u0300B", "\u0301abc", "\u0301ABC", "A\u0301BC", "\u0301\u0301A", " \u0301ABC", "-\u0301ABCd", "ǅabc ABǅ", "ʰAB", "ABʰ",
		"中文没有空格的一段话。", "日本語のテスト、カタカナ。", "한국어 텍스트", "ภาษาไทย", "हिन्दी", "العربية", "русский ЯЗЫК", "😀😀👩\u200d👩\u200d👧\u200d👦🇩🇪",
		"<|endoftext|>", "<|fim_prefix|>x<|im_start|>", "\x00\x01\x7f", "a\xffb", "\xff\xfe", "\xe4\xb8", "中\xe4\xb8中", "\xed\xa0\x80", "x\xc3", "\ufffd", "\xff\xff\xff a",
		strings.Repeat("a", 300), strings.Repeat(" ", 300), strings.Repeat("=", 300), strings.Repeat("\n", 300), strings.Repeat("ab", 200), strings.Repeat("中", 300), strings.Repeat("é", 100) + strings.Repeat("É", 100),
		"word " + strings.Repeat(" \t", 50) + "\n" + strings.Repeat(" ", 20) + "x", "0123456789abcdef0123456789ABCDEF",
	}
	for _, name := range tiktokenNames {
		e, tk := coder(t, name), oracle(t, name)
		for _, text := range cases {
			check(t, e, tk, text)
		}
	}
}

// Every code point, alone, after a letter, before one, and after a space.
func TestEveryCodePoint(t *testing.T) {
	if os.Getenv("CANTLE_LONG") == "" {
		t.Skip("long: set CANTLE_LONG=1")
	}
	for _, name := range distinctNames {
		e, tk := coder(t, name), oracle(t, name)
		for block := rune(0); block <= unicode.MaxRune; block += 256 {
			var b strings.Builder
			for r := block; r < block+256; r++ {
				if !utf8.ValidRune(r) || isNew(r) {
					continue
				}
				s := string(r)
				for _, text := range []string{s, "a" + s, s + "a", " " + s, "A" + s + "B"} {
					if got, want := e.Encode(text), tk.EncodeOrdinary(text); !slices.Equal(got, want) {
						t.Errorf("%s: Encode(%q) = %v, want %v", name, text, got, want)
					}
				}
				b.WriteString(s)
			}
			check(t, e, tk, b.String())
		}
	}
}

// snippets returns n strings of all kinds of text.
func snippets(tb testing.TB, n int) []string {
	rnd := rand.New(rand.NewPCG(1, 2))
	var sources []string
	sources = append(sources, corpus(tb, "markdown", 1<<20)...)
	sources = append(sources, corpus(tb, "markdown-zh", 1<<20)...)
	sources = append(sources, corpus(tb, "filings", 3<<20)...)
	sources = append(sources, files(tb, ".", ".go", 1<<20)...)
	spaces := []rune(" \t\n\r\v\f\u00a0\u0085\u2003\u2028\u3000")
	odd := []rune("'sSdtTmlLvVrReE\u017f ./\n-_A\u0301\u0300中あǅʰ½1٣😀\u200d")
	var out []string
	for len(out) < n {
		size := 1 + rnd.IntN(400)
		var b strings.Builder
		switch kind := rnd.IntN(10); {
		case kind < 5:
			s := sources[rnd.IntN(len(sources))]
			if len(s) > size {
				at := rnd.IntN(len(s) - size)
				s = s[at : at+size]
			}
			b.WriteString(strings.ToValidUTF8(s, ""))
		case kind < 6:
			for range size / 4 {
				b.WriteRune(rune(rnd.IntN(unicode.MaxRune + 1)))
			}
		case kind < 7:
			for range size / 4 {
				b.WriteRune(rune(rnd.IntN(0x3000)))
			}
		case kind < 8:
			for range size / 4 {
				b.WriteRune(spaces[rnd.IntN(len(spaces))])
				if rnd.IntN(6) == 0 {
					b.WriteRune(odd[rnd.IntN(len(odd))])
				}
			}
		case kind < 9:
			for range size / 4 {
				b.WriteRune(odd[rnd.IntN(len(odd))])
			}
		default:
			alphabet := odd[:1+rnd.IntN(len(odd))]
			for range size {
				b.WriteString(strings.Repeat(string(alphabet[rnd.IntN(len(alphabet))]), 1+rnd.IntN(3)))
			}
		}
		if s := b.String(); !strings.ContainsFunc(s, isNew) {
			out = append(out, s)
		}
	}
	return out
}

func TestTiktokenSnippets(t *testing.T) {
	n := 500
	if os.Getenv("CANTLE_LONG") != "" {
		n = 10_000
	}
	for _, name := range distinctNames {
		e, tk := coder(t, name), oracle(t, name)
		for _, text := range snippets(t, n) {
			check(t, e, tk, text)
		}
	}
}
