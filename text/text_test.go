package text

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/html"
	"github.com/cantle/cantle/internal/golden"
	"github.com/cantle/cantle/markdown"
)

func parse(name string, src []byte) *ast.Document {
	switch {
	case strings.HasSuffix(name, ".md"):
		return markdown.Parse(name, src, markdown.Options{})
	case strings.HasSuffix(name, ".html"):
		return html.Parse(name, src, html.Options{})
	}
	return Parse(name, src, Options{Plain: true})
}

func check(t testing.TB, d *ast.Document) {
	t.Helper()
	if err := ast.Check(d); err != nil {
		t.Fatalf("%v\n%q\n%s", err, d.Source, dump(d))
	}
}

func dump(d *ast.Document) string {
	var b bytes.Buffer
	ast.Dump(&b, d)
	return b.String()
}

// seen returns what a reader sees of a document.
func seen(d *ast.Document) string {
	var b strings.Builder
	var write func(n *ast.Node)
	write = func(n *ast.Node) {
		switch {
		case n.Kind == ast.Markup || n.Kind == ast.Meta:
		case n.Text != "":
			b.WriteString(n.Text)
		case n.IsLeaf():
			b.Write(d.Source[n.Span.Start:n.Span.End])
		default:
			for _, c := range n.Children {
				write(c)
			}
		}
	}
	write(d.Root)
	return b.String()
}

func TestGoldens(t *testing.T) {
	for pattern, find := range map[string]func(*ast.Document) bool{"testdata/clauses.txt": Clauses, "testdata/questions.txt": Questions} {
		golden.Run(t, pattern, func(t *testing.T, c golden.Case) []golden.Part {
			d := parse(c.Name, c.Source)
			before := seen(d)
			if strings.HasSuffix(c.Name, ".txt") {
				d = Parse(c.Name, c.Source, Options{})
			} else {
				find(d)
			}
			check(t, d)
			if seen(d) != before {
				t.Errorf("got the text %q, want %q", seen(d), before)
			}
			return []golden.Part{{Name: "ast", Text: dump(d)}}
		})
	}
}

func TestParagraphs(t *testing.T) {
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
		d := Parse("a.txt", []byte(c.src), Options{})
		check(t, d)
		var got []string
		for _, n := range d.Root.Children {
			got = append(got, c.src[n.Span.Start:n.Span.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.src, got, c.want)
		}
	}
}
