package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/code"
	"github.com/cantle/cantle/internal/walk"
	"github.com/cantle/cantle/records"
	"github.com/cantle/cantle/tokens"
	"github.com/cantle/cantle/verify"
)

func newVerify(s streams) *cobra.Command {
	var opt verify.Options
	var w walkFlags
	var mapping string
	var without []string
	var maxFaults int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify [flags] CHUNKS SOURCE...",
		Short: "Check the chunks of any chunker against their sources",
		Long: "Check the chunks of any chunker, as JSON lines, against the files and folders that they were made of: text\n" +
			"lost, doubled or changed, chunks over the limit, headings parted from their text, fences, functions and\n" +
			"sentences cut that would fit, table rows without header. Records of cantle, LangChain, LlamaIndex, Haystack,\n" +
			"Docling, Unstructured and Chonkie are known; --map names the fields of others. CHUNKS may be - for standard\n" +
			"input. The exit status is 0 when there are no more faults than --max-faults allows, 1 when there are.",
		Example: "  cantle verify chunks.jsonl docs\n  cantle verify --max-tokens 512 --json chunks.jsonl docs > report.json\n  cantle verify --map text=body,doc=meta.file --without path,sentence-cut other.jsonl guide.md",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := w.check(); err != nil {
				return err
			}
			fields, err := records.ParseMap(mapping)
			if err != nil {
				return misuse{fmt.Errorf("--map: %w", err)}
			}
			for _, k := range without {
				if !slices.Contains(verify.Kinds(), verify.Kind(k)) {
					return misuse{fmt.Errorf("--without %s: is no kind of fault", k)}
				}
				opt.Without = append(opt.Without, verify.Kind(k))
			}
			if _, err := tokens.Get(opt.Encoding); err != nil {
				return misuse{fmt.Errorf("--encoding: %w", err)}
			}
			if err := checkParse(opt.Parse); err != nil {
				return err
			}
			if opt.Max < 0 {
				return misuse{fmt.Errorf("--max-tokens %d: must not be negative", opt.Max)}
			}
			file, size, err := seekable(s, args[0])
			if err != nil {
				return misuse{fmt.Errorf("%s: %w", args[0], plain(err))}
			}
			defer file.Close()
			index, err := records.NewIndex(file, size, fields)
			if err != nil {
				return chunksError(args[0], err)
			}
			if n := index.Parents(); n > 0 {
				fmt.Fprintf(s.err, "cantle: parents left out: %d, which repeat what the chunks hold\n", n)
			}
			opt.Sizes = index.Shape().Name == "cantle" || cmd.Flags().Changed("encoding")
			failed := false
			report := func(name string, err error) {
				failed = true
				fmt.Fprintf(s.err, "%s: %v\n", name, plain(err))
			}
			sources, err := match(cmd.Context(), s, w, index, args[1:], &opt.Parse, report)
			if err != nil {
				return err
			}
			result, err := verify.Run(cmd.Context(), index, sources, w.jobs, opt, report)
			if err != nil {
				return err
			}
			write := writeReport
			if asJSON {
				write = func(out io.Writer, r *verify.Report) error {
					enc := json.NewEncoder(out)
					enc.SetEscapeHTML(false)
					enc.SetIndent("", "  ")
					return enc.Encode(r)
				}
			}
			if err := write(s.out, result); err != nil {
				return err
			}
			if failed || result.Total() > maxFaults {
				return errFailed
			}
			return nil
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&opt.Max, "max-tokens", 0, "limit of a chunk, context included (default none)")
	fl.StringVar(&opt.Encoding, "encoding", cantle.DefaultEncoding, "what sizes count: a tiktoken encoding, a model, chars, words, or a tokenizer.json file")
	fl.StringVar(&mapping, "map", "", "where fields are found, as in text=page_content,doc=metadata.source")
	fl.StringSliceVar(&without, "without", nil, "`kinds` of faults not to look for")
	fl.IntVar(&maxFaults, "max-faults", 0, "how many faults are no failure")
	fl.IntVar(&opt.Keep, "keep", 20, "how many faults of each kind are listed; all are counted")
	fl.BoolVar(&asJSON, "json", false, "write the report as JSON")
	fl.StringVar(&opt.Parse.Format, "format", "", "format of the sources, see 'cantle formats' (default: by name and content)")
	fl.StringVar(&opt.Parse.Headings, "headings", "", "HTML headings: tags or auto")
	fl.BoolVar(&opt.Parse.WholePage, "whole-page", false, "HTML: the chunks are of the whole page, navigation included")
	fl.BoolVar(&opt.Parse.Outputs, "outputs", false, "notebooks: the chunks are of what cells have printed too")
	w.add(cmd)
	return cmd
}

