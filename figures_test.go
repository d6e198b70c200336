package cantle_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
)

// A figure is a number in a table and what a reader needs with it.
type figure struct {
	offset int    // of its cell, bytes of the source
	value  string // the text of its cell
	digits string // the number in it
	row    string // the label of its row
	column string // the label of its column
	group  string // the label of the rows around it
	unit   string // that the table states
}

var (
	figureText   = regexp.MustCompile(`^[-–—$€£¥(\s]*(\d[\d,]*\.?\d*|\.\d+)[\s)%x]*$`)
	figureDigits = regexp.MustCompile(`\d[\d,]*\.?\d*|\.\d+`)
	figureUnit   = regexp.MustCompile(`(?i)\bin (millions|thousands|billions)`)
)

// figures returns the numbers in the rows of the tables of a document.
func figures(doc *ast.Document) []figure {
	var all []figure
	for table := range doc.Root.All() {
		if table.Kind != ast.Table {
			continue
		}
		unit, columns, group := "", table.Columns, ""
		var groups []*ast.Node
		for n := range table.All() {
			head := table.Head.Contains(n.Span)
			groups = slices.DeleteFunc(groups, func(g *ast.Node) bool { return g.Span.End <= n.Span.Start })
			if group = ""; len(groups) > 0 && groups[len(groups)-1] != n {
				group = strings.Trim(groups[len(groups)-1].Children[0].Text, "| \n")
			}
			switch n.Kind {
			case ast.Group:
				if !strings.Contains(n.Children[0].Text, "\n|---") {
					groups = append(groups, n)
				}
			case ast.Paragraph:
				if head && unit == "" {
					unit = figureUnit.FindString(n.Text)
				}
			case ast.Row:
				first, _, isHeader := strings.Cut(n.Text, "\n|---")
				if isHeader {
					columns = bars(first)
					if u := figureUnit.FindString(first); u != "" {
						unit = u
					}
				} else if !head {
					all = appendFigures(all, n, figure{unit: unit, group: group}, columns)
				}
			}
		}
	}
	return all
}

func appendFigures(all []figure, row *ast.Node, f figure, columns []string) []figure {
	parts := bars(row.Text)
	if !figureText.MatchString(parts[0]) {
		f.row = parts[0]
	}
	if f.row == f.group || len(row.Children) == 1 {
		f.group = ""
	}
	cells := row.Children
	if row.IsLeaf() {
		cells = []*ast.Node{row}
	}
	for _, c := range cells {
		f.value = strings.Trim(c.Text, "| \n")
		k := slices.Index(parts, f.value)
		if !figureText.MatchString(f.value) || k == 0 {
			continue
		}
		f.offset, f.digits = c.Span.Start, figureDigits.FindString(f.value)
		if f.column = c.Name; f.column == "" && k > 0 && k < len(columns) {
			f.column = columns[k]
		}
		all = append(all, f)
	}
	return all
}

// bars parts the cells of a row of a Markdown table.
func bars(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	parts := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
	for i := range parts {
		parts[i] = strings.ReplaceAll(strings.TrimSpace(parts[i]), "\x00", "|")
	}
	return parts
}

// squash leaves out what may differ between two renderings of a label.
var squash = strings.NewReplacer(" ", "", "\n", "", "<br>", "", "\u00a0", "", `\|`, "|").Replace

// missing says what of f a text does not give, "" where it gives all: the
// number in one piece, in a line with the label of its row, below the label of
// its column, or after it.
func (f *figure) missing(text string) string {
	number, row, column := false, false, false
	lines := strings.Split(text, "\n")
	var labels []string
	for i, line := range lines {
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "|---") {
			labels = bars(line)
		}
		parts := bars(line)
		for k, part := range parts {
			if !slices.Contains(figureDigits.FindAllString(part, -1), f.digits) {
				continue
			}
			number = true
			says := func(s string) bool { return strings.Contains(squash(s), squash(f.row)) }
			named := len(parts) == 1 && strings.HasPrefix(squash(part), squash(f.column)+":")
			byRow := says(line) || named && says(strings.Join(lines[:i], "\n"))
			byColumn := f.column == "" || named || k < len(labels) && strings.Contains(squash(labels[k]), squash(f.column))
			if row, column = row || byRow, column || byColumn; byRow && byColumn {
				switch {
				case f.unit != "" && !strings.Contains(strings.ToLower(text), strings.ToLower(f.unit)):
					return "unit"
				case !strings.Contains(squash(text), squash(f.group)):
					return "group"
				}
				return ""
			}
		}
	}
	switch {
	case !number:
		return "number"
	case !row:
		return "row"
	case !column:
		return "column"
	}
	return "row with column"
}

