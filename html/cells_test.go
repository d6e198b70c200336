package html

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	xhtml "golang.org/x/net/html"

	"github.com/cantle/cantle/ast"
)

// A rawCell is a cell as the tokens of the page give it.
type rawCell struct {
	text       string
	offset     int // of its first text
	start, end int // columns
}

type rawTable struct {
	rows   [][]rawCell
	before string // the text of the page just above
	nested bool
}

// rawTables reads the tables of a page with nothing but the tokenizer.
func rawTables(src []byte) []rawTable {
	var done []rawTable
	var open []rawTable
	var carried [][]rawCell // by rows below
	z := xhtml.NewTokenizer(bytes.NewReader(src))
	at, depthHidden, depth := 0, 0, 0
	inCell, breaks := false, false
	recent := ""
	void := map[string]bool{"br": true, "hr": true, "img": true, "col": true}
	attr := func(t xhtml.Token, key string) int {
		for _, a := range t.Attr {
			if a.Key == key {
				n, _ := strconv.Atoi(a.Val)
				return max(n, 1)
			}
		}
		return 1
	}
	col := 0
	for {
		tt := z.Next()
		raw := z.Raw()
		switch tt {
		case xhtml.ErrorToken:
			return done
		case xhtml.TextToken:
			text := strings.Join(strings.Fields(xhtml.UnescapeString(string(raw))), " ")
			if depthHidden > 0 || text == "" {
				if strings.TrimSpace(string(raw)) == "" || text == "" {
					breaks = true
				}
				break
			}
			if inCell && len(open) > 0 {
				t := &open[len(open)-1]
				row := &t.rows[len(t.rows)-1]
				c := &(*row)[len(*row)-1]
				if c.text == "" {
					c.offset = at
				} else if breaks || strings.HasPrefix(xhtml.UnescapeString(string(raw)), " ") || strings.HasPrefix(xhtml.UnescapeString(string(raw)), "\u00a0") {
					c.text += " "
				}
				c.text += text
				breaks = strings.HasSuffix(xhtml.UnescapeString(string(raw)), " ") || strings.HasSuffix(xhtml.UnescapeString(string(raw)), "\u00a0")
			} else {
				recent += text
				if len(recent) > 600 {
					recent = recent[len(recent)-400:]
				}
			}
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			t := z.Token()
			if tt == xhtml.StartTagToken && !void[t.Data] {
				depth++
				for _, a := range t.Attr {
					if a.Key == "style" && strings.Contains(strings.ReplaceAll(a.Val, " ", ""), "display:none") && depthHidden == 0 {
						depthHidden = depth
					}
				}
			}
			switch t.Data {
			case "table":
				if len(open) > 0 {
					open[len(open)-1].nested = true
				}
				open = append(open, rawTable{before: recent})
				carried = nil
			case "tr":
				if len(open) > 0 {
					tb := &open[len(open)-1]
					tb.rows = append(tb.rows, nil)
					col = 0
				}
			case "td", "th":
				if len(open) == 0 || len(open[len(open)-1].rows) == 0 {
					break
				}
				tb := &open[len(open)-1]
				r := len(tb.rows) - 1
				for again := true; again; {
					again = false
					if r < len(carried) {
						for _, c := range carried[r] {
							if c.start <= col && col < c.end {
								col, again = c.end, true
							}
						}
					}
				}
				c := rawCell{start: col, end: col + attr(t, "colspan")}
				for k := 1; k < attr(t, "rowspan"); k++ {
					for len(carried) <= r+k {
						carried = append(carried, nil)
					}
					carried[r+k] = append(carried[r+k], c)
				}
				col = c.end
				tb.rows[r] = append(tb.rows[r], c)
				inCell, breaks = tt == xhtml.StartTagToken, false
			case "br", "div", "p":
				breaks = true
			}
		case xhtml.EndTagToken:
			t := z.Token()
			if depthHidden == depth {
				depthHidden = 0
			}
			if !void[t.Data] {
				depth--
			}
			switch t.Data {
			case "table":
				if len(open) > 0 {
					done = append(done, open[len(open)-1])
					open = open[:len(open)-1]
				}
				inCell = false
				recent = ""
			case "td", "th", "tr":
				inCell = false
			case "div", "p":
				breaks = true
			}
		}
		at += len(raw)
	}
}

