package markdown

import (
	"bytes"
	"regexp"

	gast "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// mdxParser reads what MDX has beside Markdown: modules ("import", "export"),
// comments ("{/* */}"), and tags of components, which stand for themselves, so
// that what follows on the next line is Markdown.
var mdxParser = newBlockParser(
	util.Prioritized(moduleParser{}, 150),
	util.Prioritized(mdxCommentParser{}, 160),
	util.Prioritized(componentParser{}, 890),
	util.Prioritized(mdxHTML{parser.NewHTMLBlockParser()}, 895),
)

// maxBlank bounds the blank lines of a module, so that no byte is read more often
// in search of the end of one.
const maxBlank = 50

// commentsUntil and componentsUntil are offsets: no comment ends, and no tag
// that goes over lines is looked for, before them. So all searches together
// take linear time.
var (
	commentsUntil   = parser.NewContextKey()
	componentsUntil = parser.NewContextKey()
)

func isBefore(at int, key parser.ContextKey, pc parser.Context) bool {
	until, _ := pc.Get(key).(int)
	return at < until
}

// moduleParser reads the statements between which JavaScript and Markdown take
// turns: from a line that begins with "import" or "export" to the first blank
// line at which no bracket is open.
type moduleParser struct{}

func (moduleParser) Trigger() []byte                              { return []byte("ie") }
func (moduleParser) CanInterruptParagraph() bool                  { return false }
func (moduleParser) CanAcceptIndentedLine() bool                  { return false }
func (moduleParser) Close(gast.Node, text.Reader, parser.Context) {}

var moduleStart = regexp.MustCompile(`^(?:import(?:\s+type)?\s*(?:[{*'"]|\s[\w$]+(?:\s*,|\s+from\s))|export\s*(?:[{*]|(?:default|const|let|var|function|async|class|type|interface|enum|abstract|declare)\b))`)

func (moduleParser) Open(parent gast.Node, reader text.Reader, pc parser.Context) (gast.Node, parser.State) {
	line, segment := reader.PeekLine()
	if parent.Kind() != gast.KindDocument || pc.BlockIndent() != 0 || !moduleStart.Match(line) {
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	return &block{construct: hidden, tail: moduleEnd(segment.Start, pc.Get(sourceKey).([]byte))}, parser.NoChildren
}

func (moduleParser) Continue(node gast.Node, reader text.Reader, _ parser.Context) parser.State {
	return continueTo(node.(*block).tail, reader)
}

// continueTo takes lines up to offset end into a block.
func continueTo(end int, reader text.Reader) parser.State {
	if _, segment := reader.PeekLine(); segment.Start >= end {
		return parser.Close
	}
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// moduleEnd returns the offset of the line after the statements that begin at
// offset start: the first blank line where no other one is found.
func moduleEnd(start int, src []byte) int {
	var state scriptState
	first, blank := len(src), 0
	at := start
	for at < len(src) && blank < maxBlank {
		end := lineEnd(src, at)
		if len(bytes.TrimSpace(src[at:end])) == 0 {
			if state.isAtRest() {
				return at
			}
			first = min(first, at)
			blank++
		}
		state.line(src[at:end])
		at = end
	}
	if at == len(src) && state.isAtRest() {
		return at
	}
	return first
}

// A scriptState is what is open at the end of a line of JavaScript.
type scriptState struct {
	brackets  int
	template  bool // between backticks
	commented bool // between /* and */
}

func (s *scriptState) isAtRest() bool { return s.brackets <= 0 && !s.template && !s.commented }

// line goes on over a line. A quote that does not close in it is an apostrophe.
func (s *scriptState) line(line []byte) {
	for i := 0; i < len(line); i++ {
		c := line[i]
		if !scriptMarks[c] {
			continue
		}
		switch rest := line[i:]; {
		case s.commented:
			if bytes.HasPrefix(rest, []byte("*/")) {
				s.commented = false
				i++
			}
		case c == '\\':
			i++
		case c == '`':
			s.template = !s.template
		case s.template:
		case bytes.HasPrefix(rest, []byte("/*")):
			s.commented = true
			i++
		case bytes.HasPrefix(rest, []byte("// ")):
			return
		case c == '"' || c == '\'':
			i += max(0, bytes.IndexByte(rest[1:], c)+1)
		case c == '{' || c == '(' || c == '[':
			s.brackets++
		case c == '}' || c == ')' || c == ']':
			s.brackets--
		}
	}
}

// scriptMarks are the bytes that open or close something in JavaScript.
var scriptMarks = func() (marks [256]bool) {
	for _, c := range []byte("\\`*/\"'{}()[]") {
		marks[c] = true
	}
	return marks
}()

// mdxCommentParser reads comments, which may go over lines: nothing else stands
// on their last line.
type mdxCommentParser struct{}

func (mdxCommentParser) Trigger() []byte                              { return []byte("{") }
func (mdxCommentParser) CanInterruptParagraph() bool                  { return false }
func (mdxCommentParser) CanAcceptIndentedLine() bool                  { return false }
func (mdxCommentParser) Close(gast.Node, text.Reader, parser.Context) {}

func (mdxCommentParser) Open(_ gast.Node, reader text.Reader, pc parser.Context) (gast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || !bytes.HasPrefix(line[at:], []byte("{/*")) || isBefore(segment.Start, commentsUntil, pc) {
		return nil, parser.NoChildren
	}
	src := pc.Get(sourceKey).([]byte)
	from := segment.Start + at
	size := bytes.Index(src[from:], []byte("*/}"))
	if size < 0 {
		pc.Set(commentsUntil, len(src))
		return nil, parser.NoChildren
	}
	close := from + size + len("*/}")
	end := lineEnd(src, close)
	if len(bytes.TrimSpace(src[close:end])) > 0 {
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	return &block{construct: hidden, tail: end}, parser.NoChildren
}

func (mdxCommentParser) Continue(node gast.Node, reader text.Reader, _ parser.Context) parser.State {
	return continueTo(node.(*block).tail, reader)
}

// componentParser reads lines of nothing but tags of components, "<Tabs>",
// "</DeepDive>" or "<>", of which one may go over lines. Lines indented deeper
// than Markdown's blocks may be, up to a blank one, go with the tag above them.
type componentParser struct{}

func (componentParser) Trigger() []byte                              { return []byte("<") }
func (componentParser) CanInterruptParagraph() bool                  { return true }
func (componentParser) CanAcceptIndentedLine() bool                  { return false }
func (componentParser) Close(gast.Node, text.Reader, parser.Context) {}

var componentTag = regexp.MustCompile(`^</?(?:>|(?:[A-Z][\w$.-]*|[\w$]+\.[\w$.-]+)(?:\s|/?>))`)

var tagsEnd = []byte("tagsEnd") // attribute of an HTMLBlock: offset of the line after its tags

func (componentParser) Open(_ gast.Node, reader text.Reader, pc parser.Context) (gast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || !componentTag.Match(line[at:]) {
		return nil, parser.NoChildren
	}
	src := pc.Get(sourceKey).([]byte)
	end := len(src)
	if isBefore(segment.Start, componentsUntil, pc) {
		end = segment.Stop
	}
	stop, ok := tagLines(src[:end], segment.Start+at)
	if !ok {
		if stop > segment.Stop {
			pc.Set(componentsUntil, stop)
		}
		return nil, parser.NoChildren
	}
	node := gast.NewHTMLBlock(gast.HTMLBlockType7)
	node.SetAttribute(tagsEnd, stop)
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

func (componentParser) Continue(node gast.Node, reader text.Reader, pc parser.Context) parser.State {
	stop, _ := node.Attribute(tagsEnd)
	line, _ := reader.PeekLine()
	if indent, _ := util.IndentWidth(line, reader.LineOffset()); indent > 3 && !util.IsBlank(line) {
		reader.AdvanceToEOL()
		return parser.Continue | parser.NoChildren
	}
	return continueTo(stop.(int), reader)
}

// tagLines returns the end of the line on which the tags that begin at offset
// at end. It reports false, and how far it looked, where other things stand
// beside them or a tag does not end before the first blank line.
func tagLines(src []byte, at int) (end int, ok bool) {
	for line := lineEnd(src, at); ; {
		end := at + tagEnd(src[at:line])
		if end == line { // it goes on
			blank := line
			for blank < len(src) && len(bytes.TrimSpace(src[blank:lineEnd(src, blank)])) > 0 {
				blank = lineEnd(src, blank)
			}
			if end = at + tagEnd(src[at:blank]); end == blank {
				return blank, false
			}
			line = lineEnd(src, end)
		}
		at = end + 1
		for at < line && isSpace(src[at]) {
			at++
		}
		switch {
		case at == line:
			return line, true
		case !componentTag.Match(src[at:line]):
			return end, false
		}
	}
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// mdxHTML ends a block of HTML before a heading or a fence on a line of its
// own.
type mdxHTML struct{ parser.BlockParser }

func (p mdxHTML) Continue(node gast.Node, reader text.Reader, pc parser.Context) parser.State {
	if node.(*gast.HTMLBlock).HTMLBlockType >= gast.HTMLBlockType6 {
		line, _ := reader.PeekLine()
		if startsBlock.Match(line) {
			return parser.Close
		}
	}
	return p.BlockParser.Continue(node, reader, pc)
}

var startsBlock = regexp.MustCompile("^ {0,3}(?:#{1,6}[ \t]|```|~~~)")
