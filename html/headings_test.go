package html

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cantle/cantle/ast"
)

// TestItems holds the parts and items found in three filings against
// testdata/items.txt: their order, their nesting, and where they stand. The
// places were checked against the links of the tables of contents, and the text
// that follows.
func TestItems(t *testing.T) {
	facts, err := os.ReadFile("testdata/items.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for line := range strings.Lines(string(facts)) {
		if name, item, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			want[name] = append(want[name], item)
		}
	}
	dir := filepath.Dir(filings(t)[0])
	for name, items := range want {
		src, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for n, depth := range Parse(name, src, Options{}).Root.All() {
			if r := rankOf(n.Name); n.Kind == ast.Section && (r == part || r == item) {
				number := partLine.FindStringSubmatch(n.Name)
				if r == item {
					number = itemLine.FindStringSubmatch(n.Name)
				}
				got = append(got, fmt.Sprintf("%d\t%d\t%s", depth, n.Span.Start, strings.TrimRight(strings.Fields(n.Name)[0]+" "+number[1]+strings.Join(number[2:3], ""), ".—")))
			}
		}
		if a, b := strings.Join(got, "\n"), strings.Join(items, "\n"); a != b {
			t.Errorf("%s: got\n%s\nwant\n%s", name, a, b)
		}
	}
}

func TestRankOf(t *testing.T) {
	for line, want := range map[string]rank{
		"PART I":                                 part,
		"Part II. Other information":             part,
		"PART I — FINANCIAL INFORMATION":         part,
		"Part of this is":                        noRank,
		"Partners":                               noRank,
		"Item 7. Management's Discussion":        item,
		"ITEM 1A.RISK FACTORS":                   item,
		"Items affecting":                        noRank,
		"Item":                                   noRank,
		"Note 3 - Leases":                        note,
		"NOTE 12. DEBT":                          note,
		"Note that":                              noRank,
		"Items 1 and 2. Business and Properties": item,
		"Item 7 of this report is about " + strings.Repeat("much ", 80): noRank,
	} {
		if got := rankOf(line); got != want {
			t.Errorf("%.40q: got %d, want %d", line, got, want)
		}
	}
}

// TestHeadings holds which lines of a page without heading tags become
// headings, and at which level.
func TestHeadings(t *testing.T) {
	const bold, large, italic = "font-weight:700", "font-size:14pt", "font-style:italic"
	line := func(style, text string) string {
		return fmt.Sprintf(`<div><span style="font-size:10pt;%s">%s</span></div>`, style, text)
	}
	body := line("", "This is a sentence that stands below a heading, and that is long enough.")
	for _, c := range []struct{ name, src, want string }{
		{"by size, weight and slant",
			line(large, "Boats") + body + line(bold, "Oars") + body + line(italic, "Blades") + body + line(bold, "Sails") + body,
			"1 Boats, 2 Oars, 3 Blades, 2 Sails"},
		{"by number", line(bold, "1. Scope") + body + line(bold, "1.1 Ships") + body + line(bold, "2. Terms") + body,
			"1 1. Scope, 2 1.1 Ships, 1 2. Terms"},
		{"Chinese chapters", line(bold, "第一章 总则") + body + line(bold, "适用范围") + body + line(bold, "第二章 附则") + body,
			"1 第一章 总则, 2 适用范围, 1 第二章 附则"},
		{"not a lead-in, a unit, a bold start, a link",
			line(bold, "There are two:") + body + line(bold, "(in millions)") + body + "<div><b>Bold start.</b> And a sentence.</div>" +
				`<div><a href="#x"><b>Contents entry</b></a></div>` + body, ""},
		{"a part named again", line(bold, "PART I") + line(bold, "Item 1. Business") + body + line(bold, "PART I") + line(bold, "Item 1. Business (continued)") + body +
			line(bold, "Item 2. Properties") + body, "1 PART I, 2 Item 1. Business, 2 Item 2. Properties"},
		{"a title on the next line", line(bold, "Item 7.") + line(bold, "Results") + body, "1 Item 7. Results"},
		{"a name above a statement", line(bold, "Oar Company") + line(bold, "CONSOLIDATED BALANCE SHEETS") + body, "1 CONSOLIDATED BALANCE SHEETS"},
		{"contents in lines", line(bold, "Item 1. A") + line(bold, "Item 2. B") + line(bold, "Item 3. C") + line(bold, "Item 4. D") + line(bold, "Item 5. E") +
			body + line(bold, "Item 1. A") + body, "1 Item 1. A"},
	} {
		var got []string
		for n := range Parse("t", []byte(c.src), Options{}).Root.All() {
			if n.Kind == ast.Section {
				got = append(got, fmt.Sprintf("%d %s", n.Level, n.Name))
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: got %q, want %q", c.name, strings.Join(got, ", "), c.want)
		}
	}
}

func TestPageNumbers(t *testing.T) {
	for line, want := range map[string]bool{
		"12": true, "F-3": true, "- 12 -": true, "Page 12 of 90": true, "xiv": true, "| 7": true,
		"2024 results": false, "Item": false, "": false, "123456": false, "a": false,
	} {
		if got := isPageNumber(line); got != want {
			t.Errorf("%q: got %v", line, got)
		}
	}
}
