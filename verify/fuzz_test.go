package verify_test

import (
	"strings"
	"testing"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/records"
	"github.com/cantle/cantle/verify"
)

// FuzzCheck gives any chunks of any document: nothing panics, shares are
// shares, and text that is all there is not lost.
func FuzzCheck(f *testing.F) {
	f.Add("a.md", guide, "# Guide\x00| web  | 80   |\x00", 3, 40)
	f.Add("p.go", program, "package p\x00func Sub(", -5, 9999)
	f.Add("a.html", "<h1>a</h1><table><tr><th>b<td>c</table>", "# a\x00| b | c |", 0, 4)
	f.Add("a.csv", "a,b\n1,2\n", "a,b\n1,2\x00\xff", 1, 1)
	f.Add("a.txt", "\xff\ufffd\u3000x", "\ufffd\x00x", 2, 0)
	f.Fuzz(func(t *testing.T, name, src, texts string, start, end int) {
		var recs []records.Record
		for i, text := range strings.Split(texts, "\x00") {
			r := records.Record{ID: text, Text: text, Index: i, Start: start, End: end, StartLine: start, EndLine: end, Size: i, Line: i + 1, Chars: i%2 == 0}
			if i%3 == 2 {
				r.Parts = []chunker.Part{{Role: chunker.RoleHead, Start: start, End: end}, {Role: chunker.RoleBody, Start: end, End: start}}
			}
			recs = append(recs, r)
		}
		r, err := verify.Check(name, []byte(src), recs, verify.Options{Max: 5, Encoding: "words", Sizes: true})
		if err != nil {
			return
		}
		if r.Coverage() < 0 || r.Coverage() > 1 || r.Doubled < 0 || r.Text < 0 {
			t.Errorf("%+v", r)
		}
	})
}
