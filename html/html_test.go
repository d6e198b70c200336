package html

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle/ast"
)

func shared(t testing.TB, path string) string {
	root := os.Getenv("CANTLE_SHARED")
	if root == "" {
		root = "../../shared"
	}
	p := filepath.Join(root, path)
	if _, err := os.Stat(p); err != nil {
		t.Skipf("no corpus: %v", err)
	}
	return p
}

func filings(t testing.TB) []string {
	files, _ := filepath.Glob(filepath.Join(shared(t, "corpora/filings"), "*.html"))
	if testing.Short() || os.Getenv("CANTLE_LONG") == "" {
		files = files[:min(len(files), 2)]
	}
	return files
}

func dump(doc *ast.Document) string {
	var b bytes.Buffer
	ast.Dump(&b, doc)
	return b.String()
}

var update = flag.Bool("update", false, "write the goldens")

// TestGolden holds the trees of the pages in testdata/golden against their
// printed form.
func TestGolden(t *testing.T) {
	pages, err := filepath.Glob("testdata/golden/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, page := range pages {
		src, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		doc := Parse(filepath.Base(page), src, Options{})
		if err := ast.Check(doc); err != nil {
			t.Errorf("%s: %v", page, err)
		}
		checkMarks(t, doc)
		got := dump(doc)
		for key, value := range sorted(doc.Meta) {
			got += fmt.Sprintf("meta %s: %v\n", key, value)
		}
		if doc.Pages != nil {
			got += fmt.Sprintf("pages %v\n", doc.Pages)
		}
		golden := strings.TrimSuffix(page, ".html") + ".tree"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", page, got, want)
		}
	}
}

// TestFirstMark holds that a page that begins with a letter marks it.
func TestFirstMark(t *testing.T) {
	doc := Parse("t", []byte("a &lt; b<br>c"), Options{})
	want := []ast.Mark{{Text: 0, Source: 0}, {Text: 2, Source: 2}, {Text: 4, Source: 7}, {Text: 6, Source: 12}}
	if got := doc.Root.Children[0]; got.Text != "a < b\nc\n\n" || !slices.Equal(got.Marks, want) {
		t.Errorf("got %q %v", got.Text, got.Marks)
	}
}

// TestTableEnds holds that a table ends at its end tag, whether those of its
// cells, which may be left out, are there or not.
func TestTableEnds(t *testing.T) {
	for _, page := range []string{
		"<table><tr><th>A<th>B<tr><td>x<td>1</table><h2>Head</h2><p>after",
		"<table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td>1</td></tr></table><h2>Head</h2><p>after",
		"<table><caption>About<tr><th>A<th>B<tbody><tr><td>x<td><b>1</table><h2>Head</h2><p>after",
		"<table><tr><td><table><tr><th>A<th>B<tr><td>x<td>1</table></table><h2>Head</h2><p>after",
	} {
		doc := Parse("t", []byte(page), Options{})
		if err := ast.Check(doc); err != nil {
			t.Error(err)
		}
		if c := doc.Root.Children; len(c) != 2 || c[0].Kind != ast.Table || c[1].Name != "Head" {
			t.Errorf("%s: got\n%s", page, dump(doc))
		}
	}
}

func sorted(m map[string]any) func(yield func(string, any) bool) {
	return func(yield func(string, any) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key, m[key]) {
				return
			}
		}
	}
}

// checkMarks holds that each mark leads to the bytes it says, or to what they
// stand for: a reference, a blank, a bar that is escaped. A line break may have
// no bytes.
func checkMarks(t *testing.T, doc *ast.Document) {
	t.Helper()
	for n := range doc.Root.All() {
		for _, m := range n.Marks {
			if m.Text == len(n.Text) || m.Source == len(doc.Source) {
				continue
			}
			switch text, src := n.Text[m.Text], doc.Source[m.Source]; {
			case text == src, src == '&', isBlank(src), text == '\\' && src == '|', strings.HasSuffix(n.Text[:m.Text+1], "<br>"):
			default:
				t.Errorf("%v %v: mark %v of %q: %q, in the source %q", n.Kind, n.Span, m, n.Text, text, src)
			}
		}
	}
}

func TestFilings(t *testing.T) {
	for _, f := range filings(t) {
		src, _ := os.ReadFile(f)
		doc := Parse(f, src, Options{})
		if err := ast.Check(doc); err != nil {
			t.Errorf("%s: %v", f, err)
		}
		checkMarks(t, doc)
	}
}

func BenchmarkParse(b *testing.B) {
	var all [][]byte
	size := 0
	for _, f := range filings(b) {
		src, _ := os.ReadFile(f)
		all = append(all, src)
		size += len(src)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range all {
			Parse("", src, Options{})
		}
	}
}
