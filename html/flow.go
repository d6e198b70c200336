package html

import (
	"bytes"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/cantle/cantle/ast"
)

// A block is a node and how it looks.
type block struct {
	node *ast.Node
	look look
}

// A look is how the letters of a block look, as far as headings are told by it.
type look struct {
	letters int     // bytes of text but blanks
	bold    int     // of these
	italic  int     // of these
	line    int     // underlined, of these
	linked  int     // of these
	size    float64 // points, of the first letters; 0 where not known
	center  bool
	rows    int // of the layout table it came from; 0 where from none
	indent  float64
}

// A face is what text inherits from the elements around it.
type face struct {
	bold, italic, line, pre, center, link bool
	inRow, heading, code                  bool // inRow: cells stand side by side on one line
	size                                  float64
	indent                                float64
}

// A flow turns the tree of elements into blocks.
type flow struct {
	*builder
	opts        Options
	doc         *ast.Document
	headingTags int
	w           writer // of the block at hand
	look        look   // of the block at hand
	cell        writer // of the table cell at hand
	blocks      []block
	lists       int    // lists that are open
	first, rest string // what goes before the first line of a block in a list or quote, and before others
	breaks      int    // <br> since the last letters
	lastTerm    string
	nested      int // collections at hand
	pages       []page
	links       []Link
	coverEnd    int                  // offset at which the cover of a filing ends, 0 where there is none
	titles      map[*ast.Node]string // of headings whose text is more than that
	out         map[int32]string     // elements that are left out, and why
}

// walk makes blocks of what element n holds.
func (f *flow) walk(n int32, face face) {
	for c := f.elements[n].first; c != 0; c = f.elements[c].next {
		f.element(c, face)
	}
}

func (f *flow) element(n int32, in face) {
	e := &f.elements[n]
	switch {
	case e.tag == text:
		f.text(e, in)
		return
	case isHidden(e.tag) || e.hidden || e.style.hidden || f.leftOut(n):
		f.hide(e)
		return
	}
	face := in.within(e)
	if f.w.preserve {
		f.preserved(n, face)
		return
	}
	if e.style.before {
		f.pageBreak(e.start)
	}
	switch e.tag {
	case atom.Br:
		f.lineBreak()
	case atom.Wbr:
	case atom.Img, atom.Input:
		f.w.space = true
		if alt := e.altText(); alt != nil {
			f.text(alt, face)
			f.w.space = true
		}
	case atom.Hr:
		f.flush()
		f.markup(e.start, e.end)
	case atom.Table:
		f.flush()
		f.table(n, face)
	case atom.Pre, atom.Listing, atom.Xmp, atom.Plaintext, atom.Textarea:
		f.flush()
		f.code(n, face)
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		f.flush()
		f.list(n, face)
	case atom.Dl:
		f.flush()
		f.definitions(n, face)
	case atom.Blockquote:
		f.flush()
		f.quote(n, face)
	case atom.Details:
		f.flush()
		f.details(n, face)
	case atom.Code:
		if in.code || face.pre || f.hasBlocks(n) {
			f.walk(n, face)
			break
		}
		face.code = true
		f.inlineCode(n, face)
	case atom.A:
		if in.heading && isAnchor(f.plain(n)) {
			return
		}
		if f.opts.Links && e.href != "" {
			f.links = append(f.links, Link{Text: f.plain(n), Target: strings.ToValidUTF8(e.href, "")})
		}
		f.walk(n, face)
	case atom.Button, atom.Option, atom.Label:
		if in.heading {
			return
		}
		f.w.space = true
		f.walk(n, face)
		f.w.space = true
	default:
		switch level := headingLevel(e.tag); {
		case level > 0:
			f.flush()
			face.heading = true
			f.walk(n, face)
			f.flushHeading(level)
		case face.inRow:
			f.w.space = true
			f.walk(n, face)
			f.w.space = true
		case isBlock(e.tag) || e.style.block:
			f.flush()
			f.walk(n, face)
			f.flush()
		default:
			if e.style.indent > 0 {
				f.w.space = true
			}
			f.walk(n, face)
		}
	}
	if e.style.after {
		f.pageBreak(e.end)
	}
}

// preserved writes an element within <pre>, where line ends are those of the
// source. What a button says is no code.
func (f *flow) preserved(n int32, face face) {
	switch tag := f.elements[n].tag; {
	case tag == atom.Br:
		f.w.lineBreak()
	case tag == atom.Button:
	case isBlock(tag):
		f.ownLine()
		f.walk(n, face)
		f.ownLine()
	default:
		f.walk(n, face)
	}
}

