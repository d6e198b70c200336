package eval

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Explain shows the n questions of which the least evidence is found, and what
// stood above the evidence.
func Explain(ctx context.Context, w io.Writer, set *Set, chunks []Chunk, opt Options, n int) error {
	opt.K = cmp.Or(opt.K, DefaultK)
	rankings, err := rankAll(ctx, set, chunks, opt)
	if err != nil {
		return err
	}
	type failure struct {
		q   int
		auc float64
	}
	var worst []failure
	for i := range set.Questions {
		auc := measure(&set.Questions[i], chunks, rankings[i], opt.K)[0]
		if auc < 1 {
			worst = append(worst, failure{i, auc})
		}
	}
	slices.SortStableFunc(worst, func(a, b failure) int { return cmp.Compare(a.auc, b.auc) })
	for _, f := range worst[:min(n, len(worst))] {
		q := &set.Questions[f.q]
		fmt.Fprintf(w, "%s/%s  auc_t %.3f\n  asked: %s\n", set.Name, q.ID, f.auc, q.Question)
		src := set.Documents[q.DocID]
		for _, s := range q.Spans {
			fmt.Fprintf(w, "  evidence: %s %d-%d: %s\n", q.DocID, s.Start, s.End, excerpt(string(src[s.Start:s.End]), 120))
		}
		spent := 0
		e := evidenceOf{q: q, chunks: chunks, gold: q.Spans.union()}
		for rank, i := range rankings[f.q] {
			c := &chunks[i]
			share := e.share(e.found(i))
			if rank < 3 || share > 0 {
				fmt.Fprintf(w, "  %3d. at %5d tokens, %3d: %3.0f%% %s [%s] %s\n", rank+1, spent, c.Tokens, 100*share, c.DocID, c.Context, excerpt(c.Text, 100))
			}
			spent += c.Tokens
		}
	}
	return nil
}

// excerpt returns the first n runes of text on one line.
func excerpt(text string, n int) string {
	runes := []rune(strings.Join(strings.Fields(text[:min(len(text), 8*n)]), " "))
	if len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return string(runes)
}
