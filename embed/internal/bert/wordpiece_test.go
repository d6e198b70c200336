package bert

import (
	"strings"
	"testing"
	"time"
)

func testTokenizer(t testing.TB, files map[string]string) *wordPiece {
	t.Helper()
	f := newFolder()
	f.files = files
	w, err := readTokenizer(f.write(t), 20)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// pieces returns the tokens of text between [CLS] and [SEP].
func pieces(w *wordPiece, text string, limit int) string {
	names := map[int32]string{}
	for piece, id := range w.vocab {
		names[id] = piece
	}
	var all []string
	for _, id := range w.encode(text, limit) {
		all = append(all, names[id])
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.Join(all, " "), "[CLS] "), " [SEP]")
}

func TestWordPiece(t *testing.T) {
	w := testTokenizer(t, nil)
	for text, want := range map[string]string{
		"The BAKERY.":             "the bak ##ery .",
		"bakers":                  "bak ##er ##s",
		"baka":                    "bak ##a",
		"bakx":                    "[UNK]", // the whole word
		"loaf's":                  "loaf ' [UNK]",
		"café cafe\u0301":         "cafe cafe",
		"面包the面":                  "面 包 the 面",
		"3.3":                     "3 . 3",
		"[SEP] [CLS]":             "[UNK] [UNK] [UNK] [UNK] [UNK] [UNK]", // text, not special
		"lo\u200baf\x00\ufffd\t":  "loaf",
		"the\u00a0loaf\u2003the":  "the loaf the",
		"\u0085the\v\fthe":        "[UNK]", // control characters are dropped, not blanks
		strings.Repeat("bak", 34): "[UNK]", // 102 letters
	} {
		if got := pieces(w, text, 100); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	for limit, want := range map[int]string{3: "bak", 4: "bak ##ery", 5: "bak ##ery ."} {
		if got := pieces(w, "bakery.the loaf", limit); got != want {
			t.Errorf("limit %d: got %q, want %q", limit, got, want)
		}
	}
}

func TestWordPieceSettings(t *testing.T) {
	const vocab = `{"[UNK]":0,"[CLS]":1,"[SEP]":2,"The":3,"the":4,"é":5,"e":6,"面包":7,"面":8,"@@a":9,"##a":10,"x":11}`
	tokenizer := func(model, normalizer string) string {
		return `{"model":{"type":"WordPiece"` + model + `,"vocab":` + vocab + `},"pre_tokenizer":{"type":"BertPreTokenizer"},"normalizer":{"type":"BertNormalizer",` + normalizer + `}}`
	}
	for _, test := range []struct{ file, content, text, want string }{
		{"tokenizer.json", tokenizer("", `"lowercase":false,"handle_chinese_chars":false`), "The é 面包", "The é 面包"},
		{"tokenizer.json", tokenizer("", `"lowercase":true,"strip_accents":null,"handle_chinese_chars":true`), "The é 面", "the e 面"},
		{"tokenizer.json", tokenizer("", `"lowercase":true,"strip_accents":false`), "The É", "the é"},
		{"tokenizer.json", tokenizer("", `"lowercase":false,"strip_accents":true`), "The é", "The e"},
		{"tokenizer.json", tokenizer(`,"continuing_subword_prefix":"@@"`, `"lowercase":true`), "xa", "x @@a"},
		{"tokenizer.json", tokenizer(`,"max_input_chars_per_word":1`, `"lowercase":true`), "xa x", "[UNK] x"},
		{"tokenizer_config.json", `{"do_lower_case":false}`, "The the", "[UNK] the"},
		{"tokenizer_config.json", `{"strip_accents":false}`, "café CAFE", "[UNK] cafe"},
	} {
		w := testTokenizer(t, map[string]string{test.file: test.content})
		if got := pieces(w, test.text, 100); got != test.want {
			t.Errorf("%s %s: got %q, want %q", test.content, test.text, got, test.want)
		}
	}
}

// TestWordPieceLong guards against time that grows with the square.
func TestWordPieceLong(t *testing.T) {
	w := testTokenizer(t, nil)
	start := time.Now()
	for _, unit := range []string{"b", "bak ", " ", ".", "面", "é", "\u0301", "\x00", "\xff"} {
		w.encode(strings.Repeat(unit, 5_000_000/len(unit)), 256)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

func FuzzWordPiece(f *testing.F) {
	w := testTokenizer(f, nil)
	f.Add("The bakery's café, 面包. \u0301\xff", 9)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = 3 + int(uint(limit)%100)
		ids := w.encode(text, limit)
		if len(ids) > limit || ids[0] != w.start || ids[len(ids)-1] != w.end {
			t.Errorf("%q: %v", text, ids)
		}
		for _, id := range ids {
			if id < 0 || id >= 20 {
				t.Errorf("id %d", id)
			}
		}
	})
}