var (
	numberText = regexp.MustCompile(`^[$€£(\s-]*(\d[\d,]*\.?\d*|\.\d+)\s*[)%x]*\s*%?$`)
	digitsText = regexp.MustCompile(`\d[\d,]*\.?\d*|\.\d+`)
	unitText   = regexp.MustCompile(`(?i)\((unaudited[;,] )?(dollars |amounts |shares |us\$ |\$ )?in (millions|thousands|billions)[^)]*\)`)
	ageText    = regexp.MustCompile(`^\d+(\.\d+)? years`)
	unitCore   = regexp.MustCompile(`(?i)in (millions|thousands|billions)`)
	yearText   = regexp.MustCompile(`^(19|20)\d\d$`)
)

func isAmountText(s string) bool { return numberText.MatchString(s) && !yearText.MatchString(s) }

// TestCells asks of each number in each table of data whether its row alone,
// with what goes before it, says the number, the label of the row, the label of
// the column and the unit.
func TestCells(t *testing.T) {
	total, whole := 0, 0
	kinds := map[string]int{}
	var samples []string
	for _, file := range filings(t) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc := Parse(file, src, Options{})
		cells, good := 0, 0
		index := indexRows(doc)
		for _, table := range rawTables(src) {
			if table.nested {
				continue
			}
			for _, c := range numbers(table) {
				cells++
				if problem := c.check(index); problem == "" {
					good++
				} else {
					kinds[problem]++
					if n := kinds[problem]; n < 1500 && (n < 40 || n%10 == 0) {
						samples = append(samples, fmt.Sprintf("%s: %s: %s", problem, filepath.Base(file), c))
					}
				}
			}
		}
		t.Logf("%s: %d cells, %.2f %%", filepath.Base(file), cells, 100*float64(good)/float64(max(cells, 1)))
		total, whole = total+cells, whole+good
	}
	share := 100 * float64(whole) / float64(max(total, 1))
	t.Logf("all: %d cells, %.2f %%, the rest %v", total, share, kinds)
	if os.Getenv("SHOW") != "" {
		slices.Sort(samples)
		for _, s := range samples {
			t.Log(s)
		}
	}
	if share < 99.5 {
		t.Errorf("%.2f %% of the cells are complete, want 99.5 %%", share)
	}
}

// A numberCell is a number of a table and what a reader needs with it.
type numberCell struct {
	rawCell
	label  string   // of the row
	labels []string // of the column
	unit   string
}

func (c numberCell) String() string {
	return fmt.Sprintf("%q in %q under %q unit %q", c.text, c.label, c.labels, c.unit)
}

// numbers returns the numbers of a table of data.
func numbers(t rawTable) []numberCell {
	first := -1 // row with an amount
	count := 0
	for i, row := range t.rows {
		for _, c := range row {
			if first < 0 && c.start > 0 && (c.text == "—" || c.text == "$" || ageText.MatchString(c.text)) {
				first = i
			}
			if isAmountText(c.text) && len(digitsText.FindString(c.text)) > 0 {
				if first < 0 {
					first = i
				}
				count++
			}
		}
	}
	filled := 0
	for _, row := range t.rows {
		for _, c := range row {
			if c.text != "" {
				filled++
				break
			}
		}
	}
	if count < 2 || filled < 2 {
		return nil
	}
	unit := unitText.FindString(t.before)
	var header []rawCell
	for i, row := range t.rows[:first] {
		texts := 0
		for _, c := range row {
			if c.text != "" {
				texts++
			}
		}
		for _, c := range row {
			if u := unitText.FindString(c.text); u != "" {
				unit = u
				continue
			}
			if c.text != "" && !(texts == 1 && c.start == 0) && c.start > 0 {
				header = append(header, c)
			}
		}
		_ = i
	}
	var out []numberCell
	for _, row := range t.rows[first:] {
		label := ""
		for _, c := range row {
			if c.text != "" && label == "" && c.start == 0 && !numberText.MatchString(c.text) {
				label = c.text
			}
		}
		for _, c := range row {
			if !isAmountText(c.text) || c.start == 0 {
				continue
			}
			n := numberCell{rawCell: c, label: label, unit: unit}
			for _, h := range header {
				if h.start < c.end && c.start < h.end {
					n.labels = append(n.labels, h.text)
				}
			}
			out = append(out, n)
		}
	}
	return out
}

