package tables

import (
	"archive/zip"
	"bytes"
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
	doc := ParseXLSX("boats.xlsx", src, Options{})
	if err := ast.Check(doc); err != nil {
		t.Fatal(err)
	}
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
		doc := ParseXLSX(name, src, Options{})
		if err := ast.Check(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(doc.Problems) == 0 || len(doc.Source) != 0 {
			t.Errorf("%s: not refused: %v", name, doc.Problems)
		}
	}
}
