package chunker

import "github.com/cantle/cantle/ast"

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

	contexts contexts
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
	closing                  bool  // the tail is repeated
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

	elsewhere int // view offset up to which all is in another extract of the document, and only repeated here

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

	last contexts // of the definition that was asked for last
}
