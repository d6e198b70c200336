package inverted

import (
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/rank"
)

// A Writer changes an index within a transaction of the store, which writes the
// blocks that it leaves behind.
type Writer struct {
	Next   int64                              // the first slot that was never used
	Blocks Blocks                             // that have changed
	Read   func(number int64, b *Block) error // reads what is stored of a block; sql.ErrNoRows where nothing is
}

// block returns the block of a slot.
func (w *Writer) block(slot int64) (*Block, error) {
	number := slot / BlockSlots
	if b, ok := w.Blocks[number]; ok {
		return b, nil
	}
	b := &Block{}
	err := w.Read(number, b)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		b = New()
	case err != nil:
		return nil, err
	default:
		if err := b.Check(); err != nil {
			return nil, err
		}
	}
	w.Blocks[number] = b
	return b, nil
}

// Slot returns a slot for a new chunk.
func (w *Writer) Slot() int64 {
	w.Next++
	return w.Next - 1
}

// Add makes a chunk of these terms findable.
func (w *Writer) Add(slot int64, terms []string) error {
	b, err := w.block(slot)
	if err == nil {
		b.Add(slot, terms)
	}
	return err
}

// Remove makes what is in a slot unfindable.
func (w *Writer) Remove(slot int64) error {
	b, err := w.block(slot)
	if err == nil {
		b.Remove(slot)
	}
	return err
}

// Clear clears out blocks that hold little, so that the index is never more than
// some times larger than what is in it. move moves what is in some slots of a
// block into others and deletes the block; it returns their records.
func (w *Writer) Clear(move func(number int64, from, to []int64) ([]string, error)) error {
	full := w.Next / BlockSlots // the number of the first that is not
	var a rank.Analyzer
	for number, b := range w.Blocks {
		if number >= full || !b.IsSparse() {
			continue
		}
		var from, to []int64
		for i := range int64(BlockSlots) {
			if slot := number*BlockSlots + i; b.Length(slot) > 0 {
				from, to = append(from, slot), append(to, w.Slot())
			}
		}
		records, err := move(number, from, to)
		if err != nil {
			return err
		}
		if len(records) != len(to) {
			return ErrDamaged
		}
		for i, record := range records {
			var c chunker.Chunk
			if err := json.Unmarshal([]byte(record), &c); err != nil {
				return err
			}
			if err := w.Add(to[i], a.Index(nil, c.Embedded())); err != nil {
				return err
			}
		}
		delete(w.Blocks, number)
	}
	return nil
}
