package eval

import (
	"cmp"
	"context"
)

// Options say how to evaluate. Retriever and Count must be given.
type Options struct {
	Retriever Retriever
	Count     func(text string) int // tokens, the unit of the budgets
	K         int                   // chunks that recall@k and its like look at; 0 means 5
}

// DefaultK is the default of Options.K.
const DefaultK = 5

// Evaluate searches the chunks with each question and measures the rankings.
// Tokens of the chunks are set. Values are by question, then as Measures names
// them; Missing where a question does not have a measure.
func Evaluate(ctx context.Context, set *Set, chunks []Chunk, opt Options) ([][]float64, error) {
	opt.K = cmp.Or(opt.K, DefaultK)
	rankings, err := rankAll(ctx, set, chunks, opt)
	if err != nil {
		return nil, err
	}
	values := make([][]float64, len(rankings))
	for i, ranking := range rankings {
		values[i] = measure(&set.Questions[i], chunks, ranking, opt.K)
	}
	return values, nil
}

// rankAll counts the chunks and ranks them for each question, best first.
func rankAll(ctx context.Context, set *Set, chunks []Chunk, opt Options) ([][]int, error) {
	for i := range chunks {
		chunks[i].Tokens = opt.Count(chunks[i].Full())
	}
	questions := make([]string, len(set.Questions))
	for i := range set.Questions {
		questions[i] = set.Questions[i].Question
	}
	score, err := opt.Retriever.Index(ctx, chunks, questions)
	if err != nil {
		return nil, err
	}
	candidates := newCandidates(set, chunks)
	scores := make([]float32, len(chunks))
	rankings := make([][]int, len(questions))
	for i := range rankings {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		among := candidates.of(&set.Questions[i])
		score(i, among, scores)
		rankings[i] = ranked(scores, among)
	}
	return rankings, nil
}

// candidates knows which chunks a question searches.
type candidates struct {
	set   *Set
	all   []int
	byDoc map[string][]int
}

func newCandidates(set *Set, chunks []Chunk) *candidates {
	c := &candidates{set: set, byDoc: map[string][]int{}}
	for i := range chunks {
		c.all = append(c.all, i)
		c.byDoc[chunks[i].DocID] = append(c.byDoc[chunks[i].DocID], i)
	}
	return c
}

func (c *candidates) of(q *Question) []int {
	from := c.all
	if c.set.Scope == ScopeDocument {
		from = c.byDoc[q.DocID]
	}
	if len(q.Exclude) == 0 {
		return from
	}
	excluded := map[int]bool{}
	for _, d := range q.Exclude {
		for _, i := range c.byDoc[d] {
			excluded[i] = true
		}
	}
	var out []int
	for _, i := range from {
		if !excluded[i] {
			out = append(out, i)
		}
	}
	return out
}
