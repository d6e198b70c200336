package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/rank"
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
	next      int64 // slot
	blocks    inverted.Blocks
	metas     map[string]int64 // keys
	embedders map[string]embedder
	stmts     map[string]*sql.Stmt
}

// writing calls f with a writer, and writes the index.
func (s *Store) writing(ctx context.Context, f func(*writer) error) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		w := &writer{ctx: ctx, tx: tx, blocks: inverted.Blocks{}, metas: map[string]int64{}, embedders: map[string]embedder{}, stmts: map[string]*sql.Stmt{}}
		if err := tx.QueryRowContext(ctx, "SELECT next_slot FROM state").Scan(&w.next); err != nil {
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

// block returns the block of a slot.
func (w *writer) block(slot int64) (*inverted.Block, error) {
	number := slot / inverted.BlockSlots
	b, ok := w.blocks[number]
	if !ok {
		var err error
		if b, err = readBlock(w.ctx, w.tx, number); err != nil {
			return nil, err
		}
		w.blocks[number] = b
	}
	return b, nil
}

// An old is a chunk as it is in the store.
type old struct {
	slot, content int64
	json          string
}

// olds returns the chunks of a document by id.
func (w *writer) olds(key int64) (map[string]old, error) {
	stmt, err := w.prepared("SELECT c.id, c.slot, c.content, r.record FROM chunks c JOIN records r ON r.slot = c.slot WHERE c.doc = ?")
	if err != nil {
		return nil, err
	}
	rows, err := stmt.QueryContext(w.ctx, key)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string]old{}
	for rows.Next() {
		var id string
		var o old
		if err := rows.Scan(&id, &o.slot, &o.content, &o.json); err != nil {
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
	var olds map[string]old
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
	kept := map[string]bool{}
	for _, r := range d.Rows {
		if o, ok := olds[r.Record.ID]; ok && o.content == r.Content {
			kept[r.Record.ID] = true
		}
	}
	for id, o := range olds { // before the new ones: some have the same id
		if !kept[id] {
			if err := w.remove(o.slot); err != nil {
				return err
			}
		}
	}
	for position := range d.Rows {
		r := &d.Rows[position]
		switch o := olds[r.Record.ID]; {
		case !kept[r.Record.ID]:
			err = w.add(key, position, d.Embedder, r)
		case o.json != r.JSON:
			if err = w.exec("DELETE FROM chunks WHERE slot = ?", o.slot); err == nil {
				err = w.describe(o.slot, key, position, r)
			}
			if err == nil {
				err = w.exec("UPDATE records SET record = ? WHERE slot = ?", r.JSON, o.slot)
			}
		default:
			err = w.exec("UPDATE chunks SET position = ? WHERE slot = ? AND position <> ?", position, o.slot, position)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add puts a chunk into a slot of its own.
func (w *writer) add(doc int64, position int, embedder string, r *prepare.Row) error {
	slot := w.next
	w.next++
	if err := w.describe(slot, doc, position, r); err != nil {
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
	b, err := w.block(slot)
	if err != nil {
		return err
	}
	b.Add(slot, r.Terms)
	return nil
}

// describe writes what filters look at.
func (w *writer) describe(slot, doc int64, position int, r *prepare.Row) error {
	meta, err := w.meta(r.Meta)
	if err != nil {
		return err
	}
	args := []any{slot, doc, position, r.Content, meta}
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
	b, err := w.block(slot)
	if err != nil {
		return err
	}
	b.Remove(slot)
	return nil
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
		if err := w.remove(o.slot); err != nil {
			return err
		}
	}
	return w.exec("DELETE FROM documents WHERE key = ?", key)
}

// finish clears out blocks that hold little, writes the others, and what there
// is to say of all.
func (w *writer) finish() error {
	full := w.next / inverted.BlockSlots // the number of the first that is not
	for number, b := range w.blocks {
		if number < full && b.IsSparse() {
			if err := w.clear(number, b); err != nil {
				return err
			}
			delete(w.blocks, number)
		}
	}
	insert, err := w.prepared("INSERT INTO postings (block, term, data) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET data = CAST(data || excluded.data AS BLOB)")
	if err != nil {
		return err
	}
	for number, b := range w.blocks {
		if err := writeBlock(w.ctx, w.tx, number, b, insert); err != nil {
			return err
		}
	}
	return w.exec("UPDATE state SET next_slot = ?, changes = changes + 1", w.next)
}

// clear moves what can be found in a block into new slots, and drops the block.
// So the index is never more than some times larger than what is in it.
func (w *writer) clear(number int64, b *inverted.Block) error {
	var a rank.Analyzer
	for i := range int64(inverted.BlockSlots) {
		slot := number*inverted.BlockSlots + i
		if b.Length(slot) == 0 {
			continue
		}
		var record string
		if _, err := w.one(&record, "SELECT record FROM records WHERE slot = ?", slot); err != nil {
			return err
		}
		var c chunker.Chunk
		if err := json.Unmarshal([]byte(record), &c); err != nil {
			return err
		}
		to := w.next
		w.next++
		for _, table := range []string{"chunks", "records", "vectors"} {
			if err := w.exec("UPDATE "+table+" SET slot = ? WHERE slot = ?", to, slot); err != nil {
				return err
			}
		}
		into, err := w.block(to)
		if err != nil {
			return err
		}
		into.Add(to, a.Index(nil, c.Embedded()))
	}
	if err := w.exec("DELETE FROM postings WHERE block = ?", number); err != nil {
		return err
	}
	return w.exec("DELETE FROM blocks WHERE block = ?", number)
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