// ownLine ends the line at hand, if anything is on it.
func (f *flow) ownLine() {
	if b := f.w.buf; len(b) > 0 && b[len(b)-1] != '\n' {
		f.w.lineBreak()
	}
}

// isAnchor reports whether the text of a link in a heading only marks where to
// click to link to it.
func isAnchor(text string) bool {
	switch text {
	case "", "#", "§", "¶", "🔗", "link", "Permalink", "⚓", "∞":
		return true
	}
	return false
}

// within returns the face of what stands in e.
func (in face) within(e *element) face {
	switch e.tag {
	case atom.B, atom.Strong, atom.Th, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		in.bold = true
	case atom.I, atom.Em, atom.Cite, atom.Dfn:
		in.italic = true
	case atom.U:
		in.line = true
	case atom.A:
		in.link = in.link || e.href != ""
	case atom.Center:
		in.center = true
	}
	s := e.style
	if s == noAttributes.style {
		return in
	}
	if s.weight != 0 {
		in.bold = s.weight == 2
	}
	if s.slant != 0 {
		in.italic = s.slant == 2
	}
	if s.size != 0 {
		in.size = s.size
	}
	in.line = in.line || s.line
	in.center = in.center || s.center
	in.pre = in.pre || s.pre
	in.indent += s.indent
	return in
}

// text adds the letters of e to the block at hand.
func (f *flow) text(e *element, face face) {
	before := len(f.w.buf)
	if face.pre && f.w.preserve {
		f.w.verbatim(e.start, e.end)
	} else {
		f.w.flow(e.start, e.end)
	}
	added := len(f.w.buf) - before
	if added == 0 {
		return
	}
	f.raise(&f.w, e, before)
	f.breaks = 0
	l := &f.look
	if l.letters == 0 {
		l.size, l.center, l.indent = face.size, face.center, face.indent
	}
	l.letters += added
	if face.bold {
		l.bold += added
	}
	if face.italic {
		l.italic += added
	}
	if face.line {
		l.line += added
	}
	if face.link {
		l.linked += added
	}
}

// raise puts "^" before a raised number that would run into what stands before
// it: 10^6, 1,234^1.
func (f *flow) raise(w *writer, e *element, at int) {
	if at == 0 || at >= len(w.buf) || !isAlphanumeric(w.buf[at-1]) && w.buf[at-1] != ')' {
		return
	}
	if c := w.buf[at]; c < '0' || c > '9' {
		return
	}
	if p := &f.elements[e.parent]; p.tag != atom.Sup && !p.style.raised {
		return
	}
	w.insert(at, "^")
}

// lineBreak ends the line; two in a row end the block.
func (f *flow) lineBreak() {
	f.breaks++
	if f.breaks > 1 && !f.w.preserve {
		f.flush()
		return
	}
	f.w.lineBreak()
	if len(f.w.buf) > 0 && f.rest != "" {
		f.w.parser(f.rest)
	}
}

// hide makes Markup of an element that no reader sees. Within a line it is a
// part of the line's span.
func (f *flow) hide(e *element) {
	if f.w.isEmpty() && e.tag != comment {
		f.markup(e.start, e.end)
	}
}

func (f *flow) markup(start, end int) {
	f.blocks = append(f.blocks, block{node: &ast.Node{Kind: ast.Markup, Span: ast.Span{Start: start, End: end}}})
}

func (f *flow) pageBreak(at int) {
	f.flush()
	if f.nested > 0 {
		f.doc.Pages = append(f.doc.Pages, at)
		return
	}
	f.pages = append(f.pages, page{at, len(f.blocks)})
}

// flush ends the block at hand and adds it as a paragraph.
func (f *flow) flush() { f.flushAs(ast.Paragraph, "", "\n\n") }

func (f *flow) flushHeading(level int) {
	if n := f.flushAs(ast.Heading, strings.Repeat("#", level)+" ", "\n\n"); n != nil {
		n.Level = level
		n.Text = strings.ReplaceAll(strings.TrimSuffix(n.Text, "\n\n"), "\n", " ") + "\n\n"
	}
}

// flushAs ends the block at hand. It returns nil where nothing was written.
func (f *flow) flushAs(kind ast.Kind, before, after string) *ast.Node {
	w := &f.w
	for len(w.buf) > 0 && isBlank(w.buf[len(w.buf)-1]) {
		w.buf = w.buf[:len(w.buf)-1]
	}
	f.breaks = 0
	look := f.look
	f.look = look.reset()
	if len(w.buf) == 0 {
		w.reset()
		return nil
	}
	if isRule(w.buf) {
		f.markup(w.start, w.end)
		w.reset()
		return nil
	}
	if f.first != "" || f.rest != "" {
		before = f.first + before
		f.first = f.rest
	}
	if f.lists > 0 && kind == ast.Paragraph {
		after = "\n"
	}
	n := &ast.Node{Kind: kind, Span: ast.Span{Start: w.start, End: w.end}}
	n.Text = before + string(w.buf) + after
	n.Marks = shiftMarks(w.marks, len(before), len(w.buf))
	if w.lead > 0 {
		look.indent += float64(3 * w.lead)
	}
	w.reset()
	f.blocks = append(f.blocks, block{n, look})
	return n
}

