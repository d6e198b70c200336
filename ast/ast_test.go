package ast

import (
	"bytes"
	"strings"
	"testing"
)

// portsDoc is "# Ports\n" and a table of a header and two rows.
func portsDoc() *Document {
	src := "# Ports\n| n |\n|---|\n| 1 |\n| 2 |\n"
	row := func(start, end int) *Node { return &Node{Kind: Row, Span: Span{start, end}} }
	table := &Node{Kind: Table, Span: Span{8, 32}, Head: Span{8, 20}, Columns: []string{"n"},
		Children: []*Node{row(8, 20), row(20, 26), row(26, 32)}}
	heading := &Node{Kind: Heading, Span: Span{0, 8}, Level: 1}
	section := &Node{Kind: Section, Span: Span{0, 32}, Head: Span{0, 8}, Lead: Span{0, 8}, Level: 1, Name: "Ports",
		Children: []*Node{heading, table}}
	return &Document{Name: "ports.md", Format: "markdown", Source: []byte(src),
		Root: &Node{Kind: Root, Span: Span{0, 32}, Children: []*Node{section}}}
}

func TestDump(t *testing.T) {
	var b bytes.Buffer
	d := portsDoc()
	d.Problem(8, "odd")
	if err := Dump(&b, d); err != nil {
		t.Fatal(err)
	}
	want := `document 0:32
  section 0:32 L1 head 0:8 lead 0:8 "Ports"
    heading 0:8 L1 | # Ports\n
    table 8:32 head 8:20 columns ["n"]
      row 8:20 | | n |\n|---|\n
      row 20:26 | | 1 |\n
      row 26:32 | | 2 |\n
problem 8: odd
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestCheck(t *testing.T) {
	if err := Check(portsDoc()); err != nil {
		t.Fatalf("a good tree: %v", err)
	}
	if err := Check(Leaf("empty", "text", nil)); err != nil {
		t.Fatalf("an empty document: %v", err)
	}
	section := func(d *Document) *Node { return d.Root.Children[0] }
	table := func(d *Document) *Node { return section(d).Children[1] }
	deep := func(d *Document) {
		n := table(d).Children[2]
		for range MaxDepth {
			child := &Node{Kind: Cell, Span: n.Span}
			n.Children = []*Node{child}
			n = child
		}
	}
	for _, c := range []struct {
		breach string
		change func(d *Document)
	}{
		{"root", func(d *Document) { d.Root = nil }},
		{"spans", func(d *Document) { d.Root.Span.End-- }},
		{"of kind document", func(d *Document) { section(d).Kind = Root }},
		{"no kind", func(d *Document) { table(d).Kind = Invalid }},
		{"empty", func(d *Document) { table(d).Children = append(table(d).Children, &Node{Kind: Row, Span: Span{32, 32}}) }},
		{"begins at", func(d *Document) { table(d).Children[1].Span.Start = 21 }},
		{"children end", func(d *Document) { table(d).Children = table(d).Children[:2] }},
		{"no prefix", func(d *Document) { table(d).Head = Span{9, 20} }},
		{"no prefix of head", func(d *Document) { table(d).Lead = Span{8, 26} }},
		{"ends within", func(d *Document) { table(d).Head = Span{8, 22} }},
		{"ends within", func(d *Document) { table(d).Lead = Span{8, 12} }},
		{"no suffix", func(d *Document) { table(d).Tail = Span{26, 31} }},
		{"begins within", func(d *Document) { table(d).Tail = Span{28, 32} }},
		{"no scope", func(d *Document) { table(d).Scope = true }},
		{"outside", func(d *Document) { table(d).Sign = Span{7, 9} }},
		{"overlap", func(d *Document) { table(d).Tail = Span{8, 32} }},
		{"UTF-8", func(d *Document) { table(d).Text = "\xff" }},
		{"rune borders", func(d *Document) { copy(d.Source[18:], "é") }},
		{"mark", func(d *Document) { table(d).Text, table(d).Marks = "ab", []Mark{{1, 9}, {0, 10}} }},
		{"mark", func(d *Document) { table(d).Text, table(d).Marks = "ab", []Mark{{3, 9}} }},
		{"deeper", deep},
		{"problem", func(d *Document) { d.Problem(9, ""); d.Problem(8, "") }},
		{"page", func(d *Document) { d.Pages = []int{99} }},
	} {
		d := portsDoc()
		c.change(d)
		if c.breach == "rune borders" {
			table(d).Head, table(d).Children = Span{8, 19}, nil
		}
		if err := Check(d); err == nil || !strings.Contains(err.Error(), c.breach) {
			t.Errorf("a breach of %q: got %v", c.breach, err)
		}
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		src          string
		offset       int
		line, column int
	}{
		{"", 0, 1, 1},
		{"ab", 1, 1, 2},
		{"a\nb", 1, 1, 2},
		{"a\nb", 2, 2, 1},
		{"a\r\nb", 3, 2, 1},
		{"a\r\nb", 2, 1, 3},
		{"a\rb", 2, 2, 1},
		{"a\r\r\nb\n", 6, 4, 1},
	} {
		line, column := NewLines([]byte(c.src)).Position(c.offset)
		if line != c.line || column != c.column {
			t.Errorf("%q at %d: got %d:%d, want %d:%d", c.src, c.offset, line, column, c.line, c.column)
		}
	}
}

func TestIsScope(t *testing.T) {
	method := &Node{Kind: Decl, Span: Span{2, 4}}
	statement := &Node{Kind: Block, Span: Span{0, 2}}
	class := &Node{Kind: Decl, Span: Span{0, 4}, Children: []*Node{statement, method}}
	for _, c := range []struct {
		name string
		node *Node
		want bool
	}{
		{"section", &Node{Kind: Section}, true},
		{"function", &Node{Kind: Decl, Children: []*Node{statement}}, false},
		{"class", class, true},
		{"class in a conditional", &Node{Kind: Block, Children: []*Node{class}}, true},
		{"the other branch of a conditional", &Node{Kind: Block, Scope: true, Children: []*Node{statement}}, true},
		{"fence", &Node{Kind: Code, Children: []*Node{method}}, false},
	} {
		if got := c.node.IsScope(); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

func TestShift(t *testing.T) {
	d := portsDoc()
	Shift(d.Root.Children, 5)
	if got, want := d.Root.Children[0].Children[1].Head, (Span{13, 25}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := d.Root.Children[0].Children[1].Tail; got != (Span{}) {
		t.Errorf("an empty tail became %v", got)
	}
}
