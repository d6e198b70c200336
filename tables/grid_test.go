package tables

import (
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle/ast"
)

// grid returns rows written as "a | b"; a cell "a>3" covers 3 columns, "a_2"
// 2 rows, "*a" is bold, "-a" further in by a step each. Four bytes that are no
// content stand before and after the cells of a row, as tags do.
func grid(lines ...string) []Row {
	var rows []Row
	at := 0
	for _, line := range lines {
		row := Row{Span: ast.Span{Start: at, End: at + len(line) + 9}}
		at += 4
		for part := range strings.SplitSeq(line, "|") {
			text := strings.TrimSpace(part)
			cell := Cell{Span: ast.Span{Start: at, End: at + len(part)}}
			at += len(part) + 1
			if i := strings.LastIndexByte(text, '>'); i >= 0 {
				cell.Cols = int(text[i+1] - '0')
				text = strings.TrimSpace(text[:i])
			}
			if i := strings.LastIndexByte(text, '_'); i >= 0 {
				cell.Rows = int(text[i+1] - '0')
				text = strings.TrimSpace(text[:i])
			}
			for strings.HasPrefix(text, "~") {
				text = text[1:]
				cell.Indent += 9
			}
			text, cell.Bold = strings.CutPrefix(text, "*")
			cell.Text = text
			row.Cells = append(row.Cells, cell)
		}
		at += 4
		rows = append(rows, row)
	}
	return rows
}

// lines returns the rows of n as text, a blank for each group around a row.
func lines(n *ast.Node) []string {
	var out []string
	var walk func(n *ast.Node, depth int)
	walk = func(n *ast.Node, depth int) {
		for _, c := range n.Children {
			if c.Kind == ast.Group {
				walk(c, depth+1)
				continue
			}
			out = append(out, strings.Repeat(" ", depth)+strings.Split(c.Text, "\n")[0])
		}
	}
	walk(n, 0)
	return out
}

