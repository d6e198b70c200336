package cantle_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/tokens"
)

// A cut is a document of testdata/cases with its chunks.
type cut struct {
	testing.TB
	doc    *ast.Document
	opt    chunker.Options
	chunks []chunker.Chunk
}

// cutCase cuts a file of testdata/cases into chunks of at most limit tokens of
// cl100k_base, and holds them against the rules that every case obeys. The
// rules are stated again here, by simple means, rather than taken from
// internal/laws: what that package overlooks must not go unseen twice.
func cutCase(t testing.TB, file string, limit, overlap int) *cut {
	t.Helper()
	src := readCase(t, file)
	sizer, err := tokens.Get("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	opt := cantle.Options{Cut: chunker.Options{Sizer: sizer, Max: limit, Overlap: overlap, Context: chunker.ContextNone}}

	began := time.Now()
	doc, err := cantle.Parse(file, src, opt.Parse)
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := cantle.Cut(context.Background(), doc, opt)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("%s at %d: took %v", file, limit, took)
	}
	again, err := cantle.Chunk(context.Background(), file, src, opt)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(marshal(t, chunks), marshal(t, again)) {
		t.Errorf("%s at %d: cut twice, not the same", file, limit)
	}
	c := &cut{t, doc, opt.Cut, chunks}
	c.checkText()
	c.checkSpans()
	c.checkKept()
	c.checkSections()
	return c
}

func readCase(t testing.TB, file string) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "cases", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// failf reports a fault of chunk i.
func (c *cut) failf(i int, format string, args ...any) {
	c.Helper()
	c.Errorf("%s at %d, chunk %d: "+format+"\n%s", append([]any{c.doc.Name, c.opt.Max, i}, append(args, c.chunks[i].Text)...)...)
}

// checkText: each text is within the limit, holds something, and is UTF-8. A
// single character may be over the limit, and says so.
func (c *cut) checkText() {
	c.Helper()
	for i := range c.chunks {
		k := &c.chunks[i]
		if n := c.opt.Sizer.Count(k.Text); n > c.opt.Max && !(utf8.RuneCountInString(k.Own()) == 1 && slices.Contains(k.Flags, chunker.FlagOversize)) {
			c.failf(i, "%d tokens", n)
		}
		if strings.TrimSpace(k.Text) == "" {
			c.failf(i, "blank")
		}
		if !utf8.ValidString(k.Text) || strings.ContainsRune(k.Text, utf8.RuneError) && !bytes.ContainsRune(c.doc.Source, utf8.RuneError) {
			c.failf(i, "not the input's characters")
		}
	}
}

// checkSpans: offsets lie in the file, on rune borders, and ascend without
// sharing a byte.
func (c *cut) checkSpans() {
	c.Helper()
	src, at := c.doc.Source, 0
	for i := range c.chunks {
		k := &c.chunks[i]
		if k.Start < 0 || k.Start >= k.End || k.End > len(src) {
			c.failf(i, "spans %d:%d", k.Start, k.End)
			return
		}
		if !utf8.RuneStart(src[k.Start]) || k.End < len(src) && !utf8.RuneStart(src[k.End]) {
			c.failf(i, "%d:%d is not on rune borders", k.Start, k.End)
		}
		if k.Start < at {
			c.failf(i, "begins at %d, the one before ends at %d", k.Start, at)
		}
		at = k.End
		if own := c.seen(string(src[k.Start:k.End])); c.doc.Format != "html" && own != c.seen(k.Own()) {
			c.failf(i, "its bytes do not hold its own text: %q", src[k.Start:k.End])
		}
	}
}

// checkKept: what a reader of the file sees is in the own text of one chunk.
func (c *cut) checkKept() {
	c.Helper()
	var own strings.Builder
	for i := range c.chunks {
		own.WriteString(c.chunks[i].Own() + "\n")
	}
	if c.doc.Format == "html" && bytes.Contains(c.doc.Source, []byte("span=")) {
		// Labels are joined and values repeated, so there is no order to keep.
		for _, word := range strings.Fields(page(c.TB, c.doc.Source)) {
			if !strings.Contains(own.String(), word) {
				c.Errorf("%s at %d: %q is lost", c.doc.Name, c.opt.Max, word)
			}
		}
		return
	}
	want := string(c.doc.Source)
	if c.doc.Format == "html" {
		want = page(c.TB, c.doc.Source)
	}
	if got, want := c.seen(own.String()), c.seen(want); got != want {
		c.Errorf("%s at %d: text is lost, doubled or moved\ngot  %q\nwant %q", c.doc.Name, c.opt.Max, got, want)
	}
}

var (
	markdownMarks = regexp.MustCompile(`(?s)\A\x{FEFF}?(---\n.*?\n---\n)?|(?m:^[-=]+\r?$)|</?[A-Za-z][^>]*>`)
	htmlMarks     = regexp.MustCompile(`(?m)^#+ |^- |^\|[-:|]+\|$|[|•]`)
)

// seen leaves out of a text what only carries structure, and blanks.
func (c *cut) seen(text string) string {
	switch c.doc.Format {
	case "markdown":
		text = markdownMarks.ReplaceAllString(text, "")
	case "html":
		text = htmlMarks.ReplaceAllString(text, "")
	}
	return strings.Join(strings.Fields(text), "")
}

