package ast

// A CodeParser finds the structure of a piece of source code, such as a fence
// in a document. The nodes tile text, their offsets count from its start. It
// returns nil where it has nothing to say; the code is then a leaf.
type CodeParser func(lang string, text []byte) []*Node

// Parts returns the children of n. Those of a fence of code are not in the
// tree, since most fences are never cut, and finding them takes longer than
// all else: Parts finds them anew at each call, without changing the tree.
func (d *Document) Parts(n *Node) []*Node {
	if n.Kind != Code || !n.IsLeaf() || d.Code == nil || n.Lang == "" || n.Text != "" || !d.startsLine(n) {
		return n.Children
	}
	body := n.Span
	if !n.Head.IsEmpty() {
		body.Start = n.Head.End
	}
	if !n.Tail.IsEmpty() {
		body.End = n.Tail.Start
	}
	if body.IsEmpty() {
		return nil
	}
	nodes := d.Code(n.Lang, d.Source[body.Start:body.End])
	if len(nodes) == 0 {
		return nil
	}
	Shift(nodes, body.Start)
	if !n.Head.IsEmpty() {
		nodes = append([]*Node{{Kind: Block, Span: n.Head}}, nodes...)
	}
	if !n.Tail.IsEmpty() {
		nodes = append(nodes, &Node{Kind: Block, Span: n.Tail})
	}
	return nodes
}

// startsLine reports whether n begins with a fence at the start of a line. In
// a list or a quote it does not, and the lines of code have marks before them
// that are no code.
func (d *Document) startsLine(n *Node) bool {
	at := n.Span.Start
	for at < n.Span.End && (d.Source[at] == '\n' || d.Source[at] == '\r') {
		at++
	}
	return (at == 0 || d.Source[at-1] == '\n' || d.Source[at-1] == '\r') && (d.Source[at] == '`' || d.Source[at] == '~')
}

// Expand puts what Parts finds into the tree.
func (d *Document) Expand() {
	for n := range d.Root.All() {
		if n.Kind == Code {
			n.Children = d.Parts(n)
		}
	}
}
