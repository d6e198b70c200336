package markdown

import (
	"bytes"

	gast "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/tables"
)

// maxOpen bounds the containers that are open at once; a list and its item are
// two. goldmark visits all of them on every line, so without a bound a line of
// 100,000 ">" takes quadratic time. What lies deeper is read as a paragraph.
const maxOpen = 48

// blockParser finds blocks only: no inline parser is registered, and
// [paragraphs] takes the text of paragraphs out of goldmark's hands. goldmark's
// own link reference and footnote transformers are left out, because they are
// quadratic and drop or move what they find.
var blockParser = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(setext{parser.NewSetextHeadingParser()}, 100),
		util.Prioritized(indentParser{}, 110),
		util.Prioritized(fenceParser{}, 120),
		util.Prioritized(mathParser{}, 130),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(bounded{parser.NewListParser()}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(bounded{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithParagraphTransformers(util.Prioritized(paragraphs{}, 100)),
)

// parseBlocks returns goldmark's tree of src and what [titles] needs to know
// about it.
func parseBlocks(src []byte) (gast.Node, map[string]bool) {
	pc := parser.NewContext()
	labels := map[string]bool{}
	pc.Set(labelsKey, labels)
	return blockParser.Parse(text.NewReader(src), parser.WithContext(pc)), labels
}

var (
	labelsKey = parser.NewContextKey() // map[string]bool: normalised labels of link reference definitions
	setextKey = parser.NewContextKey() // set while a paragraph is about to become a setext heading
)

// A construct is what a [block] stands for.
type construct uint8

const (
	prose      construct = iota // a paragraph
	references                  // link reference definitions, one a line
	pipeTable                   // header, rule and rows
	formula                     // $$ ... $$
	fenced                      // ::: ... :::
	callout                     // !!! note, ??? note, === "tab", with indented content
	footnote                    // [^1]: text, with indented content
	definition                  // : text, with indented content, below its term
)

// A block is a node of goldmark's tree for what goldmark does not know, and
// for paragraphs: being raw, it is spared goldmark's pass over inline text.
type block struct {
	gast.BaseBlock
	construct construct
	lines     []ast.Span // references, pipeTable: the lines without what containers put before them
	width     int        // fenced: colons that close it; callout, footnote, definition: columns of indentation
	tail      int        // fenced: offset of the closing line; 0 while open
	done      bool       // formula: the last line has been seen
}

var kindBlock = gast.NewNodeKind("CantleBlock")

func (b *block) Kind() gast.NodeKind           { return kindBlock }
func (b *block) IsRaw() bool                   { return true }
func (b *block) Dump(source []byte, level int) { gast.DumpHelper(b, source, level, nil, nil) }

// bounded opens no container where [maxOpen] are open.
type bounded struct{ parser.BlockParser }

func (p bounded) Open(parent gast.Node, reader text.Reader, pc parser.Context) (gast.Node, parser.State) {
	if !mayOpen(parent) {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

func mayOpen(parent gast.Node) bool {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	return depth < maxOpen
}

// setext tells [paragraphs] that the paragraph it is given will be a heading.
type setext struct{ parser.BlockParser }

func (p setext) Open(parent gast.Node, reader text.Reader, pc parser.Context) (gast.Node, parser.State) {
	node, state := p.BlockParser.Open(parent, reader, pc)
	if node != nil && pc.LastOpenedBlock().Node == parent.LastChild() {
		pc.Set(setextKey, true)
	}
	return node, state
}

// paragraphs replaces each paragraph by a raw block, or two where a pipe table
// begins within it.
type paragraphs struct{}

func (paragraphs) Transform(p *gast.Paragraph, reader text.Reader, pc parser.Context) {
	heading := pc.Get(setextKey) != nil
	if heading {
		pc.Set(setextKey, nil)
	}
	src := reader.Source()
	lines := p.Lines()
	definitions := definitionLines(src, lines, pc)
	header := tableHeader(src, lines)
	switch {
	case header >= 0:
		t := &block{construct: pipeTable, lines: spans(lines, header)}
		t.SetPos(t.lines[0].Start)
		p.Parent().InsertAfter(p.Parent(), p, t)
		if header == 0 {
			p.Parent().RemoveChild(p.Parent(), p)
			return
		}
	case heading && definitions < lines.Len():
		if definitions > 0 {
			d := &block{construct: prose}
			d.SetPos(p.Pos())
			p.Parent().InsertBefore(p.Parent(), p, d)
			lines.SetSliced(definitions, lines.Len())
		}
		return
	}
	b := &block{construct: prose}
	if header < 0 && definitions > 1 && definitions == lines.Len() {
		b.construct, b.lines = references, spans(lines, 0)
	}
	b.SetPos(p.Pos())
	p.Parent().ReplaceChild(p.Parent(), p, b)
}

// spans returns lines from index from on.
func spans(lines *text.Segments, from int) []ast.Span {
	list := make([]ast.Span, 0, lines.Len()-from)
	for _, line := range lines.Sliced(from, lines.Len()) {
		list = append(list, ast.Span{Start: line.Start, End: line.Stop})
	}
	return list
}

// tableHeader returns the index of the header line of the pipe table among
// lines, or -1.
func tableHeader(src []byte, lines *text.Segments) int {
	for i := 1; i < lines.Len(); i++ {
		line := lines.At(i)
		columns := tables.PipeRule(src[line.Start:line.Stop])
		if columns == 0 {
			continue
		}
		above := lines.At(i - 1)
		if tables.PipeColumns(src[above.Start:above.Stop]) == columns {
			return i - 1
		}
		return -1
	}
	return -1
}

// definitionLines counts the lines at the start of a paragraph that are link
// reference definitions of one line, and notes their labels.
func definitionLines(src []byte, lines *text.Segments, pc parser.Context) int {
	for i := range lines.Len() {
		line := lines.At(i)
		label, ok := definitionLabel(src[line.Start:line.Stop])
		if !ok {
			return i
		}
		labels := pc.Get(labelsKey).(map[string]bool)
		labels[util.ToLinkReference(label)] = true
	}
	return lines.Len()
}

// definitionLabel returns the label of the link reference definition that line is.
func definitionLabel(line []byte) (label []byte, ok bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '[' {
		return nil, false
	}
	end := bytes.Index(line, []byte("]:"))
	if end < 0 || len(bytes.TrimSpace(line[1:end])) == 0 || bytes.IndexByte(line[1:end], '[') >= 0 {
		return nil, false
	}
	destination, title := line[end+2:], []byte(nil)
	destination = bytes.TrimSpace(destination)
	if bytes.HasPrefix(destination, []byte("<")) {
		close := bytes.IndexByte(destination, '>')
		if close < 0 {
			return nil, false
		}
		destination, title = destination[:close+1], destination[close+1:]
	} else if space := bytes.IndexAny(destination, " \t"); space >= 0 {
		destination, title = destination[:space], destination[space:]
	}
	title = bytes.TrimSpace(title)
	if len(destination) == 0 || len(title) > 0 && !isTitle(title) {
		return nil, false
	}
	return line[1:end], true
}

// isTitle reports whether text is the quoted title of a link reference definition.
func isTitle(text []byte) bool {
	closer := text[0]
	if closer == '(' {
		closer = ')'
	}
	return len(text) > 1 && bytes.IndexByte([]byte(`"')`), closer) >= 0 && bytes.IndexByte(text[1:], closer) == len(text)-2
}
