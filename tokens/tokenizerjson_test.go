package tokens

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tokenizerFiles are those of testdata, each with a golden beside it.
func tokenizerFiles(tb testing.TB) []string {
	tb.Helper()
	paths, err := filepath.Glob("testdata/*.json")
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no tokenizer files: %v", err)
	}
	return paths
}

// What Hugging Face tokenizers makes of the texts of the goldens. Its offsets are
// not compared, but Mark must set as many bits as there are tokens, where every
// token has a byte of its own to start at.
func TestTokenizerGoldens(t *testing.T) {
	for _, path := range tokenizerFiles(t) {
		e, err := Get(path)
		if err != nil {
			t.Error(err)
			continue
		}
		golden, err := os.Open(strings.TrimSuffix(path, ".json") + ".golden")
		if err != nil {
			t.Fatal(err)
		}
		defer golden.Close()
		for lines := bufio.NewScanner(golden); lines.Scan(); {
			var want struct {
				Text string
				IDs  []int
			}
			if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
				t.Fatal(err)
			}
			got := e.(Encoder).Encode(want.Text)
			if !slices.Equal(got, want.IDs) {
				t.Errorf("%s: Encode(%s)\n got %v\nwant %v", path, excerpt(want.Text), around(got, want.IDs), around(want.IDs, got))
				continue
			}
			n := len(want.IDs)
			if c := e.Count(want.Text); c != n {
				t.Errorf("%s: Count(%s) = %d, want %d", path, excerpt(want.Text), c, n)
			}
			for _, limit := range []int{-1, 0, n / 2, n - 1, n} {
				if c := e.CountUntil(want.Text, limit); c != min(n, max(limit, 0)+1) {
					t.Errorf("%s: CountUntil(%s, %d) = %d of %d", path, excerpt(want.Text), limit, c, n)
				}
			}
			if m := marks(e, want.Text); m > n || n > 0 && m == 0 {
				t.Errorf("%s: Mark(%s) sets %d bits for %d tokens", path, excerpt(want.Text), m, n)
			}
		}
	}
}

// Tokens are marked where their text starts, with the space they take in.
func TestTokenizerMark(t *testing.T) {
	text := "The harbour, é港口 <mask> the"
	for path, want := range map[string][]int{
		"testdata/bert-uncased.json": {0, 4, 6, 8, 10, 11, 13, 15, 18, 21, 29},
		"testdata/gpt2.json":         {0, 3, 5, 6, 7, 8, 10, 11, 12, 14, 15, 18, 20, 21, 28},
		"testdata/xlm-roberta.json":  {0, 3, 5, 7, 9, 11, 12, 13, 15, 18, 21, 28},
	} {
		e, err := Get(path)
		if err != nil {
			t.Fatal(err)
		}
		set := make([]uint64, 1)
		e.Mark(text, set)
		var got []int
		for i := range len(text) {
			if set[0]>>i&1 != 0 {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: tokens start at %v, want %v", path, got, want)
		}
		if n := e.Count(text); n != len(want) {
			t.Errorf("%s: %d tokens, want %d", path, n, len(want))
		}
	}
}

func TestFrame(t *testing.T) {
	for name, want := range map[string]int{"bert-uncased": 2, "gpt2": 0, "llama2": 1, "xlm-roberta": 2} {
		e, err := Get("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if n := e.(Framer).Frame(); n != want {
			t.Errorf("%s: Frame() = %d, want %d", name, n, want)
		}
	}
}

// A part that is not understood is an error that names it.
func TestTokenizerErrors(t *testing.T) {
	const model = `"model":{"type":"WordPiece","vocab":{"[UNK]":0,"a":1}}`
	for _, c := range []struct{ json, want string }{
		{``, "not a tokenizer.json"},
		{`[]`, "not a tokenizer.json"},
		{`{}`, "has no model"},
		{`{"model":{"type":"Huffman"}}`, `"Huffman"`},
		{`{"model":{"vocab":{"a":1}}}`, "model"},
		{`{"normalizer":{"type":"Shout"},` + model + `}`, `normalizer "Shout"`},
		{`{"normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Shout"}]},` + model + `}`, `normalizer "Shout"`},
		{`{"normalizer":{"type":"Replace","pattern":{"Regex":"a+"},"content":""},` + model + `}`, `"a+"`},
		{`{"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAAA"},` + model + `}`, "cut short"},
		{`{"pre_tokenizer":{"type":"UnicodeScripts"},` + model + `}`, `"UnicodeScripts"`},
		{`{"pre_tokenizer":{"type":"Split","pattern":{"Regex":"x+"},"behavior":"Isolated"},` + model + `}`, `"x+"`},
		{`{"pre_tokenizer":{"type":"Metaspace","prepend_scheme":"sometimes"},` + model + `}`, `"sometimes"`},
		{`{"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Metaspace"},{"type":"ByteLevel"}]},"model":{"type":"BPE","vocab":{},"merges":[]}}`, "adds spaces"},
		{`{"pre_tokenizer":{"type":"ByteLevel"},` + model + `}`, "ByteLevel"},
		{`{"post_processor":{"type":"Wrap"},` + model + `}`, `post_processor "Wrap"`},
		{`{"model":{"type":"WordPiece","vocab":{"a":1}}}`, `"[UNK]"`},
		{`{"model":{"type":"WordPiece","vocab":{"[UNK]":4000000000}}}`, "[UNK]"},
		{`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}}`, "merge 0"},
		{`{"model":{"type":"BPE","vocab":{"a":0},"merges":["ab"]}}`, `"ab"`},
		{`{"model":{"type":"BPE","vocab":{},"merges":[],"end_of_word_suffix":"</w>"}}`, "end_of_word_suffix"},
		{`{"model":{"type":"BPE","vocab":{},"merges":[],"dropout":0.1}}`, "dropout"},
		{`{"model":{"type":"Unigram","vocab":[["a",-1]]}}`, "unknown token"},
		{`{"model":{"type":"Unigram","unk_id":0,"vocab":[["a","b"]]}}`, "token 0"},
	} {
		_, err := parseTokenizer([]byte(c.json))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.json, err, c.want)
		}
	}
}

// No file makes loading or counting panic.
func FuzzTokenizer(f *testing.F) {
	for _, path := range tokenizerFiles(f) {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, "The harbour, e\u0301lan, 港口\xff <mask> 12")
	}
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		if len(text) > 4096 || bytes.Count(data, []byte("{")) > 10_000 {
			return
		}
		p, err := parseTokenizer(data)
		if err != nil {
			return
		}
		n := p.Count(text)
		if m := len(p.Encode(text)); m != n {
			t.Errorf("Count is %d, but Encode gives %d tokens", n, m)
		}
		if m := marks(p, text); m > n {
			t.Errorf("Count is %d, but Mark sets %d bits", n, m)
		}
	})
}
