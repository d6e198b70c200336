package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

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

func (s *Store) search(ctx context.Context, tx *sql.Tx, q store.Query) ([]store.Hit, error) {
	blocks, err := readBlocks(ctx, tx)
	if err != nil {
		return nil, err
	}
	allowed, err := allowedSlots(ctx, tx, q.Where)
	if err != nil {
		return nil, err
	}
	ranking, err := inverted.Rank(q,
		func(slots []int64) (map[int64]inverted.Place, error) { return places(ctx, tx, slots) },
		func(int) ([]inverted.Scored, error) { return keywords(ctx, tx, blocks, q.Text, allowed) },
		func(int) ([]inverted.Scored, error) { return s.nearest(ctx, tx, blocks, q, allowed) })
	if err != nil {
		return nil, err
	}
	return hits(ctx, tx, ranking)
}

// allowedSlots returns the slots that a filter lets through; nil for all.
func allowedSlots(ctx context.Context, tx *sql.Tx, f store.Filter) (map[int64]bool, error) {
	if f == nil {
		return nil, nil
	}
	where := newCondition(f)
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

// keywords scores the chunks that share a term with text.
func keywords(ctx context.Context, tx *sql.Tx, blocks inverted.Blocks, text string, allowed map[int64]bool) ([]inverted.Scored, error) {
	var a rank.Analyzer
	terms := a.Terms(nil, text)
	lists := map[string]map[int64][]byte{}
	stmt, err := tx.PrepareContext(ctx, "SELECT b.block, p.data FROM blocks b CROSS JOIN postings p ON p.block = b.block AND p.term = ?")
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	for _, term := range terms {
		if _, ok := lists[term]; ok {
			continue
		}
		if lists[term], err = postings(ctx, stmt, term); err != nil {
			return nil, err
		}
	}
	return blocks.Search(terms, lists, allowed)
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

func places(ctx context.Context, tx *sql.Tx, slots []int64) (map[int64]inverted.Place, error) {
	at := make(map[int64]inverted.Place, len(slots))
	list, _ := json.Marshal(slots) // numbers: cannot fail
	rows, err := tx.QueryContext(ctx, "SELECT slot, doc_id, position FROM chunks WHERE slot IN (SELECT value FROM json_each(?))", string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var slot int64
		var p inverted.Place
		if err := rows.Scan(&slot, &p.Doc, &p.Position); err != nil {
			return nil, err
		}
		at[slot] = p
	}
	return at, rows.Err()
}

// hits reads the records.
func hits(ctx context.Context, tx *sql.Tx, ranking []inverted.Scored) ([]store.Hit, error) {
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
