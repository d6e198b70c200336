package chroma

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/rank"
	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/coarse"
)

// Search searches. What it finds is of one moment.
func (s *Store) Search(ctx context.Context, q store.Query) ([]store.Hit, error) {
	q, err := q.Resolve()
	if err != nil {
		return nil, err
	}
	if q.Vector != nil {
		if err := s.checkVector(ctx, q); err != nil {
			return nil, err
		}
	}
	var rankings [][]store.Hit
	err = s.steady(ctx, func() error {
		rankings, err = s.rankings(ctx, q)
		return err
	})
	return fused(rankings, q.Top), err
}

// rankings returns the hits by words, by the vector, or of both.
func (s *Store) rankings(ctx context.Context, q store.Query) ([][]store.Hit, error) {
	var searches []func(context.Context, store.Query, int) ([]found, error)
	if q.Text != "" {
		searches = append(searches, s.keywords)
	}
	if q.Vector != nil {
		searches = append(searches, s.nearest)
	}
	depth := q.Top
	if len(searches) > 1 {
		depth = max(depth, 200)
	}
	lists := make([][]found, len(searches))
	documents := map[string]bool{}
	for i, search := range searches {
		var err error
		if lists[i], err = search(ctx, q, depth); err != nil {
			return nil, err
		}
		for _, r := range lists[i] {
			documents[r.hit.DocID] = true
		}
	}
	now, err := s.lines(ctx, slices.Collect(maps.Keys(documents)))
	if err != nil {
		return nil, err
	}
	rankings := make([][]store.Hit, len(lists))
	for i, rows := range lists {
		for _, r := range rows {
			if r.generation == now[r.hit.DocID].generation {
				rankings[i] = append(rankings[i], r.hit)
			}
		}
	}
	return rankings, nil
}

// found is a hit of some generation.
type found struct {
	hit        store.Hit
	generation string
}

func fused(rankings [][]store.Hit, top int) []store.Hit {
	if len(rankings) == 1 {
		return rankings[0][:min(top, len(rankings[0]))]
	}
	byID := map[string]store.Hit{}
	lists := make([][]string, len(rankings))
	for i, hits := range rankings {
		for _, h := range hits {
			byID[h.ID] = h
			lists[i] = append(lists[i], h.ID)
		}
	}
	var all []store.Hit
	for _, f := range rank.Fuse(func(a, b string) int { x, y := byID[a], byID[b]; return byPlace(&x.Chunk, &y.Chunk) }, lists...) {
		h := byID[f.Item]
		h.Score = f.Score
		all = append(all, h)
	}
	return all[:min(top, len(all))]
}

func byPlace(a, b *chunker.Chunk) int {
	return cmp.Or(cmp.Compare(a.DocID, b.DocID), cmp.Compare(a.Index, b.Index), cmp.Compare(a.ID, b.ID))
}

func sortHits(rows []found) {
	slices.SortStableFunc(rows, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.hit.Score, a.hit.Score), byPlace(&a.hit.Chunk, &b.hit.Chunk))
	})
}

// checkVector says why a vector cannot be searched with.
func (s *Store) checkVector(ctx context.Context, q store.Query) error {
	id, err := s.collection(ctx, q.Embedder, false)
	if err != nil || id != "" && q.Embedder != "" {
		return err
	}
	bad := &store.EmbedderError{Want: q.Embedder}
	all, err := s.client.list(ctx, s.name+"-")
	for _, c := range all {
		if e, _ := c.Metadata["embedder"].(string); e != "" {
			bad.Have = append(bad.Have, e)
		}
	}
	if err != nil {
		return err
	}
	return bad
}

// nearest asks for more and more, until enough of what comes is let through.
func (s *Store) nearest(ctx context.Context, q store.Query, depth int) ([]found, error) {
	collection, err := s.collection(ctx, q.Embedder, false)
	if err != nil {
		return nil, err
	}
	for n := 2*depth + 10; ; n *= 4 {
		var a struct {
			IDs       [][]string
			Metadatas [][]map[string]any
			Distances [][]float32
		}
		err := s.client.call(ctx, "POST", "/collections/"+collection+"/query", map[string]any{"query_embeddings": [][]float32{q.Vector}, "n_results": n,
			"where": pushed(q.Where), "include": []string{"metadatas", "distances"}}, &a)
		if err != nil {
			return nil, err
		}
		if len(a.IDs) != 1 || len(a.Metadatas) != 1 || len(a.Distances) != 1 {
			return nil, fmt.Errorf("the server's answer has no results")
		}
		var rows []found
		for i, id := range a.IDs[0] {
			r := record{id: id, metadata: a.Metadatas[0][i], score: 1 - a.Distances[0][i]}
			if rows, err = r.through(q.Where, rows); err != nil {
				return nil, err
			}
		}
		if len(a.IDs[0]) < n || len(rows) >= 2*depth {
			sortHits(rows)
			return rows, nil
		}
	}
}

