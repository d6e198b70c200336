package chunker

import (
	"strings"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/segment"
)

// A bond says what may happen between an atom and the one before it.
type bond uint8

const (
	free  bond = iota // a cut is fine
	held              // no cut, unless the two do not fit together
	apart             // a cut is compulsory
)

// A level says between what things a cut falls; the higher the dearer.
type level uint8

const (
	atBlock    level = iota // paragraphs, lists, tables, definitions
	atItem                  // list items, rows, statements, the blocks within them
	atLine                  // lines of code
	atSentence              // sentences
	atClause                // clauses of one sentence, cells of one row
	atWord                  // words of one clause
	atGrapheme              // graphemes of one word
	atRune                  // runes of one grapheme cluster
)

var levelNames = [...]string{"block", "item", "line", "sentence", "clause", "word", "grapheme", "rune"}

func (l level) String() string { return levelNames[l] }

// A role says what an atom is to the node it belongs to.
type role uint8

const (
	body role = iota
	lead      // a heading, a head: goes with what follows
	tail      // a closing line: goes with what stands before
)

// content is what a reader takes text for.
type content uint8

const (
	prose content = iota
	source
	tabular
)

var contentNames = [...]string{"text", "code", "table"}

// An atom is a part of the view that is not cut further.
type atom struct {
	start, end int       // offsets in the view; trailing blanks and blank lines included
	scope      int32     // index of planner.scopes: what it is under
	frame      int32     // index of planner.frames: the innermost opened node it is in, or -1
	node       *ast.Node // what it is, or what it is a part of
	bond       bond      // to the atom before
	level      level     // of a cut before it
	depth      uint8     // opened nodes around it
	role       role
	content    content
	cause      cause // of a compulsory cut before it
	labels     int32 // about the size of the labels of cells, from the first atom to this one
}

// A cause is what makes a cut compulsory.
type cause uint8

const (
	byStructure cause = iota
	byMeaning
	bySeparator
)

// A scope is a section, a class or the document, as an atom sees it.
type scope struct {
	node   *ast.Node
	parent int32    // -1 for the document
	path   []string // titles from the outermost to this one

	contexts []int // see planner.contexts
}

// A frame is an opened node.
type frame struct {
	node                     *ast.Node
	parent                   int32 // the opened node around it, or -1
	start, end               int   // the node, in the view
	headStart, headEnd       int   // what is repeated before each piece
	tailStart, tailEnd       int   // what is repeated behind each piece
	captionStart, captionEnd int   // the head of a table without the header rows
	headSize, tailSize       int
	depth                    uint8 // frames around what is in it
	only                     bool  // its pieces hold nothing else
	labels                   bool  // rows are opened: a table whose header is too long to be repeated
}

// A planner turns one document into atoms, runs and pieces.
type planner struct {
	doc     *ast.Document
	opt     Options
	max     int // what an atom may hold: opt.Max, less where a first plan came out over it
	view    *view
	sizes   *sizes
	scopes  []scope
	frames  []frame
	atoms   []atom
	regions []region // see flat

	scope   int32 // where the next atom stands
	frame   int32
	glued   int      // view offset at which text starts that goes with the next atom; -1 for none
	soft    bool     // the last of that text is a line of code, which stands alone rather than have what follows cut
	fine    bool     // prose is always opened, down to sentences
	across  bool     // sections and definitions compel no cut
	closing ast.Span // view range of a closing line that goes with the atom that ends where it starts
	barrier bool     // a cut is compulsory before the next atom
	content content
	buf     []int     // boundaries, reused
	heads   []int32   // frames, reused
	costs   []float64 // see planner.cheapest
	from    []int32
	why     map[int]Explanation // by the last atom of a piece, where it is asked for
}

// collect fills p.atoms from the tree.
func (p *planner) collect() {
	d := p.doc
	p.glued, p.frame = -1, -1
	p.scopes = append(p.scopes, scope{node: d.Root, parent: -1})
	p.openScope(d.Root)
	// Text that goes with what follows is under what follows is under.
	for i := len(p.atoms) - 2; i >= 0; i-- {
		if p.atoms[i].role == lead && p.atoms[i+1].bond == held {
			p.atoms[i].scope = p.atoms[i+1].scope
		}
	}
}

