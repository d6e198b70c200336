package eval

import (
	"context"

	"github.com/cantle/cantle/rank"
)

// BM25 ranks by the words that question and chunk, context included, share,
// weighted by Okapi's formula. The index is a small exact one of its own and not bleve's: that
// rounds the lengths of texts to a byte, which moves chunks about, and an
// evaluation must not depend on the rounding of an index.
type BM25 struct {
	// Facts indexes the rows of tables as facts too, as the stores of cantle do:
	// see [rank.Analyzer.Index].
	Facts bool
}

// Name is "bm25", or with Facts "keyword".
func (r BM25) Name() string {
	if r.Facts {
		return "keyword"
	}
	return "bm25"
}

// Index indexes the chunks.
func (r BM25) Index(ctx context.Context, chunks []Chunk, questions []string) (Scorer, error) {
	v, words := vocabulary{}, &rank.Analyzer{}
	terms := words.Terms
	if r.Facts {
		terms = words.Index
	}
	lists, lengths, err := count(ctx, v, terms, chunks)
	if err != nil {
		return nil, err
	}
	corpus := rank.Corpus{Texts: len(chunks)}
	for _, n := range lengths {
		corpus.Terms += n
	}
	mean := corpus.Mean()
	for id := range lists {
		idf := corpus.IDF(len(lists[id]))
		for k := range lists[id] {
			p := &lists[id][k]
			p.weight = rank.Weight(idf, int(p.weight), lengths[p.chunk], mean)
		}
	}
	asked := make([][]int32, len(questions))
	var said []string
	for q, text := range questions {
		said = words.Terms(said[:0], text)
		for _, t := range said {
			if id := v.id(t, false); id >= 0 {
				asked[q] = append(asked[q], id)
			}
		}
	}
	return func(q int, among []int, scores []float32) {
		clear(scores)
		for _, id := range asked[q] {
			for _, p := range lists[id] {
				scores[p.chunk] += p.weight
			}
		}
		for _, i := range among {
			if scores[i] == 0 {
				scores[i] = unfound
			}
		}
	}, nil
}

// A posting says that a term is in a chunk: how often, then how much it weighs.
type posting struct {
	chunk  int32
	weight float32
}

// count returns for each term the chunks it is in, in order, and for each chunk
// its number of terms.
func count(ctx context.Context, v vocabulary, terms func(dst []string, text string) []string, chunks []Chunk) (lists [][]posting, lengths []int, err error) {
	lengths = make([]int, len(chunks))
	var said []string
	for i := range chunks {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		said = terms(said[:0], chunks[i].Full())
		lengths[i] = len(said)
		for _, t := range said {
			id := v.id(t, true)
			if int(id) == len(lists) {
				lists = append(lists, nil)
			}
			list := &lists[id]
			if last := len(*list) - 1; last >= 0 && (*list)[last].chunk == int32(i) {
				(*list)[last].weight++
			} else {
				*list = append(*list, posting{int32(i), 1})
			}
		}
	}
	return lists, lengths, nil
}
