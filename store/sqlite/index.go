package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/cantle/cantle/rank"
)

// blockSlots is how many slots share the rows of postings: enough for a row to
// hold many chunks, few enough for a row to be written anew at little cost.
const blockSlots = 4096

// A block is the part of the inverted index that is about its slots.
type block struct {
	live, terms int
	lengths     []byte            // see the schema
	added       map[string][]byte // postings that are not in the table yet
	isNew       bool
}

func (b *block) length(slot int64) uint32 {
	return binary.LittleEndian.Uint32(b.lengths[4*(slot%blockSlots):])
}

func (b *block) setLength(slot int64, n uint32) {
	binary.LittleEndian.PutUint32(b.lengths[4*(slot%blockSlots):], n)
}

// add makes a chunk of these terms findable. It sorts terms.
func (b *block) add(slot int64, terms []string) {
	b.setLength(slot, uint32(len(terms))+1)
	b.live++
	b.terms += len(terms)
	slices.Sort(terms)
	for i := 0; i < len(terms); {
		n := i + 1
		for n < len(terms) && terms[n] == terms[i] {
			n++
		}
		data := binary.AppendUvarint(b.added[terms[i]], uint64(slot%blockSlots))
		b.added[terms[i]] = binary.AppendUvarint(data, uint64(n-i))
		i = n
	}
}

// remove makes what is in a slot unfindable. Its postings stay until the block
// is cleared: a slot of length 0 hides them.
func (b *block) remove(slot int64) {
	if n := b.length(slot); n > 0 {
		b.live--
		b.terms -= int(n) - 1
		b.setLength(slot, 0)
	}
}

// postings calls found for each chunk that data names and that can be found.
func (b *block) postings(data []byte, found func(slot int, times, length int)) error {
	for len(data) > 0 {
		slot, n := binary.Uvarint(data)
		if n <= 0 || slot >= blockSlots {
			return errDamaged
		}
		times, m := binary.Uvarint(data[n:])
		if m <= 0 {
			return errDamaged
		}
		data = data[n+m:]
		if length := binary.LittleEndian.Uint32(b.lengths[4*slot:]); length > 0 {
			found(int(slot), int(times), int(length)-1)
		}
	}
	return nil
}

var errDamaged = errors.New("the index is damaged: ingest into a new file")

// readBlock reads a block, or begins one.
func readBlock(ctx context.Context, tx *sql.Tx, number int64) (*block, error) {
	b := &block{added: map[string][]byte{}}
	err := tx.QueryRowContext(ctx, "SELECT live, terms, lengths FROM blocks WHERE block = ?", number).Scan(&b.live, &b.terms, &b.lengths)
	if errors.Is(err, sql.ErrNoRows) {
		b.isNew, b.lengths, err = true, make([]byte, 4*blockSlots), nil
	}
	if err == nil && len(b.lengths) != 4*blockSlots {
		err = errDamaged
	}
	return b, err
}

// readBlocks reads all blocks.
func readBlocks(ctx context.Context, tx *sql.Tx) (map[int64]*block, rank.Corpus, error) {
	var corpus rank.Corpus
	blocks := map[int64]*block{}
	rows, err := tx.QueryContext(ctx, "SELECT block, live, terms, lengths FROM blocks")
	if err != nil {
		return nil, corpus, err
	}
	defer rows.Close()
	for rows.Next() {
		var number int64
		b := &block{}
		if err := rows.Scan(&number, &b.live, &b.terms, &b.lengths); err != nil {
			return nil, corpus, err
		}
		if len(b.lengths) != 4*blockSlots {
			return nil, corpus, errDamaged
		}
		blocks[number] = b
		corpus.Texts += b.live
		corpus.Terms += b.terms
	}
	return blocks, corpus, rows.Err()
}

// write writes what has changed in a block.
func (b *block) write(ctx context.Context, tx *sql.Tx, number int64, insert *sql.Stmt) error {
	var err error
	if b.isNew {
		_, err = tx.ExecContext(ctx, "INSERT INTO blocks (block, live, terms, lengths) VALUES (?, ?, ?, ?)", number, b.live, b.terms, b.lengths)
	} else {
		_, err = tx.ExecContext(ctx, "UPDATE blocks SET live = ?, terms = ?, lengths = ? WHERE block = ?", b.live, b.terms, b.lengths, number)
	}
	if err != nil {
		return err
	}
	for _, term := range slices.Sorted(maps.Keys(b.added)) {
		if _, err := insert.ExecContext(ctx, number, term, b.added[term]); err != nil {
			return err
		}
	}
	return nil
}