// openScope adds what is below a section, a class or the document: its own
// text and the scopes below it, with a compulsory cut wherever the scope
// changes. Text that is Head only goes on to what follows it.
func (p *planner) openScope(n *ast.Node) {
	here := p.scope
	for _, c := range n.Children {
		switch {
		case p.hidden(c):
		case n.Head.Contains(c.Span):
			p.addLead(c, n)
		case n.Tail.Contains(c.Span) && !n.Tail.IsEmpty():
			p.addTail(c)
		case c.IsScope() && !p.small(c):
			p.enter(c, here)
			p.openScope(c)
			p.leave(here)
		case c.Kind == ast.Decl:
			p.cut()
			p.add(c, atBlock)
			p.compel()
		case p.opt.Isolate && (c.Kind == ast.Table || c.Kind == ast.Code):
			p.cut()
			p.add(c, atBlock)
			p.compel()
		default:
			p.add(c, atBlock)
		}
	}
}

// enter makes c the scope of the atoms to come.
func (p *planner) enter(c *ast.Node, parent int32) {
	path := p.scopes[parent].path
	if c.Name != "" {
		path = append(path[:len(path):len(path)], c.Name)
	}
	p.scopes = append(p.scopes, scope{node: c, parent: parent, path: path})
	p.scope = int32(len(p.scopes) - 1)
	p.cut()
}

// leave makes the scope around it the scope again. A heading with nothing
// below it does not go with what follows.
func (p *planner) leave(outer int32) {
	p.scope = outer
	p.glued = -1
	p.compel()
}

// compel makes a cut compulsory before the next atom, unless the structure of
// the document is to be no reason for cuts.
func (p *planner) compel() { p.barrier = p.barrier || !p.across }

// cut makes a cut compulsory before the next atom, unless a head is waiting
// for it: that goes along.
func (p *planner) cut() {
	if p.glued < 0 {
		p.compel()
	}
}

func (p *planner) hidden(n *ast.Node) bool {
	start, end := p.view.span(n.Span)
	return start >= end
}

// small reports whether a class is too short to be opened.
func (p *planner) small(n *ast.Node) bool {
	if n.Kind != ast.Decl {
		return false
	}
	start, end := p.view.span(n.Span)
	return p.sizes.size(p.view.trim(start, end)) <= p.opt.Min
}

// fits reports whether the text from start to end can be a chunk. Sizes from
// the whole can be off by a unit or two at the ends of a part, so what is
// close to the limit is counted by itself.
func (p *planner) fits(start, end int) bool {
	slack := 8 + p.max/16
	start, end = p.view.trim(start, end)
	switch n := p.sizes.size(start, end); {
	case n > p.max+slack:
		return false
	case n <= p.max-slack:
		return true
	}
	return p.opt.Sizer.Count(p.view.text[start:end]) <= p.max
}

// emit adds the text from start to end as one atom.
func (p *planner) emit(start, end int, n *ast.Node, l level, r role) {
	k := len(p.atoms)
	switch {
	case blank(p.view.text[start:end]):
		if k > 0 {
			p.atoms[k-1].end = end // blanks belong to what stands before them
		}
		return
	case k == 0:
		start = 0 // and at the start of the document to what follows
	}
	b := free
	switch {
	case k == 0 || p.barrier:
		b = apart
	case p.glued >= 0 || r == tail:
		b = held
	}
	labels := int32(0)
	if k > 0 {
		labels = p.atoms[k-1].labels
	}
	if n.Kind == ast.Cell && n.Name != "" {
		labels += int32(p.opt.Sizer.Count(n.Name)) + 2
	}
	p.atoms = append(p.atoms, atom{start: start, end: end, scope: p.scope, frame: p.frame, node: n, labels: labels,
		bond: b, level: l, depth: p.depth(), role: r, content: p.content})
	p.barrier = false
	switch {
	case r != lead:
		p.glued = -1
	case p.glued < 0:
		p.glued = start
	}
}

