package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

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
	var baseline string
	var limits []string
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
			var opened embedders
			defer opened.close()
			all, err := newSettings(cmd.Flags(), settings, &opened)
			if err != nil {
				return err
			}
			watch, err := newWatch(baseline, limits)
			if err != nil {
				return err
			}
			report, err := e.compare(cmd.Context(), s, &opened, f.embedCache, sets, all)
			if err != nil {
				return err
			}
			if output != "" {
				if err := writeWhole(s.out, output, report.Write); err != nil {
					return err
				}
			}
			if err := report.WriteText(s.out, eval.TextOptions{ByType: byType, Details: details}); err != nil {
				return err
			}
			if failures > 0 {
				if err := e.explain(cmd.Context(), s.out, &opened, f.embedCache, sets, all[0], failures); err != nil {
					return err
				}
			}
			return watch.check(s, report)
		},
	}

	cmd.AddCommand(newEvalMake(s), newEvalLabel(s))
	f.add(cmd)
	e.add(cmd)
	fl := cmd.Flags()
	fl.StringArrayVar(&settings, "setting", nil, "flags to cut with besides those given, or a file of `chunks` as JSON lines; {set} stands for the set's name")
	fl.StringVarP(&output, "output", "o", "", "write the results to this `file` as JSON")
	fl.BoolVar(&byType, "by-type", false, "split the figures by type of question")
	fl.BoolVar(&details, "details", false, "show all measures with their intervals")
	fl.IntVar(&failures, "failures", 0, "show the `n` questions that the first setting answers worst")
	fl.StringVar(&baseline, "baseline", "", "results of an earlier run, a `file` written by --output, to compare the first setting with")
	fl.StringArrayVar(&limits, "fail-under", nil, "`measure=-0.02`: exit with 1 where the measure fell by more than that, by an interval that leaves out 0; may be repeated")
	return cmd
}

// evalFlags say what to search, how, and with which questions.
type evalFlags struct {
	questions, scope, retriever string
	textOnly, facts, cutOff     bool
	k                           int
	walk                        walkFlags
}

func (e *evalFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&e.questions, "questions", "", "`file` of questions, JSON lines or CSV")
	fl.StringVar(&e.scope, "scope", "", "what a question searches: corpus, or doc for the document it is about (default corpus)")
	fl.StringVar(&e.retriever, "retriever", "bm25", "how to search: bm25; keyword, which is bm25 as 'cantle search' does it, rows of tables as facts; lexical, minilm:FOLDER or http://HOST/v1?model=NAME; hybrid:EMBEDDER for keyword and vectors together")
	fl.BoolVar(&e.facts, "embed-facts", false, embedFactsUsage)
	fl.BoolVar(&e.textOnly, "embed-text-only", false, "embed chunks without their context, which counts in the budget all the same")
	fl.BoolVar(&e.cutOff, "cut-off", false, "minilm: leave out what is longer than the model reads, instead of the mean of its parts")
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
		return nil, misuse{fmt.Errorf("--questions %s: %w", e.questions, plain(err))}
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
		if binary(f.ID, src) || !w.all && !f.Named && code.Generated(f.Rel, src) != "" {
			return nil
		}
		documents[f.ID] = src
		return nil
	}, func(p string, err error) { failed = errors.Join(failed, fmt.Errorf("%s: %w", p, plain(err))) })
	return documents, errors.Join(err, failed)
}

// compare measures the settings on the sets.
func (e *evalFlags) compare(ctx context.Context, s streams, opened *embedders, cache string, sets []*eval.Set, settings []eval.Setting) (*eval.Report, error) {
	opt, err := e.options(opened, cache)
	if err != nil {
		return nil, err
	}
	bar := newCounter(s.err, len(sets)*len(settings))
	report, err := eval.Compare(ctx, sets, settings, opt, e.walk.jobs, func() { bar.add(1) })
	bar.close()
	if err != nil {
		return nil, err
	}
	report.Version, report.Encoding = version(), cantle.DefaultEncoding
	return report, nil
}

// newCounter shows how many settings of all are done, where w is a terminal.
func newCounter(w io.Writer, all int) *progress {
	f, ok := w.(*os.File)
	if !ok || all < 2 || !term.IsTerminal(int(f.Fd())) {
		return &progress{}
	}
	return &progress{progressbar.NewOptions(all,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("measuring"),
		progressbar.OptionShowCount(),
		progressbar.OptionClearOnFinish())}
}

// options returns how to search.
func (e *evalFlags) options(opened *embedders, cache string) (opt eval.Options, err error) {
	counter, err := tokens.Get(cantle.DefaultEncoding)
	if err != nil {
		return opt, err
	}
	opt = eval.Options{K: e.k, Count: counter.Count, Retriever: eval.BM25{}}
	switch e.retriever {
	case "keyword":
		opt.Retriever = eval.BM25{Facts: true}
		fallthrough
	case "bm25":
		return opt, nil
	}
	spec, hybrid := strings.CutPrefix(e.retriever, "hybrid:")
	embedder, err := opened.model("--retriever", spec)
	if err != nil {
		return opt, err
	}
	limit := 0
	if m, ok := embedder.(interface{ MaxTokens() int }); ok {
		limit = m.MaxTokens() - 2 // the two that begin and end a text
	}
	if embedder, err = opened.open("--retriever", spec, cache); err != nil {
		return opt, err
	}
	if folder, ok := strings.CutPrefix(spec, "minilm:"); ok && !e.cutOff && limit > 0 {
		if embedder, err = inParts(embedder, folder, limit); err != nil {
			return opt, misuse{fmt.Errorf("--retriever: %w", err)}
		}
	}
	dense := eval.Dense{Embedder: embedder, TextOnly: e.textOnly, Facts: e.facts}
	opt.Retriever = dense
	if hybrid {
		opt.Retriever = eval.Hybrid{dense, eval.BM25{Facts: true}}
	}
	return opt, nil
}

