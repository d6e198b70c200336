package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle/records"
	"github.com/cantle/cantle/verify"
)

const guide = `# Guide

Start here. It is easy.

## Ports

Which port serves what.

| name | port |
|------|------|
| web  | 80   |
| db   | 5432 |

## Run

Do this:

` + "```yaml\nports:\n  web: 80\n  db: 5432\n```\n"

const program = `package p

// Add adds two numbers.
func Add(a, b int) int {
	return a + b
}

func Sub(a, b int) int {
	return a - b
}
`

// chunks returns records of texts, numbered, each on a line of its own.
func chunks(texts ...string) []records.Record {
	recs := make([]records.Record, len(texts))
	for i, text := range texts {
		recs[i] = records.Record{ID: fmt.Sprint(i), Text: text, Index: i, Start: -1, End: -1, StartLine: -1, EndLine: -1, Size: -1, Line: i + 1}
	}
	return recs
}

// good are chunks of guide that have no fault but that they name no section.
func good() []records.Record {
	return chunks(
		"# Guide\n\nStart here. It is easy.",
		"## Ports\n\nWhich port serves what.\n\n| name | port |\n|------|------|\n| web  | 80   |",
		"| name | port |\n|------|------|\n| db   | 5432 |",
		"## Run\n\nDo this:\n\n```yaml\nports:\n  web: 80\n  db: 5432\n```",
	)
}

// paths gives the records of a guide's sections their paths.
func paths(recs []records.Record, titles ...string) []records.Record {
	for i := range recs {
		recs[i].Path = titles
	}
	return recs
}

func kinds(r *verify.Report) []verify.Kind {
	var found []verify.Kind
	for _, k := range verify.Kinds() {
		if r.Counts[k] > 0 {
			found = append(found, k)
		}
	}
	return found
}