func blank(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isBlank(s[i]) {
			return false
		}
	}
	return true
}

// addLead adds a heading or a class line. One that does not fit is cut like
// any other text, and then nothing goes with it.
func (p *planner) addLead(c, parent *ast.Node) {
	start, end := p.view.span(c.Span)
	if p.glued >= 0 && !p.fits(p.glued, end) {
		p.glued, p.barrier = -1, true
	}
	p.soft = isCode(parent)
	if p.soft {
		p.content = source
	}
	if p.fits(start, end) {
		p.emit(start, end, c, atBlock, lead)
	} else {
		p.divide(start, end, c, ladder(c.Kind))
	}
	if from, to := p.view.trim(start, end); p.soft && p.sizes.size(from, to) >= p.opt.Min && strings.Contains(p.view.text[from:to], "\n") {
		p.glued = -1 // a class line with its documentation stands for itself
	}
	p.content = prose
}

func (p *planner) addTail(c *ast.Node) {
	start, end := p.view.span(c.Span)
	// The closing line of a class goes with its last member, whatever that is.
	if k := len(p.atoms); k > 0 {
		p.frame = p.atoms[k-1].frame
	}
	p.barrier, p.content = false, source
	p.emit(start, end, c, atItem, tail)
	p.frame, p.content, p.barrier = -1, prose, true
}

// add adds n: as one atom where it fits together with the heads that wait for
// it, else opened.
func (p *planner) add(n *ast.Node, l level) {
	if p.hidden(n) {
		return
	}
	start, end := p.view.span(n.Span)
	was := p.content
	switch n.Kind {
	case ast.Code, ast.Decl, ast.Block:
		p.content = source
	case ast.Table:
		p.content = tabular
	}
	switch {
	case p.fine && isProse(n), n.Kind == ast.Row && !n.IsLeaf() && p.labelled(),
		n.Kind == ast.Table && p.sizes.size(p.view.trim(start, end)) > p.opt.Want,
		n.Kind == ast.Group && !p.fitsUnderHeads(start, end):
		p.open(n, l)
	case p.fitsGlued(start, end):
		p.emit(start, end, n, l, body)
	case p.fitsWithoutLead(n):
		cut := p.view.at(n.Lead.End)
		p.emit(start, cut, n, l, body)
		p.barrier = true
		p.emit(cut, end, n, l, body)
	default:
		p.open(n, l)
	}
	p.content = was
}

// fitsGlued reports whether the text from start to end fits together with the
// heads that wait for it and the closing line that follows it. A head that takes more than half of the limit, or is
// a line of code, lets go of what does not fit beside it.
func (p *planner) fitsGlued(start, end int) bool {
	if end == p.closing.Start {
		end = p.closing.End
	}
	if p.glued < 0 {
		return p.fits(start, end)
	}
	if p.fits(p.glued, end) {
		return true
	}
	if p.soft || p.sizes.size(p.view.trim(p.glued, start)) > p.max/2 {
		p.glued, p.barrier = -1, true
		return p.fits(start, end)
	}
	return false
}

// fitsUnderHeads reports whether the text from start to end fits together with
// the heads that a piece of it repeats. Rows have a header or are kept apart
// from their group, not the other way round.
func (p *planner) fitsUnderHeads(start, end int) bool {
	if p.glued >= 0 {
		start = p.glued
	}
	size := p.sizes.size(p.view.trim(start, end))
	for f := p.frame; f >= 0; f = p.frames[f].parent {
		if p.frames[f].headEnd <= start {
			size += p.frames[f].headSize
		}
	}
	return size <= p.max
}

// fitsWithoutLead reports whether a definition fits once its doc comment is a
// piece of its own.
func (p *planner) fitsWithoutLead(n *ast.Node) bool {
	if n.Kind != ast.Decl || n.Lead.IsEmpty() || n.Lead.End == n.Span.End {
		return false
	}
	start, end := p.view.span(n.Span)
	cut := p.view.at(n.Lead.End)
	return p.fitsGlued(start, cut) && p.fits(cut, end)
}