// through appends r to rows if the filter lets it through. One that is being
// written or deleted may come without its metadata.
func (r *record) through(f store.Filter, rows []found) ([]found, error) {
	if r.metadata == nil {
		return rows, nil
	}
	c, _, err := r.chunk()
	if err != nil {
		return rows, err
	}
	if store.Searchable(&c) && (f == nil || f.Match(&c)) {
		rows = append(rows, found{store.Hit{Chunk: c, Score: r.score}, r.generation()})
	}
	return rows, nil
}

// pushed returns what Chroma is asked of a filter; nil is all.
func pushed(f store.Filter) any { return asked(coarse.Filter(f)) }

func asked(f store.Filter) any {
	switch f := f.(type) {
	case store.And:
		return group("$and", f)
	case store.Or:
		return group("$or", f)
	case store.Compare:
		return equal(f.Field, f.Value)
	}
	return nil
}

func group(op string, parts []store.Filter) any {
	all := make([]any, len(parts))
	for i, p := range parts {
		all[i] = asked(p)
	}
	return map[string]any{op: all}
}

const (
	maxCandidates = 500   // chunks that are ranked by their words
	maxHolding    = 20000 // chunks that a word is counted in
)

// keywords ranks the chunks that hold the rarest words of the query.
func (s *Store) keywords(ctx context.Context, q store.Query, depth int) ([]found, error) {
	collections, err := s.chunks(ctx)
	if err != nil {
		return nil, err
	}
	type place struct{ collection, id string }
	holding := map[string][]place{} // by pattern
	for _, pattern := range patterns(q.Text) {
		for _, c := range collections {
			ids, err := s.client.ids(ctx, c.ID, query{Where: both(pushed(q.Where), equal("searchable", true)), WhereDocument: contains(pattern), Limit: maxHolding})
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				holding[pattern] = append(holding[pattern], place{c.ID, id})
			}
		}
	}
	rarest := slices.SortedFunc(maps.Keys(holding), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(holding[a]), len(holding[b])), cmp.Compare(a, b))
	})
	wanted := map[string][]string{} // ids by collection
	seen := map[place]bool{}
	for _, pattern := range rarest {
		for _, p := range holding[pattern] {
			if !seen[p] && len(seen) < maxCandidates {
				seen[p] = true
				wanted[p.collection] = append(wanted[p.collection], p.id)
			}
		}
	}
	var rows []found
	for collection, ids := range wanted {
		err := s.client.each(ctx, collection, query{IDs: ids}, func(r record) (err error) {
			rows, err = r.through(q.Where, rows)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	rows = score(q.Text, rows)
	return rows[:min(len(rows), 2*depth+100)], nil
}

func both(a any, b map[string]any) any {
	if a == nil {
		return b
	}
	return map[string]any{"$and": []any{a, b}}
}

// patterns returns what the texts hold that have a term of the query: the part
// that a word and its stem have in common, and pairs of Chinese characters.
func patterns(text string) []string {
	var a rank.Analyzer
	var list []string
	lower := strings.ToLower(text)
	for _, term := range a.Terms(nil, text) {
		for !strings.Contains(lower, term) && len(term) > 1 {
			_, n := utf8.DecodeLastRuneInString(term)
			term = term[:len(term)-n]
		}
		if !slices.Contains(list, term) {
			list = append(list, term)
		}
	}
	return list
}

// contains asks for a pattern in the usual cases; Chroma tells them apart.
func contains(pattern string) any {
	forms := []string{pattern}
	if pattern[0] < utf8.RuneSelf { // a term is never empty
		forms = slices.Compact(append(forms, strings.ToUpper(pattern[:1])+pattern[1:], strings.ToUpper(pattern)))
	}
	if len(forms) == 1 {
		return map[string]any{"$contains": pattern}
	}
	var cases []any
	for _, p := range forms {
		cases = append(cases, map[string]any{"$contains": p})
	}
	return map[string]any{"$or": cases}
}

// score ranks rows by BM25 among themselves, those that share no term left out.
func score(query string, rows []found) []found {
	var a rank.Analyzer
	asked := a.Terms(nil, query)
	counts := make([]map[string]int, len(rows))
	lengths := make([]int, len(rows))
	corpus := rank.Corpus{Texts: len(rows)}
	holding := map[string]int{}
	for i := range rows {
		terms := a.Index(nil, rows[i].hit.Embedded())
		lengths[i] = len(terms)
		corpus.Terms += len(terms)
		counts[i] = map[string]int{}
		for _, t := range terms {
			counts[i][t]++
		}
		for t := range counts[i] {
			holding[t]++
		}
	}
	mean := corpus.Mean()
	var out []found
	for i := range rows {
		var sum float32
		for _, t := range asked {
			if n := counts[i][t]; n > 0 {
				sum += rank.Weight(corpus.IDF(holding[t]), n, lengths[i], mean)
			}
		}
		if sum > 0 && !math.IsNaN(float64(sum)) {
			rows[i].hit.Score = sum
			out = append(out, rows[i])
		}
	}
	sortHits(out)
	return out
}
