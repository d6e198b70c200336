package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/cantle/cantle/embed"
	"github.com/cantle/cantle/rank"
	"github.com/cantle/cantle/tables"
)

// A Retriever says how well chunks match questions.
type Retriever interface {
	Name() string
	// Index prepares chunks to be searched with questions. The Scorer may be
	// called from one goroutine at a time.
	Index(ctx context.Context, chunks []Chunk, questions []string) (Scorer, error)
}

// A Scorer sets the scores of the chunks among for question number q: the
// higher, the better one matches; -Inf for one that a search would not return.
type Scorer func(q int, among []int, scores []float32)

var unfound = float32(math.Inf(-1)) // a score

// maxRanked is how many chunks of a ranking are looked at.
const maxRanked = 400

// ranked returns the candidates by falling score, those of equal score in their
// order, at most maxRanked.
func ranked(scores []float32, candidates []int) []int {
	order := slices.Clone(candidates)
	sortByScore(order, scores)
	return order[:min(len(order), maxRanked)]
}

func sortByScore(order []int, scores []float32) {
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(scores[j], scores[i]) })
}

// Dense ranks by the cosine of vectors.
type Dense struct {
	Embedder embed.Embedder
	TextOnly bool // the context is not embedded; it is paid for all the same
	Facts    bool // rows of tables are embedded as facts: see [tables.AsFacts]; they are paid for as they stand
}

// Name is the embedder's, and how it is used.
func (d Dense) Name() string {
	name := d.Embedder.Name()
	if d.TextOnly {
		name += " without context"
	}
	if d.Facts {
		name += " of facts"
	}
	return name
}

// Index embeds the chunks and the questions.
func (d Dense) Index(ctx context.Context, chunks []Chunk, questions []string) (Scorer, error) {
	texts := make([]string, len(chunks))
	for i := range chunks {
		texts[i] = chunks[i].Text
		if !d.TextOnly {
			texts[i] = chunks[i].Full()
		}
		if d.Facts {
			texts[i] = tables.AsFacts(texts[i])
		}
	}
	of, err := d.Embedder.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	asked, err := d.Embedder.Embed(ctx, questions)
	if err != nil {
		return nil, err
	}
	return func(q int, among []int, scores []float32) {
		for _, i := range among {
			scores[i] = dot(of[i], asked[q])
		}
	}, nil
}

func dot(a, b []float32) float32 {
	var sum float32
	for i, x := range a {
		sum += float32(x * b[i])
	}
	return sum
}

// Hybrid fuses what others find by reciprocal rank, as the stores do.
type Hybrid []Retriever

// Name joins the names of the others with a plus.
func (h Hybrid) Name() string {
	name := ""
	for i, r := range h {
		if i > 0 {
			name += "+"
		}
		name += r.Name()
	}
	return name
}

// Index indexes the chunks for each of the others.
func (h Hybrid) Index(ctx context.Context, chunks []Chunk, questions []string) (Scorer, error) {
	scorers := make([]Scorer, len(h))
	for i, r := range h {
		var err error
		if scorers[i], err = r.Index(ctx, chunks, questions); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name(), err)
		}
	}
	part := make([]float32, len(chunks))
	return func(q int, among []int, scores []float32) {
		rankings := make([][]int, len(scorers))
		for k, score := range scorers {
			score(q, among, part)
			for _, i := range among {
				if part[i] != unfound {
					rankings[k] = append(rankings[k], i)
				}
			}
			sortByScore(rankings[k], part)
			rankings[k] = rankings[k][:min(len(rankings[k]), rank.FusionDepth)]
		}
		for _, i := range among {
			scores[i] = unfound
		}
		for _, found := range rank.Fuse(cmp.Compare[int], rankings...) {
			scores[found.Item] = found.Score
		}
	}, nil
}