// TestFiguresAreCompleteInTheirChunks asks of each number in each table of the
// filings whether the chunk that holds it says what it is.
func TestFiguresAreCompleteInTheirChunks(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join(shared(t, "corpora/filings"), "*.html"))
	if !long() {
		names = names[:2]
	}
	limits := []int{200, 400, 0}
	total, whole, rest := map[int]int{}, map[int]int{}, map[int]map[string]int{}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := cantle.Parse(name, src, cantle.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		all := figures(doc)
		for _, limit := range limits {
			chunks, err := cantle.Cut(context.Background(), doc, cantle.Options{Cut: chunker.Options{Max: limit}})
			if err != nil {
				t.Fatal(err)
			}
			if rest[limit] == nil {
				rest[limit] = map[string]int{}
			}
			for i := range all {
				f := &all[i]
				total[limit]++
				k := sort.Search(len(chunks), func(k int) bool { return chunks[k].End > f.offset })
				what := "no chunk"
				if k < len(chunks) {
					what = f.missing(chunks[k].Text)
				}
				if what == "" {
					whole[limit]++
				} else if rest[limit][what]++; rest[limit][what] <= 2 {
					t.Logf("%s at %d, %s: %+v\n%s", filepath.Base(name), limit, what, *f, ast.Excerpt(chunks[min(k, len(chunks)-1)].Text, 300))
				}
			}
		}
	}
	for _, limit := range limits {
		share := 100 * float64(whole[limit]) / float64(total[limit])
		t.Logf("limit %d: %d figures, %.2f %%; the rest: %v", limit, total[limit], share, rest[limit])
		if share < 99.5 {
			t.Errorf("limit %d: %.2f %% of the figures are complete in their chunks", limit, share)
		}
	}
}

// yards is a filing in small: a unit above the table, groups within a group,
// long labels of columns, a row without a name, notes.
const yards = `<html><body><p>The following table shows what the yards delivered (in thousands):</p>
<table>
<tr><td></td><td colspan="3">Year Ended December 31, 2023</td><td colspan="3">Year Ended December 31, 2022</td></tr>
<tr><td></td><td>Delivered to owners</td><td>Under repair (1)</td><td>All boats together</td><td>Delivered to owners</td><td>Under repair (1)</td><td>All boats together</td></tr>
<tr><td>Boats of the northern yards and their daughters:</td><td></td><td></td><td></td><td></td><td></td><td></td></tr>
<tr><td>Aden</td><td>1,101</td><td>1,102</td><td>1,103</td><td>1,104</td><td>1,105</td><td>1,106</td></tr>
<tr><td>Bari</td><td>1,201</td><td>1,202</td><td>1,203</td><td>1,204</td><td>1,205</td><td>1,206</td></tr>
<tr><td>Cork</td><td>1,301</td><td>1,302</td><td>1,303</td><td>1,304</td><td>1,305</td><td>1,306</td></tr>
<tr><td></td><td>3,601</td><td>3,602</td><td>3,603</td><td>3,604</td><td>3,605</td><td>3,606</td></tr>
<tr><td>Total boats</td><td>4,001</td><td>4,002</td><td>4,003</td><td>4,004</td><td>4,005</td><td>4,006</td></tr>
</table>
<p>(1) In the docks of others, of which two are shared with the harbour.</p></body></html>`

func TestFiguresOfASmallTable(t *testing.T) {
	doc, err := cantle.Parse("yards.html", []byte(yards), cantle.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all := figures(doc)
	if len(all) != 30 {
		t.Errorf("%d figures, want 30", len(all))
	}
	for limit := 120; limit <= 520; limit += 20 {
		chunks, err := cantle.Cut(context.Background(), doc, cantle.Options{Cut: chunker.Options{Max: limit}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			k := sort.Search(len(chunks), func(k int) bool { return chunks[k].End > all[i].offset })
			if what := all[i].missing(chunks[k].Text); what != "" {
				t.Errorf("at %d the %s of %+v is missing:\n%s", limit, what, all[i], chunks[k].Text)
			}
		}
	}
}
