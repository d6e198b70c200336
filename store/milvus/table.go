package milvus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/milvus-io/milvus/client/v2/column"
	"github.com/milvus-io/milvus/client/v2/entity"
	"github.com/milvus-io/milvus/client/v2/index"
	"github.com/milvus-io/milvus/client/v2/milvusclient"
)

// A table is a collection of rows that are found by a key. Every collection
// must have a vector; here it says nothing.
type table struct {
	client *milvusclient.Client
	name   string
}

// A row is one of a table. Its key is of letters, digits and -/@ only, for
// servers differ in how they read others in an expression.
type row struct {
	key   string
	since int64 // the version of the store that it belongs to, or what the table makes of it
	data  string
}

// What a server takes at most, and what is sent to it at once.
const (
	maxText     = 65_000  // bytes of a text; the limit is 65,535
	maxPieces   = 4096    // texts of a list
	maxRows     = 10_000  // rows of an answer; the limit is 16,384
	batchKeys   = 1000    // keys of a question, or rows of a request
	batchBytes  = 8 << 20 // of a request
	noVectorDim = 2       // the least there is
)

var noVector = make([]float32, noVectorDim)

func (t table) schema() *entity.Schema {
	return entity.NewSchema().WithName(t.name).WithDescription(madeBy).
		WithField(entity.NewField().WithName("key").WithDataType(entity.FieldTypeVarChar).WithMaxLength(128).WithIsPrimaryKey(true)).
		WithField(entity.NewField().WithName("since").WithDataType(entity.FieldTypeInt64)).
		WithField(entity.NewField().WithName("data").WithDataType(entity.FieldTypeArray).WithElementType(entity.FieldTypeVarChar).WithMaxLength(65_535).WithMaxCapacity(maxPieces)).
		WithField(entity.NewField().WithName("vector").WithDataType(entity.FieldTypeFloatVector).WithDim(noVectorDim))
}

// open makes the collection where it is not there, and loads it.
func (t table) open(ctx context.Context) error {
	return ensure(ctx, t.client, t.schema(), map[string]index.Index{"vector": index.NewFlatIndex(entity.IP)})
}

// get returns the rows of these keys that are there.
func (t table) get(ctx context.Context, keys ...string) (map[string]row, error) {
	found := make(map[string]row, len(keys))
	for some := range slices.Chunk(keys, batchKeys) {
		some = slices.Clone(some) // the client quotes them where they are
		answer, err := t.client.Query(ctx, milvusclient.NewQueryOption(t.name).WithIDs(column.NewColumnVarChar("key", some)).
			WithOutputFields("key", "since", "data").WithConsistencyLevel(entity.ClStrong))
		if err != nil {
			return nil, err
		}
		rows, err := rowsOf(answer)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			found[r.key] = r
		}
	}
	return found, nil
}

// each calls found for the rows that an expression is true of, all for "".
func (t table) each(ctx context.Context, expr string, found func(row) error) error {
	pages, err := t.client.QueryIterator(ctx, milvusclient.NewQueryIteratorOption(t.name).WithBatchSize(maxRows).WithFilter(expr).
		WithOutputFields("key", "since", "data").WithConsistencyLevel(entity.ClStrong))
	if err != nil {
		return err
	}
	for {
		answer, err := pages.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		rows, err := rowsOf(answer)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := found(r); err != nil {
				return err
			}
		}
	}
}

func rowsOf(answer milvusclient.ResultSet) ([]row, error) {
	if answer.ResultCount == 0 {
		return nil, nil
	}
	keys, isKeys := answer.GetColumn("key").(*column.ColumnVarChar)
	since, isSince := answer.GetColumn("since").(*column.ColumnInt64)
	data, isData := answer.GetColumn("data").(*column.ColumnVarCharArray)
	if !isKeys || !isSince || !isData {
		return nil, errNoStore
	}
	rows := make([]row, answer.ResultCount)
	for i := range rows {
		rows[i] = row{keys.Data()[i], since.Data()[i], strings.Join(data.Data()[i], "")}
	}
	return rows, nil
}

// put writes rows in the place of those of the same keys. Each is there at
// once, all of them one after the other.
func (t table) put(ctx context.Context, rows ...row) error {
	for len(rows) > 0 {
		var keys []string
		var since []int64
		var data [][]string
		var vectors [][]float32
		for size := 0; len(rows) > 0 && len(keys) < batchKeys && size < batchBytes; rows = rows[1:] {
			r := &rows[0]
			list, err := pieces(r.data)
			if err != nil {
				return err
			}
			keys, since, data, vectors = append(keys, r.key), append(since, r.since), append(data, list), append(vectors, noVector)
			size += len(r.data)
		}
		_, err := t.client.Upsert(ctx, milvusclient.NewColumnBasedInsertOption(t.name).WithVarcharColumn("key", keys).WithInt64Column("since", since).
			WithColumns(column.NewColumnVarCharArray("data", data)).WithFloatVectorColumn("vector", noVectorDim, vectors))
		if err != nil {
			return err
		}
	}
	return nil
}

// delete deletes the rows of these keys.
func (t table) delete(ctx context.Context, keys ...string) error {
	for some := range slices.Chunk(keys, batchKeys) {
		if _, err := t.client.Delete(ctx, milvusclient.NewDeleteOption(t.name).WithStringIDs("key", some)); err != nil {
			return err
		}
	}
	return nil
}

// deleteWhere deletes the rows that an expression is true of.
func (t table) deleteWhere(ctx context.Context, expr string) error {
	_, err := t.client.Delete(ctx, milvusclient.NewDeleteOption(t.name).WithExpr(expr))
	return err
}

// pieces cuts a text into such as a server takes, between characters.
func pieces(s string) ([]string, error) {
	list := make([]string, 0, 1+len(s)/maxText)
	for len(s) > maxText {
		n := maxText
		for !utf8.RuneStart(s[n]) {
			n--
		}
		list, s = append(list, s[:n]), s[n:]
	}
	if list = append(list, s); len(list) > maxPieces {
		return nil, fmt.Errorf("%d bytes are more than Milvus takes as one value", maxPieces*maxText)
	}
	return list, nil
}
