package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/chunker"
)

// cutFlags are the flags that say how to read and cut, which several commands
// share.
type cutFlags struct {
	maxTokens, minTokens, wantTokens, overlap, parents, joinUnder int
	encoding, context, format, headings                           string
	isolate, wholePage, clauses, questions, explain, codeContext  bool
	skeleton, outputs                                             bool
	meta                                                          []string
	preset, strategy, keep, tables, model                         string
	separators                                                    []string
	regexp                                                        bool
	embedder, embedCache                                          string
	topicThreshold                                                float64
	semantic                                                      chunker.SemanticOptions
}

func (f *cutFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.preset, "preset", "", "named set of flags, see 'cantle presets'; any other flag overrides it")
	fl.StringVar(&f.strategy, "strategy", string(chunker.Structure), "way of cutting: structure, recursive, sentence, fixed, separator or semantic")
	fl.IntVar(&f.maxTokens, "max-tokens", chunker.DefaultMax, "limit of a chunk, context included")
	fl.IntVar(&f.wantTokens, "want-tokens", 0, "size to cut tables and long prose to (default: the limit up to 400, three quarters of it above)")
	fl.IntVar(&f.minTokens, "min-tokens", 0, "size under which a chunk is avoided (default: an eighth of the limit)")
	fl.IntVar(&f.overlap, "overlap", 0, "how much of the text before it a chunk repeats")
	fl.StringVar(&f.encoding, "encoding", cantle.DefaultEncoding, "what the sizes count: a tiktoken encoding, a model, chars, words, or a tokenizer.json file")
	fl.StringVar(&f.context, "context", string(chunker.ContextPath), "what goes before a chunk to embed it: path or none")
	fl.BoolVar(&f.codeContext, "code-context", false, "code: add to the context the imports that a chunk uses and the signatures beside it, where there is room")
	fl.BoolVar(&f.isolate, "isolate", false, "give each table and each fence of code chunks of its own")
	fl.IntVar(&f.joinUnder, "join-under", 0, "join chunks under this size across a heading")
	fl.IntVar(&f.parents, "parents", 0, "emit the sections around the chunks too, up to this size, as records of type parent")
	fl.BoolVar(&f.skeleton, "skeleton", false, "code: parents are the file or class with ... in place of what its functions do")
	fl.StringVar(&f.format, "format", "", "format of the input, see 'cantle formats' (default: by name and content)")
	fl.StringVar(&f.headings, "headings", "", "HTML headings: tags, or auto for bold and numbered lines too (default: auto where a page has no heading tags)")
	fl.BoolVar(&f.wholePage, "whole-page", false, "HTML: leave nothing out, navigation and footers neither")
	fl.BoolVar(&f.outputs, "outputs", false, "notebooks: take what cells have printed too")
	fl.BoolVar(&f.clauses, "find-clauses", false, "numbered clauses (第3条, Article 5, 3.2) become sections in any format, not in plain text only")
	fl.BoolVar(&f.questions, "find-questions", false, "questions with their answers become sections in any format, not in plain text only")
	fl.StringVar(&f.tables, "tables", "", "how rows of HTML tables are written: markdown, html, csv or records")
	fl.StringArrayVar(&f.separators, "separator", nil, "`text` that the strategies separator and recursive cut at, in turn; \\n and \\t are understood, and a regular expression is cut at where its group named next begins")
	fl.BoolVar(&f.regexp, "regexp", false, "separators are regular expressions")
	fl.StringVar(&f.keep, "keep", string(chunker.KeepEnd), "where a separator stays: end, start or none")
	fl.StringVar(&f.embedder, "embedder", "lexical", "what compares meanings: lexical, minilm:FOLDER or http://HOST/v1?model=NAME")
	fl.StringVar(&f.embedCache, "embed-cache", "", "keep vectors in this `file`, by content")
	fl.Float64Var(&f.topicThreshold, "topic-threshold", 0, "strategy recursive: do not join paragraphs less similar than this")
	fl.StringVar((*string)(&f.semantic.Mode), "semantic-mode", string(chunker.Percentile), "strategy semantic: max-min, max-min-plain, threshold, percentile, stddev or gradient")
	fl.Float64Var(&f.semantic.Amount, "semantic-amount", 0, "the threshold, percentile or number of deviations of that mode (default: its usual one)")
	fl.IntVar(&f.semantic.Window, "semantic-window", 0, "sentences on either side to compare along with one (default 1; -1: none)")
	fl.BoolVar(&f.semantic.AcrossHeadings, "across-headings", false, "strategy semantic: a chunk may hold text of several sections")
	fl.BoolVar(&f.explain, "explain", false, "have each chunk say what its end cost, and what was the next best place")
	fl.StringVar(&f.model, "model", "", "embedding model the chunks are for: warn when the limit is above what it reads")
	fl.StringArrayVar(&f.meta, "meta", nil, "`key=value` to add to the metadata of every chunk; may be repeated")
}