func TestKinds(t *testing.T) {
	all := []string{"Guide", "Ports", "Run"}
	edit := func(change func(r []records.Record) []records.Record) []records.Record {
		return change(paths(good(), all...))
	}
	code := func(texts ...string) []records.Record { return chunks(texts...) }
	for _, c := range []struct {
		name string
		doc  string
		recs []records.Record
		max  int
		want []verify.Kind
	}{
		{"good", "guide.md", edit(func(r []records.Record) []records.Record { return r }), 60, nil},
		{"no path", "guide.md", good(), 60, []verify.Kind{verify.Path}},
		{"a chunk is missing", "guide.md", edit(func(r []records.Record) []records.Record { return slices.Delete(r, 2, 3) }), 60, []verify.Kind{verify.Lost}},
		{"a chunk twice", "guide.md", edit(func(r []records.Record) []records.Record {
			again := r[0]
			again.ID, again.Index = "9", 9
			return append(r, again)
		}), 60, []verify.Kind{verify.Doubled, verify.Order}},
		{"written by a model", "guide.md", edit(func(r []records.Record) []records.Record {
			r[0].Text += "\n\nIn short: it starts."
			return r
		}), 60, []verify.Kind{verify.Foreign}},
		{"indentation lost within", "guide.md", edit(func(r []records.Record) []records.Record {
			r[3].Text = strings.ReplaceAll(r[3].Text, "  db:", "db:")
			return r
		}), 60, []verify.Kind{verify.Blanks}},
		{"an empty chunk", "guide.md", edit(func(r []records.Record) []records.Record {
			r[1].Text = "## Ports\n\nWhich port serves what.\n\n| name | port |\n|------|------|\n| web  | 80   |\n| db   | 5432 |"
			r[2].Text = " \n"
			return r
		}), 60, []verify.Kind{verify.Empty}},
		{"a broken rune", "guide.md", edit(func(r []records.Record) []records.Record {
			r[0].Text = strings.Replace(r[0].Text, "easy", "ea\ufffdy", 1)
			return r
		}), 60, []verify.Kind{verify.Lost, verify.Foreign, verify.Replacement}},
		{"out of order", "guide.md", edit(func(r []records.Record) []records.Record {
			r[0], r[3] = r[3], r[0]
			r[0].Index, r[3].Index = 0, 3
			return r
		}), 60, []verify.Kind{verify.Order}},
		{"numbered wrongly", "guide.md", edit(func(r []records.Record) []records.Record {
			r[3].Index = 0
			return r
		}), 60, []verify.Kind{verify.Order}},
		{"offsets", "guide.md", edit(func(r []records.Record) []records.Record {
			r[0].Start, r[0].End = 3, 20
			return r
		}), 60, []verify.Kind{verify.Offsets}},
		{"lines", "guide.md", edit(func(r []records.Record) []records.Record {
			r[3].StartLine, r[3].EndLine = 14, 99
			return r
		}), 60, []verify.Kind{verify.Offsets}},
		{"the same id", "guide.md", edit(func(r []records.Record) []records.Record {
			r[1].ID = r[0].ID
			return r
		}), 60, []verify.Kind{verify.ID}},
		{"a size", "guide.md", edit(func(r []records.Record) []records.Record {
			r[0].Size = 3
			return r
		}), 60, []verify.Kind{verify.Size}},
		{"over the limit", "guide.md", edit(func(r []records.Record) []records.Record { return r }), 25, []verify.Kind{verify.Over}},
		{"a heading alone", "guide.md", edit(func(r []records.Record) []records.Record {
			return slices.Concat(paths(chunks("# Guide", "Start here. It is easy."), all...), r[1:])
		}), 60, []verify.Kind{verify.HeadingAlone, verify.Order, verify.ID}},
		{"a heading parted", "guide.md", edit(func(r []records.Record) []records.Record {
			r[2].Text += "\n\n## Run"
			r[3].Text = strings.TrimPrefix(r[3].Text, "## Run\n\n")
			return r
		}), 60, []verify.Kind{verify.HeadingParted}},
		{"a fence cut", "guide.md", edit(func(r []records.Record) []records.Record {
			r[3].Text = "## Run\n\nDo this:\n\n```yaml\nports:\n  web: 80"
			return append(r, paths(chunks("", "", "", "", "  db: 5432\n```")[4:], all...)...)
		}), 60, []verify.Kind{verify.FenceCut}},
		{"rows without header", "guide.md", edit(func(r []records.Record) []records.Record {
			r[2].Text = "| db   | 5432 |"
			return r
		}), 60, []verify.Kind{verify.Headless}},
		{"a header written otherwise", "guide.md", edit(func(r []records.Record) []records.Record {
			r[2].Text = "name, port\n| db   | 5432 |"
			return r
		}), 60, []verify.Kind{verify.Foreign}},
		{"a sentence cut", "guide.md", edit(func(r []records.Record) []records.Record {
			r[0].Text = "# Guide\n\nStart"
			rest := paths(chunks("", "here. It is easy.")[1:], all...)
			rest[0].ID, rest[0].Index = "x", 0
			return slices.Insert(r, 1, rest...)
		}), 60, []verify.Kind{verify.SentenceCut, verify.Order}},
		{"overlap", "guide.md", edit(func(r []records.Record) []records.Record {
			r[1].Text = "It is easy.\n\n" + r[1].Text
			return r
		}), 60, nil},
		{"whole functions", "p.go", code("package p", "// Add adds two numbers.\nfunc Add(a, b int) int {\n\treturn a + b\n}", "func Sub(a, b int) int {\n\treturn a - b\n}"), 60, nil},
		{"a function cut", "p.go", code("package p", "// Add adds two numbers.\nfunc Add(a, b int) int {", "\treturn a + b\n}", "func Sub(a, b int) int {\n\treturn a - b\n}"), 60, []verify.Kind{verify.FunctionCut}},
		{"a comment parted", "p.go", code("package p\n\n// Add adds two numbers.", "func Add(a, b int) int {\n\treturn a + b\n}", "func Sub(a, b int) int {\n\treturn a - b\n}"), 60, []verify.Kind{verify.DocParted}},
		{"indentation of the first line lost", "p.go", code("package p", "// Add adds two numbers.\nfunc Add(a, b int) int {", "return a + b\n}", "func Sub(a, b int) int {\n\treturn a - b\n}"), 60, []verify.Kind{verify.Blanks, verify.FunctionCut}},
		{"class, then its methods again", "p.go", code(program, "func Sub(a, b int) int {\n\treturn a - b\n}"), 60, []verify.Kind{verify.Doubled}},
	} {
		src := guide
		if c.doc == "p.go" {
			src = program
		}
		r, err := verify.Check(c.doc, []byte(src), c.recs, verify.Options{Max: c.max, Sizes: true})
		if err != nil {
			t.Fatal(err)
		}
		got := kinds(r)
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
			for _, f := range r.Faults {
				t.Log(f)
			}
		}
	}
}

