package eval

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/tables"
)

// The types of questions that FromStructure makes.
const (
	TypeCell       = "cell"       // "Revenue, Q3 2024?"
	TypeDefinition = "definition" // "What does ParseHeader do?"
	TypeDefault    = "default"    // "What is the default of --port?"
	TypeHeading    = "heading"    // the heading of a section
)

// Bounds of what FromStructure takes, so that one large document does not stand
// for all.
const (
	maxCells    = 2    // questions a table
	maxEvidence = 3000 // bytes of a section or definition; a longer one is not asked about
	minEvidence = 40
)

// FromStructure makes questions that a document's structure answers, without a
// model: the cells of its tables, its definitions, the defaults of its flags, its
// headings. The evidence leaves out the words that the question was made of
// where it can: a heading is not evidence of its own section, nor a doc comment
// of its function.
//
// Such questions are synthetic: they use the words of the document. They tell
// settings apart on documents that nobody has asked about yet, and say nothing
// about how well questions of people are answered.
func FromStructure(doc *ast.Document, id string) []Question {
	m := maker{doc: doc, id: id, names: map[string]int{}}
	for n := range doc.Root.All() {
		switch n.Kind {
		case ast.Section:
			m.heading = n.Name
			m.section(n)
		case ast.Table:
			m.table(n)
		case ast.Decl:
			m.definition(n)
		case ast.Item, ast.Row:
			m.flag(n)
		}
	}
	// A question with two answers has no evidence that can be known.
	m.questions = slices.DeleteFunc(m.questions, func(q Question) bool { return m.names[q.Question] > 1 })
	for i := range m.questions {
		m.questions[i].ID = fmt.Sprintf("%s#%d", id, i+1)
	}
	return m.questions
}

// A maker collects the questions of one document.
type maker struct {
	doc       *ast.Document
	id        string
	questions []Question
	names     map[string]int // how often a question was asked
	heading   string         // of the section that the walk is in
}

func (m *maker) ask(kind, question string, evidence ast.Span, needs ...string) {
	text := m.doc.Source[evidence.Start:evidence.End]
	evidence.End -= len(text) - len(strings.TrimRight(string(text), " \t\r\n"))
	m.names[question]++
	m.questions = append(m.questions, Question{Question: question, DocID: m.id, Spans: Spans{evidence}, Type: kind, Needs: needs})
}

// section asks for a section's own text, between its heading and the next one.
func (m *maker) section(n *ast.Node) {
	body := ast.Span{Start: n.Head.End, End: n.Head.End}
	for _, c := range n.Children {
		if c.Kind == ast.Section {
			break
		}
		body.End = max(body.End, c.Span.End)
	}
	if len(strings.Fields(n.Name)) < 2 || body.Len() < minEvidence || body.Len() > maxEvidence {
		return
	}
	m.ask(TypeHeading, n.Name, body)
}

// definition asks for a definition by its name; the doc comment is not evidence.
func (m *maker) definition(n *ast.Node) {
	body := ast.Span{Start: max(n.Lead.End, n.Span.Start), End: n.Span.End}
	if n.Name == "" || body.Len() < minEvidence || body.Len() > maxEvidence {
		return
	}
	m.ask(TypeDefinition, fmt.Sprintf("What does %s do?", n.Name), body)
}

// table asks for cells by the labels of their row and column: the first ones
// that have both, from rows far apart.
func (m *maker) table(n *ast.Node) {
	if len(n.Columns) < 2 {
		return
	}
	var rows []*ast.Node
	for r := range n.All() {
		if r.Kind == ast.Row && !n.Head.Contains(r.Span) {
			rows = append(rows, r)
		}
	}
	step := max(1, (len(rows)+maxCells-1)/maxCells)
	for i := 0; i < len(rows); i += step {
		cells := m.cells(rows[i])
		column := 1 + i%(len(n.Columns)-1)
		if column >= len(cells) || column >= len(n.Columns) {
			continue
		}
		label, head := cells[0], n.Columns[column]
		if label == "" || head == "" || cells[column] == "" || !strings.Contains(string(m.doc.Source[n.Span.Start:n.Span.End]), head) {
			continue
		}
		m.ask(TypeCell, fmt.Sprintf("%s, %s?", label, head), rows[i].Span, head)
	}
}

// cells returns the texts of the cells of a row.
func (m *maker) cells(row *ast.Node) []string {
	var out []string
	if !row.IsLeaf() {
		for _, c := range row.Children {
			if c.Kind == ast.Cell {
				out = append(out, cellText(m.plain(c)))
			}
		}
		return out
	}
	for _, text := range tables.PipeTexts([]byte(m.plain(row))) {
		out = append(out, cellText(text))
	}
	return out
}

// cellText takes away the marks around the text of a cell.
func cellText(s string) string { return strings.Trim(s, " \t\r\n|`*_") }

// plain returns what a reader sees of a leaf.
func (m *maker) plain(n *ast.Node) string {
	if n.Text != "" {
		return strings.TrimSpace(n.Text)
	}
	return strings.TrimSpace(string(m.doc.Source[n.Span.Start:n.Span.End]))
}

// flagName is a flag of a command line at the start of an item, a row or a
// heading, which may name its short form first.
var flagName = regexp.MustCompile("^[\\s|*+-]*(?:`?-[a-zA-Z]`?, *)?`{0,2}(--[a-z][a-z0-9-]+)")

// flag asks for the default of a flag where an item or a row says one: the flag
// begins it, or the heading above.
func (m *maker) flag(n *ast.Node) {
	text := string(m.doc.Source[n.Span.Start:n.Span.End])
	if n.Span.Len() > maxEvidence || !strings.Contains(strings.ToLower(text), "default") {
		return
	}
	for _, s := range []string{text, m.heading} {
		if found := flagName.FindStringSubmatch(s); found != nil {
			m.ask(TypeDefault, fmt.Sprintf("What is the default of %s?", found[1]), n.Span)
			return
		}
	}
}
