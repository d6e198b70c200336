package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/code"
	"github.com/cantle/cantle/internal/walk"
	"github.com/cantle/cantle/view"
)

func newView(s streams) *cobra.Command {
	var f cutFlags
	var w walkFlags
	var port, other int
	var output string
	cmd := &cobra.Command{
		Use:   "view [flags] PATH...",
		Short: "Show in a browser how documents are cut",
		Long: "Show in a browser how documents are cut: the source with its chunks as bands, the tree and the chunks beside\n" +
			"it, why each cut is where it is, and two settings side by side. The page is served on this machine only and\n" +
			"cuts anew when a control is moved. With --out it is written to a file that needs nothing but itself.",
		Example: "  cantle view README.md\n  cantle view --max-tokens 256 docs\n  cantle view --out page.html --compare 200 README.md",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var opened embedders
			defer opened.close()
			opt, err := f.resolve(s, cmd.Flags(), &opened)
			if err != nil {
				return err
			}
			if other < 0 {
				return misuse{fmt.Errorf("--compare %d: must not be negative", other)}
			}
			v := viewer{opt: opt, flags: f, paths: map[string]string{}, read: func(name string) ([]byte, error) { return readFile(s, name) }}
			if err := v.find(cmd.Context(), w, args); err != nil {
				return misuse{err}
			}
			if output == "" {
				return v.serve(cmd.Context(), s, port)
			}
			sets := []view.Settings{v.settings()}
			if other > 0 {
				second := v.settings()
				second.Max = other
				if _, err := v.options(second); err != nil {
					return misuse{fmt.Errorf("--compare %d: %w", other, flagError(err))}
				}
				sets = append(sets, second)
			}
			return writeWhole(s.out, output, func(out io.Writer) error {
				docs := make([]*view.Document, len(v.names))
				for i, name := range v.names {
					if docs[i], err = v.cut(cmd.Context(), name, sets...); err != nil {
						return fmt.Errorf("%s: %w", name, err)
					}
				}
				return view.Write(out, docs...)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&w.all, "all", false, "take generated, vendored, ignored and hidden files too")
	cmd.Flags().IntVar(&port, "port", 0, "port of the page (default: one that is free)")
	cmd.Flags().StringVar(&output, "out", "", "write the page to this `file` instead of serving it")
	cmd.Flags().IntVar(&other, "compare", 0, "with --out: a second limit, to compare")
	return cmd
}

// A viewer cuts the documents that a page shows.
type viewer struct {
	opt   cantle.Options
	flags cutFlags
	names []string
	paths map[string]string // by name
	read  func(path string) ([]byte, error)
}

// find lists the documents at and below the paths.
func (v *viewer) find(ctx context.Context, w walkFlags, paths []string) error {
	var failed error
	err := walk.Walk(ctx, paths, walk.Options{All: w.all}, func(f walk.File) error {
		if f.Stream {
			return fmt.Errorf("%s: is a pipe, which can be read once: name a file", f.Path)
		}
		src, err := v.read(f.Path)
		if err != nil {
			return err
		}
		if !f.Named && !w.all && code.Generated(f.Rel, src) != "" || binary(f.ID, src) {
			return nil
		}
		v.names = append(v.names, f.ID)
		v.paths[f.ID] = f.Path
		return nil
	}, func(path string, err error) { failed = fmt.Errorf("%s: %w", path, plain(err)) })
	if err == nil {
		err = failed
	}
	if err == nil && len(v.names) == 0 {
		err = errors.New("no documents there")
	}
	return err
}

// settings returns those that the flags give.
func (v *viewer) settings() view.Settings {
	cut := v.opt.Cut
	return view.Settings{
		Max: v.flags.maxTokens, Min: cut.Min, Overlap: cut.Overlap, Encoding: v.flags.encoding,
		Context: cut.Context != chunker.ContextNone, Isolate: cut.Isolate,
	}
}

// options returns those of the command line with the settings of the page in
// their place, checked.
func (v *viewer) options(s view.Settings) (cantle.Options, error) {
	opt := v.opt
	frame := v.flags.maxTokens - opt.Cut.Max // what a model adds to each text is within the limit
	if s.Max <= frame {
		return opt, &chunker.OptionError{Option: "Max", Value: s.Max, Reason: fmt.Sprintf("must be at least %d", frame+1)}
	}
	opt.Cut.Max, opt.Cut.Min, opt.Cut.Overlap, opt.Cut.Isolate = s.Max-frame, s.Min, s.Overlap, s.Isolate
	opt.Cut.Want = min(opt.Cut.Want, opt.Cut.Max) // the page has no control for it
	opt.Cut.Parents, opt.Cut.Skeleton = 0, false  // nor does it show them
	opt.Cut.Context = chunker.ContextPath
	if !s.Context {
		opt.Cut.Context = chunker.ContextNone
	}
	return opt, opt.Cut.Check()
}

// cut returns a document as the page shows it.
func (v *viewer) cut(ctx context.Context, name string, settings ...view.Settings) (*view.Document, error) {
	path, ok := v.paths[name]
	if !ok {
		return nil, errors.New("no such document")
	}
	src, err := v.read(path)
	if err != nil {
		return nil, plain(err)
	}
	doc, err := cantle.Parse(name, src, v.opt.Parse)
	if err != nil {
		return nil, err
	}
	var sets []view.Set
	for _, s := range settings {
		opt, err := v.options(s)
		if err != nil {
			return nil, err
		}
		opt.Cut.DocID, opt.Cut.Source = name, walk.Valid(path)
		chunks, err := cantle.Cut(ctx, doc, opt)
		if err != nil {
			return nil, err
		}
		sets = append(sets, view.NewSet(doc, s, chunks))
	}
	return view.New(doc, sets...), nil
}

// serve serves the page until ctx ends.
func (v *viewer) serve(ctx context.Context, s streams, port int) error {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return misuse{fmt.Errorf("--port %d: %w", port, err)}
	}
	server := &http.Server{
		Handler: view.Handler(v.names, v.settings(), func(ctx context.Context, name string, s view.Settings) (*view.Document, error) {
			return v.cut(ctx, name, s)
		}),
		ReadHeaderTimeout: 10 * time.Second,
	}
	fmt.Fprintf(s.err, "http://%s/ shows %d documents; interrupt to end\n", l.Addr(), len(v.names))
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