// open adds the parts of a node that does not fit, with a frame around them
// where the node has something to repeat.
func (p *planner) open(n *ast.Node, l level) {
	start, end := p.view.span(n.Span)
	outer, first := p.frame, len(p.atoms)
	only := n.Kind == ast.Table || n.Kind == ast.Code || n.Kind == ast.Decl || n.Kind == ast.Row && !n.IsLeaf()
	if only || !n.Head.IsEmpty() || !n.Tail.IsEmpty() {
		f := frame{node: n, parent: outer, start: start, end: end, only: only, depth: p.depth() + 1}
		f.headStart, f.headEnd = start, start
		if !n.Head.IsEmpty() {
			f.headStart, f.headEnd = p.view.at(n.Head.Start+n.Lead.Len()), p.view.at(n.Head.End)
		}
		if n.Tail.IsEmpty() {
			f.tailStart, f.tailEnd = end, end
		} else {
			f.tailStart, f.tailEnd = p.view.span(n.Tail)
		}
		f.captionStart = f.headStart
		// Of a head that is too long to be repeated its end is, the header row
		// rather than the caption.
		for _, c := range n.Children {
			if start := p.view.at(c.Span.Start); start > f.headStart && start < f.headEnd && p.sizes.size(f.headStart, f.headEnd) > p.max/2 {
				f.headStart = start
			}
		}
		f.captionEnd = f.headEnd
		for _, c := range n.Children {
			if c.Kind == ast.Row && c.Span.Start < n.Head.End && c.Span.Start >= n.Head.Start {
				f.captionEnd = min(f.captionEnd, p.view.at(c.Span.Start))
			}
		}
		f.headSize = p.sizes.size(f.headStart, f.headEnd)
		f.tailSize = p.sizes.size(p.view.trim(f.tailStart, f.tailEnd))
		f.labels = n.Kind == ast.Table && f.headSize+p.longestLabel(n) > p.max/2
		p.frames = append(p.frames, f)
		p.frame = int32(len(p.frames) - 1)
		if only {
			p.cut()
		}
	}
	if !n.Tail.IsEmpty() && !isCode(n) {
		was := p.closing
		defer func() { p.closing = was }()
		if p.closing.Start, p.closing.End = p.view.span(n.Tail); p.sizes.size(p.closing.Start, p.closing.End) > p.max/4 {
			p.closing = ast.Span{}
		}
	}
	if parts := p.doc.Parts(n); len(parts) == 0 || n.Text != "" && n.Kind != ast.Row {
		p.openLeaf(n, start, end)
	} else {
		p.openParts(n, parts)
	}
	p.frame = outer
	if only {
		p.barrier = true
	}
	p.relevel(first, l)
}

// relevel says that the cut before atom first, the first part of something
// that was opened, is a cut before the whole of it.
func (p *planner) relevel(first int, l level) {
	if first >= len(p.atoms) {
		return
	}
	p.atoms[first].level = l
	p.atoms[first].depth = p.depth()
}

// depth returns the number of frames around the next atom.
func (p *planner) depth() uint8 {
	if p.frame < 0 {
		return 0
	}
	return p.frames[p.frame].depth
}

// longestLabel returns the size of the longest row of a table that names the
// rows below it.
func (p *planner) longestLabel(table *ast.Node) int {
	longest := 0
	for _, c := range table.Children {
		if c.Kind == ast.Group {
			longest = max(longest, p.sizes.size(p.view.span(c.Head)))
		}
	}
	return longest
}

func (p *planner) openParts(n *ast.Node, parts []*ast.Node) {
	if n.Kind == ast.Row && p.labelled() {
		p.glued, p.barrier = -1, true // labels take the place of the header
	}
	below := atItem
	if n.Kind == ast.Row {
		below = atClause
	}
	for _, c := range parts {
		start, end := p.view.span(c.Span)
		switch {
		case start >= end:
		case n.Head.Contains(c.Span) && !n.Head.IsEmpty():
			p.openHead(n, c, start, end)
		case n.Tail.Contains(c.Span) && !n.Tail.IsEmpty():
			p.openTail(c, start, end)
		default:
			p.add(c, below)
		}
	}
}

