package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/code"
	"github.com/cantle/cantle/embed"
	"github.com/cantle/cantle/eval"
	"github.com/cantle/cantle/internal/walk"
	"github.com/cantle/cantle/tokens"
)

func newEval(s streams) *cobra.Command {
	var f cutFlags
	var e evalFlags
	var settings []string
	var output string
	var byType, details bool
	var failures int
	cmd := &cobra.Command{
		Use:   "eval [flags] PATH...",
		Short: "Measure how well chunks answer questions",
		Long: "Cut documents, search the chunks with questions whose evidence is known, and say how much of it a reader gets.\n" +
			"PATH is documents, with --questions, or folders that hold corpus/ and questions.jsonl.\n" +
			"The flags of 'cantle chunk' say how to cut; each --setting changes them and is compared with the first.",
		Example: "  cantle eval --questions questions.jsonl docs\n" +
			"  cantle eval --questions questions.jsonl --setting '' --setting '--max-tokens 200' --setting other.jsonl docs",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sets, err := e.open(cmd.Context(), args)
			if err != nil {
				return err
			}
			if len(settings) == 0 {
				settings = []string{""}
			}
			all := make([]eval.Setting, len(settings))
			for i, text := range settings {
				if all[i], err = newSetting(cmd.Flags(), text); err != nil {
					return err
				}
			}
			report, err := e.compare(cmd.Context(), s, sets, all)
			if err != nil {
				return err
			}
			if output != "" {
				err := writeWhole(s.out, output, report.Write)
				if err != nil {
					return err
				}
			}
			if err := report.WriteText(s.out, eval.TextOptions{ByType: byType, Details: details}); err != nil {
				return err
			}
			if failures > 0 {
				return e.explain(cmd.Context(), s.out, sets, all[0], failures)
			}
			return nil
		},
	}
	f.add(cmd)
	e.add(cmd)
	fl := cmd.Flags()
	fl.StringArrayVar(&settings, "setting", nil, "flags to cut with besides those given, or a file of `chunks` as JSON lines; {set} stands for the set's name")
	fl.StringVarP(&output, "output", "o", "", "write the results to this `file` as JSON")
	fl.BoolVar(&byType, "by-type", false, "split the figures by type of question")
	fl.BoolVar(&details, "details", false, "show all measures with their intervals")
	fl.IntVar(&failures, "failures", 0, "show the `n` questions that the first setting answers worst")
	return cmd
}

// evalFlags say what to search, how, and with which questions.
type evalFlags struct {
	questions, scope, retriever, cache string
	k                                  int
	walk                               walkFlags
}

func (e *evalFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&e.questions, "questions", "", "`file` of questions, JSON lines or CSV")
	fl.StringVar(&e.scope, "scope", "", "what a question searches: corpus, or doc for the document it is about (default corpus)")
	fl.StringVar(&e.retriever, "retriever", "bm25", "how to search: bm25; lexical, minilm:FOLDER or http://HOST/v1?model=NAME; hybrid:EMBEDDER for both together")
	fl.StringVar(&e.cache, "cache", "", "`file` that keeps embeddings from run to run")
	fl.IntVar(&e.k, "k", eval.DefaultK, "chunks that recall@k and its like look at")
	e.walk.add(cmd)
}

// open reads the sets: each path one, or all paths together one that --questions
// is about.
func (e *evalFlags) open(ctx context.Context, paths []string) ([]*eval.Set, error) {
	if err := e.walk.check(); err != nil {
		return nil, err
	}
	if e.k < 1 {
		return nil, misuse{fmt.Errorf("--k %d: must be at least 1", e.k)}
	}
	scope := eval.Scope(e.scope)
	if scope != "" && scope != eval.ScopeCorpus && scope != eval.ScopeDocument {
		return nil, misuse{fmt.Errorf("--scope %s: is neither corpus nor doc", e.scope)}
	}
	var sets []*eval.Set
	if e.questions != "" {
		set, err := e.folder(ctx, paths)
		if err != nil {
			return nil, err
		}
		sets = []*eval.Set{set}
	} else {
		for _, p := range paths {
			if !eval.IsSet(p) {
				return nil, misuse{fmt.Errorf("%s: holds no corpus/ and questions.jsonl; name the questions with --questions", p)}
			}
			set, err := eval.OpenSet(p)
			if err != nil {
				return nil, misuse{err}
			}
			sets = append(sets, set)
		}
	}
	for _, set := range sets {
		if scope != "" {
			set.Scope = scope
		}
		if len(set.Questions) == 0 {
			return nil, misuse{fmt.Errorf("%s: there are no questions", set.Name)}
		}
	}
	return sets, nil
}

// folder reads the documents at and below paths, and the questions about them.
func (e *evalFlags) folder(ctx context.Context, paths []string) (*eval.Set, error) {
	documents, err := e.walk.read(ctx, paths)
	if err != nil {
		return nil, err
	}
	set := &eval.Set{Name: filepath.Base(filepath.Clean(paths[0])), Scope: eval.ScopeCorpus, Documents: documents}
	f, err := os.Open(e.questions)
	if err != nil {
		return nil, misuse{err}
	}
	defer f.Close()
	csv := strings.EqualFold(filepath.Ext(e.questions), ".csv")
	if set.Questions, err = eval.ReadQuestions(f, csv, documents); err != nil {
		return nil, misuse{fmt.Errorf("%s: %w", e.questions, err)}
	}
	return set, nil
}

