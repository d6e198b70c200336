package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/internal/walk"
)

// largeRows is the size in bytes above which a file of separated values is
// read and cut part by part.
const largeRows = 64 << 20

// isLargeRows reports whether a file is one of separated values too large to
// be held at once, and can be cut part by part.
func isLargeRows(f walk.File, opt cantle.Options) bool {
	format := opt.Parse.Format
	if format == "" {
		format = strings.TrimPrefix(strings.ToLower(filepath.Ext(f.Path)), ".")
	}
	return f.Size > largeRows && (format == "csv" || format == "tsv") &&
		(opt.Cut.Strategy == "" || opt.Cut.Strategy == chunker.Structure) && opt.Cut.Parents == 0
}

// cutRows cuts a large file of separated values and hands on its chunks. What
// was not read well is reported on s.err. Where the file itself is at fault, so
// that it is cut in part or not at all, the error is an inputError.
func cutRows(ctx context.Context, s streams, opt cantle.Options, file walk.File, use func([]chunker.Chunk) error) error {
	in, err := os.Open(file.Path)
	if err != nil {
		return inputError{err}
	}
	defer in.Close()
	opt.Cut.DocID, opt.Cut.Source = file.ID, walk.Valid(file.Path)
	var failed error // use's
	err = cantle.ChunkRows(ctx, file.ID, in, opt, func(e ast.Extract, chunks []chunker.Chunk) error {
		if e.Doc != nil && len(e.Doc.Problems) > 0 {
			lines := ast.NewLines(e.Doc.Source)
			for _, p := range e.Doc.Problems {
				line, column := lines.Position(p.Offset)
				fmt.Fprintf(s.err, "%s:%d:%d: %s\n", file.Path, line+e.Lines, column, p.Message)
			}
		}
		failed = use(chunks)
		return failed
	})
	switch {
	case err == nil:
		return nil
	case failed != nil:
		return failed
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return inputError{err}
}