// A page's notes and caption are its table's, wherever it is cut.
func TestTableOfAPage(t *testing.T) {
	page := "<h1>Sales</h1><table><caption>Shipments by port</caption><tr><th>year</th><th>sum</th></tr>" +
		"<tr><td>2023</td><td>71</td></tr><tr><td>2024</td><td>84</td></tr></table>"
	recs := paths(chunks("# Sales\n\nShipments by port\n\n| year | sum |\n|---|---|\n| 2023 | 71 |", "| year | sum |\n|---|---|\n| 2024 | 84 |"), "Sales")
	r, err := verify.Check("sales.html", []byte(page), recs, verify.Options{Max: 60})
	if err != nil {
		t.Fatal(err)
	}
	if r.Counts[verify.Headless] != 1 {
		t.Errorf("got %v", r.Counts)
	}
	for _, f := range r.Faults {
		if f.Kind == verify.Headless && (f.Record != 2 || !strings.Contains(f.Detail, "Shipments by port")) {
			t.Errorf("got %v", f)
		}
	}
}

func TestCharactersAndBytes(t *testing.T) {
	src := []byte("Größe zählt. Ja.\n")
	at := func(start, end int, chars bool) records.Record {
		r := chunks("Ja.")[0]
		r.Start, r.End, r.Chars = start, end, chars
		return r
	}
	first := chunks("Größe zählt.")[0]
	for _, c := range []struct {
		rec    records.Record
		detail string
	}{
		{at(16, 19, false), ""},
		{at(13, 16, true), ""},
		{at(13, 16, false), "13:16 counts characters, not bytes"},
		{at(16, 19, true), "16:19 counts bytes, not characters"},
	} {
		c.rec.ID, c.rec.Index = "1", 1
		r, err := verify.Check("a.txt", src, []records.Record{first, c.rec}, verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range r.Faults {
			got += f.Detail
		}
		if got != c.detail {
			t.Errorf("%d:%d: got %q, want %q", c.rec.Start, c.rec.End, got, c.detail)
		}
	}
}

// Chunks that are of another document are told in time linear in both.
func TestChunksOfAnotherDocument(t *testing.T) {
	src := []byte(strings.Repeat("Alles hat ein Ende.\n\n", 20000))
	texts := make([]string, 5000)
	for i := range texts {
		texts[i] = fmt.Sprintf("Chunk %d is of another document altogether.", i)
	}
	r, err := verify.Check("a.txt", src, chunks(texts...), verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Counts[verify.Foreign] != len(texts) || r.Coverage() != 0 {
		t.Errorf("%d foreign, %v covered", r.Counts[verify.Foreign], r.Coverage())
	}
}

// An id that two documents share is found in whatever order the records stand.
func TestIDsOfSeveralDocuments(t *testing.T) {
	record := map[string]string{
		"a1": `{"id":"1","doc_id":"a.md","text":"One."}`, "a3": `{"id":"3","doc_id":"a.md","text":"Three."}`,
		"b2": `{"id":"2","doc_id":"b.md","text":"Two."}`, "b4": `{"id":"3","doc_id":"b.md","text":"Four."}`,
	}
	texts := map[string]string{"a.md": "One.\n\nThree.\n", "b.md": "Two.\n\nFour.\n"}
	for _, order := range []string{"a1 a3 b2 b4", "b2 b4 a1 a3", "a1 b2 a3 b4", "b2 a1 a3 b4", "a1 b4 b2 a3"} {
		var lines strings.Builder
		for name := range strings.FieldsSeq(order) {
			fmt.Fprintln(&lines, record[name])
		}
		index, err := records.NewIndex(strings.NewReader(lines.String()), int64(lines.Len()), nil)
		if err != nil {
			t.Fatal(err)
		}
		var sources []verify.Source
		for _, doc := range index.Documents() {
			sources = append(sources, verify.Source{Doc: doc, Open: func() ([]byte, error) { return []byte(texts[doc]), nil }})
		}
		r, err := verify.Run(t.Context(), index, sources, 1, verify.Options{Without: []verify.Kind{verify.Order}}, func(doc string, err error) { t.Errorf("%s: %v", doc, err) })
		if err != nil || r.Total() != 1 || r.Counts[verify.ID] != 1 {
			t.Errorf("%s: %v, %v", order, r.Faults, err)
		}
	}
}
