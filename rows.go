package cantle

import (
	"bytes"
	"context"
	"io"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/tables"
)

// rowsAtOnce is the size of the extracts of [ChunkRows], in bytes.
const rowsAtOnce = 16 << 20

// ChunkRows cuts a file of comma- or tab-separated values that need not fit
// into memory. It calls use with extract after extract and the chunks known by
// then; at the end with the last chunk and an extract without a document. It
// takes some 20 times rowsAtOnce of memory, 16 MB, and what a
// [chunker.Series] keeps.
//
// The records are those of [Chunk], with these differences: a cut falls
// between any two extracts; Total and Table.Rows are 0, since they are not
// known before the end; and a quote that does not close spoils the rows of its
// extract only. The errors are those of Chunk, of r and of use. Options that
// need all of the document, another strategy than Structure and parents, are
// an error.
func ChunkRows(ctx context.Context, name string, r io.Reader, opt Options, use func(ast.Extract, []chunker.Chunk) error) error {
	opt, err := opt.Resolve()
	if err != nil {
		return err
	}
	if opt.Cut.DocID == "" {
		opt.Cut.DocID = name
	}
	series, err := chunker.NewSeries(opt.Cut)
	if err != nil {
		return err
	}
	for e, err := range tables.Extracts(name, r, tables.Options{Rows: opt.Parse.Tables}, rowsAtOnce) {
		if err != nil {
			return err
		}
		if head := e.Doc.Source; bytes.IndexByte(head[:min(len(head), 8000)], 0) >= 0 {
			return ErrBinary
		}
		chunks, err := series.Split(ctx, e)
		if err != nil {
			return err
		}
		nameLanguages(chunks)
		if err := use(e, chunks); err != nil {
			return err
		}
	}
	last := series.Close()
	nameLanguages(last)
	return use(ast.Extract{}, last)
}
