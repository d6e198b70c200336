package tables

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/cantle/cantle/ast"
)

// workbook returns a workbook that fill has filled, as bytes.
func workbook(t *testing.T, fill func(f *excelize.File)) []byte {
	t.Helper()
	f := excelize.NewFile()
	fill(f)
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func setRow(t *testing.T, f *excelize.File, sheet, cell string, values ...any) {
	t.Helper()
	if err := f.SetSheetRow(sheet, cell, &values); err != nil {
		t.Fatal(err)
	}
}

func parseXLSX(t *testing.T, src []byte) *ast.Document {
	t.Helper()
	doc, err := ParseXLSX("boats.xlsx", src, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ast.Check(doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestXLSX(t *testing.T) {
	src := workbook(t, func(f *excelize.File) {
		f.SetSheetName("Sheet1", "Harbour")
		setRow(t, f, "Harbour", "A1", "Boats by year")
		setRow(t, f, "Harbour", "A2", "(in thousands)")
		setRow(t, f, "Harbour", "A3", "Port", 2023, nil, 2024)
		setRow(t, f, "Harbour", "A4", nil, "Plan", "Real", "Plan", "Real")
		f.MergeCell("Harbour", "A3", "A4")
		f.MergeCell("Harbour", "B3", "C3")
		f.MergeCell("Harbour", "D3", "E3")
		setRow(t, f, "Harbour", "A5", "North", 10, 11, 12, 13)
		setRow(t, f, "Harbour", "A6", nil, 20, 21, 22, 23)
		f.MergeCell("Harbour", "A5", "A6")
		setRow(t, f, "Harbour", "A9", "Crew", "Age", nil, "Town", "People")
		setRow(t, f, "Harbour", "A10", "Kim", 41, nil, "Aden", 300)
		setRow(t, f, "Harbour", "A11", "Bo", 29, nil, "Bari", 500)
		f.NewSheet("Rates")
		setRow(t, f, "Rates", "A1", "day", "rate")
		setRow(t, f, "Rates", "A2", 45292, 0.125)
		setRow(t, f, "Rates", "A3", 45293, 0.5)
		date, _ := f.NewStyle(&excelize.Style{NumFmt: 14})
		percent, _ := f.NewStyle(&excelize.Style{NumFmt: 10})
		f.SetCellStyle("Rates", "A2", "A3", date)
		f.SetCellStyle("Rates", "B2", "B3", percent)
		f.NewSheet("Secret")
		setRow(t, f, "Secret", "A1", "hidden", "words")
		f.SetSheetVisible("Secret", false)
	})
	doc := parseXLSX(t, src)
	want := `# Harbour

Boats by year

(in thousands)

| Port | 2023 Plan | 2023 Real | 2024 Plan | 2024 Real |
|---|---|---|---|---|
| North | 10 | 11 | 12 | 13 |
| North | 20 | 21 | 22 | 23 |

| Crew | Age |
|---|---|
| Kim | 41 |
| Bo | 29 |

| Town | People |
|---|---|
| Aden | 300 |
| Bari | 500 |

# Rates

| day | rate |
|---|---|
| 01-01-24 | 12.50% |
| 01-02-24 | 50.00% |

`
	if string(doc.Source) != want {
		t.Errorf("got\n%s\nwant\n%s", doc.Source, want)
	}
	if doc.Meta["derived"] != true || strings.Join(doc.Meta["hidden_sheets"].([]string), "") != "Secret" {
		t.Errorf("meta %v", doc.Meta)
	}
	table := doc.Root.Children[0].Children[1]
	if got := string(doc.Source[table.Head.Start:table.Head.End]); !strings.HasPrefix(got, "Boats by year") || !strings.HasSuffix(got, "|---|\n") {
		t.Errorf("head %q", got)
	}
}

func TestXLSXRefused(t *testing.T) {
	// says is an archive whose one file says that it unpacks to size bytes.
	says := func(size uint64) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		h := &zip.FileHeader{Name: "xl/worksheets/sheet1.xml", Method: zip.Deflate, CompressedSize64: 1000, UncompressedSize64: size}
		w, err := z.CreateRaw(h)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(make([]byte, 1000))
		z.Close()
		return b.Bytes()
	}
	for name, src := range map[string][]byte{
		"empty": nil, "text": []byte("a,b\n1,2\n"), "truncated": says(5000)[:500], "bomb": says(300 << 20), "huge": says(1 << 40), "no sheet": says(5000),
	} {
		if doc, err := ParseXLSX(name, src, Options{}); err == nil {
			t.Errorf("%s: not refused: %v", name, doc.Problems)
		}
	}
}

// sheetOf returns a workbook of one sheet, of the XML of its rows and of what
// follows them.
func sheetOf(t *testing.T, rows, after string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	const (
		xmlns = `xmlns="http://schemas.openxmlformats.org/`
		rel   = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	)
	for _, f := range [][2]string{
		{"[Content_Types].xml", `<Types ` + xmlns + `package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`},
		{"_rels/.rels", `<Relationships ` + xmlns + `package/2006/relationships"><Relationship Id="rId1" Type="` + rel + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook ` + xmlns + `spreadsheetml/2006/main" xmlns:r="` + rel + `"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships ` + xmlns + `package/2006/relationships"><Relationship Id="rId1" Type="` + rel + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
		{"xl/worksheets/sheet1.xml", `<worksheet ` + xmlns + `spreadsheetml/2006/main"><sheetData>` + rows + `</sheetData>` + after + `</worksheet>`},
	} {
		w, err := z.Create(f[0])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, f[1])
	}
	z.Close()
	return b.Bytes()
}

// sheetRowOf returns the XML of a row of numbers in columns first to last, from 1.
func sheetRowOf(row, first, last int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<row r="%d">`, row)
	for c := first; c <= last; c++ {
		name, _ := excelize.CoordinatesToCellName(c, row)
		fmt.Fprintf(&b, `<c r="%s"><v>%d</v></c>`, name, row+c)
	}
	return b.String() + "</row>"
}

// TestXLSXSparse holds that memory grows with the cells that are filled, not
// with where they stand or what is merged.
func TestXLSXSparse(t *testing.T) {
	diagonal := func(n int) string {
		var b strings.Builder
		b.WriteString(sheetRowOf(1, 1, n))
		for row := 2; row <= n; row++ {
			b.WriteString(sheetRowOf(row, row, row))
		}
		return b.String()
	}
	long := `<row r="1">` + strings.Repeat(`<c t="inlineStr"><is><t>`+strings.Repeat("word ", 10)+`</t></is></c>`, 2) + `</row>`
	merges := func(n int) string {
		var b strings.Builder
		for c := range n {
			from, _ := excelize.CoordinatesToCellName(c+1, 1)
			to, _ := excelize.CoordinatesToCellName(c+1, 1<<20)
			b.WriteString(`<mergeCell ref="` + from + ":" + to + `"/>`)
		}
		return "<mergeCells>" + b.String() + "</mergeCells>"
	}
	for name, c := range map[string]struct {
		src  []byte
		want string
	}{
		"far row": {sheetOf(t, sheetRowOf(1, 1, 100)+sheetRowOf(2, 1, 100)+sheetRowOf(1<<20, 1, 100), ""), "1048676 |"},
		"far cell": {sheetOf(t, sheetRowOf(1, 1, 3)+sheetRowOf(2, 1, 3)+sheetRowOf(3, 16384, 16384)+sheetRowOf(4, 16384, 16384),
			`<mergeCells><mergeCell ref="A2:C1048576"/><mergeCell ref="XFD1:XFD2"/></mergeCells>`), "16388"},
		"diagonal":     {sheetOf(t, diagonal(1500), ""), "3000 |"},
		"high merges":  {sheetOf(t, diagonal(1000), merges(1000)), "| 1001 |"},
		"no merge":     {sheetOf(t, long, `<mergeCells><mergeCell ref="A1"/><mergeCell ref="B9:A1"/><mergeCell/></mergeCells>`), "word word"},
		"no row names": {sheetOf(t, `<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c><c><v>4</v></c></row>`, ""), "| 3 | 4 |"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		doc := parseXLSX(t, c.src)
		runtime.ReadMemStats(&after)
		t.Logf("%s: %d bytes, %d MB", name, len(c.src), (after.TotalAlloc-before.TotalAlloc)>>20)
		if used := after.TotalAlloc - before.TotalAlloc; used > 200<<20 {
			t.Errorf("%s: %d bytes took %d MB", name, len(c.src), used>>20)
		}
		if !strings.Contains(string(doc.Source), c.want) {
			t.Errorf("%s: no %q in %.200q", name, c.want, doc.Source)
		}
	}
}

// A sheet without cells is named and is no part of the text.
func TestXLSXEmptySheet(t *testing.T) {
	src := workbook(t, func(f *excelize.File) {
		f.SetSheetName("Sheet1", "Blank")
		f.NewSheet("Rates")
		setRow(t, f, "Rates", "A1", "day", "rate")
		setRow(t, f, "Rates", "A2", " ", "")
	})
	doc := parseXLSX(t, src)
	if got := string(doc.Source); got != "# Rates\n\nday\nrate\n\n" || fmt.Sprint(doc.Meta["empty_sheets"]) != "[Blank]" {
		t.Errorf("got %q, meta %v", got, doc.Meta)
	}
}