// options returns what the flags say, checked. Embedders are of those opened.
func (f *cutFlags) options(flags *pflag.FlagSet, opened *embedders) (cantle.Options, error) {
	fromPreset, err := usePreset(flags, f.preset)
	if err != nil {
		return cantle.Options{}, misuse{err}
	}
	opt := cantle.Options{
		Encoding: f.encoding,
		Parse:    cantle.ParseOptions{Format: f.format, Headings: f.headings, WholePage: f.wholePage, Outputs: f.outputs, Tables: f.tables, Clauses: f.clauses, Questions: f.questions},
		Cut: chunker.Options{
			Max: f.maxTokens, Min: f.minTokens, Want: f.wantTokens, Overlap: f.overlap, Parents: f.parents, JoinUnder: f.joinUnder,
			Context: chunker.ContextMode(f.context), CodeContext: f.codeContext, Skeleton: f.skeleton, Isolate: f.isolate, Explain: f.explain,
			Strategy: chunker.Strategy(f.strategy), Regexp: f.regexp, Keep: chunker.Keep(f.keep),
			TopicThreshold: f.topicThreshold, Semantic: f.semantic,
		},
	}
	for _, s := range f.separators {
		opt.Cut.Separators = append(opt.Cut.Separators, strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(s))
	}
	switch {
	case opt.Cut.Strategy == chunker.Semantic || f.topicThreshold != 0:
		if opt.Cut.Semantic.Embedder, err = opened.open("--embedder", f.embedder, f.embedCache); err != nil {
			return opt, err
		}
	case flags.Changed("embedder"):
		if _, err := opened.model("--embedder", f.embedder); err != nil {
			return opt, err
		}
	}
	// In a library 0 stands for the default; on a command line it was typed.
	if f.maxTokens == 0 {
		return opt, misuse{errors.New("--max-tokens 0: must be at least 1")}
	}
	if f.skeleton && f.parents == 0 {
		return opt, misuse{errors.New("--skeleton: needs --parents, the limit of what it draws")}
	}
	if flags.Changed("min-tokens") && f.minTokens == 0 {
		opt.Cut.Min = -1
	} else if f.minTokens < 0 {
		return opt, misuse{fmt.Errorf("--min-tokens %d: must not be negative", f.minTokens)}
	}
	for _, kv := range f.meta {
		key, value, ok := strings.Cut(kv, "=")
		if !ok || key == "" {
			return opt, misuse{fmt.Errorf("--meta %s: is not of the form key=value", kv)}
		}
		if opt.Cut.Meta == nil {
			opt.Cut.Meta = map[string]any{}
		}
		opt.Cut.Meta[key] = typed(value)
	}
	if opt, err = opt.Resolve(); err == nil {
		return opt, nil
	}
	var bad *chunker.OptionError
	if errors.As(err, &bad) && slices.Contains(fromPreset, optionFlags[bad.Option]) {
		return opt, misuse{fmt.Errorf("--preset %s: %w", f.preset, flagError(err))}
	}
	return opt, misuse{flagError(err)}
}

