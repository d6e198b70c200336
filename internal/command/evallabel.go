package command

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cantle/cantle/eval"
)

func newEvalLabel(s streams) *cobra.Command {
	var w walkFlags
	var l labeller
	cmd := &cobra.Command{
		Use:   "label --questions FILE PATH...",
		Short: "Write questions with their evidence",
		Long: "Ask for questions, one a line, show the chunks that match best, and take which of them is the evidence:\n\n" +
			"  2                  the whole of chunk 2\n" +
			"  2 words of it      these words, in the document of chunk 2\n" +
			"  (an empty line)    none: the question is dropped\n\n" +
			"Each question is appended to the file as soon as it has its evidence. The end of the input ends it.",
		Example: "  cantle eval label --questions questions.jsonl --type fact docs",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if l.file == "" {
				return misuse{fmt.Errorf("--questions: must name the file to append to")}
			}
			documents, err := w.read(cmd.Context(), args)
			if err != nil {
				return err
			}
			l.set = &eval.Set{Documents: documents}
			var opened embedders
			defer opened.close()
			settings, err := newSettings(cmd.Flags(), []string{""}, &opened)
			if err != nil {
				return err
			}
			if l.chunks, err = settings[0].Cut(cmd.Context(), l.set); err != nil {
				return err
			}
			return l.run(cmd, s)
		},
	}
	cmd.Flags().StringVar(&l.file, "questions", "", "`file` to append to, as JSON lines")
	cmd.Flags().StringVar(&l.kind, "type", "", "type of the questions: fact, reasoning, summary or what you like")
	cmd.Flags().IntVar(&l.show, "show", 5, "chunks to show")
	cmd.Flags().BoolVar(&w.all, "all", false, "take generated, vendored, ignored and hidden files too")
	return cmd
}

// A labeller asks for questions and their evidence.
type labeller struct {
	file, kind string
	show       int
	set        *eval.Set
	chunks     []eval.Chunk
}

func (l *labeller) run(cmd *cobra.Command, s streams) error {
	in := bufio.NewScanner(s.in)
	next := func(prompt string) (string, bool) {
		fmt.Fprint(s.err, prompt)
		ok := in.Scan()
		return strings.TrimSpace(in.Text()), ok
	}
	for {
		question, ok := next("question: ")
		if !ok {
			fmt.Fprintln(s.err)
			return in.Err()
		}
		if question == "" {
			continue
		}
		best, err := eval.Search(cmd.Context(), l.chunks, question, eval.BM25{Facts: true}, l.show)
		if err != nil {
			return err
		}
		for n, i := range best {
			c := &l.chunks[i]
			fmt.Fprintf(s.err, "\n%d. %s: %s\n%s\n", n+1, c.DocID, c.Context, c.Text)
		}
		for {
			reply, ok := next("\nevidence: ")
			if !ok || reply == "" {
				break
			}
			q, err := l.evidence(reply, best)
			if err != nil {
				fmt.Fprintf(s.err, "%v\n", err)
				continue
			}
			q.Question, q.Type = question, l.kind
			if err := l.add(q); err != nil {
				return err
			}
			break
		}
	}
}

// evidence reads a reply: the number of a chunk, and words of its document.
func (l *labeller) evidence(reply string, best []int) (q eval.Question, err error) {
	number, words, _ := strings.Cut(reply, " ")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(best) {
		return q, fmt.Errorf("%q is not the number of a chunk", number)
	}
	c := &l.chunks[best[n-1]]
	q.DocID, q.Spans = c.DocID, c.Spans
	if words = strings.TrimSpace(words); words != "" {
		span, err := eval.Locate(l.set.Documents[c.DocID], words)
		if err != nil {
			return q, fmt.Errorf("the words are %w in %s", err, c.DocID)
		}
		q.Spans = eval.Spans{span}
	}
	return q, nil
}

// add appends a question to the file.
func (l *labeller) add(q eval.Question) error {
	f, err := os.OpenFile(l.file, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	q.ID = fmt.Sprintf("q%d", strings.Count(string(b), "\n")+1)
	if err := writeQuestions(f, []eval.Question{q}); err != nil {
		return err
	}
	return f.Close()
}