// isRule reports whether a line is drawn with underscores or dashes.
func isRule(line []byte) bool {
	return len(line) >= 5 && len(bytes.Trim(line, "_-= ")) == 0
}

func (look) reset() look { return look{} }

// shiftMarks copies marks that lie within limit, moved by delta.
func shiftMarks(marks []ast.Mark, delta, limit int) []ast.Mark {
	out := make([]ast.Mark, 0, len(marks))
	for _, m := range marks {
		if m.Text < limit {
			out = append(out, ast.Mark{Text: m.Text + delta, Source: m.Source})
		}
	}
	return out
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// collect runs fill with an empty list of blocks and returns what it made.
func (f *flow) collect(fill func()) []*ast.Node {
	outer := f.blocks
	f.blocks = nil
	f.nested++
	fill()
	f.flush()
	f.nested--
	nodes := make([]*ast.Node, len(f.blocks))
	for i, b := range f.blocks {
		nodes[i] = b.node
	}
	f.blocks = outer
	return nodes
}

func (f *flow) append(n *ast.Node) { f.blocks = append(f.blocks, block{node: n}) }

// maxNested bounds the lists, quotes and details within one another. What
// stands deeper is a block of the innermost.
const maxNested = 30

// indented runs fill with first before the first line of what it writes and
// rest before the other lines.
func (f *flow) indented(first, rest string, fill func()) []*ast.Node {
	oldFirst, oldRest := f.first, f.rest
	f.first, f.rest = f.rest+first, f.rest+rest
	f.lists++
	nodes := f.collect(fill)
	f.lists--
	f.first, f.rest = oldFirst, oldRest
	return nodes
}

// list makes a List of an <ul> or <ol>.
func (f *flow) list(n int32, face face) {
	if f.nested >= maxNested {
		f.walk(n, face)
		f.flush()
		return
	}
	e := &f.elements[n]
	number, ordered := 1, e.tag == atom.Ol
	if start, err := strconv.Atoi(e.from); err == nil {
		number = start
	}
	list := &ast.Node{Kind: ast.List}
	for c := e.first; c != 0; c = f.elements[c].next {
		item := &f.elements[c]
		if item.tag != atom.Li {
			list.Children = append(list.Children, f.indented("", "  ", func() { f.element(c, face) })...)
			continue
		}
		if item.hidden || item.style.hidden || f.leftOut(c) {
			list.Children = append(list.Children, &ast.Node{Kind: ast.Markup, Span: ast.Span{Start: item.start, End: item.end}})
			continue
		}
		bullet := "- "
		if ordered {
			bullet = strconv.Itoa(number) + ". "
			number++
		}
		nodes := f.indented(bullet, strings.Repeat(" ", len(bullet)), func() { f.walk(c, face.within(item)) })
		if node := container(ast.Item, nodes); node != nil {
			list.Children = append(list.Children, node)
		}
	}
	f.close(list)
}

// container returns a node of nodes; a single paragraph becomes the node
// itself, and nil is returned for nothing.
func container(kind ast.Kind, nodes []*ast.Node) *ast.Node {
	switch {
	case len(nodes) == 0:
		return nil
	case len(nodes) == 1 && (nodes[0].Kind == ast.Paragraph || nodes[0].Kind == ast.Markup):
		if nodes[0].Kind == ast.Paragraph {
			nodes[0].Kind = kind
		}
		return nodes[0]
	}
	return &ast.Node{Kind: kind, Span: union(nodes), Children: nodes}
}

func union(nodes []*ast.Node) ast.Span {
	return ast.Span{Start: nodes[0].Span.Start, End: nodes[len(nodes)-1].Span.End}
}

// close adds a container to the blocks. An outermost one is followed by a
// blank line.
func (f *flow) close(n *ast.Node) {
	if len(n.Children) == 0 {
		return
	}
	n.Span = union(n.Children)
	if !hasText(n) {
		n.Kind, n.Children = ast.Markup, nil
	} else if f.lists == 0 {
		endBlock(n)
	}
	f.append(n)
}

func hasText(n *ast.Node) bool {
	for d := range n.All() {
		if d.Text != "" {
			return true
		}
	}
	return false
}

// endBlock ends the text of the last node of n that has any with a blank line,
// and of the nodes it ends.
func endBlock(n *ast.Node) {
	for {
		if n.Text != "" && !strings.HasSuffix(n.Text, "\n\n") {
			n.Text += "\n"
		}
		i := len(n.Children) - 1
		for i >= 0 && !hasText(n.Children[i]) {
			i--
		}
		if i < 0 {
			return
		}
		n = n.Children[i]
	}
}

// definitions makes a List of a <dl>: an item is a term and what defines it.
func (f *flow) definitions(n int32, in face) {
	if f.nested >= maxNested {
		f.walk(n, in)
		f.flush()
		return
	}
	list := &ast.Node{Kind: ast.List}
	var item []*ast.Node
	end := func() {
		if node := container(ast.Item, item); node != nil {
			list.Children = append(list.Children, node)
		}
		item = nil
	}
	var walk func(n int32, in face)
	walk = func(n int32, in face) {
		for c := f.elements[n].first; c != 0; c = f.elements[c].next {
			switch e := &f.elements[c]; {
			case e.hidden || e.style.hidden || f.leftOut(c):
			case e.tag == atom.Div:
				walk(c, in.within(e))
			case e.tag == atom.Dt:
				if len(item) > 0 && !strings.HasSuffix(f.lastTerm, "dt") {
					end()
				}
				item = append(item, f.indented("", "", func() { f.walk(c, in.within(e)) })...)
				f.lastTerm = "dt"
			case e.tag == atom.Dd:
				item = append(item, f.indented(": ", "  ", func() { f.walk(c, in.within(e)) })...)
				f.lastTerm = "dd"
			default:
				item = append(item, f.indented("", "", func() { f.element(c, in) })...)
			}
		}
	}
	walk(n, in)
	end()
	f.close(list)
}

// quote makes a Quote of a <blockquote>.
func (f *flow) quote(n int32, face face) {
	if f.nested >= maxNested {
		f.walk(n, face)
		f.flush()
		return
	}
	nodes := f.indented("> ", "> ", func() { f.walk(n, face) })
	f.close(&ast.Node{Kind: ast.Quote, Children: nodes})
}

// details makes an Item of a <details>, with its summary as Head. One that
// holds sections is passed through.
func (f *flow) details(n int32, face face) {
	if f.nested >= maxNested || f.holdsHeading(n) {
		f.walk(n, face)
		f.flush()
		return
	}
	item := &ast.Node{Kind: ast.Item}
	f.lists++
	lists := f.lists
	f.lists = 0 // its blocks are apart as on the page
	for c := f.elements[n].first; c != 0; c = f.elements[c].next {
		nodes := f.collect(func() { f.element(c, face) })
		item.Children = append(item.Children, nodes...)
		if f.elements[c].tag == atom.Summary && len(nodes) > 0 && len(item.Children) == len(nodes) {
			item.Head = union(nodes)
		}
	}
	f.lists = lists - 1
	f.close(item)
}

func (f *flow) holdsHeading(n int32) bool {
	for i := n + 1; int(i) < len(f.elements) && f.elements[i].start < f.elements[n].end; i++ {
		if isHeading(f.elements[i].tag) {
			return true
		}
	}
	return false
}

// inlineCode writes code in a line.
func (f *flow) inlineCode(n int32, face face) {
	f.w.flushSpace()
	at := len(f.w.buf)
	f.walk(n, face)
	body := strings.TrimSpace(string(f.w.buf[min(at, len(f.w.buf)):]))
	if body == "" || len(f.w.buf) < at {
		return
	}
	fence := strings.Repeat("`", longestRun(body, '`')+1)
	for isBlank(f.w.buf[at]) {
		at++
	}
	f.w.insert(at, fence)
	f.w.buf = append(f.w.buf, fence...)
	f.w.next = -1
}

// longestRun returns the length of the longest run of c in s.
func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// hasBlocks reports whether n holds an element that begins a line.
func (f *flow) hasBlocks(n int32) bool {
	for i := n + 1; int(i) < len(f.elements) && f.elements[i].start < f.elements[n].end; i++ {
		if isBlock(f.elements[i].tag) {
			return true
		}
	}
	return false
}

// plain returns the text of n on one line.
func (f *flow) plain(n int32) string {
	f.cell.reset()
	end := f.elements[n].end
	for i := n + 1; int(i) < len(f.elements) && f.elements[i].start < end; i++ {
		if e := &f.elements[i]; e.tag == text {
			f.cell.flow(e.start, e.end)
		} else if e.tag == atom.Br || isBlock(e.tag) {
			f.cell.space = true
		}
	}
	return string(f.cell.buf)
}
