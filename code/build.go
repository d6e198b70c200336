package code

import (
	"bytes"
	"strings"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/code/internal/syntax"
)

const (
	// small is the size in bytes under which a statement is not opened. It is
	// well under any limit one would cut at, so nothing is lost by it.
	small = 100
	// longLine is the length in bytes from which a line may be cut between
	// statements. Others stay whole.
	longLine = 500
	// longDocstring is the size in bytes up to which a docstring is repeated
	// with the signature.
	longDocstring = 160
	// longLeaf is the size in bytes above which what has no structure, such as
	// a comment, is cut at blank lines.
	longLeaf = 1000
	// maxDepth is the depth at which nodes are no more opened.
	maxDepth = 100
)

// A builder makes the tree of one source out of its syntax tree. Nodes get
// whole lines: an item begins where the line of its first byte begins, and
// reaches to where the next one begins. So what lies between is never lost.
type builder struct {
	lang  *compiled
	src   []byte // the source, in the text that was given
	nodes []syntax.Node
}

// An item is a node of the syntax tree that may begin a node of ours.
type item struct {
	cursor
	start, end int
	role       role
	loose      bool // right below an ERROR and of no known role
}

// A group is what shares a node: an item, with the comments and attributes
// right above it, and whatever begins on its last line.
type group struct {
	start int // where the line of its first item begins
	end   int // where its last item ends
	items []item
	main  int // index of the first item that is neither comment nor attribute; len(items) if none
}

func (g *group) pending() bool { return g.main == len(g.items) }

// build returns the nodes that tile span, given the root's children.
func (b *builder) build() []*ast.Node {
	root := cursor{b, 0}
	return b.tile(b.groups(b.inner(nil, root, -1, 0, 0), 0, len(b.src)), ast.Span{Start: 0, End: len(b.src)}, false, 1)
}

// inner appends the items below c that end behind from: its children, and in
// the place of a child that holds others but is none itself, such as a body,
// the items below that one. One that begins at origin, where the node begins
// whose items these are, is none.
func (b *builder) inner(list []item, c cursor, origin, from, depth int) []item {
	for child := c.first(); child.ok(); child = child.next(c) {
		start, end := child.start(), child.end()
		if end <= from || end <= start {
			continue
		}
		r := child.role()
		if depth < maxDepth && b.isOpen(c, child, r, origin) {
			list = b.inner(list, child, origin, from, depth+1)
			continue
		}
		if b.lang.strays && (r == scope || r == def) {
			list = b.withStrays(list, item{child, start, end, r, false})
			continue
		}
		loose := c.isError() && r == none && child.i+1 == int(child.node().Next)
		list = append(list, item{child, start, end, r, loose})
	}
	return list
}

// withStrays appends it, and behind it the comments at its end that are not
// indented: they stand above what comes next.
func (b *builder) withStrays(list []item, it item) []item {
	var strays []item
	end := it.start
	for child := it.first(); child.ok(); child = child.next(it.cursor) {
		start := child.start()
		if at, first := b.lineStart(start); child.role() == comment && first && at == start {
			strays = append(strays, item{child, start, child.end(), comment, false})
		} else {
			strays, end = nil, child.end()
		}
	}
	if len(strays) > 0 {
		it.end = end
	}
	return append(append(list, it), strays...)
}

// isOpen reports whether the children of child stand as if in parent.
func (b *builder) isOpen(parent, child cursor, r role, origin int) bool {
	switch r {
	case open, body:
		return b.src[child.start()] == '{' || child.first().ok() // one too small to be entered is an item
	case comment, attr:
		return false
	case cond:
		return b.isGuard(parent, child)
	}
	if child.isError() {
		return true
	}
	n := child.node()
	if _, first := b.lineStart(int(n.Start)); first && int(n.Start) != origin {
		return n.Field != 0 && b.src[n.Start] == '{'
	}
	return n.Next > uint32(child.i+1) && bytes.IndexByte(b.src[n.Start:n.End], '\n') >= 0
}

