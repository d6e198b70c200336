package command

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/diff"
	"github.com/cantle/cantle/records"
)

func newDiff(s streams) *cobra.Command {
	var f cutFlags
	var w walkFlags
	var opt diff.Options
	var mapping string
	var summary, keep bool
	cmd := &cobra.Command{
		Use:   "diff [flags] OLD NEW",
		Short: "Say what to embed, keep, move and delete when documents have changed",
		Long: "Say what to do to an index whose chunks have changed, as JSON lines: add (embed it), move (the same text in\n" +
			"another place: write its record with the vector of the one it comes from), delete, and with --with-kept what stays\n" +
			"as it is. OLD and NEW are files of JSON lines, or folders and documents to be cut now, with the same flags as\n" +
			"'cantle chunk'; of standard input (-) and pipes the first byte tells. A summary goes to standard error.",
		Example: "  cantle diff old.jsonl new.jsonl > changes.jsonl\n  cantle diff --summary chunks.jsonl docs",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var opened embedders
			defer opened.close()
			cut, err := f.resolve(s, cmd.Flags(), &opened)
			if err != nil {
				return err
			}
			if err := w.check(); err != nil {
				return err
			}
			fields, err := records.ParseMap(mapping)
			if err != nil {
				return misuse{fmt.Errorf("--map: %w", err)}
			}
			opt.Sizer = cut.Cut.Sizer
			failed := false
			var parents [2]int
			stream := func(i int) diff.Stream {
				return func(use func(*records.Record, []byte) error) error {
					err := chunksOf(cmd.Context(), s, w, cut, args[i], fields, func(rec *records.Record, line []byte) error {
						if rec.Type == chunker.TypeParent {
							parents[i]++
						}
						return use(rec, line)
					})
					if err == errFailed {
						failed = true
						return nil
					}
					return err
				}
			}
			if args[0] == "-" && args[1] == "-" {
				return misuse{errors.New("- -: standard input is one of OLD and NEW, not both")}
			}
			for _, name := range args {
				if _, err := os.Stat(name); name != "-" && err != nil {
					return misuse{fmt.Errorf("%s: %w", name, plain(err))}
				}
			}
			out := bufio.NewWriter(s.out)
			enc := json.NewEncoder(out)
			enc.SetEscapeHTML(false)
			sum, err := diff.Run(stream(0), stream(1), opt, func(c *diff.Change) error {
				if summary || c.Op == diff.Keep && !keep {
					return nil
				}
				return enc.Encode(c)
			})
			if err != nil {
				return err
			}
			if err := out.Flush(); err != nil {
				return err
			}
			to := s.err
			if summary {
				to = s.out
			}
			if err := writeSummary(to, sum); err != nil {
				return err
			}
			if old, new := parents[0], parents[1]; old+new > 0 {
				note := ""
				if sum.Move.Chunks > 0 && (old == 0 || new == 0) {
					note = "; chunks are moved where parent_id has changed, so cut both with the same --parents"
				}
				fmt.Fprintf(s.err, "cantle: parents left out: %d of %s, %d of %s%s\n", old, args[0], new, args[1], note)
			}
			if failed {
				return errFailed
			}
			return nil
		},
	}
	f.add(cmd)
	w.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&mapping, "map", "", "where fields are found, as in text=page_content,doc=metadata.source")
	fl.BoolVar(&opt.TextOnly, "text-only", false, "the context is not embedded: a chunk whose path alone has changed is moved")
	fl.BoolVar(&summary, "summary", false, "write the summary only, to standard output")
	fl.BoolVar(&keep, "with-kept", false, "list what stays as it is, too")
	return cmd
}

// chunksOf reads the records of a file of JSON lines, or cuts what is at and
// below a path and reads those. A stream that starts with a brace is JSON lines.
func chunksOf(ctx context.Context, s streams, w walkFlags, opt cantle.Options, name string, fields map[string]string, use func(*records.Record, []byte) error) error {
	isLines := strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".ndjson")
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		isLines = false
	}
	if isLines || isStream(name) {
		in := s.in
		if name != "-" {
			f, err := os.Open(name)
			if err != nil {
				return err
			}
			defer f.Close()
			in = f
		}
		begun := bufio.NewReader(in)
		if first, _ := begun.Peek(1); isLines || len(first) == 1 && first[0] == '{' {
			if err := records.Read(begun, fields, use); err != nil {
				return chunksError(name, err)
			}
			return nil
		}
		s.in, name = begun, "-"
	}
	r, pipe := io.Pipe()
	cut := make(chan error, 1)
	go func() {
		sink := newJSONLines(pipe)
		err := cutAll(ctx, s, w, opt, []string{name}, func(chunks []chunker.Chunk) error {
			for i := range chunks {
				if err := sink.chunk(&chunks[i]); err != nil {
					return err
				}
			}
			return nil
		})
		err = finish(err, sink.close)
		if err == errFailed {
			pipe.Close() // the rest is done
		} else {
			pipe.CloseWithError(err)
		}
		cut <- err
	}()
	err := records.Read(r, nil, use)
	r.CloseWithError(err)
	if cutErr := <-cut; err == nil {
		err = cutErr
	}
	return err
}

func writeSummary(out io.Writer, sum diff.Summary) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "chunks\ttokens\t")
	for _, row := range [...]struct {
		op    diff.Op
		count diff.Count
	}{{diff.Add, sum.Add}, {diff.Move, sum.Move}, {diff.Keep, sum.Keep}, {diff.Delete, sum.Delete}} {
		fmt.Fprintf(t, "%d\t%d\t  %s\n", row.count.Chunks, row.count.Tokens, row.op)
	}
	return t.Flush()
}
