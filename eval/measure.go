package eval

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Budgets are the numbers of tokens at which recall is measured.
var Budgets = []int{500, 1000, 2000, 4000}

// Missing stands for a measure that a question does not have.
var Missing = math.NaN()

// fullAt is the budget at which evidence is asked to be whole, fullShare the
// share of it that counts as whole.
const (
	fullAt    = 2000
	fullShare = 0.95
	gainRanks = 10 // ndcg@10
)

// Measures returns the names of the measures, in the order of reports, with the
// first k chunks looked at where a number of chunks is.
//
//	auc_t        mean of recall at the four budgets: the one number to compare by
//	recall@Bt    share of the evidence in the first B tokens of the ranking; the last chunk is cut
//	self@Bt      the same, but evidence counts only in a chunk that has what the question needs: column heads
//	full@2000t   1 where 95 % of the evidence is in the first 2,000 tokens
//	recall@k     share of the evidence in the first k chunks; rewards large chunks
//	precision@k  share of the first k chunks that is evidence; rewards small ones
//	iou@k        evidence found, over the evidence and the first k chunks together
//	hit@k        1 where any evidence is in the first k chunks
//	repeat@k     share of the first k chunks that stand for no more than those above them do
//	mrr          1/rank of the first chunk with evidence, 0 where there is none
//	ndcg@10      gain of a chunk is the share of the evidence it adds; all in the first is 1
func Measures(k int) []string {
	names := []string{"auc_t"}
	for _, b := range Budgets {
		names = append(names, atTokens("recall", b))
	}
	for _, b := range Budgets {
		names = append(names, atTokens("self", b))
	}
	names = append(names, atTokens("full", fullAt))
	for _, n := range []string{"recall", "precision", "iou", "hit", "repeat"} {
		names = append(names, fmt.Sprintf("%s@%d", n, k))
	}
	return append(names, "mrr", fmt.Sprintf("ndcg@%d", gainRanks))
}

func atTokens(name string, budget int) string { return fmt.Sprintf("%s@%dt", name, budget) }

// measure returns the measures of one ranking, as Measures names them.
func measure(q *Question, chunks []Chunk, ranking []int, k int) []float64 {
	e := evidenceOf{q: q, chunks: chunks, gold: q.Spans.union()}
	var values []float64
	sum, whole := 0.0, 0.0
	var alone []float64
	for _, b := range Budgets {
		all, self := e.atBudget(ranking, b)
		values, alone = append(values, all), append(alone, self)
		sum += all
		if b == fullAt && all >= fullShare {
			whole = 1
		}
	}
	values = append([]float64{sum / float64(len(Budgets))}, values...)
	values = append(append(values, alone...), whole)
	values = append(values, e.atRank(ranking[:min(k, len(ranking))])...)
	return append(values, e.firstRank(ranking), e.gain(ranking[:min(gainRanks, len(ranking))]))
}

// evidenceOf measures how much of a question's evidence chunks hold.
type evidenceOf struct {
	q      *Question
	chunks []Chunk
	gold   Spans
}

func (e *evidenceOf) share(s Spans) float64 {
	return float64(s.size()) / float64(max(e.gold.size(), 1))
}

// found returns the evidence in chunk i.
func (e *evidenceOf) found(i int) Spans {
	if e.chunks[i].DocID != e.q.DocID {
		return nil
	}
	return e.chunks[i].Spans.and(e.gold)
}

// atBudget reads the ranking until budget tokens are spent and returns the share
// of the evidence read, and of that in chunks that have what it needs.
func (e *evidenceOf) atBudget(ranking []int, budget int) (all, self float64) {
	var seen, readable Spans
	for _, i := range ranking {
		if budget <= 0 {
			break
		}
		c := &e.chunks[i]
		read := c.Spans
		if c.Tokens > budget {
			read = c.Spans.first(float64(c.Spans.size()) * (float64(budget) / float64(c.Tokens)))
		}
		budget -= c.Tokens
		if c.DocID != e.q.DocID {
			continue
		}
		if hit := read.and(e.gold); len(hit) > 0 {
			seen = append(seen, hit...)
			if e.hasNeeds(c) {
				readable = append(readable, hit...)
			}
		}
	}
	self = Missing
	if len(e.q.Needs) > 0 {
		self = e.share(readable.union())
	}
	return e.share(seen.union()), self
}

func (e *evidenceOf) hasNeeds(c *Chunk) bool {
	full := c.Full()
	return !slices.ContainsFunc(e.q.Needs, func(n string) bool { return !strings.Contains(full, n) })
}

// atRank returns recall, precision, intersection over union, hit and repeat of
// the top chunks.
func (e *evidenceOf) atRank(top []int) []float64 {
	var seen Spans
	shown, repeated := 0, 0
	above := map[string]Spans{}
	for _, i := range top {
		c := &e.chunks[i]
		seen = append(seen, e.found(i)...)
		shown += c.Spans.size()
		if above[c.DocID].and(c.Spans).size() == c.Spans.size() {
			repeated++
		}
		above[c.DocID] = append(above[c.DocID], c.Spans...).union()
	}
	got := seen.union().size()
	hit := 0.0
	if got > 0 {
		hit = 1
	}
	return []float64{
		e.share(seen.union()),
		ratio(got, shown),
		ratio(got, shown+e.gold.size()-got),
		hit,
		ratio(repeated, len(top)),
	}
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func (e *evidenceOf) firstRank(ranking []int) float64 {
	n := slices.IndexFunc(ranking, func(i int) bool { return len(e.found(i)) > 0 })
	return ratio(1, n+1)
}

func (e *evidenceOf) gain(ranking []int) float64 {
	var seen Spans
	sum, before := 0.0, 0.0
	for n, i := range ranking {
		seen = append(seen, e.found(i)...).union()
		now := e.share(seen)
		sum += (now - before) / math.Log2(float64(n+2))
		before = now
	}
	return sum
}
