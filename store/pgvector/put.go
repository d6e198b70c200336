package pgvector

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/inverted"
	"github.com/cantle/cantle/store/internal/prepare"
)

// Put puts the documents in one transaction. A chunk whose id, text, context and
// vector are as they were keeps its slot.
func (s *Store) Put(ctx context.Context, entries ...store.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	documents, err := prepare.Documents(ctx, entries)
	if err != nil {
		return err
	}
	return s.writing(ctx, func(w *writer) error {
		for i := range documents {
			if err := w.put(&documents[i]); err != nil {
				return fmt.Errorf("%s: %w", documents[i].ID, err)
			}
		}
		return nil
	})
}

// Delete removes the documents in one transaction.
func (s *Store) Delete(ctx context.Context, docIDs ...string) error {
	if len(docIDs) == 0 {
		return nil
	}
	return s.writing(ctx, func(w *writer) error {
		for _, id := range docIDs {
			if err := w.delete(id); err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
		}
		return nil
	})
}

// A writer is a transaction that writes. What it collects goes to the server
// by COPY, at the end.
type writer struct {
	ctx   context.Context
	tx    pgx.Tx
	index inverted.Writer
	metas map[string]int64

	embedders map[string]embedder
	removed   []int64
	redone    []int64 // slots whose rows are written anew, their vectors kept
	chunks    [][]any
	records   [][]any
	vectors   map[int64][][]any // by embedder
}

type embedder struct {
	key int64
	dim int
}

func (s *Store) writing(ctx context.Context, f func(*writer) error) error {
	return s.change(ctx, func(tx pgx.Tx) error {
		w := &writer{ctx: ctx, tx: tx, metas: map[string]int64{}, embedders: map[string]embedder{}, vectors: map[int64][][]any{}}
		w.index = inverted.Writer{Blocks: inverted.Blocks{}, Read: w.readBlock}
		if err := tx.QueryRow(ctx, "SELECT next_slot FROM state").Scan(&w.index.Next); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, "SELECT name, key, dim FROM embedders")
		if err != nil {
			return err
		}
		var name string
		var e embedder
		if _, err := pgx.ForEachRow(rows, []any{&name, &e.key, &e.dim}, func() error { w.embedders[name] = e; return nil }); err != nil {
			return err
		}
		if err := f(w); err != nil {
			return err
		}
		return w.finish()
	})
}

func (w *writer) document(id string) (key int64, known bool, err error) {
	err = w.tx.QueryRow(w.ctx, "SELECT key FROM documents WHERE id = $1", id).Scan(&key)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, false, nil
	}
	return key, err == nil, err
}

func (w *writer) readBlock(number int64, b *inverted.Block) error {
	return w.tx.QueryRow(w.ctx, "SELECT live, terms, lengths FROM blocks WHERE block = $1", number).Scan(&b.Live, &b.Terms, &b.Lengths)
}

// olds returns the chunks of a document by id.
func (w *writer) olds(key int64) (map[string]prepare.Old, error) {
	rows, err := w.tx.Query(w.ctx, "SELECT c.id, c.slot, c.content, c.position, r.record FROM chunks c JOIN records r USING (slot) WHERE c.doc = $1", key)
	if err != nil {
		return nil, err
	}
	found := map[string]prepare.Old{}
	var id string
	var o prepare.Old
	_, err = pgx.ForEachRow(rows, []any{&id, &o.Slot, &o.Content, &o.Position, &o.JSON}, func() error { found[id] = o; return nil })
	return found, err
}

