package text

import (
	"slices"
	"testing"

	"github.com/cantle/cantle/ast"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"", nil},
		{" \n\t\n", []string{" \n\t\n"}},
		{"one", []string{"one"}},
		{"\n\none\ntwo\n\n\nthree\n", []string{"\n\none\ntwo\n\n\n", "three\n"}},
		{"one\r\n\r\ntwo\r\rthree", []string{"one\r\n\r\n", "two\r\r", "three"}},
		{"one\n \u3000\ntwo", []string{"one\n \u3000\ntwo"}},
	} {
		d := Parse("a.txt", []byte(c.src))
		if err := ast.Check(d); err != nil {
			t.Errorf("%q: %v", c.src, err)
		}
		var got []string
		for _, n := range d.Root.Children {
			got = append(got, c.src[n.Span.Start:n.Span.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.src, got, c.want)
		}
	}
}
