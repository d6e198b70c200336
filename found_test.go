package cantle_test

import (
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
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
		// Blanks are blanks, ASCII or not: two of them at the end of a part are
		// one token, before a letter they are not.
		{"blanks.py", "s \u00a0\u00a0b}", 5, 0},
		{"blanks.txt", " \u3000\u3000d", 3, 1},
		{"dot.txt", "·!0", 2, 1},
		// Bytes of a character with a blank between them.
		{"broken.md", "最多\xe6\n\x8d\xae库的上限是0，所以最多", 5, 0},
		{"broken.csv", "a，\xe9\x83\t\xa8b只要5分钟。真的吗？当然是真的……不过要先读手册", 24, 4},
		// A paragraph of blanks between a heading and what goes with it.
		{"nothing.md", "# \r\u00a0\u00a0\n\r```g\nf  {\re|e.", 16, 0},
		// A form feed within a broken character, and an overlap of a bar alone.
		{"feeds.txt", "0K_\u00a0\xc2\f\xa0\u00a09172", 3, 2},
		{"titles.txt", "\xe2\x80\f `c0", 2, 1},
		{"bars.html", "<table>t<tr>3</>t aor<d>:>nta", 3, 1},
		// A <pre> without an end.
		{"pre.html", "<pre>a\nskiff version </head>\n<body>\n<p", 24, 0},
		// An item that is empty makes no cell; a row may have more than cells.
		{"item.html", "<table>d<td><li><td>t</table>", 24, 0},
		{"bullet.html", "<p>· a</p><p>·&nbsp;·</p><p>·<b> b</b></p>", 8, 0},
		// Text in a table before its caption, and a caption among the rows.
		{"caption.html", "<table>d<caption>c</caption><tr><td>1<td>2</table>", 24, 0},
		{"caption.html", "<table><tr><td>1<td>2<caption>c</caption><tr><td>3<td>4</table>", 24, 0},
		{"caption.html", "<table><caption>c</caption></table>", 24, 0},
		// Bars in a cell: what is escaped is longer than its source.
		{"bars.html", "<table>s<tr>|a`-e`| \xe6\xbc><d>r", 16, 15},
		{"bar.csv", "|\re.\n{", 3, 0},
		{"bars.html", "<table><tr>--|\n><d>><tr>t", 2, 1},
		{"breaks.html", "<table>><tr><td>><li><td>>", 24, 0},
		// An item that is a head only lets go of the next.
		{"item.txt", "2.2.1 I\n2.2.2\n\nt", 5, 0},
		// A node of white space that its grammar ends before it starts.
		{"space.elm", "ar\n\n| ,row\r\n5,but,is,not\",w\r\nTotal,4,,\r\nAdds a row.\n-}\nadd : block) do\\n  : Row -> List 8:14 | Text.\\n\n-- broken.md --\n---\ntitle: a: b\n---\n\n# A\n-- ast --\ndocument 0: Row -> List Row\nadd row rows =\n  \fs", 2, 0},
	} {
		doc, err := cantle.Parse(tt.name, []byte(tt.src), cantle.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := ast.Check(doc); err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		checkCut(t, doc, expanded(doc), chunker.Options{Max: tt.max, Overlap: tt.overlap})
	}
}
