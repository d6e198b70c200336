package markdown

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/internal/golden"
)

func TestGolden(t *testing.T) {
	golden.Run(t, "testdata/*.txt", func(t *testing.T, c golden.Case) []golden.Part {
		d := Parse(c.Name, c.Source, Options{MDX: strings.HasSuffix(c.Name, ".mdx")})
		if err := ast.Check(d); err != nil {
			t.Error(err)
		}
		var meta strings.Builder
		if d.Meta != nil {
			e := json.NewEncoder(&meta)
			e.SetEscapeHTML(false)
			if err := e.Encode(d.Meta); err != nil {
				t.Error(err)
			}
		}
		return []golden.Part{{Name: "ast", Text: tree(d)}, {Name: "meta", Text: meta.String()}}
	})
}

// path is the sections above a leaf.
type path = string

// leaves returns the path of each leaf by its first words.
func leaves(d *ast.Document) map[string]path {
	m := map[string]path{}
	var open []*ast.Node
	for n, depth := range d.Root.All() {
		open = append(open[:depth], n)
		if !n.IsLeaf() {
			continue
		}
		var titles []string
		for _, above := range open {
			if above.Kind == ast.Section {
				titles = append(titles, above.Name)
			}
		}
		m[strings.TrimSpace(string(d.Source[n.Span.Start:n.Span.End]))] = strings.Join(titles, " / ")
	}
	return m
}

func TestPaths(t *testing.T) {
	src := "Before.\n\n# A\n\nIn A.\n\n### Deep\n\nIn deep.\n\n### Deep too\n\nIn deep too.\n\n# B\n\n- In B.\n"
	got := leaves(Parse("", []byte(src), Options{}))
	for leaf, want := range map[string]path{
		"Before.": "", "In A.": "A", "In deep.": "A / Deep", "In deep too.": "A / Deep too", "- In B.": "B",
	} {
		if got[leaf] != want {
			t.Errorf("%q is in %q, not in %q", leaf, got[leaf], want)
		}
	}
}

func TestCarriageReturnsAndByteOrderMarkStayOutOfNames(t *testing.T) {
	src := "\ufeff# A\r\nb\r\n\r\nC\r\n===\r\n\r\n| k\t| v |\r\n|---|---|\r\n| 1 | 2 |\r\n"
	var names []string
	for n := range Parse("", []byte(src), Options{}).Root.All() {
		if n.Name != "" {
			names = append(names, n.Name)
		}
		names = append(names, n.Columns...)
	}
	if want := []string{"A", "C", "k", "v"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

func TestSourceStays(t *testing.T) {
	src := []byte("# A\r\n\rb\r\n")
	before := string(src)
	d := Parse("a.md", src, Options{})
	if string(src) != before || &d.Source[0] != &src[0] {
		t.Error("the source was changed or copied")
	}
}

func TestCodeOfFences(t *testing.T) {
	var langs []string
	opts := Options{Code: func(lang string, text []byte) []*ast.Node {
		langs = append(langs, lang)
		if lang == "go" {
			return []*ast.Node{{Kind: ast.Decl, Span: ast.Span{Start: 0, End: len(text)}, Name: "f"}}
		}
		return nil
	}}
	src := "---\na: b\n---\n\n```go\nfunc f() {}\n```\n\n```sh\nls\n```\n\n- ```go\n  func g() {}\n  ```\n\n```go\n```\n"
	d := Parse("", []byte(src), opts)
	if len(langs) != 0 {
		t.Errorf("code was parsed for %q before it was asked for", langs)
	}
	d.Expand()
	if err := ast.Check(d); err != nil {
		t.Fatal(err)
	}
	if want := []string{"go", "sh"}; !slices.Equal(langs, want) {
		t.Errorf("code was parsed for %q, not %q", langs, want)
	}
	fence := d.Root.Children[1]
	if len(fence.Children) != 3 || fence.Children[1].Name != "f" {
		t.Fatalf("the fence has %d children", len(fence.Children))
	}
	if got := src[fence.Children[1].Span.Start:fence.Children[1].Span.End]; got != "func f() {}\n" {
		t.Errorf("the function is at %q", got)
	}
}

func TestConcurrentUse(t *testing.T) {
	src := []byte("# *A* [b]\n\n:::note\n\n$$\nx\n$$\n:::\n\n|a|\n|-|\n\n[b]: /b\n")
	want := tree(Parse("", src, Options{}))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 50 {
				if got := tree(Parse("", src, Options{})); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			}
		})
	}
	group.Wait()
}

func tree(d *ast.Document) string {
	var b strings.Builder
	ast.Dump(&b, d)
	return b.String()
}

func TestDeepNestingStops(t *testing.T) {
	for name, line := range map[string]string{
		"quotes":     "> ",
		"lists":      "- ",
		"containers": "",
	} {
		var b strings.Builder
		for depth := range 120 {
			prefix := strings.Repeat(line, depth)
			b.WriteString(prefix + "<div>\n" + prefix + "\n" + prefix + "<p>\n" + prefix + "\n")
			if line == "" {
				b.WriteString(":::a\n")
			}
		}
		for depth := 119; depth >= 0; depth-- {
			if line == "" {
				b.WriteString(":::\n")
			}
			prefix := strings.Repeat(strings.Replace(line, "-", " ", 1), depth)
			b.WriteString(prefix + "</div>\n" + prefix + "\n")
		}
		if err := ast.Check(Parse("", []byte(b.String()), testOptions)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, src := range golden.Sources(f, "testdata/*.txt") {
		f.Add(src)
	}
	for _, h := range hostile {
		f.Add([]byte(h.start + strings.Repeat(h.repeat, 10)))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		start := time.Now()
		d := Parse("", src, testOptions)
		if took := time.Since(start); took > time.Second && len(src) < 1<<16 {
			t.Errorf("took %v for %d bytes", took, len(src))
		}
		if err := ast.Check(d); err != nil {
			t.Error(err)
		}
		if err := ast.Check(Parse("", src, Options{MDX: true})); err != nil {
			t.Error(err)
		}
	})
}
