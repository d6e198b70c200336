package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A preset is a named set of flags.
type preset struct {
	name, use string
	flags     [][2]string
}

// presets are the sizes that the trade uses, in characters, and what suits
// code and filings.
var presets = []preset{
	{"faq", "questions and answers", [][2]string{{"encoding", "chars"}, {"max-tokens", "300"}, {"overlap", "30"}, {"find-questions", "true"}}},
	{"general", "prose of any kind", [][2]string{{"encoding", "chars"}, {"max-tokens", "800"}, {"overlap", "100"}}},
	{"technical", "manuals and documentation", [][2]string{{"encoding", "chars"}, {"max-tokens", "1000"}, {"overlap", "150"}}},
	{"legal", "contracts and rules", [][2]string{{"encoding", "chars"}, {"max-tokens", "1500"}, {"overlap", "200"}, {"find-clauses", "true"}}},
	{"code", "source trees: a function or method a chunk", [][2]string{{"max-tokens", "512"}, {"isolate", "true"}}},
	{"filing", "annual and quarterly reports: headings found, tables by themselves", [][2]string{{"headings", "auto"}, {"isolate", "true"}, {"max-tokens", "250"}}},
}

// usePreset sets the flags of a preset that the user has not set, and returns
// their names.
func usePreset(flags *pflag.FlagSet, name string) (set []string, err error) {
	if name == "" {
		return nil, nil
	}
	var names []string
	for _, p := range presets {
		if p.name != name {
			names = append(names, p.name)
			continue
		}
		for _, f := range p.flags {
			if flags.Changed(f[0]) {
				continue
			}
			if err := flags.Set(f[0], f[1]); err != nil {
				return set, err
			}
			set = append(set, f[0])
		}
		return set, nil
	}
	return nil, fmt.Errorf("--preset %s: is none of %s", name, strings.Join(names, ", "))
}

func newPresets(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "presets",
		Short: "List the presets and the flags that each stands for",
		Long: "List the presets and the flags that each stands for. A flag that is given besides --preset overrides it:\n" +
			"--preset technical --encoding cl100k_base counts the same numbers in tokens.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, p := range presets {
				var flags []string
				for _, f := range p.flags {
					if f[1] == "true" {
						flags = append(flags, "--"+f[0])
					} else {
						flags = append(flags, "--"+f[0]+" "+f[1])
					}
				}
				if _, err := fmt.Fprintf(s.out, "%-10s %s\n           %s\n", p.name, p.use, strings.Join(flags, " ")); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// modelInputs are how many tokens embedding models read of a text; the rest
// they leave out without a word.
var modelInputs = map[string]int{
	"all-minilm-l6-v2": 256, "all-minilm-l12-v2": 128, "all-mpnet-base-v2": 384,
	"multilingual-e5-small": 512, "multilingual-e5-base": 512, "multilingual-e5-large": 512,
	"bge-small-en-v1.5": 512, "bge-base-en-v1.5": 512, "bge-large-en-v1.5": 512, "bge-small-zh-v1.5": 512, "bge-large-zh-v1.5": 512, "bge-m3": 8192,
	"text-embedding-ada-002": 8191, "text-embedding-3-small": 8191, "text-embedding-3-large": 8191,
	"nomic-embed-text-v1.5": 8192, "jina-embeddings-v3": 8192,
}

// modelWarning says that the limit is above what a model reads, or "".
func modelWarning(model string, limit int) (string, error) {
	if model == "" {
		return "", nil
	}
	key := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	reads, ok := modelInputs[key]
	switch {
	case !ok:
		return "", fmt.Errorf("--model %s: how much it reads is not known here, but for %s", model, strings.Join(sortedKeys(modelInputs), ", "))
	case limit > reads:
		return fmt.Sprintf("the limit of %d is above the %d tokens that %s reads; what is beyond is not embedded", limit, reads, model), nil
	}
	return "", nil
}