// read returns the documents at and below paths by id, without those that
// 'cantle chunk' leaves out.
func (w *walkFlags) read(ctx context.Context, paths []string) (map[string][]byte, error) {
	documents := map[string][]byte{}
	var failed error
	err := walk.Walk(ctx, paths, walk.Options{All: w.all}, func(f walk.File) error {
		src, err := os.ReadFile(f.Path)
		if err != nil {
			return err
		}
		_, err = cantle.Parse(f.ID, src[:min(len(src), 8000)], cantle.ParseOptions{Format: "text"})
		if errors.Is(err, cantle.ErrBinary) || !w.all && !slices.Contains(paths, f.Path) && code.Generated(f.ID, src) != "" {
			return nil
		}
		documents[f.ID] = src
		return nil
	}, func(p string, err error) { failed = errors.Join(failed, fmt.Errorf("%s: %w", p, plain(err))) })
	return documents, errors.Join(err, failed)
}

// compare measures the settings on the sets.
func (e *evalFlags) compare(ctx context.Context, s streams, sets []*eval.Set, settings []eval.Setting) (*eval.Report, error) {
	opt, closeCache, err := e.options()
	if err != nil {
		return nil, err
	}
	defer closeCache()
	report, err := eval.Compare(ctx, sets, settings, opt, e.walk.jobs, nil)
	if err != nil {
		return nil, err
	}
	report.Version, report.Encoding = version(), cantle.DefaultEncoding
	return report, nil
}

// options returns how to search.
func (e *evalFlags) options() (opt eval.Options, done func(), err error) {
	done = func() {}
	counter, err := tokens.Get(cantle.DefaultEncoding)
	if err != nil {
		return opt, done, err
	}
	opt = eval.Options{K: e.k, Count: counter.Count, Retriever: eval.BM25{}}
	if e.retriever == "bm25" {
		return opt, done, nil
	}
	spec, hybrid := strings.CutPrefix(e.retriever, "hybrid:")
	embedder, err := embed.Open(spec)
	if err != nil {
		return opt, done, misuse{fmt.Errorf("--retriever: %w", err)}
	}
	if e.cache != "" {
		cache, err := embed.OpenCache(embedder, e.cache)
		if err != nil {
			return opt, done, misuse{fmt.Errorf("--cache: %w", err)}
		}
		embedder, done = cache, func() { cache.Close() }
	}
	opt.Retriever = eval.Dense{Embedder: embedder}
	if hybrid {
		opt.Retriever = eval.Hybrid{eval.Dense{Embedder: embedder}, eval.BM25{}}
	}
	return opt, done, nil
}

// newSetting returns a setting from its text: the flags of a command with those
// of the text over them, or a file of chunks.
func newSetting(given *pflag.FlagSet, text string) (eval.Setting, error) {
	text = strings.TrimSpace(text)
	if text != "" && !strings.HasPrefix(text, "-") {
		return fileSetting(text), nil
	}
	var f cutFlags
	cmd := &cobra.Command{}
	f.add(cmd)
	fl := cmd.Flags()
	var names []string
	given.Visit(func(flag *pflag.Flag) {
		if own := fl.Lookup(flag.Name); own != nil && own.Value.Type() == flag.Value.Type() && flag.Name != "meta" {
			fl.Set(flag.Name, flag.Value.String())
			names = append(names, "--"+flag.Name+" "+flag.Value.String())
		}
	})
	if err := fl.Parse(strings.Fields(text)); err != nil {
		return eval.Setting{}, misuse{fmt.Errorf("--setting %q: %w", text, err)}
	}
	if fl.NArg() > 0 {
		return eval.Setting{}, misuse{fmt.Errorf("--setting %q: %s is no flag", text, fl.Arg(0))}
	}
	opt, err := f.options(fl)
	if err != nil {
		return eval.Setting{}, misuse{fmt.Errorf("--setting %q: %w", text, err)}
	}
	name := strings.TrimSpace(strings.Join(append(names, text), " "))
	if name == "" {
		name = "default"
	}
	return eval.Setting{Name: name, Cut: func(ctx context.Context, set *eval.Set) ([]eval.Chunk, error) {
		return cutSet(ctx, set, opt)
	}}, nil
}

func fileSetting(pattern string) eval.Setting {
	return eval.Setting{Name: strings.TrimSuffix(filepath.Base(pattern), ".jsonl"), Cut: func(_ context.Context, set *eval.Set) ([]eval.Chunk, error) {
		name := strings.ReplaceAll(pattern, "{set}", set.Name)
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		chunks, err := eval.ReadChunks(f, set.Documents)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return chunks, nil
	}}
}

// cutSet cuts the documents of a set, in the order of their ids.
func cutSet(ctx context.Context, set *eval.Set, opt cantle.Options) ([]eval.Chunk, error) {
	var all []eval.Chunk
	for _, id := range slices.Sorted(maps.Keys(set.Documents)) {
		doc, err := parsed(set, id, opt.Parse)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", id, err)
		}
		opt.Cut.DocID, opt.Cut.Source = id, id
		records, err := cantle.Cut(ctx, doc, opt)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", id, err)
		}
		all = append(all, eval.FromRecords(records)...)
	}
	return all, nil
}

var _ = sync.Once{}

func parsed(set *eval.Set, id string, opt cantle.ParseOptions) (*ast.Document, error) {
	return cantle.Parse(id, set.Documents[id], opt)
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func (e *evalFlags) explain(ctx context.Context, w io.Writer, sets []*eval.Set, setting eval.Setting, n int) error {
	opt, done, err := e.options()
	if err != nil {
		return err
	}
	defer done()
	for _, set := range sets {
		chunks, err := setting.Cut(ctx, set)
		if err != nil {
			return err
		}
		if err := eval.Explain(ctx, w, set, chunks, opt, n); err != nil {
			return err
		}
	}
	return nil
}
