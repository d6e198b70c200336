package cantle_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
)

// TestRowsStandUnderTheirHeader counts the table pieces of the filings whose
// rows have neither the header of their table nor labels of their own.
func TestRowsStandUnderTheirHeader(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join(shared(t, "corpora/filings"), "*.html"))
	if !long() {
		names = names[:2]
	}
	for _, limit := range []int{100, 200, 400} {
		pieces, bare := 0, 0
		for _, name := range names {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := cantle.Parse(name, src, cantle.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			headers := map[int]bool{} // where the header row of each table starts
			for n := range doc.Root.All() {
				if n.Kind == ast.Table {
					for _, c := range n.Children {
						if c.Kind == ast.Row && n.Head.Contains(c.Span) {
							headers[c.Span.Start] = true
						}
					}
				}
			}
			chunks, err := cantle.Cut(context.Background(), doc, cantle.Options{Cut: chunker.Options{Max: limit}})
			if err != nil {
				t.Fatal(err)
			}
			for i := range chunks {
				c := &chunks[i]
				if c.Table == nil || c.Table.RowStart == 0 || strings.Join(c.Table.Columns, "") == "" || !strings.Contains(c.Own(), " | ") {
					continue
				}
				pieces++
				found := false
				for _, p := range c.Parts {
					found = found || headers[p.Start]
					for start := range headers {
						found = found || p.Start <= start && start < p.End
					}
				}
				if !found && !labelled(c) {
					bare++
					if bare < 4 {
						t.Logf("%s at %d: %s", filepath.Base(name), limit, ast.Excerpt(c.Text, 200))
					}
				}
			}
		}
		t.Logf("at %d: %d table pieces, %d without header", limit, pieces, bare)
		// At 100 some rows fill a chunk by themselves.
		if share := map[int]int{100: 15, 200: 100, 400: 80}[limit]; bare*share > pieces {
			t.Errorf("at %d: %d of %d table pieces have no header", limit, bare, pieces)
		}
	}
}

// labelled reports whether the cells of a piece of a row say their labels.
func labelled(c *chunker.Chunk) bool {
	for _, column := range c.Table.Columns {
		if column != "" && len(c.Text) > len(column) && strings.Contains(c.Text, column+": ") {
			return true
		}
	}
	return false
}