func TestGrid(t *testing.T) {
	for _, c := range []struct {
		name string
		rows []Row
		want []string
	}{
		{"signs join their number, empty columns go",
			grid("||| *2024 >3 | | *2023 >3", "Net || $ | 1,234 | | | $ | (56 | )", "Share >2 | | 12.5 | % | | | 7 | %"),
			[]string{"|  | 2024 | 2023 |", "| Net | $1,234 | $(56) |", "| Share | 12.5% | 7% |"}},
		{"two rows of labels",
			grid("*Site_2 | *2023>2 | *2024>2", "*Plan | *Real | *Plan | *Real", "North | 1 | 2 | 3 | 4"),
			[]string{"| Site | 2023 Plan | 2023 Real | 2024 Plan | 2024 Real |", "| North | 1 | 2 | 3 | 4 |"}},
		{"a cell that covers rows is repeated, and cut at the end",
			grid("*Site | *Plan | *Real", "North_2 | 1 | 2", "3 | 4", "East_9 | 5 | 6"),
			[]string{"| Site | Plan | Real |", "| North | 1 | 2 |", "| North | 3 | 4 |", "| East | 5 | 6 |"}},
		{"a unit below the labels goes to the first column",
			grid("| *2024 | *2023", "| (in millions)>2", "Net | 1 | 2", "Gross | 3 | 4"),
			[]string{"| (in millions) | 2024 | 2023 |", "| Net | 1 | 2 |", "| Gross | 3 | 4 |"}},
		{"a unit above the labels is a line of its own",
			grid("(in millions)>3", "| *2024 | *2023", "Net | 1 | 2"),
			[]string{"(in millions)", "|  | 2024 | 2023 |", "| Net | 1 | 2 |"}},
		{"groups by label and total",
			grid("| *2024", "Current assets:|", "~Cash | 1", "~Stock | 2", "Total current assets | 3", "Land | 4", "Total assets | 7"),
			[]string{"|  | 2024 |", " | Current assets: |  |", " | Cash | 1 |", " | Stock | 2 |", " | Total current assets | 3 |", "| Land | 4 |", "| Total assets | 7 |"}},
		{"groups within groups",
			grid("| *2024", "ASSETS |", "Current assets: |", "~Cash | 1", "Total current assets | 1", "LIABILITIES |", "Debt | 2"),
			[]string{"|  | 2024 |", " | ASSETS |  |", "  | Current assets: |  |", "  | Cash | 1 |", "  | Total current assets | 1 |", " | LIABILITIES |  |", " | Debt | 2 |"}},
		{"groups that look alike",
			grid("| *2024", "Basic: |", "Numerator |", "~Income | 1", "Denominator |", "~Shares | 2", "Diluted: |", "~Income | 3"),
			[]string{"|  | 2024 |", " | Basic: |  |", "  | Numerator |  |", "  | Income | 1 |", "  | Denominator |  |", "  | Shares | 2 |", " | Diluted: |  |", " | Income | 3 |"}},
		{"a sum without a label stays in its group",
			grid("| *2024", "Clients |", "~Desk | 1", "~Lap | 2", "| 3", "Servers | 4"),
			[]string{"|  | 2024 |", " | Clients |  |", " | Desk | 1 |", " | Lap | 2 |", " |  | 3 |", "| Servers | 4 |"}},
		{"labels that change begin a band",
			grid("| *2024 | *2023", "Net | 1 | 2", "| *2022 | *2021", "Net | 3 | 4"),
			[]string{" |  | 2024 | 2023 |", " | Net | 1 | 2 |", " |  | 2022 | 2021 |", " | Net | 3 | 4 |"}},
		{"marks of notes join the number before them",
			grid("*Month | *Shares | ", "May | 12 | (1)", "June | 13 | (a)"),
			[]string{"| Month | Shares |", "| May | 12 (1) |", "| June | 13 (a) |"}},
		{"notes below",
			grid("*Month | *Shares", "May | 12", "(1) Since May.>2"),
			[]string{"| Month | Shares |", "| May | 12 |", "(1) Since May."}},
		{"labels by the numbers below them",
			grid("Year | | Boats", "2021 | | 31", "2022 | | 38"),
			[]string{"| Year | Boats |", "| 2021 | 31 |", "| 2022 | 38 |"}},
		{"a mark of a note in a column of its own among labels",
			grid("(in millions) | *2024>6", " | Level 1 | Level 2 | Level 3 | Other | 1 | Total", "Bonds | 5 | 6 | 7 | 8 | 2 | 26", "Funds | 4 | 3 | 2 | 1 | | 10"),
			[]string{"| (in millions) | 2024 Level 1 | 2024 Level 2 | 2024 Level 3 | 2024 Other | 2024 1 | 2024 Total |", "| Bonds | 5 | 6 | 7 | 8 | 2 | 26 |", "| Funds | 4 | 3 | 2 | 1 |  | 10 |"}},
		{"no labels", grid("Large | yes | Small | no", "Old | no | New | yes"), []string{"|  |  |  |  |", "| Large | yes | Small | no |", "| Old | no | New | yes |"}},
		{"a label beside its numbers", grid("| *2024 | | | *2023 |", "Net | | 1 | | | 2", "Gross | | 3 | | | 4"),
			[]string{"|  | 2024 | 2023 |", "| Net | 1 | 2 |", "| Gross | 3 | 4 |"}},
		{"pipes and line ends", grid("*A | *B", "x\\y\nz | 1", "w | 2"), []string{"| A | B |", "| x\\y<br>z | 1 |", "| w | 2 |"}},
	} {
		if got := lines(Lay(c.rows).Node(Markdown, 1<<20)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestRowCells holds that the cells of a row are its text.
func TestRowCells(t *testing.T) {
	rows := grid("*Site | *2024>2 | *2023", "North_2 | $ | 1,234 | 5", "6 >2 | 7", "South | | | 8")
	for _, format := range []Format{Markdown, HTML, CSV, Records} {
		table := Lay(rows).Node(format, 1<<20)
		for row := range table.All() {
			if row.Kind != ast.Row || row.IsLeaf() || table.Head.Contains(row.Span) {
				continue
			}
			var b strings.Builder
			for _, c := range row.Children {
				b.WriteString(c.Text)
			}
			if b.String() != row.Text {
				t.Errorf("%v: cells %q, row %q", format, b.String(), row.Text)
			}
		}
	}
}

func TestFormats(t *testing.T) {
	rows := grid("*Item | *2024 | *2023", "Boats & oars | 1,234 | 5", "Sails | | 6")
	for format, want := range map[Format]string{
		Markdown: "| Item | 2024 | 2023 |\n|---|---|---|\n| Boats & oars | 1,234 | 5 |\n| Sails |  | 6 |\n\n",
		HTML:     "<table>\n<tr><th>Item</th><th>2024</th><th>2023</th></tr>\n<tr><td>Boats &amp; oars</td><td>1,234</td><td>5</td></tr>\n<tr><td>Sails</td><td></td><td>6</td></tr>\n</table>\n\n",
		CSV:      "Item,2024,2023\nBoats & oars,\"1,234\",5\nSails,,6\n\n",
		Records:  "Boats & oars, 2024: 1,234\nBoats & oars, 2023: 5\nSails, 2023: 6\n\n",
	} {
		var b strings.Builder
		for _, row := range Lay(rows).Node(format, 1<<20).Children {
			b.WriteString(row.Text)
		}
		if b.String() != want {
			t.Errorf("%v: got\n%s\nwant\n%s", format, b.String(), want)
		}
	}
}

// A table without labels is one for those who read it: pipes have a blank
// header, tags of a table stand around rows. Both go with every part of it.
func TestFormatsWithoutLabels(t *testing.T) {
	rows := grid("Title of class | Symbol", "Common Stock | OAR", "(1) On two exchanges.>2")
	for format, want := range map[Format]string{
		Markdown: "|  |  |\n|---|---|\n^| Title of class | Symbol |\n| Common Stock | OAR |\n\n$(1) On two exchanges.\n\n",
		HTML:     "<table>\n^<tr><td>Title of class</td><td>Symbol</td></tr>\n<tr><td>Common Stock</td><td>OAR</td></tr>\n$</table>\n\n(1) On two exchanges.\n\n",
		CSV:      "Title of class,Symbol\nCommon Stock,OAR\n\n$(1) On two exchanges.\n\n",
		Records:  "Title of class: Symbol\nCommon Stock: OAR\n\n$(1) On two exchanges.\n\n",
	} {
		table := Lay(rows).Node(format, 1<<20)
		var b strings.Builder
		at := 0
		for _, row := range table.Children {
			if row.Span.Start < at || row.Span.IsEmpty() {
				t.Errorf("%v: %q at %v, behind %d", format, row.Text, row.Span, at)
			}
			at = row.Span.End
			if row.Span.Start == table.Tail.Start {
				b.WriteByte('$')
			}
			b.WriteString(row.Text)
			if row.Span.End == table.Head.End {
				b.WriteByte('^')
			}
		}
		if b.String() != want {
			t.Errorf("%v: got\n%s\nwant\n%s", format, b.String(), want)
		}
	}
}

func TestAddUnit(t *testing.T) {
	for format, want := range map[Format]string{
		Markdown: "| Item (in millions) | 2024 |",
		HTML:     "<tr><th>Item (in millions)</th><th>2024</th></tr>",
		CSV:      "Item (in millions),2024",
	} {
		table := Lay(grid("*Item | *2024", "Net | 1", "Gross | 2")).Node(format, 1<<20)
		format.AddUnit(table, "(in millions)")
		header := table.Children[0]
		if header.Kind != ast.Row {
			header = table.Children[1]
		}
		if got := strings.Split(header.Text, "\n")[0]; got != want || table.Columns[0] != "Item (in millions)" {
			t.Errorf("%v: got %q, columns %q", format, got, table.Columns)
		}
	}
}

func TestClassify(t *testing.T) {
	for text, want := range map[string]value{
		"": blank, "2024": year, "2023(1)": year, "1,234": amount, "(1,234)": amount, "$ 1.5": amount, "$(12": amount, "12.5%": amount, "(3)%": amount,
		".5": amount, "1,234 (2)": amount, "10^6": amount, "€5": amount, "—": dash, "n/a": dash, "$": prefix, ")": suffix, "%": suffix, ")%": suffix,
		"Net": prose, "31 - 60": prose, "91+": prose, "June 30, 2024": prose, "3M": amount, "12/31/2024": prose, "1.2.3 x y": prose, "11.6 years": prose,
	} {
		if got := classify(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func TestUnit(t *testing.T) {
	for text, want := range map[string]string{
		"The table (in millions, except per share):":    "(in millions, except per share)",
		"Sales (note 3) by yard (dollars in thousands)": "(dollars in thousands)",
		"单位 （单位：万元）":                                    "（单位：万元）",
		"No unit (or so)":                               "",
		"open (in millions":                             "",
	} {
		if got := Unit(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestIsNote(t *testing.T) {
	for text, want := range map[string]bool{
		"(1) Since May.": true, "* Without rafts": true, "(a) Of these": true, "1 Schweppes is owned by others in some lands": true, "Note: rounded": true,
		"(in millions)": false, "1 Boats": false, "Net": false, "(1)": false, "": false,
	} {
		if got := IsNote(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