// isGuard reports whether c is the include guard of a file.
func (b *builder) isGuard(parent, c cursor) bool {
	n := c.node()
	return parent.i == 0 && 2*int(n.End-n.Start) > len(b.src) && bytes.HasPrefix(b.src[n.Start:], []byte("#ifndef")) &&
		!c.field(b.lang.fields.alternative).ok()
}

// groups sorts the items into groups. Items that begin on a line that another
// thing begins belong to the group before; those before the first line that
// begins at or behind from are left out, and those from to on.
func (b *builder) groups(list []item, from, to int) []group {
	var groups []group
	for i, it := range list {
		if it.start >= to {
			break
		}
		var cur *group
		if len(groups) > 0 {
			cur = &groups[len(groups)-1]
		}
		at, first := b.lineStart(it.start)
		if !first || it.loose && cur != nil && !b.blankBetween(cur.end, at) {
			if cur == nil {
				continue
			}
			if it.start-cur.start < longLine || it.start < cur.end || bytes.IndexByte(b.src[cur.start:it.start], '\n') >= 0 {
				b.extend(cur, list, it)
				continue
			}
			at = it.start
		}
		switch {
		case cur == nil && at < from:
			continue
		case cur != nil && at < cur.start:
			b.extend(cur, list, it)
		case cur != nil && cur.pending() && b.belongs(cur, it, at):
			b.extend(cur, list, it)
		default:
			if cur != nil {
				at = b.pullUp(cur.end, at)
			}
			groups = append(groups, group{start: at, end: it.end, items: list[i : i+1], main: 1})
			if it.role != comment && it.role != attr {
				groups[len(groups)-1].main = 0
			}
		}
	}
	if b.lang.overload != nil {
		groups = b.joinOverloads(groups)
	}
	return groups
}

// joinOverloads makes one group of the signatures of a function and the function.
func (b *builder) joinOverloads(groups []group) []group {
	n := 0
	for i := range groups {
		next := groups[i]
		if n > 0 && !next.pending() {
			g := &groups[n-1]
			if name := b.overloaded(g); name != "" && (name == b.overloaded(&next) || name == b.nameOf(b.definition(next.items[next.main].cursor, 0).named)) {
				main := len(g.items) + next.main
				g.items, g.main, g.end = g.items[:len(g.items)+len(next.items)], main, next.end
				continue
			}
		}
		groups[n] = next
		n++
	}
	return groups[:n]
}

// overloaded returns the name of the function that a group is a signature of.
func (b *builder) overloaded(g *group) string {
	if g.pending() {
		return ""
	}
	return b.lang.overload(g.items[g.main].cursor)
}

// extend adds it, the next item of list, to the group.
func (b *builder) extend(g *group, list []item, it item) {
	pending := g.pending()
	g.items = g.items[:len(g.items)+1]
	g.end = max(g.end, it.end)
	if pending && (it.role == comment || it.role == attr) {
		g.main = len(g.items)
	}
}

// belongs reports whether the item that begins on the line at belongs to the
// comments and attributes of g.
func (b *builder) belongs(g *group, it item, at int) bool {
	last := g.items[len(g.items)-1]
	if last.role == attr || !b.blankBetween(g.end, at) {
		return !b.isInner(last)
	}
	return it.role != comment && b.lang.isDoc != nil && b.lang.isDoc(string(b.src[last.start:min(last.end, last.start+256)]))
}

// isInner reports whether a comment documents what it stands in.
func (b *builder) isInner(it item) bool {
	text := b.src[it.start:it.end]
	return it.role == comment && (bytes.HasPrefix(text, []byte("//!")) || bytes.HasPrefix(text, []byte("/*!")))
}

// isBlockDoc reports whether a comment is a doc comment as Javadoc has them.
// One for the whole file is none.
func isBlockDoc(comment string) bool {
	return len(comment) > 4 && comment[:3] == "/**" && comment[3] != '*' && !strings.Contains(comment, "@file") &&
		!strings.Contains(comment, "opyright")
}

