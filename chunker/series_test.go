package chunker_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/tables"
	"github.com/cantle/cantle/tokens"
)

// boats is a file of n rows, with titles, a line end within quotes, blank
// lines and rows that are alike.
func boats(n int) string {
	var b strings.Builder
	b.WriteString("\ufeffBoats of the yard\nid,name,length\n")
	for i := range n {
		switch i % 7 {
		case 3:
			fmt.Fprintf(&b, "%d,\"Old\nboat\",%d\r\n", i, 20+i%30)
		case 5:
			b.WriteString("0,Raft,3\n\n")
		default:
			fmt.Fprintf(&b, "%d,Boat %d,%d\n", i, i, 20+i%30)
		}
	}
	return b.String()
}

func TestSeriesIsTheWhole(t *testing.T) {
	src := boats(20000)
	sizer, err := tokens.Get("chars")
	if err != nil {
		t.Fatal(err)
	}
	opt := chunker.Options{Sizer: sizer, Max: 200, DocID: "boats.csv"}
	whole, err := chunker.Split(context.Background(), tables.ParseCSV("boats.csv", []byte(src), tables.Options{}), opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 70_001, 150_000, 1 << 20} {
		series, err := chunker.NewSeries(opt)
		if err != nil {
			t.Fatal(err)
		}
		var chunks []chunker.Chunk
		for e, err := range tables.Extracts("boats.csv", strings.NewReader(src), tables.Options{}, size) {
			if err != nil {
				t.Fatal(err)
			}
			if err := ast.Check(e.Doc); err != nil {
				t.Fatal(err)
			}
			some, err := series.Split(context.Background(), e)
			if err != nil {
				t.Fatal(err)
			}
			chunks = append(chunks, some...)
		}
		chunks = append(chunks, series.Close()...)
		checkSeries(t, fmt.Sprintf("size %d", size), src, whole, chunks)
	}
}

func checkSeries(t *testing.T, name, src string, whole, chunks []chunker.Chunk) {
	t.Helper()
	own := func(chunks []chunker.Chunk) string {
		var b strings.Builder
		for i := range chunks {
			b.WriteString(strings.TrimRight(chunks[i].Own(), "\r\n") + "\n")
		}
		return strings.NewReplacer("\r", "", "\n\n", "\n").Replace(b.String())
	}
	if own(chunks) != own(whole) {
		t.Errorf("%s: the own text differs", name)
	}
	ids := map[string]bool{}
	lines := ast.NewLines([]byte(src))
	for i := range chunks {
		c := &chunks[i]
		ids[c.ID] = true
		switch {
		case c.Index != i:
			t.Errorf("%s: chunk %d is number %d", name, i, c.Index)
		case i > 0 && (c.PrevID != chunks[i-1].ID || chunks[i-1].NextID != c.ID):
			t.Errorf("%s: chunk %d is not linked to the one before", name, i)
		case !strings.HasPrefix(c.Text, "Boats of the yard\nid,name,length\n"):
			t.Errorf("%s: chunk %d has no header: %q", name, i, c.Text)
		case src[c.Start:c.End] != c.Own():
			t.Errorf("%s: chunk %d is %q at its place, not %q", name, i, src[c.Start:c.End], c.Own())
		case lines.Line(c.Start) != c.StartLine || lines.Line(c.End-1) != c.EndLine:
			t.Errorf("%s: chunk %d is at lines %d-%d, not %d-%d", name, i, lines.Line(c.Start), lines.Line(c.End-1), c.StartLine, c.EndLine)
		}
		row := 0
		if i > 0 {
			row = chunks[i-1].Table.RowEnd
		}
		if c.Table.RowStart != row {
			t.Errorf("%s: chunk %d begins with row %d, not %d", name, i, c.Table.RowStart, row)
		}
	}
	if len(ids) != len(chunks) {
		t.Errorf("%s: %d ids of %d chunks", name, len(ids), len(chunks))
	}
	if n := whole[len(whole)-1].Table.RowEnd; chunks[len(chunks)-1].Table.RowEnd != n {
		t.Errorf("%s: %d rows, want %d", name, chunks[len(chunks)-1].Table.RowEnd, n)
	}
}

func TestSeriesOptions(t *testing.T) {
	sizer, _ := tokens.Get("chars")
	for _, opt := range []chunker.Options{{Sizer: sizer, Strategy: chunker.Fixed}, {Sizer: sizer, Parents: 1000}, {}} {
		if _, err := chunker.NewSeries(opt); err == nil {
			t.Errorf("%+v is taken", opt)
		}
	}
}
