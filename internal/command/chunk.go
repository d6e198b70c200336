package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/code"
	"github.com/cantle/cantle/internal/ordered"
	"github.com/cantle/cantle/internal/walk"
)

func newChunk(s streams) *cobra.Command {
	var f cutFlags
	var w walkFlags
	var to, output string
	cmd := &cobra.Command{
		Use:   "chunk [flags] PATH...",
		Short: "Cut files and folders into chunks, as JSON lines",
		Long: "Cut files and folders into chunks. A folder is walked, .gitignore files are honoured; - is standard input,\n" +
			"which like a pipe has the format that its content has.\n" +
			"A document's id is its path below the folder, or where several paths are named the whole path as it was given.\n" +
			"Chunks go to standard output, one JSON object a line; problems and progress go to standard error.\n" +
			"The exit status is 0 when all is done, 1 when some input failed, 2 when nothing was done.",
		Example: "  cantle chunk docs > chunks.jsonl\n  cantle chunk --max-tokens 256 --overlap 20 -o chunks.jsonl docs src\n  curl -s https://example.com | cantle chunk --format html -",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var opened embedders
			defer opened.close()
			opt, err := f.resolve(s, cmd.Flags(), &opened)
			if err != nil {
				return err
			}
			if err := w.check(); err != nil {
				return err
			}
			encode, ok := encoders[to]
			if !ok {
				return misuse{fmt.Errorf("--to %s: is none of jsonl, json, csv, markdown, parquet, langchain, llamaindex, haystack", to)}
			}
			return writeWhole(s.out, output, func(out io.Writer) error {
				sink := encode(out)
				files, chunks := 0, 0
				err := cutAll(cmd.Context(), s, w, opt, args, func(c []chunker.Chunk) error {
					files, chunks = files+1, chunks+len(c)
					for i := range c {
						if err := sink.chunk(&c[i]); err != nil {
							return err
						}
					}
					return nil
				})
				switch {
				case err != nil || chunks > 0:
				case files > 0:
					fmt.Fprintf(s.err, "cantle: no chunks: there is no text in what was read (%s)\n", strings.Join(args, " "))
				default:
					fmt.Fprintf(s.err, "cantle: no chunks: there are no files to read (%s); links to folders are not followed\n", strings.Join(args, " "))
				}
				return finish(err, sink.close)
			})
		},
	}
	f.add(cmd)
	w.add(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to this `file`, which appears whole or not at all")
	cmd.Flags().StringVar(&to, "to", "jsonl", "what to write: jsonl, json, csv, markdown, parquet, or lines for langchain, llamaindex or haystack")
	return cmd
}

// walkFlags say which files to read, and how many at once.
type walkFlags struct {
	all  bool
	jobs int
}

func (w *walkFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.all, "all", false, "take generated, vendored, ignored and hidden files too")
	cmd.Flags().IntVar(&w.jobs, "jobs", runtime.GOMAXPROCS(0), "documents to work on at once")
}

func (w *walkFlags) check() error {
	if w.jobs < 1 {
		return misuse{fmt.Errorf("--jobs %d: must be at least 1", w.jobs)}
	}
	return nil
}

// A done is what became of one file.
type done struct {
	file    walk.File
	doc     *ast.Document
	chunks  []chunker.Chunk
	skipped string // why the file was left out, where it was
	rows    bool   // not read yet: too large to be read at once
	err     error
}

// outcome lets a command add to what became of a file.
func (d done) outcome() done { return d }

// cutAll cuts all files at and below paths and hands on the chunks of each, in
// order. What fails is reported on s.err and passed over; then the error is
// errFailed.
func cutAll(ctx context.Context, s streams, w walkFlags, opt cantle.Options, paths []string, use func([]chunker.Chunk) error) error {
	return eachFile(ctx, s, w, paths,
		func(k work) done {
			if k.err == nil && isLargeRows(k.file, opt) {
				return done{file: k.file, rows: true}
			}
			return cut(ctx, s, w, opt, k)
		},
		func(d done) error {
			if d.rows {
				return cutRows(ctx, s, opt, d.file, use)
			}
			return use(d.chunks)
		})
}

