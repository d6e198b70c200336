package verify_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cantle/cantle/records"
	"github.com/cantle/cantle/verify"
)

// The chunks of testdata/peers were made by other chunkers, at versions and by
// calls that bench/verify/peers.py names, of texts written for it. What is
// wrong with each is found.
func TestPeers(t *testing.T) {
	for _, c := range []struct {
		chunks, source string
		opt            verify.Options
		want           []verify.Kind
		wrong          string
	}{
		{"langchain_headers", "ferry.md", verify.Options{}, []verify.Kind{verify.Blanks, verify.FenceCut}, "blank lines go, a # in a longer fence is a heading"},
		{"langchain_experimental", "unclosed.md", verify.Options{}, []verify.Kind{verify.Lost}, "all behind an unclosed fence is lost"},
		{"langchain_recursive", "ferry.md", verify.Options{Max: 160, Encoding: "chars"}, []verify.Kind{verify.Path, verify.Headless}, "rows without header, no section"},
		{"llamaindex_markdown", "ferry.md", verify.Options{}, []verify.Kind{verify.FenceCut, verify.Path}, "a fence of four marks is not seen, and what follows has lost its sections"},
		{"chonkie_table", "ferry.md", verify.Options{Max: 40, Encoding: "chars"}, []verify.Kind{verify.Over, verify.Offsets}, "over the limit by the header"},
		{"astchunk_python", "tower.py", verify.Options{}, []verify.Kind{verify.Lost, verify.Foreign, verify.Blanks}, "a long string is dropped, tabs become blanks"},
		{"semchunk_chinese", "river.txt", verify.Options{}, []verify.Kind{verify.SentenceCut}, "Chinese sentences are cut"},
		{"docling_table", "ferry.md", verify.Options{}, []verify.Kind{verify.Foreign, verify.Lost}, "a table becomes triplets, cut within"},
		{"docling_code", "tower.py", verify.Options{}, []verify.Kind{verify.Lost, verify.Blanks, verify.Offsets}, "the line ends of a long function go, small pieces are dropped, lines are those of the whole"},
		{"unstructured_by_title", "fees.md", verify.Options{}, []verify.Kind{verify.HeadingParted, verify.Path}, "a heading at the end of the section before"},
		{"every_node", "tower.py", verify.Options{}, []verify.Kind{verify.Lost, verify.Doubled}, "a class, then its methods again; the rest is not there"},
		{"trimmed_lines", "ferry.md", verify.Options{}, []verify.Kind{verify.Blanks, verify.ID}, "lines trimmed, one id for all"},
		{"short_dropped", "fees.md", verify.Options{}, []verify.Kind{verify.Lost, verify.HeadingAlone}, "pieces of at most five characters are dropped"},
	} {
		src, err := os.ReadFile(filepath.Join("..", "bench", "verify", "inputs", c.source))
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(filepath.Join("testdata", "peers", c.chunks+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		var recs []records.Record
		err = records.Read(f, nil, func(r *records.Record, _ []byte) error {
			recs = append(recs, *r)
			return nil
		})
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		r, err := verify.Check(c.source, src, recs, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range c.want {
			if r.Counts[k] == 0 {
				t.Errorf("%s: %s: no fault of kind %s, got %v", c.chunks, c.wrong, k, kinds(r))
			}
		}
		// What is lost is said with its lines.
		for _, f := range r.Faults {
			if f.Kind == verify.Lost && (f.Line == 0 || f.Excerpt == "") {
				t.Errorf("%s: %v", c.chunks, f)
			}
		}
	}
}
