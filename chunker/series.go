package chunker

import (
	"context"
	"crypto/sha256"

	"github.com/cantle/cantle/ast"
)

// A Series cuts a document that comes in extracts, one after the other. The
// records are those of one document: their offsets, lines and rows are those
// of the whole, their numbers and ids go on from extract to extract. What is
// not known before the end is left at 0: Total and Table.Rows. A cut falls
// between any two extracts.
//
// It keeps about 80 bytes for each chunk, to tell those apart that are alike.
type Series struct {
	opt   Options
	seen  map[[sha256.Size]byte]uint64
	count int
	last  []Chunk // at most one, whose NextID is not known yet
}

// NewSeries returns an *OptionError for options that cannot be used, or that
// need all of a document: another strategy than Structure, and parents.
func NewSeries(opt Options) (*Series, error) {
	opt, err := opt.resolve()
	switch {
	case err != nil:
		return nil, err
	case opt.Strategy != Structure:
		return nil, &OptionError{"Strategy", opt.Strategy, "needs all of a document at once"}
	case opt.Parents > 0:
		return nil, &OptionError{"Parents", opt.Parents, "need all of a document at once"}
	}
	return &Series{opt: opt, seen: map[[sha256.Size]byte]uint64{}}, nil
}

// Split cuts the next extract. It returns the chunks up to the last but one,
// after that of the extract before.
func (s *Series) Split(ctx context.Context, e ast.Extract) ([]Chunk, error) {
	chunks, err := split(ctx, e, s.opt, s.seen)
	if err != nil || len(chunks) == 0 {
		return nil, err
	}
	for i := range chunks {
		s.place(&chunks[i], e)
	}
	if len(s.last) > 0 {
		s.last[0].NextID, chunks[0].PrevID = chunks[0].ID, s.last[0].ID
	}
	all := append(s.last, chunks...)
	n := len(all) - 1
	s.last = []Chunk{all[n]}
	return all[:n], nil
}

// Close returns the last chunk, if there is one.
func (s *Series) Close() []Chunk { return s.last }

// place gives c its place in the whole.
func (s *Series) place(c *Chunk, e ast.Extract) {
	c.Index, c.Total = s.count, 0
	s.count++
	c.Start, c.End = e.Offset(c.Start), e.Offset(c.End-1)+1
	c.StartLine, c.EndLine = c.StartLine+e.Lines, c.EndLine+e.Lines
	for i := range c.Parts {
		p := &c.Parts[i]
		p.Start, p.End = e.Offset(p.Start), e.Offset(p.End-1)+1
	}
	if c.Explain != nil && c.Explain.Next != nil {
		c.Explain.Next.Start, c.Explain.Next.Line = e.Offset(c.Explain.Next.Start), c.Explain.Next.Line+e.Lines
	}
	if c.Table != nil {
		c.Table.RowStart, c.Table.RowEnd, c.Table.Rows = c.Table.RowStart+e.Rows, c.Table.RowEnd+e.Rows, 0
	}
}
