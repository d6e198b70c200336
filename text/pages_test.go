package text

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cantle/cantle/ast"
)

func TestPages(t *testing.T) {
	const long = "The quick brown fox jumps over the lazy dog and"
	for _, c := range []struct {
		src  string
		want string // each leaf, of Markup in braces, then the starts of the pages
	}{
		{"no pages\n\n1\n", `"no pages\n\n" "1\n" []`},
		{"Page one.\n\n1\n\fPage two.\n\n2\n\f", `"Page one.\n\n" {"1\n\f"} "Page two.\n\n" {"2\n\f"} [0 14]`},
		{"Page one.\r\n\r\n- 1 -\r\n\f\r\nPage two.\r\n\f\r\n", `"Page one.\r\n\r\n" {"- 1 -\r\n\f\r\n"} "Page two.\r\n" {"\f\r\n"} [0 21]`},
		{"a\fb", `"a" {"\f"} "b" [0 2]`},
		{"\f", `{"\f"} [0]`},
		{"\fa\f\f\nb\f", `{"\f"} "a" {"\f\f\n"} "b" {"\f"} [0 1 3 4]`},
		{"a\n\n7\n\n\n\fb\n\n8\n", `"a\n\n" {"7\n\n\n\f"} "b\n\n" {"8\n"} [0 8]`},
		{"a\n\nii\n\fb\n\niii\n\fc\n\nPage 1 of 9\n\fd\n\n第 2 页\n", `"a\n\n" {"ii\n\f"} "b\n\n" {"iii\n\f"} "c\n\n" {"Page 1 of 9\n\f"} "d\n\n" {"第 2 页\n"} [0 7 15 31]`},
		{"Sum\n\n250\n\fSum\n\n9\n\f", `"Sum\n\n" "250\n" {"\f"} "Sum\n\n" "9\n" {"\f"} [0 10]`}, // amounts
		{long + "\n\n1\n\fruns away.\n\nEnd.\n\n2\n\f", `"` + long + `\nruns away.\n\n" "End.\n\n" {"2\n\f"} [0 52]`},
		{long + "\n\fruns on and on and on and on and on and on\n\faway.\n", `"` + long + `\nruns on and on and on and on and on and on\naway.\n" [0 49 93]`},
		{long + "\n\fThe End\n", `"` + long + `\n" {"\f"} "The End\n" [0 49]`},
		{"Title\n\fgoes on\n", `"Title\n" {"\f"} "goes on\n" [0 7]`},
		{long + "\n\fa) is an item\n", `"` + long + `\n" {"\f"} "a) is an item\n" [0 49]`},
		{"a \xff" + long + "\n\fgoes on\n", `"a \xff` + long + `\n" {"\f"} "goes on\n" [0 52]`},
	} {
		d := Parse("a.txt", []byte(c.src), Options{Plain: true})
		check(t, d)
		var b strings.Builder
		for _, n := range d.Root.Children {
			if n.Kind == ast.Markup {
				fmt.Fprintf(&b, "{%q} ", textOf(d.Source, n))
			} else {
				fmt.Fprintf(&b, "%q ", textOf(d.Source, n))
			}
		}
		fmt.Fprint(&b, d.Pages)
		if b.String() != c.want {
			t.Errorf("%q: got %s, want %s", c.src, b.String(), c.want)
		}
	}
}

// Headings are found on all pages.
func TestCapitalsOnPages(t *testing.T) {
	d := Parse("a.txt", []byte("ANCHORS\n\nThey hold.\n\n1\n\f\nBUOYS\n\n2\n\fThey float.\n"), Options{})
	check(t, d)
	if n := len(d.Root.Children); n != 2 || d.Root.Children[1].Name != "BUOYS" {
		t.Errorf("got %s", dump(d))
	}
}
