package cantle_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/tokens"
)

// Each case is a kind of document that chunkers are known to break. Its input
// is in testdata/cases, under the name of the test; [cutCase] checks the rules
// that all cases share, the test says what this one is about.

func TestDocumentsObeyTheLaws(t *testing.T) {
	n := 0
	err := filepath.WalkDir("testdata", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		n++
		checkLaws(t, filepath.ToSlash(p), src, cantle.ParseOptions{})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 30 {
		t.Errorf("only %d documents", n)
	}
}

// A line that begins with # inside code is no heading.
func TestCase01HashInFences(t *testing.T) {
	for _, limit := range []int{256, 48} {
		c := cutCase(t, "01-md-hash-in-fences/input.md", limit, 0)
		c.wantPaths([]string{"Setup"}, []string{"Setup", "Checks"})
		for _, fence := range []string{
			"```sh\n# fetch the tools\nmake tools\n## second stage\nmake all\n```",
			"~~~~python\n# not a heading either\n~~~\nstill = \"inside the tilde fence\"\n# and neither is this\n~~~~",
			"````md\n```\n# inner fence, still code\n```\n## still code\n````",
		} {
			c.find(fence)
		}
		c.wantPath("    # four spaces: indented code\n    ls -l", "Setup")
		c.wantPath("Text with `# a code span` in it.", "Setup", "Checks")
		c.wantPath("After the fences.", "Setup", "Checks")
	}
}

// A level that is skipped is not made up, and the next heading of the same
// level is no child.
func TestCase02SkippedLevels(t *testing.T) {
	c := cutCase(t, "02-md-skipped-levels/input.md", 64, 0)
	want := []struct {
		text string
		path []string
	}{
		{"Intro line.", []string{"Catalogue"}},
		{"About arrays.", []string{"Catalogue", "Array types"}},
		{"About links.", []string{"Catalogue", "Link types"}},
		{"About views.", []string{"Catalogue", "Views"}},
		{"A note five levels down.", []string{"Catalogue", "Views", "Deep note"}},
		{"Shallower than the note before it.", []string{"Catalogue", "Views", "Less deep note"}},
		{"Shallower again.", []string{"Catalogue", "Views", "Third level"}},
		{"No level may be invented here.", []string{"Appendix", "Only six"}},
	}
	if len(c.chunks) != len(want) {
		t.Fatalf("%d chunks, want %d", len(c.chunks), len(want))
	}
	for i, w := range want {
		c.wantPath(w.text, w.path...)
		if got := c.find(w.text).Index; got != i {
			t.Errorf("%q is in chunk %d, want %d", w.text, got, i)
		}
	}
	for i := range c.chunks {
		if slices.Contains(c.chunks[i].SectionPath, "") {
			c.failf(i, "an empty title in %q", c.chunks[i].SectionPath)
		}
	}
	// A record gives no level; the tree does, and there it is the source's.
	levels := map[string]int{"Catalogue": 1, "Array types": 3, "Views": 2, "Deep note": 5, "Less deep note": 4, "Only six": 6}
	for n := range c.doc.Root.All() {
		if want, ok := levels[n.Name]; ok && n.Kind == ast.Section && n.Level != want {
			t.Errorf("the level of %s is %d, want %d", n.Name, n.Level, want)
		}
	}
}

// The line that ends front matter underlines nothing; underlined headings are
// headings; a rule is none.
func TestCase03FrontMatterSetext(t *testing.T) {
	c := cutCase(t, "03-md-front-matter-setext/input.md", 64, 0)
	first, second, third := []string{"Field notes"}, []string{"Field notes", "Second level"}, []string{"Two lines of heading"}
	c.wantPaths(first, second, third)
	c.wantPath("First paragraph.", first...)
	c.wantPath("Text under the second level.", second...)
	c.wantPath("Text after a thematic break.", second...)
	c.wantPath("Under a heading of two lines.", third...)
	c.wantPath("- item", third...)
	c.wantPath("Below a list and a break.", third...)
	want := map[string]any{"title": "Field notes", "tags": []any{"birds", "weather"}, "summary": "One line that ends right above the closing rule"}
	for i := range c.chunks {
		if !reflect.DeepEqual(c.chunks[i].Meta, want) {
			c.failf(i, "meta %v, want %v", c.chunks[i].Meta, want)
		}
		if regexp.MustCompile(`^[-=\s]*$`).MatchString(c.chunks[i].Text) {
			c.failf(i, "a line under a heading, by itself")
		}
	}
}

// Items of tight lists, their marks, their nesting and their fences are kept.
func TestCase04TightNestedLists(t *testing.T) {
	for _, limit := range []int{256, 40} {
		c := cutCase(t, "04-md-tight-nested-lists/input.md", limit, 0)
		for _, text := range []string{
			"1. Unpack the archive.", "2. Choose a profile:", "`small` for one user", "`large` for many users", "needs 8 GB",
			"3. Start it:", "4. Done.", "[ ] open box", "[x] ticked box", "Tabs:", "End of the page.",
		} {
			c.find(text)
		}
		c.wantPaths([]string{"Install"})
		c.find("2. Choose a profile:\n   - `small` for one user\n   - `large` for many users\n     - needs 8 GB")
		c.find("3. Start it:\n\n   ```make\n   run:\n   \t./serve --port 8080\n   ```")
		k := c.find("Tabs:")
		if fence := regexp.MustCompile("(?m)^  ```\n +A\n[ \t]+B\n +C\n  ```$"); !fence.MatchString(k.Own()) {
			c.failf(k.Index, "the last fence is not as it was")
		}
	}
}

// Text before the first heading is kept; titles keep what looks like a
// separator, and lose their links.
func TestCase05PreambleAndSlash(t *testing.T) {
	c := cutCase(t, "05-md-preamble-and-slash/input.md", 64, 0)
	c.wantPath("This text comes before any heading.")
	c.wantPath("Call us.", "Support 24/7")
	c.wantPath("Modes.", "Support 24/7", "Read/write > append")
	c.wantPath("Linked heading.", "Support 24/7", "Guide to x/y")
	c.wantPath("#NotAHeading because no space follows the mark", "Support 24/7", "Guide to x/y")
	c.wantPath("Heading by tab.", "Tab after the mark")
	c.find("https://example.com/a/b")
	for i := range c.chunks {
		path := c.chunks[i].SectionPath
		if got := chunker.SplitPath(chunker.JoinPath(path)); !slices.Equal(got, path) {
			c.failf(i, "%q joined and split is %q", path, got)
		}
	}

	c = cutCase(t, "05-md-preamble-and-slash/no-headings.md", 64, 0)
	if len(c.chunks) != 1 {
		t.Errorf("%d chunks, want 1", len(c.chunks))
	}
	c.wantPath("Only a paragraph here.")
	c.wantPath("And a second one, with no heading anywhere.")
}

// A byte order mark, carriage returns, tabs and no-break spaces change nothing
// in what is found, and no byte of a fence.
func TestCase06ByteOrderMarkCRLFTabs(t *testing.T) {
	crlf := cutCase(t, "06-md-crlf-bom-tabs/input.md", 64, 0)
	lf := cutCase(t, "06-md-crlf-bom-tabs/input-lf.md", 64, 0)
	if len(crlf.chunks) != len(lf.chunks) {
		t.Fatalf("%d chunks with CRLF, %d with LF", len(crlf.chunks), len(lf.chunks))
	}
	for i := range lf.chunks {
		if got, want := strings.ReplaceAll(crlf.chunks[i].Text, "\r\n", "\n"), lf.chunks[i].Text; got != want {
			t.Errorf("with CRLF %q, with LF %q", got, want)
		}
	}
	for _, c := range []*cut{crlf, lf} {
		c.wantPaths([]string{"Alpha"}, []string{"Alpha", "Beta"})
		end := "\n"
		if c == crlf {
			end = "\r\n"
		}
		k := c.find("\tif a {" + end + "\t\treturn\u00a0b" + end + "\t}" + end)
		if want := [][]string{{"k", "v"}, {"---", "---"}, {"1", "2"}}; !reflect.DeepEqual(rows(t, k.Text), want) {
			c.failf(k.Index, "the table is %q", rows(t, k.Text))
		}
		// Offsets count the mark and both bytes of each line end.
		if got := string(c.doc.Source[k.Start:k.End]); got != k.Own() {
			c.failf(k.Index, "its bytes are %q", got)
		}
		var table *ast.Node
		for n := range c.doc.Root.All() {
			if n.Kind == ast.Table {
				table = n
			}
		}
		if table == nil || !slices.Equal(table.Columns, []string{"k", "v"}) {
			t.Errorf("%s: no table with the columns k, v: %+v", c.doc.Name, table)
		}
	}
}

// Formulas and containers are whole; footnotes and link definitions are kept.
func TestCase07DirectivesMathNotes(t *testing.T) {
	c := cutCase(t, "07-md-directives-math-notes/input.md", 64, 0)
	c.wantPaths([]string{"Rates"}, []string{"Rates", "After"})
	c.wantPath("$$\nP(A \\cap B)\n=\nP(A) P(B)\n$$", "Rates")
	c.wantPath(":::warning Read first\nDo not run this **twice**.\n\nIt charges the account again.\n:::", "Rates")
	c.wantPath("An alert in a quote.", "Rates")
	c.wantPath("First tab body.", "Rates")
	c.find("Fixed on the first of May.")
	c.find("https://example.com/manual")
}

// Values under row and column spans stand under their own column, below all
// header rows, in each piece.
func TestCase08RowspanMultirowHead(t *testing.T) {
	for _, limit := range []int{128, 72} {
		c := cutCase(t, "08-html-rowspan-multirow-head/input.html", limit, 0)
		c.wantPaths([]string{"Capacity"})
		var body [][]string
		for i := range c.chunks {
			table := rows(t, c.chunks[i].Text)
			if want := []string{"Site", "2023 Plan", "2023 Real", "2024 Plan", "2024 Real"}; !slices.Equal(table[0], want) {
				c.failf(i, "columns %q, want %q", table[0], want)
			}
			body = append(body, table[2:]...)
		}
		want := [][]string{
			{"North", "10", "11", "12", "13"}, {"North", "20", "21", "22", "23"},
			{"South", "closed", "", "30", "31"}, {"East", "40", "41", "42", "43"},
		}
		for _, r := range body { // a value over two columns may stand in both
			if len(r) == 5 && r[1] == "closed" && r[2] == "closed" {
				r[2] = ""
			}
		}
		if !reflect.DeepEqual(body, want) {
			t.Errorf("at %d: rows %q, want %q", limit, body, want)
		}
	}
}

// Text around inline tags keeps its order; what is hidden stays hidden.
func TestCase09InlineXBRLOrder(t *testing.T) {
	c := cutCase(t, "09-html-ixbrl-inline-order/input.html", 128, 0)
	var all []string
	for i := range c.chunks {
		text := regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`).ReplaceAllString(c.chunks[i].Text, "$1")
		all = append(all, strings.Fields(strings.ReplaceAll(text, "*", ""))...)
		for _, hidden := range []string{"hiddenflagvalue", "drop me", "color:red"} {
			if strings.Contains(c.chunks[i].Text, hidden) {
				c.failf(i, "holds %q", hidden)
			}
		}
	}
	rest := strings.Join(all, " ")
	for _, text := range []string{
		"We owe $95.2 billion, of which most is due in 2027, not before.", "Loss of (1,234) thousand.",
		"Please read the notes first. Then sign.", "Loose text before a paragraph and loose text after.",
	} {
		_, after, ok := strings.Cut(rest, text)
		if !ok {
			t.Fatalf("%q is not in %q", text, rest)
		}
		rest = after
	}
	c.wantPaths([]string{"Commitments"})
}

// A table that only lays out is no table, a heading in it is a heading, and
// nothing in a nested one comes twice.
func TestCase10NestedLayoutTables(t *testing.T) {
	for _, limit := range []int{128, 32} {
		c := cutCase(t, "10-html-nested-layout-tables/input.html", limit, 0)
		c.wantPaths([]string{"Item 1. Business"})
		last := 0
		for _, text := range []string{"We build small boats.", "Text beside the tables.", "| 31 |", "| 38 |", "| 40 |", "| 55 |"} {
			k := c.find(text)
			if k.Index < last {
				c.failf(k.Index, "%q is out of order", text)
			}
			last = k.Index
		}
		var body [][]string
		for i := range c.chunks {
			if !strings.Contains(c.chunks[i].Text, "|") {
				if c.chunks[i].Type == "table" {
					c.failf(i, "called a table")
				}
				continue
			}
			table := rows(t, c.chunks[i].Text)
			if table[0][0] != "Year" || table[0][len(table[0])-1] != "Boats" {
				c.failf(i, "header %q", table[0])
			}
			body = append(body, table[2:]...)
		}
		want := []string{"2021 31", "2022 38", "2023 40", "2024 55"}
		if len(body) != len(want) {
			t.Fatalf("at %d: rows %q, want %q", limit, body, want)
		}
		for i := range want {
			if got := strings.Join(strings.Fields(strings.Join(body[i], " ")), " "); got != want[i] {
				t.Errorf("at %d: row %q, want %q", limit, got, want[i])
			}
		}
	}
}

// Comments and decorators stay with what they belong to; module code is kept.
func TestCase11DecoratorsDocComments(t *testing.T) {
	c := cutCase(t, "11-py-decorators-doc-comments/input.py", 56, 0)
	k := c.together("# Loads one row.\n# The second comment line belongs to it as well.\n@lru_cache(maxsize=8)\n@trace(level=\"debug\")\n"+
		"def load(key):\n", "    return os.environ.get(key)")
	if names := strings.Fields(named(k)); names[len(names)-1] != "load" {
		c.failf(k.Index, "named %q", names)
	}
	k = c.together("# Names the inner part.", "@property", "def name(self):", `return "inner"`)
	if len(k.SectionPath) < 2 || k.SectionPath[0] != "Outer" || k.SectionPath[1] != "Inner" {
		c.failf(k.Index, "path %q", k.SectionPath)
	}
	k = c.together("async def run(self):", "def local():", "return local()")
	if len(k.SectionPath) == 0 || k.SectionPath[0] != "Outer" || slices.Contains(k.SectionPath, "Inner") || slices.Contains(k.SectionPath, "load") {
		c.failf(k.Index, "path %q", k.SectionPath)
	}
	k = c.together("class Outer:", `"""Outer docs."""`, "size = 1")
	if len(k.SectionPath) > 0 && !slices.Equal(k.SectionPath, []string{"Outer"}) {
		c.failf(k.Index, "path %q", k.SectionPath)
	}
	for _, text := range []string{`"""Row store."""`, "import os\n", "from functools import lru_cache", "LIMIT = 3", "if __name__ == \"__main__\":\n    print(load(\"A\"))"} {
		c.wantPath(text)
	}
	c.wantWholeLines()
}

// wantWholeLines fails unless each chunk's own text begins and ends where
// lines do, indentation included.
func (c *cut) wantWholeLines() {
	c.Helper()
	for i := range c.chunks {
		k := &c.chunks[i]
		before := c.doc.Source[:k.Start]
		if at := bytes.LastIndexByte(before, '\n') + 1; at < k.Start {
			c.failf(i, "begins behind %q", before[at:])
		}
		if after := c.doc.Source[k.End:]; len(after) > 0 && after[0] != '\n' && after[0] != '\r' && c.doc.Source[k.End-1] != '\n' {
			c.failf(i, "ends within a line")
		}
	}
}

// The pieces of a method over the limit keep its name, and are cut between
// statements, then between lines.
func TestCase12HugeMethod(t *testing.T) {
	const file, signature = "12-go-huge-method/input.go", "func (l *Ledger[T]) Reconcile(limit int64) error {"
	for _, limit := range []int{96, 32} {
		c := cutCase(t, file, limit, 0)
		src := string(c.doc.Source)
		from, to := strings.Index(src, "// Reconcile adds"), strings.Index(src, "// Close is short.")
		pieces := 0
		for i := range c.chunks {
			k := &c.chunks[i]
			names := named(k)
			if k.Start < from || k.Start >= to {
				if strings.Contains(names, "Reconcile") {
					c.failf(i, "named %q", names)
				}
				continue
			}
			pieces++
			if !strings.Contains(names, "Ledger") || !strings.Contains(names, "Reconcile") {
				c.failf(i, "named %q", names)
			}
			if strings.Trim(k.Own(), "{}()[] \t\n") == "" {
				c.failf(i, "brackets only")
			}
		}
		if pieces < 2 {
			t.Errorf("at %d: %d pieces", limit, pieces)
		}
		k := c.find("func (l *Ledger[T]) Close() error { return nil }")
		if names := named(k); !strings.Contains(names, "Ledger") || !strings.Contains(names, "Close") || strings.Contains(k.Text, "Reconcile") {
			c.failf(k.Index, "named %q", names)
		}
		c.find("package ledger")
		c.find(`import "fmt"`)
		c.wantWholeLines()
	}

	c := cutCase(t, file, 96, 0)
	c.find("// Reconcile adds every list of the ledger and reports the first bad entry.\n// It never changes the ledger.\n" + signature)
	for _, loop := range strings.SplitAfter(string(c.doc.Source), "\n\t}\n") {
		if i := strings.Index(loop, "\tfor _, e"); i >= 0 {
			c.find(loop[i : len(loop)-1])
		}
	}
}

// Offsets are bytes, also behind letters of several; attributes and comments
// stay with their item; impl blocks are told apart.
func TestCase13ImplMultibyte(t *testing.T) {
	c := cutCase(t, "13-rust-impl-multibyte/input.rs", 64, 0)
	c.wantWholeLines()
	c.together("/// 问候语 — «héllo» 🚀", "#[derive(Debug, Clone)]", "pub struct Greeter {", "/// 名字")
	for _, w := range []struct {
		texts []string
		impl  string
	}{
		{[]string{"/// 返回问候。", "#[must_use]", "fn greet"}, "Greeter"},
		{[]string{"// ниже — второй метод", "fn part"}, "Greeter"},
		{[]string{"fn fmt(&self"}, "Display for Greeter"},
	} {
		k := c.together(w.texts...)
		if len(k.SectionPath) == 0 || k.SectionPath[0] != w.impl {
			c.failf(k.Index, "path %q, want %q", k.SectionPath, w.impl)
		}
	}
	c.find("macro_rules! shout")
	c.find("use std::fmt;")
	c.find("🙋🏽\u200d♀\ufe0f")
}

// Definitions under #ifdef are found, and what the grammar cannot place takes
// nothing along.
func TestCase14IfdefMacros(t *testing.T) {
	c := cutCase(t, "14-c-ifdef-macros/input.c", 64, 0)
	for _, texts := range [][]string{
		{"/* Opens the link. */", "static int net_open(const char *host)", "return host ? 1 : 0;\n}"},
		{"/* No network: always fails. */", "static int net_open(const char *host)", "return -1;\n}"},
	} {
		if k := c.together(texts...); !strings.Contains(named(k), "net_open") {
			c.failf(k.Index, "named %q", named(k))
		}
	}
	for _, line := range []string{"#ifdef HAVE_NET\n", "#else\n", "#define SQUARE(x)", "DECLARE_TABLE(users)", "int last(void)"} {
		c.find(line)
	}
	if got, want := strings.Count(c.own(), "#endif"), 2; got != want {
		t.Errorf("%d lines #endif, want %d", got, want)
	}
	k := c.find("int pick(int v)\n{\n    if (v > 10) {\n        puts(\"big\");\n    }\n#ifdef LOG_SMALL\n    else {\n        puts(\"small\");\n    }\n#endif\n    return SQUARE(v);\n}")
	if !slices.Contains(k.Symbols, "pick") || strings.Contains(named(k), "users") || strings.Contains(named(k), "DECLARE_TABLE") || strings.Contains(k.Text, "int last") {
		c.failf(k.Index, "named %q", named(k))
	}
	if c.doc.Format != "c" {
		t.Errorf("the format is %s", c.doc.Format)
	}
}

// own returns the own texts, a line end behind each.
func (c *cut) own() string {
	var b strings.Builder
	for i := range c.chunks {
		b.WriteString(c.chunks[i].Own() + "\n")
	}
	return b.String()
}

// Each piece of a table is a table, and holds as many rows as fit.
func TestCase15TablePipesSplit(t *testing.T) {
	c := cutCase(t, "15-md-table-pipes-split/input.md", 64, 0)
	var pieces []*chunker.Chunk
	var values []string
	for i := range c.chunks {
		k := &c.chunks[i]
		if !strings.Contains(k.Text, "|") {
			continue
		}
		pieces = append(pieces, k)
		table := rows(t, k.Text)
		if want := []string{"Flag", "Values", "Meaning"}; !slices.Equal(table[0], want) {
			c.failf(i, "header %q", table[0])
		}
		if want := []string{":---", ":----:", "-------"}; !slices.Equal(table[1], want) {
			c.failf(i, "rule %q", table[1])
		}
		for _, r := range table[2:] {
			values = append(values, r[1])
		}
		if strings.Contains(k.Text, "After the table.") {
			c.failf(i, "holds what follows the table")
		}
	}
	if len(pieces) < 2 || len(pieces) > 5 {
		t.Errorf("%d pieces, want 2 to 5", len(pieces))
	}
	if want := []string{"`a\\|b`", "`\\|`", "x \\| y", "", "1,024", "one<br>two", "漢字", "end"}; !slices.Equal(values, want) {
		t.Errorf("values %q, want %q", values, want)
	}
	for i := 1; i < len(pieces); i++ {
		joined := strings.TrimRight(pieces[i-1].Text, "\n") + "\n" + pieces[i].Own()
		if n := c.opt.Sizer.Count(joined); n <= c.opt.Max {
			c.failf(pieces[i].Index, "fits into the piece before it: %d tokens", n)
		}
	}
	if k := c.find("Table 1. Flags of the tool."); k.Index > pieces[0].Index {
		c.failf(k.Index, "the caption stands behind the first row")
	}
	c.wantPaths([]string{"Flags"})
}

// A line end within quotes ends no row, and a column without a name is one.
func TestCase16QuotedNewlines(t *testing.T) {
	c := cutCase(t, "16-csv-quoted-newlines/input.csv", 48, 0)
	if len(c.chunks) < 2 || len(c.chunks) > 5 {
		t.Errorf("%d pieces, want 2 to 5", len(c.chunks))
	}
	var records [][]string
	for i := range c.chunks {
		r := csv.NewReader(strings.NewReader(c.chunks[i].Text)) // strict: 4 cells in every record
		piece, err := r.ReadAll()
		if err != nil || len(piece) < 2 {
			c.failf(i, "%d records: %v", len(piece), err)
			continue
		}
		if want := []string{"id", "name", "note", ""}; !slices.Equal(piece[0], want) {
			c.failf(i, "header %q", piece[0])
		}
		records = append(records, piece[1:]...)
	}
	want := [][]string{
		{"1", "Kim, A", "line one\nline two", "x"},
		{"2", "Bo", `said "yes" twice`, "y"},
		{"3", "Multi\n\nblank", "plain", "z"},
		{"4", "Dee", "looks,like,a,row\n5,but,is,not", "w"},
		{"Total", "4", "", ""},
	}
	if !reflect.DeepEqual(records, want) {
		t.Errorf("records %q, want %q", records, want)
	}
}

// Text without blanks is cut behind its own sentence marks, and overlaps.
func TestCase17CJKMixed(t *testing.T) {
	const file = "17-text-cjk-mixed/input.txt"
	c := cutCase(t, file, 48, 0)
	src := strings.TrimRight(string(c.doc.Source), "\n")
	long := strings.Index(src, "这一句很长")
	for i := range c.chunks[:len(c.chunks)-1] {
		k := &c.chunks[i]
		switch own := []rune(k.Own()); own[len(own)-1] {
		case '。', '！', '？', '；', '…', '”', '」', '）':
		case '，', '、':
			if k.End <= long || k.End > strings.Index(src, "「好了") {
				c.failf(i, "ends within a sentence that fits")
			}
		default:
			c.failf(i, "ends within a clause")
		}
	}
	for _, sentence := range []string{
		"小船厂建在河边，三代人守着同一间木屋。", "他说：“船要慢慢造！”", "徒弟点点头；", "师傅笑了。",
		"今年的版本是3.14，比去年多了Kubernetes支持，部署只要5分钟。", "真的吗？", "当然是真的……", "不过要先读手册。", "「好了。」", "（完）",
	} {
		c.find(sentence)
	}
	for _, whole := range []string{"！”", "……", "。」", "3.14", "Kubernetes", "5分钟"} {
		c.find(whole)
	}
	if len(c.chunks) > 9 {
		t.Errorf("%d chunks, want at most 9", len(c.chunks))
	}
	joined := ""
	for i := range c.chunks {
		joined += c.chunks[i].Own()
	}
	if joined != src {
		t.Errorf("joined: %q", joined)
	}

	over := cutCase(t, file, 48, 12)
	for i := 1; i < len(over.chunks); i++ {
		k := &over.chunks[i]
		lap := strings.TrimSuffix(k.Text, k.Own())
		if lap == "" || lap == k.Text || !strings.HasSuffix(over.chunks[i-1].Text, lap) || over.opt.Sizer.Count(lap) > 12 {
			over.failf(i, "overlaps by %q with %q", lap, over.chunks[i-1].Text)
		}
	}
	for _, c := range []*cut{c, over} {
		for i := range c.chunks {
			if strings.ContainsAny(string([]rune(c.chunks[i].Text)[:1]), "”」），。！？；、…") {
				c.failf(i, "begins with a closing mark")
			}
		}
	}
}

// A stop behind an abbreviation ends no sentence, and a closing quote stays
// with the sentence it closes.
func TestCase18AbbreviationsQuotes(t *testing.T) {
	c := cutCase(t, "18-text-abbreviations-quotes/input.txt", 40, 0)
	sentences := []string{
		"Dr. Smith paid 3.14 dollars, i.e. the full price, on Jan. 5 at 9 a.m. in Washington.",
		"Some tools, e.g. the ones on p. 12, cut too early.",
		`"Is that so?" she asked.`,
		`"It is."`,
		"He left at once!",
		"The U.S. office (est. 1999) sells v2.0.1 of the kit, see Fig. 3.",
		"Mr. J. R. Hale et al. wrote it... slowly.",
		"Wait... what?",
		"Visit www.example.com/a.b?c=d. for more.",
		"The end.",
	}
	if n := len(c.chunks); n < 4 || n > 6 {
		t.Errorf("%d chunks, want 4 to 6", n)
	}
	next := 0
	for i := range c.chunks {
		rest := strings.TrimSpace(c.chunks[i].Own())
		for next < len(sentences) && strings.HasPrefix(rest, sentences[next]) {
			rest = strings.TrimSpace(rest[len(sentences[next]):])
			next++
		}
		if rest != "" {
			c.failf(i, "holds a part of a sentence: %q", rest)
		}
	}
	if next != len(sentences) {
		t.Errorf("%d sentences, want %d", next, len(sentences))
	}
}

// What looks like a special token is text, in the count too.
func TestCase19SpecialText(t *testing.T) {
	for _, w := range []struct{ limit, least, most int }{{51, 1, 1}, {40, 2, 51}} {
		c := cutCase(t, "19-tokens-special-text/input.txt", w.limit, 0)
		if n := len(c.chunks); n < w.least || n > w.most {
			t.Errorf("at %d: %d chunks", w.limit, n)
		}
		for _, mark := range []string{"<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|endofprompt|>"} {
			c.find(mark)
		}
		for i := range c.chunks {
			if got, want := c.chunks[i].Tokens, c.opt.Sizer.Count(c.chunks[i].Text); got != want {
				c.failf(i, "says %d tokens, counts %d", got, want)
			}
		}
		// 51 is the count by tiktoken's encode_ordinary.
		if n := c.opt.Sizer.Count(strings.TrimSpace(string(c.doc.Source))); n != 51 {
			t.Errorf("the text counts %d tokens, want 51", n)
		}
	}
	c := cutCase(t, "19-tokens-special-text/input.md", 64, 0)
	c.wantPaths([]string{"About <|endoftext|>"})
	c.find("```py\nSTOP = \"<|endoftext|>\"\n```")
	k := c.find("| token |")
	if table := rows(t, k.Text); len(table[0]) != 2 || strings.ReplaceAll(table[2][0], `\`, "") != "<|endoftext|>" {
		c.failf(k.Index, "the table is %q", table)
	}
}

// Options that cannot be used are errors that name the option and its value;
// odd ones that can be used end, and take no more than the document does. That
// the command says the same is in internal/command.
func TestCase20InvalidOptions(t *testing.T) {
	const file = "20-options-invalid/input.txt"
	src := readCase(t, file)
	ctx := context.Background()
	for _, w := range []struct {
		limit, overlap int
		encoding       string
		want           []string // in the error
	}{
		{-5, 0, "", []string{"max", "-5"}},
		{64, -1, "", []string{"overlap", "-1"}},
		{64, 64, "", []string{"overlap", "64"}},
		{64, 100, "", []string{"overlap", "100"}},
		{64, 0, "no_such_base", []string{"encoding", "no_such_base"}},
	} {
		chunks, err := cantle.Chunk(ctx, file, src, cantle.Options{Encoding: w.encoding, Cut: chunker.Options{Max: w.limit, Overlap: w.overlap}})
		if err == nil || chunks != nil {
			t.Errorf("%+v: %d chunks, %v", w, len(chunks), err)
			continue
		}
		for _, part := range w.want {
			if !strings.Contains(strings.ToLower(err.Error()), part) {
				t.Errorf("%+v: %q does not name %s", w, err, part)
			}
		}
	}

	unset, err := cantle.Chunk(ctx, file, src, cantle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	named, err := cantle.Chunk(ctx, file, src, cantle.Options{Encoding: "cl100k_base", Cut: chunker.Options{Max: chunker.DefaultMax}})
	if err != nil || !reflect.DeepEqual(unset, named) {
		t.Errorf("options that are not set are not the defaults: %v", err)
	}
	upper, err := cantle.Chunk(ctx, file, src, cantle.Options{Encoding: "CL100K_BASE"})
	if err == nil && !reflect.DeepEqual(unset, upper) || err != nil && !strings.Contains(err.Error(), "CL100K_BASE") {
		t.Errorf("CL100K_BASE is neither cl100k_base nor an error that names it: %v", err)
	}

	for _, w := range []struct{ limit, overlap, least, most int }{
		{64, 63, 2, 78}, {78, 0, 1, 1}, {77, 0, 2, 78}, {1, 0, 78, 400}, {1_000_000_000, 0, 1, 1},
	} {
		t.Run(fmt.Sprintf("max=%d/overlap=%d", w.limit, w.overlap), func(t *testing.T) {
			var before, after runtime.MemStats
			if _, err := tokens.Get("cl100k_base"); err != nil { // loaded before memory is measured
				t.Fatal(err)
			}
			runtime.ReadMemStats(&before)
			c := cutCase(t, file, w.limit, w.overlap)
			runtime.ReadMemStats(&after)
			if n := len(c.chunks); n < w.least || n > w.most {
				t.Errorf("%d chunks, want %d to %d", n, w.least, w.most)
			}
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 16<<20 {
				t.Errorf("%d bytes taken for %d", taken, len(src))
			}
			for i := 1; i < len(c.chunks); i++ {
				if c.chunks[i].Start <= c.chunks[i-1].Start {
					c.failf(i, "begins where the one before it does")
				}
			}
		})
	}
	for _, blank := range []string{"20-options-invalid/empty.txt", "20-options-invalid/blank.md"} {
		began := time.Now()
		if c := cutCase(t, blank, 64, 0); len(c.chunks) != 0 || time.Since(began) > time.Second {
			t.Errorf("%s: %d chunks in %v", blank, len(c.chunks), time.Since(began))
		}
	}
}

// A character that is over the limit by itself ends, whatever stands beside it.
func TestCharacterOverTheLimit(t *testing.T) {
	for _, text := range []string{"🚀", "🚀 x", "🙋🏽\n", "再见 🚀 «x»"} {
		for limit := 1; limit <= 4; limit++ {
			done := make(chan error, 1)
			go func() {
				_, err := cantle.Chunk(context.Background(), "a.txt", []byte(text), cantle.Options{Cut: chunker.Options{Max: limit}})
				done <- err
			}()
			select {
			case err := <-done:
				if err != nil {
					t.Errorf("%q at %d: %v", text, limit, err)
				}
			case <-time.After(2 * time.Second):
				t.Fatalf("%q at %d: does not end", text, limit)
			}
		}
	}
}
