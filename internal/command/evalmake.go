package command

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/eval"
)

func newEvalMake(s streams) *cobra.Command {
	var w walkFlags
	var output string
	var limit int
	cmd := &cobra.Command{
		Use:   "make [flags] PATH...",
		Short: "Make questions from the structure of documents",
		Long: "Make questions that tables, definitions, flags and headings answer, for documents that nobody has asked about yet.\n" +
			"They are synthetic and use the documents' own words: take them to compare settings, not to say how good one is.",
		Example: "  cantle eval make docs > questions.jsonl\n  cantle scan --questions questions.jsonl docs",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return misuse{fmt.Errorf("--limit %d: must not be negative", limit)}
			}
			documents, err := w.read(cmd.Context(), args)
			if err != nil {
				return err
			}
			var questions []eval.Question
			for _, id := range slices.Sorted(maps.Keys(documents)) {
				doc, err := cantle.Parse(id, documents[id], cantle.ParseOptions{})
				if err != nil {
					return fmt.Errorf("%s: %w", id, err)
				}
				questions = append(questions, eval.FromStructure(doc, id)...)
			}
			questions = spread(onlyOnce(questions), limit)
			err = writeWhole(s.out, output, func(out io.Writer) error { return writeQuestions(out, questions) })
			if err == nil {
				counts := map[string]int{}
				for _, q := range questions {
					counts[q.Type]++
				}
				for _, t := range sortedKeys(counts) {
					fmt.Fprintf(s.err, "cantle: %d questions of type %s\n", counts[t], t)
				}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&w.all, "all", false, "take generated, vendored, ignored and hidden files too")
	cmd.Flags().IntVar(&limit, "limit", 300, "at most this many, evenly over types and documents; 0 for all")
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to this `file`, which appears whole or not at all")
	return cmd
}

// onlyOnce leaves out questions that several documents answer.
func onlyOnce(questions []eval.Question) []eval.Question {
	times := map[string]int{}
	for _, q := range questions {
		times[q.Question]++
	}
	return slices.DeleteFunc(questions, func(q eval.Question) bool { return times[q.Question] > 1 })
}

// spread takes at most limit questions, as evenly as it can from each type and
// within each over the documents, in their order. 0 takes all.
func spread(questions []eval.Question, limit int) []eval.Question {
	if limit == 0 || len(questions) <= limit {
		return questions
	}
	byType := map[string][]int{}
	for i, q := range questions {
		byType[q.Type] = append(byType[q.Type], i)
	}
	// The rarest type first: what it leaves goes to the others.
	types := slices.SortedStableFunc(maps.Keys(byType), func(a, b string) int { return cmp.Or(len(byType[a])-len(byType[b]), strings.Compare(a, b)) })
	var taken []int
	for n, t := range types {
		of := byType[t]
		share := min(len(of), (limit-len(taken))/(len(types)-n))
		for k := range share {
			taken = append(taken, of[k*len(of)/share])
		}
	}
	slices.Sort(taken)
	out := make([]eval.Question, len(taken))
	for i, k := range taken {
		out[i] = questions[k]
	}
	return out
}

func writeQuestions(w io.Writer, questions []eval.Question) error {
	buf := bufio.NewWriter(w)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	for i := range questions {
		if err := enc.Encode(&questions[i]); err != nil {
			return err
		}
	}
	return buf.Flush()
}