// openHead adds a part of the head of an opened node. It goes with what
// follows, or its last part does where it does not fit.
func (p *planner) openHead(parent, c *ast.Node, start, end int) {
	p.soft = isCode(parent) || c.Kind == ast.Row && p.labelled()
	if p.fitsGlued(start, end) {
		p.emit(start, end, c, atItem, lead)
		return
	}
	p.divide(start, end, c, ladder(c.Kind))
	last := &p.atoms[len(p.atoms)-1]
	last.role, p.glued = lead, last.start
}

// openTail adds the tail of an opened node: it goes with what stands before.
// What is too long to be repeated is no closing line, and may stand for itself.
func (p *planner) openTail(c *ast.Node, start, end int) {
	p.barrier = false
	switch size := p.sizes.size(p.view.trim(start, end)); {
	case size <= p.max/4:
		p.emit(start, end, c, atItem, tail)
	case p.fits(start, end):
		p.emit(start, end, c, atItem, body)
	default:
		p.divide(start, end, c, ladder(c.Kind))
	}
}

// isProse reports whether n is made of sentences.
func isProse(n *ast.Node) bool {
	return n.Kind == ast.Paragraph || n.Kind == ast.List || n.Kind == ast.Item || n.Kind == ast.Quote
}

// isCode reports whether the head of n is a line of code, such as a signature.
func isCode(n *ast.Node) bool { return n.Kind == ast.Decl || n.Kind == ast.Block }

// openLeaf cuts a node without children: head, what lies between, tail.
func (p *planner) openLeaf(n *ast.Node, start, end int) {
	headEnd, tailStart := start, end
	if !n.Head.IsEmpty() {
		headEnd = p.view.at(n.Head.End)
	}
	if !n.Tail.IsEmpty() {
		tailStart = p.view.at(n.Tail.Start)
	}
	if headEnd > start {
		p.openHead(n, n, start, headEnd)
	}
	if tailStart > headEnd {
		p.divide(headEnd, tailStart, n, ladder(n.Kind))
	}
	if end > tailStart {
		p.openTail(n, tailStart, end)
	}
}

// ladder returns the levels at which the text of a leaf is cut, in turn.
func ladder(k ast.Kind) []level {
	switch k {
	case ast.Code, ast.Decl, ast.Block:
		return []level{atLine, atWord, atGrapheme, atRune}
	case ast.Row, ast.Cell:
		return []level{atClause, atWord, atGrapheme, atRune}
	}
	return []level{atSentence, atClause, atWord, atGrapheme, atRune}
}

// divide adds the text from start to end, cut at the first of levels; units
// that do not fit are cut at the next.
func (p *planner) divide(start, end int, n *ast.Node, levels []level) {
	base := len(p.buf)
	p.buf = boundaries(p.buf, levels[0], p.view.text[start:end])
	ends := p.buf[base:]
	from := start
	for i := 0; i < len(ends); i++ {
		to := start + ends[i]
		if levels[0] >= atWord {
			// Words and less are taken by the dozen: where the text is one long
			// word, planning over each rune of it would be slow.
			for i+1 < len(ends) && p.sizes.size(from, start+ends[i+1]) <= p.max/16 {
				i++
				to = start + ends[i]
			}
		}
		if len(levels) == 1 || p.fitsGlued(from, to) {
			p.emit(from, to, n, levels[0], body)
		} else {
			first := len(p.atoms)
			p.divide(from, to, n, levels[1:])
			p.relevel(first, levels[0])
			ends = p.buf[base : base+len(ends)]
		}
		from = to
	}
	p.buf = p.buf[:base]
}

// boundaries appends the ends of the units of text.
func boundaries(dst []int, l level, text string) []int {
	switch l {
	case atLine:
		return segment.Lines(dst, text)
	case atSentence:
		return segment.Sentences(dst, text)
	case atClause:
		return segment.Clauses(dst, text)
	case atWord:
		return segment.Words(dst, text)
	case atGrapheme:
		return segment.Graphemes(dst, text)
	}
	for i := range text {
		if i > 0 {
			dst = append(dst, i)
		}
	}
	return append(dst, len(text))
}