// resolve is options, with a warning on s.err of each flag that was given and
// does nothing, and of a limit above what the model reads.
func (f *cutFlags) resolve(s streams, flags *pflag.FlagSet, opened *embedders) (cantle.Options, error) {
	warnings := f.idle(flags)
	opt, err := f.options(flags, opened)
	if err != nil {
		return opt, err
	}
	warning, err := modelWarning(f.model, opt.Cut.Max)
	if err != nil {
		return opt, misuse{err}
	}
	if warning != "" {
		warnings = append(warnings, warning)
	}
	for _, w := range warnings {
		fmt.Fprintf(s.err, "cantle: warning: %s\n", w)
	}
	return opt, nil
}

// strategyFlags are the flags that only some strategies look at.
var strategyFlags = []struct {
	flags      []string
	strategies []chunker.Strategy
}{
	{[]string{"want-tokens", "min-tokens", "isolate"}, []chunker.Strategy{chunker.Structure, chunker.Sentence, chunker.Semantic}},
	{[]string{"separator", "regexp", "keep", "topic-threshold"}, []chunker.Strategy{chunker.Separator, chunker.Recursive}},
	{[]string{"semantic-mode", "semantic-amount", "semantic-window", "across-headings"}, []chunker.Strategy{chunker.Semantic}},
}

// idle says of each flag that is set and does nothing why that is so.
func (f *cutFlags) idle(flags *pflag.FlagSet) []string {
	var warnings []string
	strategy := chunker.Strategy(f.strategy)
	for _, group := range strategyFlags {
		for _, name := range group.flags {
			isUsed := slices.Contains(group.strategies, strategy) || name == "min-tokens" && f.skeleton
			if flags.Changed(name) && !isUsed {
				warnings = append(warnings, fmt.Sprintf("--%s does nothing with --strategy %s", name, strategy))
			}
		}
	}
	if strategy == chunker.Recursive && f.regexp && len(f.separators) == 0 {
		warnings = append(warnings, "--regexp does nothing without --separator")
	}
	for _, name := range []string{"embedder", "embed-cache"} {
		// Where a command has a use of its own for them, their default says so.
		compares := flags.Lookup("embedder").DefValue != ""
		if compares && flags.Changed(name) && strategy != chunker.Semantic && f.topicThreshold == 0 {
			warnings = append(warnings, fmt.Sprintf("--%s does nothing with --strategy %s", name, strategy))
		}
	}
	return warnings
}

// optionFlags are the flags behind the options that a chunker.OptionError names.
var optionFlags = map[string]string{
	"Max": "max-tokens", "Min": "min-tokens", "Want": "want-tokens", "Overlap": "overlap", "Parents": "parents",
	"JoinUnder": "join-under", "Context": "context", "Headings": "headings", "Tables": "tables",
	"Strategy": "strategy", "Separators": "separator", "Keep": "keep", "TopicThreshold": "topic-threshold",
	"Mode": "semantic-mode", "Amount": "semantic-amount", "Window": "semantic-window",
}

// checkParse returns the error of the first flag for reading that cannot be used.
func checkParse(opt cantle.ParseOptions) error {
	if _, err := (cantle.Options{Parse: opt, Encoding: "chars"}).Resolve(); err != nil {
		return misuse{flagError(err)}
	}
	return nil
}

// flagError says an option's error in the words of the command line.
func flagError(err error) error {
	var bad *chunker.OptionError
	var format *cantle.FormatError
	switch {
	case errors.As(err, &bad) && optionFlags[bad.Option] != "":
		return fmt.Errorf("--%s %v: %s", optionFlags[bad.Option], bad.Value, bad.Reason)
	case errors.As(err, &format):
		return fmt.Errorf("--format: %w", err)
	case errors.As(err, &bad):
		return err
	}
	return fmt.Errorf("--encoding: %w", err)
}

// typed reads a value of --meta: a number or true or false where it is one.
func typed(s string) any {
	if s == "true" || s == "false" {
		return s == "true"
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && strconv.FormatInt(n, 10) == s {
		return n
	}
	if x, err := strconv.ParseFloat(s, 64); err == nil && !strings.ContainsAny(s, "xXpPnN_") {
		return x
	}
	return s
}
