package sqlite

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"github.com/cantle/cantle/store/internal/inverted"
)

func (w *writer) readBlock(number int64, b *inverted.Block) error {
	return w.tx.QueryRowContext(w.ctx, "SELECT live, terms, lengths FROM blocks WHERE block = ?", number).Scan(&b.Live, &b.Terms, &b.Lengths)
}

// writeBlock writes what has changed in a block.
func (w *writer) writeBlock(number int64, b *inverted.Block) error {
	var err error
	if b.IsNew {
		err = w.exec("INSERT INTO blocks (block, live, terms, lengths) VALUES (?, ?, ?, ?)", number, b.Live, b.Terms, b.Lengths)
	} else {
		err = w.exec("UPDATE blocks SET live = ?, terms = ?, lengths = ? WHERE block = ?", b.Live, b.Terms, b.Lengths, number)
	}
	if err != nil {
		return err
	}
	for _, term := range slices.Sorted(maps.Keys(b.Added)) {
		err := w.exec("INSERT INTO postings (block, term, data) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET data = CAST(data || excluded.data AS BLOB)", number, term, b.Added[term])
		if err != nil {
			return err
		}
	}
	return nil
}

// readBlocks reads all blocks.
func readBlocks(ctx context.Context, tx *sql.Tx) (inverted.Blocks, error) {
	rows, err := tx.QueryContext(ctx, "SELECT block, live, terms, lengths FROM blocks")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return inverted.ReadBlocks(rows)
}
