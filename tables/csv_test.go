package tables

import (
	"bytes"
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/simplifiedchinese"
	textunicode "golang.org/x/text/encoding/unicode"

	"github.com/cantle/cantle/ast"
)

func parseCSV(t *testing.T, src string, opts Options) *ast.Document {
	t.Helper()
	doc := ParseCSV("test.csv", []byte(src), opts)
	if err := ast.Check(doc); err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	return doc
}

func dump(doc *ast.Document) string {
	var b bytes.Buffer
	ast.Dump(&b, doc)
	return b.String()
}

func TestCSVTree(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"header and rows", "id,name\n1,a\n2,b\n", `document 0:16
  table 0:16 head 0:8 columns ["id" "name"]
    row 0:8 | id,name\n
    row 8:12 | 1,a\n
    row 12:16 | 2,b\n
`},
		{"no header", "1,2\n3,4\n", `document 0:8
  table 0:8
    row 0:4 | 1,2\n
    row 4:8 | 3,4\n
`},
		{"byte order mark, semicolons, blank line", "\ufeffa;b\n1;2\n\n3;4", `document 0:15
  markup 0:3 | \ufeff
  table 3:15 head 3:7 columns ["a" "b"]
    row 3:7 | a;b\n
    row 7:12 | 1;2\n\n
    row 12:15 | 3;4
`},
		{"title above the header", "Boats built\nyear,boats,crew\n2021,31,4\n2022,38,5\n", `document 0:48
  table 0:48 head 0:28 columns ["year" "boats" "crew"]
    paragraph 0:12 | Boats built\n
    row 12:28 | year,boats,crew\n
    row 28:38 | 2021,31,4\n
    row 38:48 | 2022,38,5\n
`},
		{"separator line", "sep=;\na;b\n1;2\n", `document 0:14
  markup 0:6 | sep=;\n
  table 6:14 head 6:10 columns ["a" "b"]
    row 6:10 | a;b\n
    row 10:14 | 1;2\n
`},
		{"ragged row", "a,b,c\n1,2,3\n4,5\n7,8,9\n", `document 0:22
  table 0:22 head 0:6 columns ["a" "b" "c"]
    row 0:6 | a,b,c\n
    row 6:12 | 1,2,3\n
    row 12:16 | 4,5\n
    row 16:22 | 7,8,9\n
problem 12: the row has 2 cells where most have 3
`},
		{"quote that does not close", "a,b\n1,\"x\n2,y\n3,z\n", `document 0:17
  table 0:17 head 0:4 columns ["a" "b"]
    row 0:4 | a,b\n
    row 4:9 | 1,"x\n
    row 9:13 | 2,y\n
    row 13:17 | 3,z\n
problem 4: a quote that does not close: line ends end rows from here on
`},
		{"old line ends", "a,b\r1,2\r3,4\r", `document 0:12
  table 0:12 head 0:4 columns ["a" "b"]
    row 0:4 | a,b\r
    row 4:8 | 1,2\r
    row 8:12 | 3,4\r
`},
		{"empty", "", "document 0:0 | \n"},
		{"blank lines", "\n\n", "document 0:2\n  markup 0:2 | \\n\\n\n"},
	} {
		if got := dump(parseCSV(t, c.src, Options{})); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestCSVCase holds rows with quoted line ends against encoding/csv.
func TestCSVCase(t *testing.T) {
	src, err := os.ReadFile("testdata/quoted-newlines.csv")
	if err != nil {
		t.Fatal(err)
	}
	doc := parseCSV(t, string(src), Options{})
	table := doc.Root.Children[0]
	if want := []string{"id", "name", "note", ""}; !slices.Equal(table.Columns, want) {
		t.Errorf("columns %q, want %q", table.Columns, want)
	}
	r := csv.NewReader(bytes.NewReader(src))
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Children) != len(records) {
		t.Fatalf("%d rows, want %d", len(table.Children), len(records))
	}
	for i, row := range table.Children {
		r := csv.NewReader(strings.NewReader(string(src[row.Span.Start:row.Span.End])))
		if got, err := r.Read(); err != nil || !slices.Equal(got, records[i]) {
			t.Errorf("row %d: got %q %v, want %q", i, got, err, records[i])
		}
	}
}