// seekable opens a file; what can be read once is copied to one first, which is
// gone once it is closed.
func seekable(s streams, name string) (*os.File, int64, error) {
	in := s.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, 0, err
		}
		info, err := f.Stat()
		switch {
		case err == nil && info.IsDir():
			err = errors.New("is a folder, not a file of chunks")
		case err == nil && info.Mode().IsRegular():
			return f, info.Size(), nil
		}
		defer f.Close()
		if err != nil {
			return nil, 0, err
		}
		in = f
	}
	f, err := os.CreateTemp("", "cantle")
	if err != nil {
		return nil, 0, err
	}
	os.Remove(f.Name())
	n, err := io.Copy(f, in)
	if err != nil {
		f.Close()
	}
	return f, n, err
}

// match finds the source of each document that the records name. A file below
// the paths that no record names is a source too: all of it is lost. One file
// is the source of one document whatever that is called, and opt then gets the
// format of the file.
func match(ctx context.Context, s streams, w walkFlags, index *records.Index, paths []string, opt *cantle.ParseOptions, report func(string, error)) ([]verify.Source, error) {
	var files []walk.File
	var opens []func() ([]byte, error)
	err := walk.Walk(ctx, paths, walk.Options{All: w.all}, func(f walk.File) error {
		open := func() ([]byte, error) { return readFile(s, f.Path) }
		if f.Stream {
			open = sync.OnceValues(open)
		}
		files, opens = append(files, f), append(opens, open)
		return nil
	}, report)
	if err != nil {
		return nil, err
	}
	names := newSourceNames(files)
	used := map[int]bool{}
	var sources []verify.Source
	for _, doc := range index.Documents() {
		i, ok := names.find(doc)
		if !ok && len(files) == 1 && len(index.Documents()) == 1 {
			i, ok = 0, true
			src, err := opens[0]()
			if err != nil {
				report(files[0].Path, err)
				return nil, nil
			}
			if opt.Format == "" {
				opt.Format = detect(files[0].Path, src, files[0].Stream)
			}
		}
		if !ok {
			report(cmp.Or(doc, "records without a document"), errors.New("no source of this name"))
			continue
		}
		used[i] = true
		sources = append(sources, verify.Source{Doc: doc, Open: opens[i]})
	}
	for i, f := range files {
		if used[i] {
			continue
		}
		src, err := opens[i]()
		if err != nil {
			report(f.Path, err)
			continue
		}
		if !w.all && !f.Named && (code.Generated(f.Rel, src) != "" || binary(f.ID, src)) {
			continue
		}
		sources = append(sources, verify.Source{Doc: f.ID, Open: opens[i]})
	}
	return sources, nil
}

// sourceNames finds a file by what records may call it.
type sourceNames [4]map[string]int // by ID, by path, by path below its root, by the last part of it; -1 for several

func newSourceNames(files []walk.File) sourceNames {
	names := sourceNames{{}, {}, {}, {}}
	for i, f := range files {
		for k, name := range [...]string{f.ID, walk.Valid(f.Path), walk.Valid(f.Rel), walk.Valid(filepath.Base(f.Path))} {
			if j, ok := names[k][name]; ok && j != i {
				names[k][name] = -1
				continue
			}
			names[k][name] = i
		}
	}
	return names
}

// find returns the file that doc names; one is told by the last part of its
// path only where no other has that.
func (n sourceNames) find(doc string) (int, bool) {
	for k, name := range [...]string{doc, doc, doc, filepath.Base(doc)} {
		if i, ok := n[k][name]; ok && i >= 0 {
			return i, true
		}
	}
	return 0, false
}

// binary reports whether a file is of those that cannot be read.
func binary(name string, src []byte) bool {
	src = src[:min(len(src), 8000)]
	for _, format := range []string{cantle.Detect(name, src), "text"} {
		if _, err := cantle.Parse(name, src, cantle.ParseOptions{Format: format}); errors.Is(err, cantle.ErrBinary) {
			return true
		}
	}
	return false
}

// writeReport writes a report for people.
func writeReport(out io.Writer, r *verify.Report) error {
	var b strings.Builder
	share := func(n int64) float64 { return 100 * float64(n) / float64(max(1, r.Text)) }
	fmt.Fprintf(&b, "%d chunks of %d documents, %d verbatim, the largest of %d\n", r.Chunks, r.Documents, r.Verbatim, r.Largest)
	fmt.Fprintf(&b, "%.2f %% of the text covered, %.2f %% doubled; repeated: %.2f %% as overlap, %.2f %% as heads\n",
		100*r.Coverage(), share(r.Doubled), share(r.Overlap), share(r.Repeated))
	if r.Total() == 0 {
		b.WriteString("\nno faults\n")
	}
	var kind verify.Kind
	for _, k := range verify.Kinds() {
		if r.Counts[k] > 0 {
			fmt.Fprintf(&b, "%s%-15s %7d\n", map[bool]string{true: "\n"}[kind == ""], k, r.Counts[k])
			kind = k
		}
	}
	kind = ""
	for _, f := range r.Faults {
		if f.Kind != kind {
			kind = f.Kind
			b.WriteByte('\n')
		}
		fmt.Fprintln(&b, f)
	}
	_, err := io.WriteString(out, b.String())
	return err
}