// lineStart returns where the line of offset begins, and whether nothing but
// blanks stands before offset on it. Where something does it returns offset.
func (b *builder) lineStart(offset int) (int, bool) {
	i := offset
	for i > 0 {
		switch b.src[i-1] {
		case ' ', '\t', '\f', 0xef, 0xbb, 0xbf:
			i--
		case '\n', '\r':
			return i, true
		default:
			return offset, false
		}
	}
	return 0, true
}

// lineEnd returns the offset behind the line that offset is on, or limit if
// that comes first: a line may be as long as the file, and is asked for often.
func (b *builder) lineEnd(offset, limit int) int {
	if offset >= limit {
		return limit
	}
	if i := bytes.IndexByte(b.src[offset:limit], '\n'); i >= 0 {
		return offset + i + 1
	}
	return limit
}

// blankBetween reports whether a blank line stands between an item that ends
// at end and the line that begins at start.
func (b *builder) blankBetween(end, start int) bool {
	for at := b.lineEnd(end, start); at < start; {
		next := b.lineEnd(at, start)
		if len(bytes.TrimSpace(b.src[at:next])) == 0 {
			return true
		}
		at = next
	}
	return false
}

// pullUp returns where the first line between end and start begins that is
// more than closing brackets, or start: an "else {" goes with what it opens.
func (b *builder) pullUp(end, start int) int {
	for at := b.lineEnd(end, start); at < start; at = b.lineEnd(at, start) {
		if !isClosing(b.src[at:b.lineEnd(at, start)]) {
			return at
		}
	}
	return start
}

// tile gives each group the lines up to the next one. Whether the groups are
// statements of a function says inside.
func (b *builder) tile(groups []group, span ast.Span, inside bool, depth int) []*ast.Node {
	if span.IsEmpty() {
		return nil
	}
	if len(groups) == 0 {
		return b.paragraphs(span)
	}
	nodes := make([]*ast.Node, 0, len(groups))
	if at := groups[0].start; at > span.Start && len(bytes.TrimSpace(b.src[span.Start:at])) > 0 {
		nodes = append(nodes, b.block(ast.Span{Start: span.Start, End: at}))
		span.Start = at
	}
	for i := range groups {
		part := span
		if i+1 < len(groups) {
			part.End = groups[i+1].start
		}
		nodes = b.group(nodes, &groups[i], part, inside, depth)
		span.Start = part.End
	}
	return nodes
}

// group appends the node of a group, or the branches of a conditional.
func (b *builder) group(nodes []*ast.Node, g *group, span ast.Span, inside bool, depth int) []*ast.Node {
	if g.pending() {
		return append(nodes, b.block(span))
	}
	main := g.items[g.main]
	if main.role == cond {
		return b.branches(nodes, g, span, inside, depth)
	}
	n, several := b.leaf(span), false
	var d definition
	if !inside {
		d = b.definition(main.cursor, 0)
		n.Name, several = b.nameOf(d.named), d.group
		if d.is && (d.body.ok() || b.lead(g, span) > span.Start || bytes.IndexByte(b.src[main.start:main.end], '\n') >= 0) {
			n.Kind = ast.Decl
			if d.bare {
				b.open(n, b.lead(g, span), b.groups(b.inner(nil, d.node, -1, 0, 0), span.Start, span.End), false, depth)
			} else {
				n.Sign = b.sign(g, d, span)
				b.decl(n, g, d, depth)
			}
			return append(nodes, n)
		}
	}
	if span.Len() > small || several {
		var groups []group
		if depth < maxDepth {
			var list []item
			for _, it := range g.items[g.main:] {
				list = b.inner(list, it.cursor, it.start, 0, 0)
			}
			groups = b.groups(list, b.lineEnd(main.start, span.End), span.End)
		}
		b.open(n, b.lead(g, span), groups, inside, depth)
		if n.Name != "" && n.IsScope() {
			n.Kind, n.Sign = ast.Decl, b.sign(g, d, span) // a value that holds definitions
		}
	}
	return append(nodes, n)
}

// lead returns where what stands below the comments of a group begins.
func (b *builder) lead(g *group, span ast.Span) int {
	lead := span.Start
	for i, it := range g.items[:g.main] {
		if it.role != comment {
			break
		}
		if at, first := b.lineStart(g.items[i+1].start); first {
			lead = max(at, span.Start)
		}
	}
	return lead
}

