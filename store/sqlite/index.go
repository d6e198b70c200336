package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"

	"github.com/cantle/cantle/store/internal/inverted"
)

// readBlock reads a block, or begins one.
func readBlock(ctx context.Context, tx *sql.Tx, number int64) (*inverted.Block, error) {
	b := &inverted.Block{}
	err := tx.QueryRowContext(ctx, "SELECT live, terms, lengths FROM blocks WHERE block = ?", number).Scan(&b.Live, &b.Terms, &b.Lengths)
	if errors.Is(err, sql.ErrNoRows) {
		return inverted.New(), nil
	}
	if err == nil {
		err = b.Check()
	}
	return b, err
}

// readBlocks reads all blocks.
func readBlocks(ctx context.Context, tx *sql.Tx) (inverted.Blocks, error) {
	blocks := inverted.Blocks{}
	rows, err := tx.QueryContext(ctx, "SELECT block, live, terms, lengths FROM blocks")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var number int64
		b := &inverted.Block{}
		if err := rows.Scan(&number, &b.Live, &b.Terms, &b.Lengths); err != nil {
			return nil, err
		}
		if err := b.Check(); err != nil {
			return nil, err
		}
		blocks[number] = b
	}
	return blocks, rows.Err()
}

// writeBlock writes what has changed in a block.
func writeBlock(ctx context.Context, tx *sql.Tx, number int64, b *inverted.Block, insert *sql.Stmt) error {
	var err error
	if b.IsNew {
		_, err = tx.ExecContext(ctx, "INSERT INTO blocks (block, live, terms, lengths) VALUES (?, ?, ?, ?)", number, b.Live, b.Terms, b.Lengths)
	} else {
		_, err = tx.ExecContext(ctx, "UPDATE blocks SET live = ?, terms = ?, lengths = ? WHERE block = ?", b.Live, b.Terms, b.Lengths, number)
	}
	if err != nil {
		return err
	}
	for _, term := range slices.Sorted(maps.Keys(b.Added)) {
		if _, err := insert.ExecContext(ctx, number, term, b.Added[term]); err != nil {
			return err
		}
	}
	return nil
}
