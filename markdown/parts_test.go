package markdown

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/yuin/goldmark/parser"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/internal/golden"
)

// sameInParts holds the tree of src that is parsed in parts against the tree of
// the whole.
func sameInParts(t *testing.T, name string, src []byte) {
	t.Helper()
	for _, p := range []parser.Parser{blockParser, mdxParser} {
		sameInPartsBy(t, p, name, src)
	}
}

func sameInPartsBy(t *testing.T, p parser.Parser, name string, src []byte) {
	t.Helper()
	text := lineFeeds(src)
	want := build(p, text, len(text)+1)
	for _, size := range []int{1, 50, 400, 3000} {
		got := build(p, text, size)
		if reflect.DeepEqual(got.nodes, want.nodes) && reflect.DeepEqual(got.problems, want.problems) {
			continue
		}
		dump := func(nodes []*ast.Node) string {
			var b strings.Builder
			ast.Dump(&b, &ast.Document{Source: text, Root: &ast.Node{Kind: ast.Root, Span: ast.Span{End: len(text)}, Children: nodes}})
			return b.String()
		}
		t.Errorf("%s in parts of %d bytes: got\n%s\nwant\n%s", name, size, dump(got.nodes), dump(want.nodes))
		return
	}
}

func TestParts(t *testing.T) {
	var all bytes.Buffer
	for _, e := range specExamples(t) {
		sameInParts(t, e.Markdown, []byte(e.Markdown))
		all.WriteString(e.Markdown + "\n\n")
	}
	sameInParts(t, "all examples", all.Bytes())
	for _, src := range golden.Sources(t, "testdata/*.txt") {
		sameInParts(t, "golden", src)
	}
	for _, src := range []string{
		"$$\na\n\n# b\n\nc $$\n",
		"$$\na\n# b\n[c]: d\n\ne\n\n# [c]\n",
		"$$\na\n# b\n[c]: d\n$$\n\n# [c]\n",
		"a\n\n: b\n\nc\n\n: d\n",
		"- a\n\n  b\n\nc\n\n- d\n",
		"<!-- a\n\nb\n\n-->\n\nc\n",
		"::: a\n\nb\n\n:::\n\nc\n",
		"a\n\nb\n===\n\n[c]: d\ne\n---\n\nf\n",
		"export const a = {\n\nb\n\n}\n\nc\n\nimport d from 'd'\n\nexport const e = (\n\nf\n",
		"a\n\n{/* b\n\nc */}\n\nd\n\n<E\n  f='g'\n>\nh\n</E>\n\ni\n",
	} {
		sameInParts(t, src, []byte(src))
	}
}

func TestPartsOfCorpus(t *testing.T) {
	for _, name := range []string{"markdown", "markdown-zh"} {
		corpus(t, name, func(path string, src []byte) { sameInParts(t, path, src) })
	}
}

// TestLabelOfLaterPart asserts that a title knows the references that are
// defined in parts of the document behind its own.
func TestLabelOfLaterPart(t *testing.T) {
	src := "# The [book][b]\n\ntext\n\n" + strings.Repeat("more text\n\n", 20) + "[b]: /book\n"
	b := build(blockParser, []byte(src), 30)
	if got, want := b.nodes[0].Name, "The book"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
}

func FuzzParts(f *testing.F) {
	for _, src := range golden.Sources(f, "testdata/*.txt") {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) { sameInParts(t, "input", src) })
}
