package cantle_test

import (
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/chunker"
)

// TestLawsOnWhatBrokeThem has the smallest form of each document on which a
// law was once found broken, with the limit at which it was. What the fuzzer
// finds is in testdata/fuzz.
func TestLawsOnWhatBrokeThem(t *testing.T) {
	for _, tt := range []struct {
		name, src    string
		max, overlap int
	}{
		// A block between tags is the head of what they enclose only if it is
		// the one that opens it.
		{"tags.md", "<Tabs>\n<div>\n\n```sql\nSELECT birth_year, COUNT(DISTINCT id) AS n, a, a, a, a, a, a, a, a\nFROM writers\nGROUP BY birth_year;\n```\n\n</div>\n\nAnd so on.\n", 16, 0},
		// A rule stays with what stands before it only where both fit with the
		// heading of that.
		{"rule.md", "# Caveats\n\n- one two three four\n- one two three four five six\n\n---\n", 17, 0},
	} {
		doc, err := cantle.Parse(tt.name, []byte(tt.src), cantle.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		whole := *doc
		whole.Root = clone(doc.Root)
		whole.Expand()
		checkCut(t, doc, &whole, chunker.Options{Max: tt.max, Overlap: tt.overlap})
	}
}
