package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/inverted"
	"github.com/cantle/cantle/store/internal/prepare"
)

// Put puts the documents in one transaction. A chunk whose id, text, context and
// vector are as they were keeps its slot, so an edit costs what it changes.
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

// A writer is a transaction that writes.
type writer struct {
	ctx       context.Context
	tx        *sql.Tx
	index     inverted.Writer
	metas     map[string]int64 // keys
	embedders map[string]embedder
	stmts     map[string]*sql.Stmt
}

// writing calls f with a writer, and writes the index.
func (s *Store) writing(ctx context.Context, f func(*writer) error) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		w := &writer{ctx: ctx, tx: tx, metas: map[string]int64{}, embedders: map[string]embedder{}, stmts: map[string]*sql.Stmt{}}
		w.index = inverted.Writer{Blocks: inverted.Blocks{}, Read: w.readBlock}
		if err := tx.QueryRowContext(ctx, "SELECT next_slot FROM state").Scan(&w.index.Next); err != nil {
			return err
		}
		if err := f(w); err != nil {
			return err
		}
		return w.finish()
	})
}

// exec runs a statement that is prepared once.
func (w *writer) exec(query string, args ...any) error {
	stmt, err := w.prepared(query)
	if err == nil {
		_, err = stmt.ExecContext(w.ctx, args...)
	}
	return err
}

func (w *writer) prepared(query string) (*sql.Stmt, error) {
	stmt, ok := w.stmts[query]
	if !ok {
		var err error
		if stmt, err = w.tx.PrepareContext(w.ctx, query); err != nil {
			return nil, err
		}
		w.stmts[query] = stmt
	}
	return stmt, nil
}

// one runs a query for one value; false where there is none.
func (w *writer) one(to any, query string, args ...any) (bool, error) {
	stmt, err := w.prepared(query)
	if err != nil {
		return false, err
	}
	err = stmt.QueryRowContext(w.ctx, args...).Scan(to)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// olds returns the chunks of a document by id.
func (w *writer) olds(key int64) (map[string]prepare.Old, error) {
	stmt, err := w.prepared("SELECT c.id, c.slot, c.content, c.position, r.record FROM chunks c JOIN records r ON r.slot = c.slot WHERE c.doc = ?")
	if err != nil {
		return nil, err
	}
	rows, err := stmt.QueryContext(w.ctx, key)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string]prepare.Old{}
	for rows.Next() {
		var id string
		var o prepare.Old
		if err := rows.Scan(&id, &o.Slot, &o.Content, &o.Position, &o.JSON); err != nil {
			return nil, err
		}
		found[id] = o
	}
	return found, rows.Err()
}

// put puts a document in the place of the one of its id.
func (w *writer) put(d *prepare.Document) error {
	var key int64
	was, err := w.one(&key, "SELECT key FROM documents WHERE id = ?", d.ID)
	if err != nil {
		return err
	}
	var olds map[string]prepare.Old
	if was {
		if olds, err = w.olds(key); err != nil {
			return err
		}
		err = w.exec("UPDATE documents SET root = ?, hash = ?, settings = ?, embedder = ?, size = ?, modified = ?, chunks = ? WHERE key = ?",
			d.Root, d.Hash, d.Settings, d.Embedder, d.Size, d.Modified, d.Chunks, key)
	} else {
		_, err = w.one(&key, "INSERT INTO documents (id, root, hash, settings, embedder, size, modified, chunks) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING key",
			d.ID, d.Root, d.Hash, d.Settings, d.Embedder, d.Size, d.Modified, d.Chunks)
	}
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
		if err := w.exec("DELETE FROM chunks WHERE slot = ?", c.Slot); err != nil {
			return err
		}
		if err := w.describe(c.Slot, key, c.Row); err != nil {
			return err
		}
		if err := w.exec("UPDATE records SET record = ? WHERE slot = ?", c.JSON, c.Slot); err != nil {
			return err
		}
	}
	return nil
}

