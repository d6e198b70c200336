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
var blockParser = newBlockParser(util.Prioritized(parser.NewHTMLBlockParser(), 900))

// newBlockParser returns a parser of Markdown with more block parsers.
func newBlockParser(more ...util.PrioritizedValue) parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(append([]util.PrioritizedValue{
			util.Prioritized(setext{parser.NewSetextHeadingParser()}, 100),
			util.Prioritized(indentParser{}, 110),
			util.Prioritized(fenceParser{}, 120),
			util.Prioritized(mathParser{}, 130),
			util.Prioritized(shortcodeParser{}, 140),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(bounded{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(bounded{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		}, more...)...),
		parser.WithParagraphTransformers(util.Prioritized(paragraphs{}, 100)),
	)
}

// partSize is how many bytes goldmark is given at a time, about. Its tree takes
// several times the memory of its source, so that of a part is converted before
// the next is parsed. Nearly all documents are one part.
const partSize = 256 << 10

// parsePart returns goldmark's tree of a part of src, of about size bytes from
// offset at on, and where it ends: before the last block that can be parsed
// without what is before it, a heading or a paragraph below a blank line. Where
// there is none a larger part is taken, of four times the size, so that the time
// for all parts stays linear. It notes the labels of link reference
// definitions.
func parsePart(p parser.Parser, src []byte, at, size int, labels map[string]bool) (doc gast.Node, end int) {
	for ; ; size *= 4 {
		stop := len(src)
		if size+size/4 < len(src)-at { // else what is left would be a small part
			stop = lineEnd(src, at+size)
		}
		doc := parseBlocks(p, src, at, stop, labels)
		if stop == len(src) {
			return doc, stop
		}
		for n := doc.LastChild(); n != nil && n != doc.FirstChild(); n = n.PreviousSibling() {
			if !standsAlone(n) {
				continue
			}
			end := bytes.LastIndexByte(src[:n.Pos()], '\n') + 1
			for last := doc.LastChild(); ; last = doc.LastChild() {
				doc.RemoveChild(doc, last)
				if last == n {
					return doc, end
				}
			}
		}
	}
}

// standsAlone reports whether a block is parsed alike with and without the
// blocks before it.
func standsAlone(n gast.Node) bool {
	if !n.HasBlankPreviousLines() {
		return false
	}
	switch n := n.(type) {
	case *gast.Heading:
		return true
	case *block:
		return n.construct == prose
	}
	return false
}

// parseBlocks returns goldmark's tree of src[at:end], whole lines. Offsets are
// those of src.
func parseBlocks(p parser.Parser, src []byte, at, end int, labels map[string]bool) gast.Node {
	pc := parser.NewContext()
	pc.Set(labelsKey, labels)
	pc.Set(sourceKey, src)
	reader := text.NewReader(src[:end])
	reader.SetPosition(-1, text.NewSegment(at, at))
	reader.AdvanceLine()
	return p.Parse(reader, parser.WithContext(pc))
}

var (
	labelsKey = parser.NewContextKey() // map[string]bool: normalised labels of link reference definitions
	sourceKey = parser.NewContextKey() // []byte: all of the source, where a parser looks ahead
	setextKey = parser.NewContextKey() // set while a paragraph is about to become a setext heading
)

// A construct is what a [block] stands for.
type construct uint8

const (
	prose      construct = iota // a paragraph
	references                  // link reference definitions, two or more
	pipeTable                   // header, rule and rows
	formula                     // $$ ... $$
	shortcode                   // {{< name >}}, {{% name %}}, {% name %} on a line of its own
	fenced                      // ::: ... :::
	callout                     // !!! note, ??? note, === "tab", with indented content
	footnote                    // [^1]: text, with indented content
	definition                  // : text, with indented content, below its term
	rule                        // ---, *** or ___: goldmark's
	hidden                      // MDX: modules and comments, which no reader sees
)

// A block is a node of goldmark's tree for what goldmark does not know, and
// for paragraphs: being raw, it is spared goldmark's pass over inline text.
type block struct {
	gast.BaseBlock
	construct construct
	lines     []ast.Span // pipeTable: its lines, references: the definitions, without what containers put before them
	width     int        // fenced: colons that close it; callout, footnote, definition: columns of indentation
	tail      int        // fenced: offset of the closing line, 0 while open; hidden: where it ends
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
	refs, refLines := definitions(src, lines, pc)
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
	case heading && refLines < lines.Len():
		if refLines > 0 {
			d := &block{construct: prose}
			d.SetPos(p.Pos())
			p.Parent().InsertBefore(p.Parent(), p, d)
			lines.SetSliced(refLines, lines.Len())
		}
		return
	}
	b := &block{construct: prose}
	if header < 0 && len(refs) > 1 && refLines == lines.Len() {
		b.construct, b.lines = references, refs
	}
	b.SetPos(p.Pos())
	b.SetBlankPreviousLines(p.HasBlankPreviousLines())
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

// definitions returns the link reference definitions that a paragraph starts
// with, as the first lines of each, and the number of lines they take. It notes
// their labels. Destination and title may stand on lines of their own.
func definitions(src []byte, lines *text.Segments, pc parser.Context) (starts []ast.Span, count int) {
	line := func(i int) []byte {
		if i == lines.Len() {
			return nil
		}
		s := lines.At(i)
		return bytes.TrimSpace(src[s.Start:s.Stop])
	}
	for count < lines.Len() {
		label, rest, ok := definitionLabel(line(count))
		next := count + 1
		if ok && len(rest) == 0 {
			rest = line(next)
			next++
		}
		title, isDestination := afterDestination(rest)
		if !ok || !isDestination || len(title) > 0 && !isTitle(title) {
			break
		}
		if len(title) == 0 && isTitle(line(next)) {
			next++
		}
		pc.Get(labelsKey).(map[string]bool)[util.ToLinkReference(label)] = true
		starts = append(starts, ast.Span{Start: lines.At(count).Start, End: lines.At(next - 1).Stop})
		count = next
	}
	return starts, count
}

// definitionLabel splits "[label]: rest".
func definitionLabel(line []byte) (label, rest []byte, ok bool) {
	if len(line) == 0 || line[0] != '[' {
		return nil, nil, false
	}
	end := bytes.Index(line, []byte("]:"))
	if end < 0 || len(bytes.TrimSpace(line[1:end])) == 0 || bytes.IndexByte(line[1:end], '[') >= 0 {
		return nil, nil, false
	}
	return line[1:end], bytes.TrimSpace(line[end+2:]), true
}

// afterDestination returns what follows the link destination that text starts with.
func afterDestination(text []byte) (rest []byte, ok bool) {
	end := bytes.IndexAny(text, " \t")
	if bytes.HasPrefix(text, []byte("<")) {
		if end = bytes.IndexByte(text, '>') + 1; end == 0 {
			return nil, false
		}
	}
	if end < 0 {
		end = len(text)
	}
	return bytes.TrimSpace(text[end:]), end > 0
}

// isTitle reports whether text is the quoted title of a link reference definition.
func isTitle(text []byte) bool {
	if len(text) < 2 {
		return false
	}
	closer := text[0]
	if closer == '(' {
		closer = ')'
	}
	return bytes.IndexByte([]byte(`"')`), closer) >= 0 && bytes.IndexByte(text[1:], closer) == len(text)-2
}