// inParts returns an embedder that takes long texts in parts of limit tokens, as
// the model in folder counts them.
func inParts(e embed.Embedder, folder string, limit int) (embed.Embedder, error) {
	sizer, err := tokens.Get(filepath.Join(folder, "tokenizer.json"))
	if err != nil {
		return nil, err
	}
	return &eval.Parts{Embedder: e, Sizer: sizer, Max: limit}, nil
}

// newSettings returns settings from their texts: the flags of a command with
// those of the text over them, or a file of chunks.
func newSettings(given *pflag.FlagSet, texts []string, opened *embedders) ([]eval.Setting, error) {
	trees := &forest{opened: opened, of: map[treeKey]*ast.Document{}}
	settings := make([]eval.Setting, len(texts))
	for i, text := range texts {
		var err error
		if settings[i], err = trees.setting(given, strings.TrimSpace(text)); err != nil {
			return nil, misuse{fmt.Errorf("setting %q: %w", text, err)}
		}
	}
	return settings, nil
}

func (trees *forest) setting(given *pflag.FlagSet, text string) (eval.Setting, error) {
	if text != "" && !strings.HasPrefix(text, "-") {
		return fileSetting(text), nil
	}
	var f cutFlags
	cmd := &cobra.Command{}
	f.add(cmd)
	fl := cmd.Flags()
	name := copyFlags(fl, given)
	if err := fl.Parse(strings.Fields(text)); err != nil {
		return eval.Setting{}, valueError(fl, err)
	}
	if fl.NArg() > 0 {
		return eval.Setting{}, fmt.Errorf("%s is no flag", fl.Arg(0))
	}
	opt, err := f.options(fl, trees.opened)
	if err != nil {
		return eval.Setting{}, err
	}
	if name = strings.TrimSpace(name + " " + text); name == "" {
		name = "default"
	}
	return eval.Setting{Name: name, Cut: func(ctx context.Context, set *eval.Set) ([]eval.Chunk, error) {
		return trees.cut(ctx, set, opt)
	}}, nil
}

// copyFlags sets the flags of fl that are set in given too, and returns them as
// they are typed.
func copyFlags(fl, given *pflag.FlagSet) string {
	var typed []string
	given.Visit(func(flag *pflag.Flag) {
		own := fl.Lookup(flag.Name)
		if own == nil {
			return
		}
		values := []string{flag.Value.String()}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			fl.Set(flag.Name, v)            // cannot fail: it did not in given
			if flag.Name != "embed-cache" { // says where, not how
				typed = append(typed, "--"+flag.Name+" "+v)
			}
		}
	})
	return strings.Join(typed, " ")
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

// A forest is what settings share: the trees of documents, and embedders.
type forest struct {
	opened *embedders
	mu     sync.Mutex
	of     map[treeKey]*ast.Document
}

type treeKey struct {
	set *eval.Set
	id  string
	opt cantle.ParseOptions
}

func (f *forest) tree(set *eval.Set, id string, opt cantle.ParseOptions) (*ast.Document, error) {
	key := treeKey{set, id, opt}
	f.mu.Lock()
	doc := f.of[key]
	f.mu.Unlock()
	if doc != nil {
		return doc, nil
	}
	doc, err := cantle.Parse(id, set.Documents[id], opt)
	if err == nil {
		f.mu.Lock()
		f.of[key] = doc
		f.mu.Unlock()
	}
	return doc, err
}

// cut cuts the documents of a set, in the order of their ids.
func (f *forest) cut(ctx context.Context, set *eval.Set, opt cantle.Options) ([]eval.Chunk, error) {
	var all []eval.Chunk
	for _, id := range slices.Sorted(maps.Keys(set.Documents)) {
		doc, err := f.tree(set, id, opt.Parse)
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

// A watch compares a report with an earlier one.
type watch struct {
	before *eval.Report // nil where nothing is watched
	limits []eval.Limit
}

func newWatch(baseline string, limits []string) (watch, error) {
	var w watch
	for _, text := range limits {
		l, err := eval.ParseLimit(text)
		if err != nil {
			return w, misuse{fmt.Errorf("--fail-under: %w", err)}
		}
		w.limits = append(w.limits, l)
	}
	if baseline == "" {
		if len(limits) > 0 {
			return w, misuse{errors.New("--fail-under: needs a --baseline")}
		}
		return w, nil
	}
	f, err := os.Open(baseline)
	if err != nil {
		return w, misuse{fmt.Errorf("--baseline: %w", err)}
	}
	defer f.Close()
	if w.before, err = eval.ReadReport(f); err != nil {
		return w, misuse{fmt.Errorf("--baseline %s: %w", baseline, err)}
	}
	return w, nil
}

// check reports what has fallen; then the error is errFailed.
func (w watch) check(s streams, now *eval.Report) error {
	if w.before == nil {
		return nil
	}
	falls, err := eval.Falls(now, w.before, w.limits)
	if err != nil {
		return misuse{fmt.Errorf("--baseline: %w", err)}
	}
	for _, f := range falls {
		fmt.Fprintf(s.err, "cantle: %s fell by %.3f [%+.3f, %+.3f], the limit is %.3f\n",
			f.Limit.Measure, -f.Difference.Mean, f.Difference.Low, f.Difference.High, -f.Limit.Change)
	}
	if len(falls) > 0 {
		return errFailed
	}
	return nil
}

func (e *evalFlags) explain(ctx context.Context, w io.Writer, opened *embedders, cache string, sets []*eval.Set, setting eval.Setting, n int) error {
	opt, err := e.options(opened, cache)
	if err != nil {
		return err
	}
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