func TestCSVDialect(t *testing.T) {
	for _, c := range []struct {
		src  string
		want Dialect
	}{
		{"a,b\n1,2\n", Dialect{',', '"'}},
		{"a\tb\n1,5\t2,5\n", Dialect{'\t', '"'}},
		{"name;price\nbolt, long;1,25\nnut;0,50\n", Dialect{';', '"'}},
		{"a|b|c\n1|2|3\n", Dialect{'|', '"'}},
		{"'a','b, c'\n'd','e, f'\n", Dialect{',', '\''}},
		{"it's,one\nhe's,two\n", Dialect{',', '"'}},
		{"\"x;y;z\",b\n\"u;v\",c\n", Dialect{',', '"'}},
		{"no delimiter\nat all\n", Dialect{',', '"'}},
	} {
		if got := detect([]byte(c.src)); got != c.want {
			t.Errorf("%q: got %q %q", c.src, got.Delimiter, got.Quote)
		}
	}
}

func TestCSVEncodings(t *testing.T) {
	const text = "名称,数量\n螺丝,12\n螺母,30\n"
	gbk, err := simplifiedchinese.GBK.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	utf16, err := textunicode.UTF16(textunicode.LittleEndian, textunicode.UseBOM).NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for want, src := range map[string][]byte{"gb18030": gbk, "utf-16le": utf16} {
		doc := ParseCSV("t.csv", src, Options{})
		if err := ast.Check(doc); err != nil {
			t.Error(err)
		}
		if doc.Meta["charset"] != want || string(doc.Source) != text {
			t.Errorf("got %v %q, want %s", doc.Meta["charset"], doc.Source, want)
		}
		if table := doc.Root.Children[0]; !slices.Equal(table.Columns, []string{"名称", "数量"}) {
			t.Errorf("%s: columns %q", want, table.Columns)
		}
	}
}

func TestCSVLongRow(t *testing.T) {
	long := strings.Repeat("word ", 40)
	src := "id,text,mark\n1,\"" + long + "\",x\n"
	doc := parseCSV(t, src, Options{})
	parseCSV(t, src+"\n\n", Options{}) // blank lines go with the row
	row := doc.Root.Children[0].Children[1]
	var names, cells []string
	for _, c := range row.Children {
		names = append(names, c.Name)
		cells = append(cells, src[c.Span.Start:c.Span.End])
	}
	if want := []string{"id", "text", "mark"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
	if want := []string{"1,", "\"" + long + "\",", "x\n"}; !slices.Equal(cells, want) {
		t.Errorf("got %q, want %q", cells, want)
	}
}

func TestCSVRows(t *testing.T) {
	src := "region,2023,2024\nNorth,10,11\n\"South, East\",20,\n"
	for format, want := range map[string]string{
		"markdown": "| region | 2023 | 2024 |\n|---|---|---|\n| North | 10 | 11 |\n| South, East | 20 |  |\n",
		"records":  "North, 2023: 10\nNorth, 2024: 11\nSouth, East, 2023: 20\n",
		"html":     "<tr><th>region</th><th>2023</th><th>2024</th></tr>\n<tr><td>North</td><td>10</td><td>11</td></tr>\n<tr><td>South, East</td><td>20</td><td></td></tr>\n",
	} {
		doc := parseCSV(t, src, Options{Rows: format, Header: "yes"})
		var b strings.Builder
		for _, row := range doc.Root.Children[0].Children {
			b.WriteString(row.Text)
		}
		if b.String() != want {
			t.Errorf("%s: got\n%s\nwant\n%s", format, b.String(), want)
		}
	}
}

func TestCSVHostile(t *testing.T) {
	for name, src := range map[string]string{
		"quotes":     strings.Repeat(`"`, 1<<20),
		"open cells": strings.Repeat("a,\"b\n", 1<<18),
		"one line":   strings.Repeat("x,", 1<<20),
		"delimiters": strings.Repeat(",", 1<<20) + "\n",
		"NUL":        strings.Repeat("\x00,\x00\n", 1<<16),
		"returns":    strings.Repeat("\r", 1<<20),
	} {
		start := time.Now()
		parseCSV(t, src, Options{})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
}

func FuzzParseCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "a;\"b\n\";c\r\n", "\ufeffx\ty\n", "sep=|\na|b", "\xff\xfea\x00", "\"", "'a','b'\n'c','d'\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, opts := range []Options{{}, {Rows: "markdown"}, {Rows: "records", Header: "yes"}} {
			if err := ast.Check(ParseCSV("f", src, opts)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkParseCSV(b *testing.B) {
	var plain, quoted bytes.Buffer
	for i := range 100000 {
		plain.WriteString(strings.Repeat("7", i%9+1) + ",North West,2024-03-01,1234.50,open account\n")
		quoted.WriteString(strings.Repeat("7", i%9+1) + ",\"North, West\",2024-03-01,\"said \"\"yes\"\"\",open account\n")
	}
	for name, src := range map[string][]byte{"plain": plain.Bytes(), "quoted": quoted.Bytes()} {
		b.Run("rows="+name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				ParseCSV("b", src, Options{})
			}
		})
	}
}