// A rowPlace is a row and the nodes around it.
type rowPlace struct {
	row     *ast.Node
	table   *ast.Node
	groups  []*ast.Node
	columns []string
}

func indexRows(doc *ast.Document) []rowPlace {
	var places []rowPlace
	for n := range doc.Root.All() {
		if n.Kind != ast.Table {
			continue
		}
		columns := n.Columns
		var groups []*ast.Node
		for r := range n.All() {
			groups = slices.DeleteFunc(groups, func(g *ast.Node) bool { return g.Span.End <= r.Span.Start })
			if r.Kind == ast.Group {
				groups = append(groups, r)
			}
			if r.Kind != ast.Row {
				continue
			}
			if strings.Contains(r.Text, "\n|---") {
				columns = splitRow(strings.SplitN(r.Text, "\n", 2)[0])
			}
			places = append(places, rowPlace{r, n, slices.Clone(groups), columns})
		}
	}
	return places
}

func splitRow(text string) []string {
	text = strings.TrimSpace(text)
	text = strings.TrimSuffix(strings.TrimPrefix(text, "|"), "|")
	parts := strings.Split(strings.ReplaceAll(text, `\|`, "\x00"), "|")
	for i := range parts {
		parts[i] = strings.ReplaceAll(strings.TrimSpace(parts[i]), "\x00", "|")
	}
	return parts
}

func squash(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '^' || r == 0xa0 || r == 0x200b || r == 0xad {
			return -1
		}
		return r
	}, strings.NewReplacer("<br>", "", "\n", "").Replace(s))
}

func (c numberCell) check(index []rowPlace) string {
	i, _ := slices.BinarySearchFunc(index, c.offset, func(p rowPlace, at int) int {
		switch {
		case p.row.Span.End <= at:
			return -1
		case p.row.Span.Start > at:
			return 1
		}
		return 0
	})
	if i >= len(index) || !index[i].row.Span.Contains(ast.Span{Start: c.offset, End: c.offset + 1}) {
		return "not in a table"
	}
	p := index[i]
	number := digitsText.FindString(c.text)
	parts := splitRow(p.row.Text)
	isNumber := func(part string) bool { return slices.Contains(digitsText.FindAllString(part, -1), number) }
	if !slices.ContainsFunc(parts, isNumber) {
		return "number broken"
	}
	if c.label != "" && !strings.Contains(squash(p.row.Text), squash(c.label)) {
		return "label of the row"
	}
	if len(c.labels) > 0 {
		ok := false
		for k, part := range parts {
			if !isNumber(part) || k >= len(p.columns) {
				continue
			}
			all := true
			for _, l := range c.labels {
				all = all && strings.Contains(squash(p.columns[k]), squash(l))
			}
			ok = ok || all
		}
		if !ok {
			return "label of the column"
		}
	}
	if c.unit != "" {
		head := ""
		for _, n := range p.table.Children {
			if n.Span.End <= p.table.Head.End {
				head += n.Text
			}
		}
		for _, g := range p.groups {
			head += g.Children[0].Text
		}
		if !strings.Contains(strings.ToLower(head), strings.ToLower(unitCore.FindString(c.unit))) {
			return "unit"
		}
	}
	return ""
}
