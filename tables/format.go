package tables

import (
	"html"
	"strings"

	"github.com/cantle/cantle/ast"
)

// A Format is a way to write rows.
type Format uint8

// The formats.
const (
	Markdown Format = iota // | Revenue | 1,234 |
	HTML                   // <tr><td>Revenue</td><td>1,234</td></tr>
	CSV                    // Revenue,"1,234"
	Records                // Revenue, Q3 2024: 1,234
)

// ParseFormat returns the format of a name, "" for Markdown.
func ParseFormat(name string) (Format, bool) {
	switch name {
	case "", "markdown":
		return Markdown, true
	case "html":
		return HTML, true
	case "csv":
		return CSV, true
	case "records":
		return Records, true
	}
	return 0, false
}

// header returns the lines above the rows, "" where there are none.
func (f Format) header(labels []string) string {
	var b strings.Builder
	switch f {
	case Records:
		return ""
	case HTML:
		b.WriteString("<tr>")
		for _, l := range labels {
			b.WriteString("<th>" + html.EscapeString(l) + "</th>")
		}
		b.WriteString("</tr>\n")
	case CSV:
		for i, l := range labels {
			b.WriteString(f.open(i, "", ""))
			b.WriteString(f.escape(l))
			b.WriteString(f.close(i == len(labels)-1))
		}
	default:
		for i, l := range labels {
			b.WriteString(f.open(i, "", ""))
			b.WriteString(f.escape(l))
			b.WriteString(f.close(i == len(labels)-1))
		}
		b.WriteString("|" + strings.Repeat("---|", len(labels)) + "\n")
	}
	return b.String()
}

// AddUnit writes unit, which is stated elsewhere, into the label of the first
// column of table, whose rows are in format f. A table without labels is left
// as it is.
func (f Format) AddUnit(table *ast.Node, unit string) {
	var row *ast.Node
	for n := range table.All() {
		if n.Kind == ast.Row {
			row = n
			break
		}
	}
	if row == nil || strings.Join(table.Columns, "") == "" || !table.Head.Contains(row.Span) {
		return
	}
	label := strings.TrimSpace(table.Columns[0] + " " + unit)
	before := f.open(0, "", "") + f.escape(table.Columns[0])
	after := f.open(0, "", "") + f.escape(label)
	if f == HTML {
		before, after = "<tr><th>"+f.escape(table.Columns[0]), "<tr><th>"+f.escape(label)
	}
	rest, ok := strings.CutPrefix(row.Text, before)
	if !ok {
		return
	}
	row.Text = after + rest
	for n := range table.All() {
		if n.Kind == ast.Row && !n.Head.IsEmpty() && n.Children[0].Name == table.Columns[0] {
			n.Children[0].Name = label
		}
	}
	table.Columns[0] = label
}

// open returns what goes before the value in column i of a row named key.
func (f Format) open(i int, key, label string) string {
	switch f {
	case HTML:
		if i == 0 {
			return "<tr><td>"
		}
		return "<td>"
	case CSV:
		return ""
	case Records:
		switch {
		case key != "" && label != "":
			return key + ", " + label + ": "
		case key+label != "":
			return key + label + ": "
		}
		return ""
	}
	if i == 0 {
		return "| "
	}
	return " "
}

// close returns what goes after a value, the last one of its row or another.
func (f Format) close(last bool) string {
	switch f {
	case HTML:
		if last {
			return "</td></tr>\n"
		}
		return "</td>"
	case CSV:
		if last {
			return "\n"
		}
		return ","
	case Records:
		return "\n"
	}
	if last {
		return " |\n"
	}
	return " |"
}

var (
	markdownEscapes = strings.NewReplacer("|", `\|`, "\n", "<br>")
	htmlBreaks      = strings.NewReplacer("\n", "<br>")
	recordBreaks    = strings.NewReplacer("\n", "; ")
)

// escape writes a value so that it does not end its cell.
func (f Format) escape(text string) string {
	switch f {
	case HTML:
		return htmlBreaks.Replace(html.EscapeString(text))
	case CSV:
		if strings.ContainsAny(text, ",\"\r\n") {
			return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
		return text
	case Records:
		return recordBreaks.Replace(text)
	}
	if strings.ContainsAny(text, "|\n") {
		return markdownEscapes.Replace(text)
	}
	return text
}

// move appends the marks of a value to moved as those of what is written for it
// from offset at on, with one more at the last byte of what stands for a
// character that is escaped. The value's source ends at limit.
func (f Format) move(moved, marks []ast.Mark, text string, at, limit int) []ast.Mark {
	special := "|\n"
	switch f {
	case HTML:
		special = "<>&'\"\n"
	case CSV:
		special = "\""
		if len(f.escape(text)) > len(text) {
			at++ // the quote before it
		}
	case Records:
		special = "\n"
	}
	from := 0
	write := func(to int) {
		if f == CSV {
			at += strings.Count(text[from:to], special) + to - from
		} else {
			at += len(f.escape(text[from:to]))
		}
		from = to
	}
	for k, m := range marks {
		write(m.Text)
		moved = append(moved, ast.Mark{Text: at, Source: m.Source})
		end, behind := len(text), limit
		if k+1 < len(marks) {
			end, behind = marks[k+1].Text, marks[k+1].Source
		}
		for i := strings.IndexAny(text[from:end], special); i >= 0; i = strings.IndexAny(text[from:end], special) {
			write(from + i + 1)
			source := min(m.Source+from-1-m.Text, behind)
			if text[from-1] == '\n' && from == end {
				source = behind // a line end that the parser wrote
			}
			moved = append(moved, ast.Mark{Text: at - 1, Source: source})
		}
	}
	return moved
}