// block makes a block, of the lines up to a blank one where it is long.
func (b *builder) block(span ast.Span) *ast.Node {
	n := b.leaf(span)
	b.divide(n)
	return n
}

func (b *builder) leaf(span ast.Span) *ast.Node {
	return &ast.Node{Kind: ast.Block, Span: span, Lang: b.lang.Name}
}

// divide cuts a long leaf at blank lines. In a comment a line is blank that
// has only the comment's mark.
func (b *builder) divide(n *ast.Node) {
	if n.IsLeaf() && n.Span.Len() > longLeaf {
		if parts := b.paragraphs(n.Span); len(parts) > 1 {
			n.Children = parts
		}
	}
}

// open gives a block the groups below it as children. Its comment, which ends
// at lead, and the lines before the first group go before that one, but not
// before others: a condition, an opening bracket. The closing line goes with
// the last group, but where that is a definition: then it is the block's tail.
func (b *builder) open(n *ast.Node, lead int, groups []group, inside bool, depth int) {
	span := n.Span
	head := lead
	if len(groups) > 0 {
		head = groups[0].start
	}
	if head <= span.Start {
		if len(groups) > 1 {
			n.Children = b.tile(groups, span, inside, depth+1)
		}
		b.divide(n)
		return
	}
	n.Head = ast.Span{Start: span.Start, End: head}
	n.Lead = n.Head
	if lead > span.Start {
		n.Children = append(n.Children, b.block(ast.Span{Start: span.Start, End: lead}))
	}
	if head > lead {
		n.Children = append(n.Children, b.block(ast.Span{Start: lead, End: head}))
	}
	if len(groups) == 0 {
		n.Children = append(n.Children, b.block(ast.Span{Start: head, End: span.End}))
		return
	}
	end := b.tail(groups[len(groups)-1].end, span.End)
	n.Children = append(n.Children, b.tile(groups, ast.Span{Start: head, End: end}, inside, depth+1)...)
	switch {
	case end == span.End:
	case n.IsScope():
		n.Tail = ast.Span{Start: end, End: span.End}
		n.Children = append(n.Children, b.block(n.Tail))
	default:
		stretch(n.Children[len(n.Children)-1], span.End)
	}
}

// stretch makes n, and what ends with it, end at end.
func stretch(n *ast.Node, end int) {
	for {
		n.Span.End = end
		if !n.Tail.IsEmpty() {
			n.Tail.End = end
		}
		if n.IsLeaf() {
			return
		}
		n = n.Children[len(n.Children)-1]
	}
}

// decl fills the node of a definition: what stands above it and its signature
// are its head, the closing line its tail, the members or statements of its
// body its children.
func (b *builder) decl(n *ast.Node, g *group, d definition, depth int) {
	span := n.Span
	lead := b.lead(g, span)
	var groups []group
	if depth < maxDepth && (d.scope || span.Len() > small) {
		from, holder := lead, d.node
		if d.body.ok() {
			from, holder = b.bodyStart(d), d.holder
		}
		list := b.inner(nil, holder, d.node.start(), from, 0)
		groups = b.groups(list, b.lineEnd(max(d.node.start(), g.items[g.main].start), span.End), span.End)
	}
	var docstring []group
	if len(groups) > 1 && b.isDocstring(&groups[0]) && groups[1].start-groups[0].start <= longDocstring {
		docstring, groups = groups[:1], groups[1:]
	}
	if len(groups) == 0 || groups[0].start <= lead {
		b.open(n, lead, nil, false, depth)
		return
	}
	head := groups[0].start
	n.Lead = ast.Span{Start: span.Start, End: lead}
	n.Head = ast.Span{Start: span.Start, End: head}
	tail := b.tail(groups[len(groups)-1].end, span.End)
	if tail < span.End {
		n.Tail = ast.Span{Start: tail, End: span.End}
	}
	if lead > span.Start {
		n.Children = append(n.Children, b.block(ast.Span{Start: span.Start, End: lead}))
	}
	at := lead
	if len(docstring) > 0 {
		n.Children = append(n.Children, b.block(ast.Span{Start: at, End: docstring[0].start}))
		at = docstring[0].start
	}
	n.Children = append(n.Children, b.block(ast.Span{Start: at, End: head}))
	n.Children = append(n.Children, b.tile(groups, ast.Span{Start: head, End: tail}, !d.scope, depth+1)...)
	if tail < span.End {
		n.Children = append(n.Children, b.block(n.Tail))
	}
	if n.IsScope() {
		n.Lead = n.Head
	}
}

