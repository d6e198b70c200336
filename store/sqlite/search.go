package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/rank"
	"github.com/cantle/cantle/store"
)

// Search searches. All it reads is of one moment.
func (s *Store) Search(ctx context.Context, q store.Query) (hits []store.Hit, err error) {
	if q, err = q.Resolve(); err != nil {
		return nil, err
	}
	for {
		err = s.view(ctx, func(tx *sql.Tx) error {
			hits, err = s.search(ctx, tx, q)
			return err
		})
		if !errors.Is(err, errOutdated) {
			return hits, err
		}
	}
}

// scored is a chunk by its slot.
type scored = rank.Scored[int64]

func (s *Store) search(ctx context.Context, tx *sql.Tx, q store.Query) ([]store.Hit, error) {
	blocks, corpus, err := readBlocks(ctx, tx)
	if err != nil {
		return nil, err
	}
	allowed, err := allowedSlots(ctx, tx, q.Where)
	if err != nil {
		return nil, err
	}
	depth := q.Top
	if q.Text != "" && q.Vector != nil {
		depth = max(depth, store.FusionDepth)
	}
	var rankings [][]scored
	if q.Text != "" {
		found, err := keywords(ctx, tx, blocks, corpus, q.Text, allowed)
		if err == nil {
			found, err = best(ctx, tx, found, depth)
		}
		if err != nil {
			return nil, err
		}
		rankings = append(rankings, found)
	}
	if q.Vector != nil {
		found, err := s.nearest(ctx, tx, blocks, q, allowed)
		if err == nil {
			found, err = best(ctx, tx, found, depth)
		}
		if err != nil {
			return nil, err
		}
		rankings = append(rankings, found)
	}
	if len(rankings) == 1 {
		return hits(ctx, tx, rankings[0])
	}
	fused, err := fuse(ctx, tx, rankings, q.Top)
	if err != nil {
		return nil, err
	}
	return hits(ctx, tx, fused)
}

// allowedSlots returns the slots that a filter lets through; nil for all.
func allowedSlots(ctx context.Context, tx *sql.Tx, f store.Filter) (map[int64]bool, error) {
	if f == nil {
		return nil, nil
	}
	where, err := newCondition(f)
	if err != nil {
		return nil, err
	}
	rows, err := tx.QueryContext(ctx, "SELECT slot FROM chunks WHERE "+where.sql.String(), where.args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	allowed := map[int64]bool{}
	for rows.Next() {
		var slot int64
		if err := rows.Scan(&slot); err != nil {
			return nil, err
		}
		allowed[slot] = true
	}
	return allowed, rows.Err()
}

// keywords scores the chunks that share a term with text. What a term weighs
// comes of all chunks, whatever is allowed.
func keywords(ctx context.Context, tx *sql.Tx, blocks map[int64]*block, corpus rank.Corpus, text string, allowed map[int64]bool) ([]scored, error) {
	var a rank.Analyzer
	terms := a.Terms(nil, text)
	lists := map[string]map[int64][]byte{}
	weights := map[string]float32{}
	stmt, err := tx.PrepareContext(ctx, "SELECT b.block, p.data FROM blocks b CROSS JOIN postings p ON p.block = b.block AND p.term = ?")
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	for _, term := range terms {
		if _, ok := lists[term]; ok {
			continue
		}
		list, err := postings(ctx, stmt, term)
		if err != nil {
			return nil, err
		}
		n := 0
		for number, data := range list {
			if err := blocks[number].postings(data, func(int, int, int) { n++ }); err != nil {
				return nil, err
			}
		}
		lists[term], weights[term] = list, corpus.IDF(n)
	}
	var found []scored
	mean := corpus.Mean()
	scores := make([]float32, blockSlots)
	for number, b := range blocks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		clear(scores)
		for _, term := range terms { // in this order, and each as often as it is asked for: so are the sums of eval
			weight := weights[term]
			b.postings(lists[term][number], func(slot, times, length int) {
				scores[slot] += rank.Weight(weight, times, length, mean)
			})
		}
		for i, score := range scores {
			if slot := number*blockSlots + int64(i); score > 0 && (allowed == nil || allowed[slot]) {
				found = append(found, scored{Item: slot, Score: score})
			}
		}
	}
	return found, nil
}

// postings returns the data of a term by block.
func postings(ctx context.Context, stmt *sql.Stmt, term string) (map[int64][]byte, error) {
	rows, err := stmt.QueryContext(ctx, term)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := map[int64][]byte{}
	for rows.Next() {
		var number int64
		var data []byte
		if err := rows.Scan(&number, &data); err != nil {
			return nil, err
		}
		list[number] = data
	}
	return list, rows.Err()
}

// best returns the n best, in order. It reorders found.
func best(ctx context.Context, tx *sql.Tx, found []scored, n int) ([]scored, error) {
	if len(found) > n {
		// All that score like the last one stay, for ties go by document.
		least := threshold(found, n)
		found = slices.DeleteFunc(found, func(f scored) bool { return f.Score < least })
	}
	slices.SortFunc(found, func(x, y scored) int { return cmp.Compare(y.Score, x.Score) })
	var tied []int64
	for i := range found {
		if i > 0 && found[i].Score == found[i-1].Score || i+1 < len(found) && found[i].Score == found[i+1].Score {
			tied = append(tied, found[i].Item)
		}
	}
	at, err := places(ctx, tx, tied)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(x, y scored) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), at[x.Item].compare(at[y.Item]))
	})
	return found[:min(n, len(found))], nil
}

// threshold returns the score of the nth best of more than n, n at least 1.
func threshold(found []scored, n int) float32 {
	heap := make([]float32, 0, n) // the best so far, the least of them first
	for _, f := range found {
		switch {
		case len(heap) < n:
			heap = append(heap, f.Score)
			for i := len(heap) - 1; i > 0 && heap[i] < heap[(i-1)/2]; i = (i - 1) / 2 {
				heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
			}
		case f.Score > heap[0]:
			heap[0] = f.Score
			for i := 0; ; {
				least := i
				for _, child := range [2]int{2*i + 1, 2*i + 2} {
					if child < n && heap[child] < heap[least] {
						least = child
					}
				}
				if least == i {
					break
				}
				heap[i], heap[least] = heap[least], heap[i]
				i = least
			}
		}
	}
	return heap[0]
}

// fuse makes one ranking of several.
func fuse(ctx context.Context, tx *sql.Tx, rankings [][]scored, n int) ([]scored, error) {
	lists := make([][]int64, len(rankings))
	for i, r := range rankings {
		for _, f := range r {
			lists[i] = append(lists[i], f.Item)
		}
	}
	return best(ctx, tx, rank.Fuse(cmp.Compare[int64], lists...), n)
}

// A place orders chunks of equal score.
type place struct {
	doc      string
	position int
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.doc, q.doc), cmp.Compare(p.position, q.position))
}

func places(ctx context.Context, tx *sql.Tx, slots []int64) (map[int64]place, error) {
	at := make(map[int64]place, len(slots))
	if len(slots) == 0 {
		return at, nil
	}
	list, _ := json.Marshal(slots) // numbers: cannot fail
	rows, err := tx.QueryContext(ctx, "SELECT slot, doc_id, position FROM chunks WHERE slot IN (SELECT value FROM json_each(?))", string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var slot int64
		var p place
		if err := rows.Scan(&slot, &p.doc, &p.position); err != nil {
			return nil, err
		}
		at[slot] = p
	}
	return at, rows.Err()
}

// hits reads the records.
func hits(ctx context.Context, tx *sql.Tx, ranking []scored) ([]store.Hit, error) {
	found := make([]store.Hit, len(ranking))
	for i, r := range ranking {
		var record []byte
		if err := tx.QueryRowContext(ctx, "SELECT record FROM records WHERE slot = ?", r.Item).Scan(&record); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(record, &found[i].Chunk); err != nil {
			return nil, err
		}
		found[i].Score = r.Score
	}
	return found, nil
}

// Manifest returns all documents.
func (s *Store) Manifest(ctx context.Context) ([]store.Document, error) {
	rows, err := s.read.QueryContext(ctx, "SELECT id, root, hash, settings, embedder, size, modified, chunks FROM documents")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []store.Document
	for rows.Next() {
		var d store.Document
		if err := rows.Scan(&d.ID, &d.Root, &d.Hash, &d.Settings, &d.Embedder, &d.Size, &d.Modified, &d.Chunks); err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, rows.Err()
}

// Get returns the chunks of these ids.
func (s *Store) Get(ctx context.Context, ids ...string) ([]chunker.Chunk, error) {
	list, _ := json.Marshal(ids) // strings: cannot fail
	return s.chunks(ctx, "SELECT r.record FROM json_each(?) e JOIN chunks c ON c.id = e.value JOIN records r ON r.slot = c.slot ORDER BY e.key", string(list))
}

// Document returns the chunks of a document.
func (s *Store) Document(ctx context.Context, docID string) ([]chunker.Chunk, error) {
	return s.chunks(ctx, "SELECT r.record FROM documents d JOIN chunks c ON c.doc = d.key JOIN records r ON r.slot = c.slot WHERE d.id = ? ORDER BY c.position", docID)
}

func (s *Store) chunks(ctx context.Context, query string, arg string) ([]chunker.Chunk, error) {
	rows, err := s.read.QueryContext(ctx, query, arg)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []chunker.Chunk
	for rows.Next() {
		var record []byte
		if err := rows.Scan(&record); err != nil {
			return nil, err
		}
		var c chunker.Chunk
		if err := json.Unmarshal(record, &c); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, rows.Err()
}
