package markdown

import (
	"bytes"

	gast "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// indentParser reads the containers whose content is indented: call-outs and
// tabs of MkDocs ("!!! note", `=== "Tab"`), footnotes ("[^1]: text") and
// definitions (": text" below its term).
type indentParser struct{}

func (indentParser) Trigger() []byte                              { return []byte("!?=[:") }
func (indentParser) CanInterruptParagraph() bool                  { return true }
func (indentParser) CanAcceptIndentedLine() bool                  { return false }
func (indentParser) Close(gast.Node, text.Reader, parser.Context) {}

func (indentParser) Open(parent gast.Node, reader text.Reader, pc parser.Context) (gast.Node, parser.State) {
	line, _ := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	mark := line[at:]
	var b *block
	content := 0 // where the content starts in mark; 0: on the next line
	switch mark[0] {
	case '!', '?', '=':
		if !isCallout(mark) {
			return nil, parser.NoChildren
		}
		b = &block{construct: callout, width: 4}
	case '[':
		if content = footnoteLabel(mark); content == 0 {
			return nil, parser.NoChildren
		}
		b = &block{construct: footnote, width: 4}
	case ':':
		indent, _ := util.IndentWidth(mark[1:], at+1)
		if indent == 0 || util.IsBlank(mark[1:]) || !isTerm(parent.LastChild()) {
			return nil, parser.NoChildren
		}
		if indent >= 8 { // the definition starts with indented code
			indent = 5
		}
		content = 1
		b = &block{construct: definition, width: indent + 1}
	}
	if !mayOpen(parent) {
		return nil, parser.NoChildren
	}
	switch {
	case content == 0:
		reader.AdvanceToEOL()
	case b.construct == definition:
		pos, padding := util.IndentPosition(mark[1:], at+1, b.width-1)
		reader.AdvanceAndSetPadding(at+1+pos, padding)
	default:
		reader.Advance(at + content)
	}
	return b, parser.HasChildren
}

func (indentParser) Continue(node gast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	if util.IsBlank(line) {
		return parser.Continue | parser.HasChildren
	}
	width := node.(*block).width
	if indent, _ := util.IndentWidth(line, reader.LineOffset()); indent < width {
		return parser.Close
	}
	pos, padding := util.IndentPosition(line, reader.LineOffset(), width)
	reader.AdvanceAndSetPadding(pos, padding)
	return parser.Continue | parser.HasChildren
}

// isCallout reports whether line opens a call-out or a tab: "!!! note",
// "??? note", "???+ note", `=== "Tab"`.
func isCallout(line []byte) bool {
	mark := line[0]
	rest := bytes.TrimLeft(line, string(mark))
	if len(line)-len(rest) != 3 {
		return false
	}
	if mark != '!' {
		rest = bytes.TrimPrefix(rest, []byte("+"))
	}
	name := bytes.TrimLeft(rest, " ")
	if len(name) == len(rest) || len(name) == 0 {
		return false
	}
	return mark == '=' && name[0] == '"' || mark != '=' && isLetter(name[0])
}

// footnoteLabel returns the length of "[^label]:" at the start of line, or 0.
func footnoteLabel(line []byte) int {
	if !bytes.HasPrefix(line, []byte("[^")) {
		return 0
	}
	end := bytes.IndexByte(line, ']')
	if end < 3 || end+1 == len(line) || line[end+1] != ':' || bytes.ContainsAny(line[:end], " \t") {
		return 0
	}
	return end + 2
}

// isTerm reports whether a definition may stand below node.
func isTerm(node gast.Node) bool {
	if b, ok := node.(*block); ok {
		return b.construct == prose || b.construct == definition
	}
	return gast.IsParagraph(node)
}

// fenceParser reads containers between colons (":::note" ... ":::"), which may
// nest. One that is never closed holds the rest of its parent; the tree then
// takes its opening line for text.
type fenceParser struct{}

func (fenceParser) Trigger() []byte                              { return []byte(":") }
func (fenceParser) CanInterruptParagraph() bool                  { return true }
func (fenceParser) CanAcceptIndentedLine() bool                  { return false }
func (fenceParser) Close(gast.Node, text.Reader, parser.Context) {}

func (fenceParser) Open(parent gast.Node, reader text.Reader, pc parser.Context) (gast.Node, parser.State) {
	line, _ := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	colons, rest := colonRun(line[at:])
	if colons < 3 || len(rest) == 0 || !mayOpen(parent) {
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	return &block{construct: fenced, width: colons}, parser.HasChildren
}

func (fenceParser) Continue(node gast.Node, reader text.Reader, pc parser.Context) parser.State {
	b := node.(*block)
	line, segment := reader.PeekLine()
	indent, at := util.IndentWidth(line, reader.LineOffset())
	if indent > 3 || at >= len(line) || line[at] != ':' {
		return parser.Continue | parser.HasChildren
	}
	if colons, rest := colonRun(line[at:]); colons < b.width || len(rest) > 0 || holdsLine(b, pc) {
		return parser.Continue | parser.HasChildren
	}
	b.tail = segment.Start
	reader.AdvanceToEOL()
	return parser.Close
}

// colonRun returns the number of colons that line starts with and what
// follows them, without blanks at its ends.
func colonRun(line []byte) (colons int, rest []byte) {
	rest = bytes.TrimLeft(line, ":")
	return len(line) - len(rest), bytes.TrimSpace(rest)
}

// holdsLine reports whether a closing line belongs to a block that is open
// within container: a fence of code, or an inner container.
func holdsLine(container *block, pc parser.Context) bool {
	open := pc.OpenedBlocks()
	for i := len(open) - 1; i >= 0 && open[i].Node != gast.Node(container); i-- {
		switch n := open[i].Node.(type) {
		case *gast.FencedCodeBlock:
			return true
		case *block:
			if n.construct == fenced {
				return true
			}
		}
	}
	return false
}

// mathParser reads display formulas: from a line that starts with "$$" to a
// line that ends with "$$", without a blank line between, as TeX has it.
type mathParser struct{}

func (mathParser) Trigger() []byte                              { return []byte("$") }
func (mathParser) CanInterruptParagraph() bool                  { return true }
func (mathParser) CanAcceptIndentedLine() bool                  { return false }
func (mathParser) Close(gast.Node, text.Reader, parser.Context) {}

var (
	dollars       = []byte("$$")
	unclosedUntil = parser.NewContextKey() // int: no formula that starts before this offset is closed
)

func (mathParser) Open(_ gast.Node, reader text.Reader, pc parser.Context) (gast.Node, parser.State) {
	line, segment := reader.PeekLine()
	mark := bytes.TrimSpace(line)
	if !bytes.HasPrefix(mark, dollars) {
		return nil, parser.NoChildren
	}
	b := &block{construct: formula}
	switch at := bytes.Index(mark[2:], dollars); {
	case at < 0:
		if !mathCloses(segment.Stop, pc) {
			return nil, parser.NoChildren
		}
	case at+4 == len(mark) && at > 0:
		b.done = true
	default: // text goes on behind the formula
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	return b, parser.NoChildren
}

func (mathParser) Continue(node gast.Node, reader text.Reader, _ parser.Context) parser.State {
	b := node.(*block)
	line, _ := reader.PeekLine()
	if b.done || util.IsBlank(line) {
		return parser.Close
	}
	b.done = bytes.HasSuffix(bytes.TrimSpace(line), dollars)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// mathCloses looks for the end of a formula from offset at on. It remembers
// where it looked in vain, so that a paragraph is searched once.
func mathCloses(at int, pc parser.Context) bool {
	src := pc.Get(sourceKey).([]byte)
	if until, _ := pc.Get(unclosedUntil).(int); at < until {
		return false
	}
	for at < len(src) {
		end := len(src)
		if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := bytes.TrimSpace(src[at:end])
		if len(line) == 0 {
			break
		}
		if bytes.HasSuffix(line, dollars) {
			return true
		}
		at = end
	}
	pc.Set(unclosedUntil, at)
	return false
}

// shortcodeParser reads the tags of templates that stand on a line of their
// own: Hugo's "{{< tabs >}}" and "{{% /alert %}}", "{% hint %}" and
// "{% endhint %}" of others. A line is a block; the tree pairs them.
type shortcodeParser struct{}

func (shortcodeParser) Trigger() []byte                              { return []byte("{") }
func (shortcodeParser) CanInterruptParagraph() bool                  { return true }
func (shortcodeParser) CanAcceptIndentedLine() bool                  { return false }
func (shortcodeParser) Close(gast.Node, text.Reader, parser.Context) {}

func (shortcodeParser) Open(_ gast.Node, reader text.Reader, _ parser.Context) (gast.Node, parser.State) {
	line, _ := reader.PeekLine()
	line = bytes.TrimSpace(line)
	for _, marks := range shortcodeMarks {
		if bytes.HasPrefix(line, marks[0]) && bytes.HasSuffix(line, marks[1]) {
			reader.AdvanceToEOL()
			return &block{construct: shortcode}, parser.NoChildren
		}
	}
	return nil, parser.NoChildren
}

func (shortcodeParser) Continue(gast.Node, text.Reader, parser.Context) parser.State {
	return parser.Close
}

// shortcodeMarks holds what shortcodes begin and end with.
var shortcodeMarks = [][2][]byte{
	{[]byte("{{<"), []byte(">}}")},
	{[]byte("{{%"), []byte("%}}")},
	{[]byte("{%"), []byte("%}")},
}

// shortcodes yields the names of the shortcodes in text, in order, and whether
// they close what another one opened.
func shortcodes(text []byte) func(yield func(name string, closes bool) bool) {
	return func(yield func(string, bool) bool) {
		for {
			open := bytes.IndexByte(text, '{')
			if open < 0 {
				return
			}
			text = bytes.TrimLeft(text[open:], "{<%- \t")
			end := bytes.IndexByte(text, '}')
			if end < 0 {
				return
			}
			tag := text[:end]
			text = text[end:]
			if bytes.HasSuffix(bytes.TrimRight(tag, ">%"), []byte("/")) {
				continue
			}
			name, closes := bytes.CutPrefix(tag, []byte("/"))
			name = bytes.TrimLeft(name, " \t")
			size := 0
			for size < len(name) && isNameByte(name[size]) {
				size++
			}
			name = name[:size]
			if rest, ok := bytes.CutPrefix(name, []byte("end")); ok && len(rest) > 0 {
				name, closes = rest, true
			}
			if len(name) > 0 && !yield(string(name), closes) {
				return
			}
		}
	}
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
