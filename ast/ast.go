package ast

// MaxDepth bounds the depth of a tree: the root has depth 0, no node has a
// greater depth than MaxDepth. What a parser finds below becomes a leaf. It is
// far above what documents use, and low enough for recursion over a tree.
const MaxDepth = 200

// QuestionLevel is the Level of a Section that is a question, its Name, and
// its answer. No heading has it.
const QuestionLevel = 7

// A Span is the half-open byte range Source[Start:End].
type Span struct{ Start, End int }

// Len returns the number of bytes in s.
func (s Span) Len() int { return s.End - s.Start }

// IsEmpty reports whether s holds no byte.
func (s Span) IsEmpty() bool { return s.End <= s.Start }

// Contains reports whether t lies within s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// A Kind says what a node is.
type Kind uint8

// The kinds, a closed list.
const (
	Invalid   Kind = iota
	Root           // the whole document
	Section        // a heading and what stands below it
	Heading        // a heading line, or its lines
	Paragraph      // prose; also any leaf text that is nothing else
	List           // items
	Item           // a list item, a term and its definitions, a question and its answer
	Quote          // a quotation, a call-out, a container of blocks
	Code           // a fence, a <pre>, an indented block, a formula
	Decl           // a definition: function, method, class, type
	Block          // statements, imports, constants, comments; anything in code that is no Decl
	Table          // caption, header rows, groups, rows, notes
	Group          // rows under a row that names them
	Row            // one row
	Cell           // one cell of a row
	Markup         // bytes that no reader sees
	Meta           // front matter
)

var kindNames = [...]string{
	"invalid", "document", "section", "heading", "paragraph", "list", "item", "quote", "code",
	"decl", "block", "table", "group", "row", "cell", "markup", "meta",
}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid"
}

// A Node is a part of a document.
type Node struct {
	Kind     Kind
	Span     Span     // every byte of the node: marks, tags and trailing blank lines included
	Head     Span     // prefix of Span that must go before any part of the rest; empty where there is none
	Lead     Span     // prefix of Head that goes before the first part only, and is not repeated
	Tail     Span     // suffix of Span that must follow any part of the rest
	Sign     Span     // Decl: the signature, what stands before the body without comments above it; empty where there is none
	Scope    bool     // Block: a scope, though it may hold no definition; it has children
	Level    int      // Section, Heading: the rank in the source, 1 outermost; Row: depth of indentation
	Name     string   // Section: plain title; Decl, Block: symbol; Cell: the label of its column
	Lang     string   // Code, Decl, Block: "go"; prose: "en", "zh" where known
	Text     string   // what a reader sees where that is not Source[Span]; "" means verbatim (Markup, Meta: nothing)
	Marks    []Mark   // where Text comes from, in ascending order; only with Text
	Columns  []string // Table: the label of each column, header rows joined; Group: where its Head is a header of its own
	Children []*Node  // in source order, tiling Span; nil for a leaf
}

// A Mark says that Node.Text from offset Text on comes from Source at offset
// Source, byte for byte, up to the next mark or as far as the bytes agree.
// Source left over is markup; text left over was written by the parser: a
// bullet, a decoded entity.
type Mark struct {
	Text   int // bytes from the start of Node.Text
	Source int // bytes from the start of Document.Source
}

// A Problem is something a parser could not place.
type Problem struct {
	Offset  int // bytes from the start of Document.Source
	Message string
}

// A Document is a parsed file.
type Document struct {
	Name     string          // as the caller gave it
	Format   string          // "markdown", "html", "go", "csv", ...
	Source   []byte          // as read; never modified
	Root     *Node           // Span is all of Source
	Meta     map[string]any  // front matter, <title>, ...; nil where there is none
	Pages    []int           // offset at which each page starts, or each cell of a notebook; nil where there are none
	Problems []Problem       // in order of Offset
	Imports  func() []Import // finds what source code takes from elsewhere, in order; nil where nothing is known of it
	Code     CodeParser      // finds the parts of fences; see Parts; nil where fences are leaves
}

// IsLeaf reports whether n has no children.
func (n *Node) IsLeaf() bool { return len(n.Children) == 0 }

// IsSpelled reports whether Text is that of the children, one after the other.
// Where each of them begins and comes from is then known better than by Marks.
func (n *Node) IsSpelled() bool {
	size := 0
	for _, c := range n.Children {
		if c.Text == "" {
			return false
		}
		size += len(c.Text)
	}
	return size > 0 && size == len(n.Text)
}

// IsScope reports whether n is opened whatever its size: the root, a section,
// or a definition or block that has a scope or a definition among its children,
// or a block that is said to be one.
func (n *Node) IsScope() bool {
	switch n.Kind {
	case Root, Section:
		return true
	case Decl, Block:
		if n.Scope {
			return true
		}
		for _, c := range n.Children {
			if c.Kind == Decl || c.Kind == Section || c.Kind == Block && c.IsScope() {
				return true
			}
		}
	}
	return false
}

// All yields n and every node below it in source order, with its depth below
// n. It does not recurse. The function may skip the children of a node by
// setting its Children to nil only on trees that it owns.
func (n *Node) All() func(yield func(node *Node, depth int) bool) {
	return func(yield func(*Node, int) bool) {
		type frame struct {
			node *Node
			next int
		}
		if n == nil || !yield(n, 0) {
			return
		}
		stack := []frame{{node: n}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == len(top.node.Children) {
				stack = stack[:len(stack)-1]
				continue
			}
			child := top.node.Children[top.next]
			top.next++
			if !yield(child, len(stack)) {
				return
			}
			if len(child.Children) > 0 {
				stack = append(stack, frame{node: child})
			}
		}
	}
}

// Leaf returns a document of one paragraph, or of nothing where src is empty:
// the tree of a source that has no structure.
func Leaf(name, format string, src []byte) *Document {
	root := &Node{Kind: Root, Span: Span{0, len(src)}}
	if len(src) > 0 {
		root.Children = []*Node{{Kind: Paragraph, Span: root.Span}}
	}
	return &Document{Name: name, Format: format, Source: src, Root: root}
}

// Problem records that something at offset could not be placed.
func (d *Document) Problem(offset int, message string) {
	d.Problems = append(d.Problems, Problem{Offset: offset, Message: message})
}

// Shift moves every span and mark of nodes, and of what is below them, by
// delta bytes. The nodes of a tree of a part become nodes of the whole.
func Shift(nodes []*Node, delta int) {
	for _, top := range nodes {
		for n := range top.All() {
			n.Span = n.Span.shift(delta)
			n.Head = n.Head.shift(delta)
			n.Lead = n.Lead.shift(delta)
			n.Tail = n.Tail.shift(delta)
			n.Sign = n.Sign.shift(delta)
			for i := range n.Marks {
				n.Marks[i].Source += delta
			}
		}
	}
}

func (s Span) shift(delta int) Span {
	if s.IsEmpty() {
		return Span{}
	}
	return Span{s.Start + delta, s.End + delta}
}