// page returns the text that a browser shows of a page.
func page(t testing.TB, src []byte) string {
	t.Helper()
	root, err := xhtml.Parse(bytes.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var visit func(n *xhtml.Node)
	visit = func(n *xhtml.Node) {
		if n.Type == xhtml.TextNode {
			b.WriteString(n.Data)
		}
		if n.Data == "head" || n.Data == "script" || n.Data == "style" ||
			slices.Contains(n.Attr, xhtml.Attribute{Key: "style", Val: "display:none"}) {
			return
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			visit(child)
		}
		if n.Data == "td" || n.Data == "th" {
			b.WriteByte('\n')
		}
	}
	visit(root)
	return b.String()
}

// checkSections: a chunk holds text of the section that its path names only,
// and the headings that lead there; of source code, it names each definition
// that it holds.
func (c *cut) checkSections() {
	c.Helper()
	var visit func(n *ast.Node, path []string)
	visit = func(n *ast.Node, path []string) {
		if n.Kind == ast.Section {
			path = append(slices.Clip(path), n.Name)
		}
		for i := range c.chunks {
			k := &c.chunks[i]
			start, end := max(n.Span.Start, k.Start), min(n.Span.End, k.End)
			if start >= end || len(bytes.TrimSpace(c.doc.Source[start:end])) == 0 {
				continue
			}
			switch {
			case n.Kind == ast.Decl:
				if !strings.Contains(named(k), n.Name) {
					c.failf(i, "%s names not %s", named(k), n.Name)
				}
			case n.Kind == ast.Heading:
				if len(path) > len(k.SectionPath) || !slices.Equal(path, k.SectionPath[:len(path)]) {
					c.failf(i, "the heading of %q has path %q", path, k.SectionPath)
				}
			case n.IsLeaf() && n.Kind != ast.Markup && n.Kind != ast.Meta && !isSource(c.doc):
				if !slices.Equal(path, k.SectionPath) {
					c.failf(i, "text of %q has path %q", path, k.SectionPath)
				}
			}
		}
		for _, child := range n.Children {
			visit(child, path)
		}
	}
	visit(c.doc.Root, nil)
}

func isSource(d *ast.Document) bool {
	return slices.Contains([]string{"go", "python", "rust", "c"}, d.Format)
}

// named returns the definitions that a chunk names, in its path and symbols.
func named(k *chunker.Chunk) string {
	return strings.Join(append(slices.Clone(k.SectionPath), k.Symbols...), " ")
}

// find returns the one chunk whose own text holds text.
func (c *cut) find(text string) *chunker.Chunk {
	c.Helper()
	var found []int
	for i := range c.chunks {
		if strings.Contains(c.chunks[i].Own(), text) {
			found = append(found, i)
		}
	}
	if len(found) != 1 {
		c.Fatalf("%s at %d: %q is in the chunks %v, not in one", c.doc.Name, c.opt.Max, text, found)
	}
	return &c.chunks[found[0]]
}

// together fails unless one chunk's own text holds all texts, in this order.
func (c *cut) together(texts ...string) *chunker.Chunk {
	c.Helper()
	k := c.find(texts[0])
	rest := k.Own()
	for _, text := range texts {
		i := strings.Index(rest, text)
		if i < 0 {
			c.failf(k.Index, "does not hold %q in order", text)
			return k
		}
		rest = rest[i+len(text):]
	}
	return k
}

// wantPath fails unless the chunk that holds text has that path.
func (c *cut) wantPath(text string, path ...string) {
	c.Helper()
	if k := c.find(text); !slices.Equal(k.SectionPath, path) {
		c.failf(k.Index, "the path of %q is %q, want %q", text, k.SectionPath, path)
	}
}

// wantPaths fails unless these are the paths of the chunks, in the order of
// their first chunk.
func (c *cut) wantPaths(want ...[]string) {
	c.Helper()
	var got [][]string
	for i := range c.chunks {
		path := c.chunks[i].SectionPath
		if !slices.ContainsFunc(got, func(p []string) bool { return slices.Equal(p, path) }) {
			got = append(got, path)
		}
	}
	if !reflect.DeepEqual(got, want) {
		c.Errorf("%s at %d: paths %q, want %q", c.doc.Name, c.opt.Max, got, want)
	}
}

// row returns the cells of a line of a pipe table, nil for another line.
// Escaped pipes stay escaped.
func row(line string) []string {
	line = strings.TrimSpace(line)
	if len(line) < 2 || line[0] != '|' {
		return nil
	}
	var cells []string
	start := 1
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, strings.TrimSpace(line[start:i]))
			start = i + 1
		}
	}
	return cells
}

// rows returns the rows of the pipe table in a text: header, rule, body. It
// fails if there are several, or a row has more or fewer cells than the header.
func rows(t testing.TB, text string) [][]string {
	t.Helper()
	var table [][]string
	ended := false
	for line := range strings.Lines(text) {
		cells := row(line)
		switch {
		case cells == nil:
			ended = len(table) > 0
			continue
		case ended:
			t.Errorf("a table in two parts:\n%s", text)
		case len(table) > 0 && len(cells) != len(table[0]):
			t.Errorf("%d cells under %d:\n%s", len(cells), len(table[0]), text)
		}
		table = append(table, cells)
	}
	if len(table) < 3 || !regexp.MustCompile(`^(:?-+:?)+$`).MatchString(strings.Join(table[1], "")) {
		t.Fatalf("no table with a header, a rule and a row:\n%s", text)
	}
	return table
}
