package tables

import (
	"iter"
	"strings"
)

// A Fact is a value of a table with what says what it is.
type Fact struct {
	Row    string // the first cell of the row
	Column string // the label of the column, "" where it has none
	Value  string
}

// Facts yields the values in the pipe tables of a text, row by row. Rows
// without a header above them are text.
func Facts(text string) iter.Seq[Fact] {
	return func(yield func(Fact) bool) {
		more := true
		factsOf(text, func(string) {}, func(f Fact) { more = more && yield(f) })
	}
}

// AsFacts returns a text with its pipe tables written as [Records]: a line for
// each value, "Revenue, 2024: 1,234", and none for a header that has rows.
func AsFacts(text string) string {
	if !strings.Contains(text, "|") {
		return text
	}
	var b strings.Builder
	factsOf(text, func(line string) { b.WriteString(line) }, func(f Fact) {
		b.WriteString(Records.open(1, f.Row, f.Column) + f.Value + Records.close(true))
	})
	return b.String()
}

// factsOf calls fact for each value and plain for each line that is no row, and
// for the name of a row without values.
func factsOf(text string, plain func(line string), fact func(Fact)) {
	var labels []string // nil for no header above
	held := ""          // a line that may be a header, or one that has no row yet
	for line := range strings.Lines(text) {
		row := []byte(line)
		switch {
		case !strings.Contains(line, "|"):
			plain(held)
			plain(line)
			held, labels = "", nil
		case PipeRule(row) > 0:
			if held != "" {
				labels = PipeTexts([]byte(held))
			}
		case labels != nil:
			held = ""
			rowFacts(PipeTexts(row), labels, plain, fact)
		default:
			plain(held)
			held = line
		}
	}
	plain(held)
}

func rowFacts(cells, labels []string, plain func(line string), fact func(Fact)) {
	values := false
	for i := 1; i < len(cells); i++ {
		if cells[i] == "" {
			continue
		}
		values = true
		f := Fact{Row: cells[0], Value: cells[i]}
		if i < len(labels) {
			f.Column = labels[i]
		}
		fact(f)
	}
	if !values && len(cells) > 0 {
		plain(cells[0] + "\n")
	}
}

// PipeTexts returns the texts of the cells of a row of a pipe table, pipes in
// them as they are read.
func PipeTexts(row []byte) []string {
	texts := []string{}
	for c := range PipeCells(row) {
		texts = append(texts, strings.ReplaceAll(string(trimBlanks(row[c.Start:c.End])), `\|`, "|"))
	}
	return texts
}