// isDocstring reports whether the group is a docstring.
func (b *builder) isDocstring(g *group) bool {
	if b.lang.docstring == "" || g.pending() || g.main > 0 {
		return false
	}
	c := g.items[0].cursor
	return c.kind() == b.lang.docstring || c.first().ok() && c.first().kind() == b.lang.docstring
}

// tail returns where the lines of closing brackets begin that are all that
// stands between end, where the last statement ends, and limit. It returns
// limit if there are none.
func (b *builder) tail(end, limit int) int {
	start, closed := limit, false
	for at := b.lineEnd(end, limit); at < limit; at = b.lineEnd(at, limit) {
		line := b.src[at:b.lineEnd(at, limit)]
		if !isClosing(line) {
			return limit
		}
		if !closed && len(bytes.TrimSpace(line)) > 0 {
			start, closed = at, true
		}
	}
	return start
}

// branches appends a block for each branch of a conditional. Where one has
// definitions all are scopes, each named after its condition.
func (b *builder) branches(nodes []*ast.Node, g *group, span ast.Span, inside bool, depth int) []*ast.Node {
	c := g.items[g.main].cursor
	condition := c.start()
	first, scopes := len(nodes), false
	var names []string
	for c.ok() {
		part := span
		alternative := c.field(b.lang.fields.alternative)
		if alternative.ok() {
			if at, ok := b.lineStart(alternative.start()); ok && at > span.Start && at < span.End {
				part.End = at
			} else {
				alternative = cursor{b, -1}
			}
		}
		n := b.leaf(part)
		var list []item
		if depth < maxDepth {
			for child := c.first(); child.ok() && (!alternative.ok() || child.i < alternative.i); child = child.next(c) {
				if r := child.role(); b.isOpen(c, child, r, c.start()) {
					list = b.inner(list, child, c.start(), 0, 1)
				} else {
					list = append(list, item{child, child.start(), child.end(), r, false})
				}
			}
		}
		b.open(n, part.Start, b.groups(list, b.lineEnd(condition, part.End), part.End), inside, depth)
		scopes = scopes || n.IsScope()
		names = append(names, string(bytes.TrimSpace(b.src[condition:b.lineEnd(condition, part.End)])))
		nodes = append(nodes, n)
		span.Start = part.End
		if c = alternative; c.ok() {
			condition = c.start()
		}
	}
	if !scopes {
		return nodes
	}
	for i, n := range nodes[first:] {
		n.Name = names[i]
		if i > 0 {
			n.Name += " of " + names[0]
		}
		if !n.IsScope() {
			n.Scope = true
		}
		if n.IsLeaf() {
			n.Children = []*ast.Node{b.leaf(n.Span)}
		}
	}
	return nodes
}

// isClosing reports whether a line holds nothing but what closes: brackets,
// commas and semicolons, "end" and its like, and a comment behind them.
func isClosing(line []byte) bool {
	line = bytes.TrimLeft(bytes.TrimSpace(line), ")]};, \t")
	if len(line) == 0 {
		return true
	}
	word, rest := line, []byte(nil)
	if i := bytes.IndexAny(line, " \t;,)}]/"); i >= 0 {
		word, rest = line[:i], bytes.TrimLeft(line[i:], ")]};, \t")
	}
	switch string(word) {
	case "end", "fi", "done", "esac", "END":
		return len(rest) == 0 || bytes.HasPrefix(rest, []byte("--")) || rest[0] == '#'
	case "#endif":
		return true
	}
	return bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte("/*")) && bytes.HasSuffix(line, []byte("*/"))
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }
