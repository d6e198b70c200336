package pgvector

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/rank"
	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/inverted"
)

// Search searches. All it reads is of one moment.
func (s *Store) Search(ctx context.Context, q store.Query) (hits []store.Hit, err error) {
	if q, err = q.Resolve(); err != nil {
		return nil, err
	}
	err = s.view(ctx, func(tx pgx.Tx) error {
		hits, err = s.search(ctx, tx, q)
		return err
	})
	return hits, err
}

func (s *Store) search(ctx context.Context, tx pgx.Tx, q store.Query) ([]store.Hit, error) {
	allowed, err := allowedSlots(ctx, tx, q.Where)
	if err != nil {
		return nil, err
	}
	ranking, err := inverted.Rank(q,
		func(slots []int64) (map[int64]inverted.Place, error) { return places(ctx, tx, slots) },
		func(int) ([]inverted.Scored, error) { return s.keywords(ctx, tx, q.Text, allowed) },
		func(depth int) ([]inverted.Scored, error) { return nearest(ctx, tx, q, allowed, depth) })
	if err != nil {
		return nil, err
	}
	return hits(ctx, tx, ranking)
}

// allowedSlots returns the slots that a filter lets through; nil for all.
func allowedSlots(ctx context.Context, tx pgx.Tx, f store.Filter) (map[int64]bool, error) {
	if f == nil {
		return nil, nil
	}
	where := newCondition(f)
	rows, err := tx.Query(ctx, "SELECT slot FROM chunks WHERE "+where.sql.String(), where.args...)
	if err != nil {
		return nil, err
	}
	allowed := map[int64]bool{}
	var slot int64
	_, err = pgx.ForEachRow(rows, []any{&slot}, func() error { allowed[slot] = true; return nil })
	return allowed, err
}

// keywords scores the chunks that share a term with text.
func (s *Store) keywords(ctx context.Context, tx pgx.Tx, text string, allowed map[int64]bool) ([]inverted.Scored, error) {
	blocks, err := s.readBlocks(ctx, tx)
	if err != nil {
		return nil, err
	}
	var a rank.Analyzer
	terms := a.Terms(nil, text)
	lists := map[string]map[int64][]byte{}
	for _, term := range terms {
		lists[term] = map[int64][]byte{}
	}
	rows, err := tx.Query(ctx, "SELECT term, block, data FROM postings WHERE term = ANY ($1)", terms)
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var term string
		var number int64
		var data []byte
		if err := rows.Scan(&term, &number, &data); err != nil {
			return nil, err
		}
		lists[term][number] = data
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return blocks.Search(terms, lists, allowed)
}

// readBlocks returns the blocks as of tx, from memory where they are there.
// Nobody changes them.
func (s *Store) readBlocks(ctx context.Context, tx pgx.Tx) (inverted.Blocks, error) {
	var changes int64
	if err := tx.QueryRow(ctx, "SELECT changes FROM state").Scan(&changes); err != nil {
		return nil, err
	}
	s.mu.Lock()
	blocks, isSame := s.blocks, s.changes == changes
	s.mu.Unlock()
	if blocks != nil && isSame {
		return blocks, nil
	}
	rows, err := tx.Query(ctx, "SELECT block, live, terms, lengths FROM blocks")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	if blocks, err = inverted.ReadBlocks(rows); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.blocks, s.changes = blocks, changes
	s.mu.Unlock()
	return blocks, nil
}

// nearest returns the vectors nearest to the one asked for: by the index, or if
// not all are allowed, one by one.
func nearest(ctx context.Context, tx pgx.Tx, q store.Query, allowed map[int64]bool, depth int) ([]inverted.Scored, error) {
	var e embedder
	err := tx.QueryRow(ctx, "SELECT key, dim FROM embedders WHERE name = $1", q.Embedder).Scan(&e.key, &e.dim)
	if errors.Is(err, pgx.ErrNoRows) {
		bad := &store.EmbedderError{Want: q.Embedder}
		rows, err := tx.Query(ctx, "SELECT name FROM embedders ORDER BY name")
		if err == nil {
			bad.Have, err = pgx.CollectRows(rows, pgx.RowTo[string])
		}
		if err != nil {
			return nil, err
		}
		return nil, bad
	}
	if err != nil {
		return nil, err
	}
	if len(q.Vector) != e.dim {
		return nil, fmt.Errorf("the query's vector has %d floats, those of %s have %d", len(q.Vector), q.Embedder, e.dim)
	}
	settings := fmt.Sprintf("SET LOCAL hnsw.iterative_scan = strict_order; SET LOCAL hnsw.ef_search = %d", min(1000, max(100, 2*depth)))
	sql := "SELECT slot, -(vector <#> $1::real[]::vector) FROM " + vectorTable(e.key)
	args := []any{q.Vector, depth}
	if allowed != nil {
		settings = "SET LOCAL enable_indexscan = off"
		slots := make([]int64, 0, len(allowed))
		for slot := range allowed {
			slots = append(slots, slot)
		}
		sql += " WHERE slot = ANY ($3)"
		args = append(args, slots)
	}
	if _, err := tx.Exec(ctx, settings); err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, sql+" ORDER BY vector <#> $1::real[]::vector LIMIT $2", args...)
	if err != nil {
		return nil, err
	}
	var found []inverted.Scored
	var slot int64
	var score float64
	_, err = pgx.ForEachRow(rows, []any{&slot, &score}, func() error {
		found = append(found, inverted.Scored{Item: slot, Score: float32(score)})
		return nil
	})
	return found, err
}

func places(ctx context.Context, tx pgx.Tx, slots []int64) (map[int64]inverted.Place, error) {
	rows, err := tx.Query(ctx, "SELECT slot, doc_id, position FROM chunks WHERE slot = ANY ($1)", slots)
	if err != nil {
		return nil, err
	}
	at := make(map[int64]inverted.Place, len(slots))
	var slot int64
	var p inverted.Place
	_, err = pgx.ForEachRow(rows, []any{&slot, &p.Doc, &p.Position}, func() error { at[slot] = p; return nil })
	return at, err
}

// hits reads the records.
func hits(ctx context.Context, tx pgx.Tx, ranking []inverted.Scored) ([]store.Hit, error) {
	slots := make([]int64, len(ranking))
	at := make(map[int64]int, len(ranking))
	for i, r := range ranking {
		slots[i], at[r.Item] = r.Item, i
	}
	rows, err := tx.Query(ctx, "SELECT slot, record FROM records WHERE slot = ANY ($1)", slots)
	if err != nil {
		return nil, err
	}
	found := make([]store.Hit, len(ranking))
	var slot int64
	var record string
	_, err = pgx.ForEachRow(rows, []any{&slot, &record}, func() error {
		h := &found[at[slot]]
		h.Score = ranking[at[slot]].Score
		return json.Unmarshal([]byte(record), &h.Chunk)
	})
	return found, err
}

// Manifest returns all documents.
func (s *Store) Manifest(ctx context.Context) ([]store.Document, error) {
	rows, err := s.pool.Query(ctx, "SELECT id, root, hash, settings, embedder, size, modified, chunks FROM documents")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[store.Document])
}

// Get returns the chunks of these ids.
func (s *Store) Get(ctx context.Context, ids ...string) ([]chunker.Chunk, error) {
	return s.chunks(ctx, "SELECT r.record FROM unnest($1::text[]) WITH ORDINALITY e (id, n) JOIN chunks c USING (id) JOIN records r USING (slot) ORDER BY e.n", ids)
}

// Document returns the chunks of a document.
func (s *Store) Document(ctx context.Context, docID string) ([]chunker.Chunk, error) {
	return s.chunks(ctx, "SELECT r.record FROM documents d JOIN chunks c ON c.doc = d.key JOIN records r USING (slot) WHERE d.id = $1 ORDER BY c.position", docID)
}

func (s *Store) chunks(ctx context.Context, query string, arg any) ([]chunker.Chunk, error) {
	rows, err := s.pool.Query(ctx, query, arg)
	if err != nil {
		return nil, err
	}
	var all []chunker.Chunk
	var record string
	_, err = pgx.ForEachRow(rows, []any{&record}, func() error {
		var c chunker.Chunk
		err := json.Unmarshal([]byte(record), &c)
		all = append(all, c)
		return err
	})
	return all, err
}