// An inputError is the error of one file, which does not end work on others.
type inputError struct{ error }

// eachFile does work on all files at and below paths, several at once, and
// hands on what became of each, in order. What fails, by its outcome or by an
// inputError of use, is reported on s.err and passed over; then the error is
// errFailed.
func eachFile[R interface{ outcome() done }](ctx context.Context, s streams, w walkFlags, paths []string, do func(work) R, use func(R) error) error {
	bar := newProgress(s.err)
	defer bar.close()
	failed := false
	report := func(name string, err error) {
		failed = true
		bar.clear()
		fmt.Fprintf(s.err, "%s: %v\n", name, plain(err))
	}
	skipped := map[string]int{}
	feed := func(yield func(work) error) error {
		if i := slices.Index(paths, "-"); i >= 0 {
			if err := yield(work{file: walk.File{Path: "-", ID: "stdin", Named: true, Stream: true}}); err != nil {
				return err
			}
		}
		names := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return p == "-" })
		return walk.Walk(ctx, names, walk.Options{All: w.all},
			func(f walk.File) error { return yield(work{file: f}) },
			func(p string, err error) { yield(work{file: walk.File{Path: p, ID: p}, err: err}) })
	}
	err := ordered.Map(ctx, w.jobs, feed, do, func(r R) error {
		d := r.outcome()
		bar.add(d.file.Size)
		switch {
		case errors.Is(d.err, context.Canceled):
			return d.err
		case d.err != nil:
			report(d.file.Path, d.err)
			return nil
		case d.skipped != "":
			skipped[d.skipped]++
			return nil
		}
		if d.doc != nil && len(d.doc.Problems) > 0 {
			bar.clear()
			lines := ast.NewLines(d.doc.Source)
			for _, p := range d.doc.Problems {
				line, column := lines.Position(p.Offset)
				fmt.Fprintf(s.err, "%s:%d:%d: %s\n", d.file.Path, line, column, p.Message)
			}
		}
		err := use(r)
		if bad, ok := err.(inputError); ok {
			report(d.file.Path, bad.error)
			return nil
		}
		return err
	})
	bar.clear()
	for _, why := range sortedKeys(skipped) {
		fmt.Fprintf(s.err, "cantle: %d %s left out, --all takes them\n", skipped[why], why)
	}
	switch {
	case err != nil:
		return err
	case failed:
		return errFailed
	}
	return nil
}

// work is one file to cut.
type work struct {
	file walk.File
	err  error // the walk's
}

// cut reads and cuts one file.
func cut(ctx context.Context, s streams, w walkFlags, opt cantle.Options, k work) done {
	d := done{file: k.file, err: k.err}
	if d.err != nil {
		return d
	}
	var src []byte
	if src, d.err = readFile(s, k.file.Path); d.err != nil {
		return d
	}
	if !w.all && !k.file.Named {
		if d.skipped = code.Generated(k.file.Rel, src); d.skipped != "" {
			return d
		}
	}
	opt.Cut.DocID, opt.Cut.Source = k.file.ID, walk.Valid(k.file.Path)
	if d.doc, d.err = parse(k.file.ID, src, k.file.Stream, opt.Parse); d.err != nil {
		return d
	}
	d.chunks, d.err = cantle.Cut(ctx, d.doc, opt)
	return d
}

// parse parses a document.
func parse(name string, src []byte, isStream bool, opt cantle.ParseOptions) (*ast.Document, error) {
	if opt.Format == "" {
		opt.Format = detect(name, src, isStream)
	}
	return cantle.Parse(name, src, opt)
}

// detect returns the format of a document. That of a stream is told by its
// content alone.
func detect(name string, src []byte, isStream bool) string {
	if isStream {
		name = ""
	}
	return cantle.Detect(name, src)
}

// isStream reports whether a path is standard input, a pipe or a device, as
// walk.File has it.
func isStream(name string) bool {
	info, err := os.Stat(name)
	return name == "-" || err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// plain leaves out what an error of the file system says twice.
func plain(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