// add puts a chunk into a slot of its own.
func (w *writer) add(doc int64, embedder string, r *prepare.Row) error {
	slot := w.index.Slot()
	if err := w.describe(slot, doc, r); err != nil {
		return err
	}
	if err := w.exec("INSERT INTO records (slot, record) VALUES (?, ?)", slot, r.JSON); err != nil {
		return err
	}
	if !store.Searchable(&r.Record.Chunk) {
		return nil
	}
	if v := r.Record.Vector; v != nil {
		e, err := w.embedder(embedder, len(v))
		if err != nil {
			return err
		}
		if err := w.exec("INSERT INTO vectors (slot, embedder, vector) VALUES (?, ?, ?)", slot, e, encodeVector(v)); err != nil {
			return err
		}
	}
	return w.index.Add(slot, r.Terms)
}

// describe writes what filters look at.
func (w *writer) describe(slot, doc int64, r *prepare.Row) error {
	meta, err := w.meta(r.Meta)
	if err != nil {
		return err
	}
	args := []any{slot, doc, r.Position, r.Content, meta}
	for i := range store.Fields {
		v := store.Fields[i].Value(&r.Record.Chunk)
		if list, ok := v.([]string); ok {
			v = encodeList(list)
		}
		args = append(args, v)
	}
	return w.exec(insertChunk, args...)
}

// meta returns the key of an object of metadata.
func (w *writer) meta(value string) (int64, error) {
	if key, ok := w.metas[value]; ok {
		return key, nil
	}
	var key int64
	ok, err := w.one(&key, "SELECT key FROM metas WHERE meta = ?", value)
	if err == nil && !ok {
		_, err = w.one(&key, "INSERT INTO metas (meta) VALUES (?) RETURNING key", value)
	}
	w.metas[value] = key
	return key, err
}

// embedder returns the key of an embedder whose vectors have dim floats.
func (w *writer) embedder(name string, dim int) (int64, error) {
	e, ok := w.embedders[name]
	if !ok {
		ok, err := w.one(&e.key, "SELECT key FROM embedders WHERE name = ?", name)
		if err == nil && ok {
			_, err = w.one(&e.dim, "SELECT dim FROM embedders WHERE key = ?", e.key)
		} else if err == nil {
			e.dim = dim
			_, err = w.one(&e.key, "INSERT INTO embedders (name, dim) VALUES (?, ?) RETURNING key", name, dim)
		}
		if err != nil {
			return 0, err
		}
		w.embedders[name] = e
	}
	if e.dim != dim {
		return 0, fmt.Errorf("a vector of %d floats, those of %s in the store have %d", dim, name, e.dim)
	}
	return e.key, nil
}

// An embedder is a row of the table.
type embedder struct {
	key int64
	dim int
}

// remove removes a chunk.
func (w *writer) remove(slot int64) error {
	for _, table := range []string{"chunks", "records", "vectors"} {
		if err := w.exec("DELETE FROM "+table+" WHERE slot = ?", slot); err != nil {
			return err
		}
	}
	return w.index.Remove(slot)
}

func (w *writer) delete(id string) error {
	var key int64
	was, err := w.one(&key, "SELECT key FROM documents WHERE id = ?", id)
	if err != nil || !was {
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
	return w.exec("DELETE FROM documents WHERE key = ?", key)
}

// finish writes the index, and what there is to say of all.
func (w *writer) finish() error {
	if err := w.index.Clear(w.move); err != nil {
		return err
	}
	for number, b := range w.index.Blocks {
		if err := w.writeBlock(number, b); err != nil {
			return err
		}
	}
	return w.exec("UPDATE state SET next_slot = ?, changes = changes + 1", w.index.Next)
}

// move moves chunks into new slots, and drops their block.
func (w *writer) move(number int64, from, to []int64) ([]string, error) {
	records := make([]string, len(from))
	for i := range from {
		if _, err := w.one(&records[i], "SELECT record FROM records WHERE slot = ?", from[i]); err != nil {
			return nil, err
		}
		for _, table := range []string{"chunks", "records", "vectors"} {
			if err := w.exec("UPDATE "+table+" SET slot = ? WHERE slot = ?", to[i], from[i]); err != nil {
				return nil, err
			}
		}
	}
	for _, table := range []string{"postings", "blocks"} {
		if err := w.exec("DELETE FROM "+table+" WHERE block = ?", number); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// listMark stands before, between and behind the items of a list in a column.
// Titles and names do not hold this control character; where one does, it is
// left out.
const listMark = "\x1f"

func encodeList(list []string) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(listMark)
	for _, s := range list {
		b.WriteString(strings.ReplaceAll(s, listMark, ""))
		b.WriteString(listMark)
	}
	return b.String()
}