// put puts a document in the place of the one of its id.
func (w *writer) put(d *prepare.Document) error {
	key, known, err := w.document(d.ID)
	if err != nil {
		return err
	}
	var olds map[string]prepare.Old
	if known {
		if olds, err = w.olds(key); err != nil {
			return err
		}
	}
	err = w.tx.QueryRow(w.ctx, `INSERT INTO documents (id, root, hash, settings, embedder, size, modified, chunks) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (id) DO UPDATE SET root = excluded.root, hash = excluded.hash, settings = excluded.settings, embedder = excluded.embedder,
		size = excluded.size, modified = excluded.modified, chunks = excluded.chunks RETURNING key`,
		d.ID, d.Root, d.Hash, d.Settings, d.Embedder, d.Size, d.Modified, d.Chunks).Scan(&key)
	if err != nil {
		return err
	}
	r := d.Replace(olds)
	for _, slot := range r.Gone {
		if err := w.remove(slot); err != nil {
			return err
		}
	}
	for _, row := range r.New {
		if err := w.add(key, d.Embedder, row); err != nil {
			return err
		}
	}
	for _, c := range r.Redone {
		w.redone = append(w.redone, c.Slot)
		if err := w.describe(c.Slot, key, c.Row); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) add(doc int64, embedder string, r *prepare.Row) error {
	slot := w.index.Slot()
	if err := w.describe(slot, doc, r); err != nil || !store.Searchable(&r.Record.Chunk) {
		return err
	}
	if v := r.Record.Vector; v != nil {
		key, err := w.embedder(embedder, len(v))
		if err != nil {
			return err
		}
		w.vectors[key] = append(w.vectors[key], []any{slot, v})
	}
	return w.index.Add(slot, r.Terms)
}

func (w *writer) describe(slot, doc int64, r *prepare.Row) error {
	meta, err := w.meta(r.Meta)
	if err != nil {
		return err
	}
	values := []any{slot, doc, int64(r.Position), r.Content, meta}
	for i := range store.Fields {
		switch v := store.Fields[i].Value(&r.Record.Chunk).(type) {
		case string:
			values = append(values, clean(v))
		case int:
			values = append(values, int64(v))
		case []string:
			list := make([]string, len(v))
			for i := range v {
				list[i] = clean(v[i])
			}
			values = append(values, list)
		}
	}
	w.chunks = append(w.chunks, values)
	w.records = append(w.records, []any{slot, r.JSON})
	return nil
}

// clean replaces what PostgreSQL does not take in a text.
func clean(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\ufffd"), "\ufffd")
}

// meta returns the key of an object of metadata.
func (w *writer) meta(value string) (int64, error) {
	if key, ok := w.metas[value]; ok {
		return key, nil
	}
	sum := sha256.Sum256([]byte(value))
	var key int64
	err := w.tx.QueryRow(w.ctx, `INSERT INTO metas (hash, meta) VALUES ($1, $2::text::jsonb) ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash RETURNING key`,
		hex.EncodeToString(sum[:]), strings.ReplaceAll(value, `\u0000`, `\ufffd`)).Scan(&key)
	w.metas[value] = key
	return key, err
}

// maxIndexed is how many floats HNSW indexes at most; longer vectors are
// compared one by one.
const maxIndexed = 2000

// embedder returns the key of an embedder whose vectors have dim floats, and
// makes their table.
func (w *writer) embedder(name string, dim int) (int64, error) {
	e, ok := w.embedders[name]
	if !ok {
		e.dim = dim
		if err := w.tx.QueryRow(w.ctx, "INSERT INTO embedders (name, dim) VALUES ($1, $2) RETURNING key", name, dim).Scan(&e.key); err != nil {
			return 0, err
		}
		make := fmt.Sprintf("CREATE TABLE %s (slot bigint PRIMARY KEY, vector vector(%d) NOT NULL);", vectorTable(e.key), dim)
		if dim <= maxIndexed {
			make += fmt.Sprintf("CREATE INDEX ON %s USING hnsw (vector vector_ip_ops)", vectorTable(e.key))
		}
		if _, err := w.tx.Exec(w.ctx, make); err != nil {
			return 0, err
		}
		w.embedders[name] = e
	}
	if e.dim != dim {
		return 0, fmt.Errorf("a vector of %d floats, those of %s in the store have %d", dim, name, e.dim)
	}
	return e.key, nil
}

func (w *writer) remove(slot int64) error {
	w.removed = append(w.removed, slot)
	return w.index.Remove(slot)
}

func (w *writer) delete(id string) error {
	key, known, err := w.document(id)
	if err != nil || !known {
		return err
	}
	olds, err := w.olds(key)
	if err != nil {
		return err
	}
	for _, o := range olds {
		if err := w.remove(o.Slot); err != nil {
			return err
		}
	}
	_, err = w.tx.Exec(w.ctx, "DELETE FROM documents WHERE key = $1", key)
	return err
}

// finish sends what was collected.
func (w *writer) finish() error {
	exec := func(sql string, args ...any) error {
		_, err := w.tx.Exec(w.ctx, sql, args...)
		return err
	}
	tables := []string{"chunks", "records"}
	for _, table := range tables {
		if err := exec("DELETE FROM "+table+" WHERE slot = ANY ($1) OR slot = ANY ($2)", w.removed, w.redone); err != nil {
			return err
		}
	}
	for _, e := range w.embedders {
		if err := exec("DELETE FROM "+vectorTable(e.key)+" WHERE slot = ANY ($1)", w.removed); err != nil {
			return err
		}
	}
	columns := []string{"slot", "doc", "position", "content", "meta"}
	for _, f := range store.Fields {
		columns = append(columns, f.Name)
	}
	if err := w.copy("chunks", columns, w.chunks); err != nil {
		return err
	}
	if err := w.copy("records", []string{"slot", "record"}, w.records); err != nil {
		return err
	}
	for key, rows := range w.vectors {
		if err := exec("CREATE TEMP TABLE incoming_vectors (slot bigint, vector real[]) ON COMMIT DROP"); err != nil {
			return err
		}
		if err := w.copy("incoming_vectors", []string{"slot", "vector"}, rows); err != nil {
			return err
		}
		if err := exec("INSERT INTO " + vectorTable(key) + " SELECT slot, vector::vector FROM incoming_vectors; DROP TABLE incoming_vectors"); err != nil {
			return err
		}
	}
	if err := w.index.Clear(w.move); err != nil {
		return err
	}
	if err := w.writeBlocks(); err != nil {
		return err
	}
	return exec("UPDATE state SET next_slot = $1, changes = changes + 1", w.index.Next)
}

func (w *writer) copy(table string, columns []string, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := w.tx.CopyFrom(w.ctx, pgx.Identifier{table}, columns, pgx.CopyFromRows(rows))
	return err
}

// writeBlocks writes the blocks and their postings.
func (w *writer) writeBlocks() error {
	var rows [][]any
	for number, b := range w.index.Blocks {
		_, err := w.tx.Exec(w.ctx, `INSERT INTO blocks VALUES ($1, $2, $3, $4)
			ON CONFLICT (block) DO UPDATE SET live = excluded.live, terms = excluded.terms, lengths = excluded.lengths`, number, b.Live, b.Terms, b.Lengths)
		if err != nil {
			return err
		}
		for term, data := range b.Added {
			rows = append(rows, []any{number, term, data})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if _, err := w.tx.Exec(w.ctx, `CREATE TEMP TABLE incoming_postings (block bigint, term text COLLATE "C", data bytea) ON COMMIT DROP`); err != nil {
		return err
	}
	if err := w.copy("incoming_postings", []string{"block", "term", "data"}, rows); err != nil {
		return err
	}
	_, err := w.tx.Exec(w.ctx, "INSERT INTO postings SELECT * FROM incoming_postings ON CONFLICT (term, block) DO UPDATE SET data = postings.data || excluded.data")
	return err
}

// move moves chunks into new slots, and drops their block.
func (w *writer) move(number int64, from, to []int64) ([]string, error) {
	const moves = "unnest($1::bigint[], $2::bigint[]) m (from_slot, to_slot)"
	rows, err := w.tx.Query(w.ctx, "SELECT r.record FROM "+moves+" JOIN records r ON r.slot = m.from_slot ORDER BY m.to_slot", from, to)
	if err != nil {
		return nil, err
	}
	records, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	tables := []string{"chunks", "records"}
	for _, e := range w.embedders {
		tables = append(tables, vectorTable(e.key))
	}
	for _, table := range tables {
		if _, err := w.tx.Exec(w.ctx, "UPDATE "+table+" t SET slot = m.to_slot FROM "+moves+" WHERE t.slot = m.from_slot", from, to); err != nil {
			return nil, err
		}
	}
	for _, table := range []string{"postings", "blocks"} {
		if _, err := w.tx.Exec(w.ctx, "DELETE FROM "+table+" WHERE block = $1", number); err != nil {
			return nil, err
		}
	}
	return records, nil
}
