package chunker

import (
	"context"
	"crypto/sha256"
	"strings"

	"github.com/cantle/cantle/ast"
)

// A Role says what a part of a text is to its chunk.
type Role string

const (
	RoleHead    Role = "head"    // repeated from before: table header, signature, opening fence
	RoleOverlap Role = "overlap" // repeated from the chunk before
	RoleBody    Role = "body"    // own text
	RoleTail    Role = "tail"    // repeated from behind: closing fence, closing brace
)

// A Part says where a part of a chunk's text comes from.
type Part struct {
	Role  Role `json:"role"`
	Start int  `json:"start"` // bytes of the source
	End   int  `json:"end"`
}

// A Table says which rows of which table a chunk holds.
type Table struct {
	ID       string   `json:"id"`        // "t1" is the first table of the document
	RowStart int      `json:"row_start"` // from 0, header rows not counted
	RowEnd   int      `json:"row_end"`   // behind the last one
	Rows     int      `json:"rows"`      // of the whole table; 0 where it is not known
	Columns  []string `json:"columns,omitempty"`
}

// A Chunk is one record of the output. Its JSON field names are a promise.
type Chunk struct {
	ID          string         `json:"id"`
	DocID       string         `json:"doc_id"`
	Source      string         `json:"source"`
	SourceType  string         `json:"source_type"`
	Index       int            `json:"chunk_index"`
	Total       int            `json:"total_chunks"` // 0 where it is not known: see Series
	Type        string         `json:"type"`
	Types       []string       `json:"types"`
	SectionPath []string       `json:"section_path"`
	Heading     string         `json:"heading,omitempty"`
	Text        string         `json:"text"`
	Context     string         `json:"context"`    // the path on one line; below it what Options.CodeContext says
	Tokens      int            `json:"tokens"`     // size of context, blank line and text
	Size        int            `json:"chunk_size"` // runes of text
	Start       int            `json:"start"`      // own text, bytes of the source
	End         int            `json:"end"`
	StartLine   int            `json:"start_line"` // from 1
	EndLine     int            `json:"end_line"`
	PageStart   int            `json:"page_start,omitempty"` // from 1; of a notebook, the cell
	PageEnd     int            `json:"page_end,omitempty"`
	Parts       []Part         `json:"parts"`
	Language    string         `json:"language,omitempty"`
	Symbols     []string       `json:"symbols,omitempty"` // definitions, each behind those around it: Shelf, Shelf.get
	Table       *Table         `json:"table,omitempty"`
	ParentID    string         `json:"parent_id,omitempty"`
	PrevID      string         `json:"prev_id,omitempty"`
	NextID      string         `json:"next_id,omitempty"`
	Reason      string         `json:"reason"`
	Explain     *Explanation   `json:"explain,omitempty"`
	Flags       []string       `json:"flags,omitempty"`
	Meta        map[string]any `json:"meta,omitempty"` // shared by the chunks of a document: not to be modified

	own string
}

// Own returns the own text: Text without what is repeated. It is "" for a
// chunk that was not made by this package.
func (c *Chunk) Own() string { return c.own }

// Embedded returns context and text as an embedding model or a keyword index
// is given them.
func (c *Chunk) Embedded() string { return embedded(c.Context, c.Text) }

// The flags of a chunk.
const (
	FlagOversize    = "oversize"     // a single rune that is over the limit
	FlagForcedCut   = "forced_cut"   // cut within a clause or line, or between a head and what it belongs to
	FlagHeadingOnly = "heading_only" // a heading with nothing below it
	FlagParseError  = "parse_error"  // the parser could not place something in it
)

// TypeParent is the type of a parent's record.
const TypeParent = "parent"

// Split cuts a document into chunks, in the order of the source. With
// Options.Parents a record of type [TypeParent] stands before the first chunk
// that names it. The texts of the chunks share memory with the document's source,
// which must not be modified. The error is an [*OptionError] or the context's.
func Split(ctx context.Context, d *ast.Document, opt Options) ([]Chunk, error) {
	opt, err := opt.resolve()
	if err != nil {
		return nil, err
	}
	return split(ctx, ast.Extract{Doc: d}, opt, map[[sha256.Size]byte]uint64{})
}

// split cuts the part of a document behind its head. seen counts the chunks
// that are alike, as ids need.
func split(ctx context.Context, e ast.Extract, opt Options, seen map[[sha256.Size]byte]uint64) ([]Chunk, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d := e.Doc
	p := &planner{doc: d, opt: opt, max: opt.Max, view: newView(d)}
	p.elsewhere = p.view.at(e.Head)
	p.sizes = newSizes(opt.Sizer, p.view.text)
	pieces, texts, err := p.pieces(ctx)
	if err != nil {
		return nil, err
	}
	if opt.JoinUnder > 0 {
		pieces, texts = p.join(pieces, texts)
	}
	r := newRenderer(d, p)
	r.seen = seen
	pieces, texts = said(pieces, texts)
	if opt.CodeContext {
		beside := newCodeContext(p)
		for i := range pieces {
			beside.add(&pieces[i], texts[i])
		}
	}
	chunks := make([]Chunk, len(pieces))
	for i := range pieces {
		chunks[i] = r.chunk(&pieces[i], texts[i], p.opt.Max)
	}
	r.link(chunks)
	if opt.Parents > 0 {
		chunks = r.addParents(pieces, chunks)
	}
	return chunks, nil
}

// said leaves out pieces of which nothing shows, such as empty cells.
func said(pieces []piece, texts []string) ([]piece, []string) {
	n := 0
	for i := range pieces {
		if strings.TrimSpace(texts[i]) != "" {
			pieces[n], texts[n] = pieces[i], texts[i]
			n++
		}
	}
	return pieces[:n], texts[:n]
}
