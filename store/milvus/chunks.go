package milvus

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/milvus-io/milvus/client/v2/column"
	"github.com/milvus-io/milvus/client/v2/entity"
	"github.com/milvus-io/milvus/client/v2/index"
	"github.com/milvus-io/milvus/client/v2/milvusclient"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/coarse"
)

// chunks is a collection of the chunks of one embedder. Metadata are for the
// filters of the server, and for others who read the collection.
type chunks struct {
	client *milvusclient.Client
	name   string
	dim    int
}

// A stored chunk is a row.
type stored struct {
	chunker.Chunk
	slot      int64
	record    string // JSON
	hasVector bool
	vector    []float32 // where it was asked for
	score     float32   // of a search
}

var notInNames = regexp.MustCompile(`[^a-zA-Z0-9]+`)

// chunks returns the collection of an embedder.
func (s *Store) chunks(e embedder) chunks {
	name := s.name + "_plain"
	if e.Name != "" {
		short := strings.Trim(notInNames.ReplaceAllString(e.Name, "_"), "_")
		sum := sha256.Sum256([]byte(e.Name))
		name = s.name + "_" + short[:min(len(short), 60)] + "_" + hex.EncodeToString(sum[:4])
	}
	return chunks{s.client, name, max(e.Dim, noVectorDim)}
}

func (c chunks) open(ctx context.Context) error {
	schema := entity.NewSchema().WithName(c.name).WithDescription(madeBy).
		WithField(entity.NewField().WithName("slot").WithDataType(entity.FieldTypeInt64).WithIsPrimaryKey(true)).
		WithField(entity.NewField().WithName("hash").WithDataType(entity.FieldTypeInt64)).
		WithField(entity.NewField().WithName("has_vector").WithDataType(entity.FieldTypeBool)).
		WithField(entity.NewField().WithName("metadata").WithDataType(entity.FieldTypeJSON)).
		WithField(entity.NewField().WithName("record").WithDataType(entity.FieldTypeArray).WithElementType(entity.FieldTypeVarChar).WithMaxLength(65_535).WithMaxCapacity(maxPieces)).
		WithField(entity.NewField().WithName("vector").WithDataType(entity.FieldTypeFloatVector).WithDim(int64(c.dim)))
	return ensure(ctx, c.client, schema, map[string]index.Index{"vector": index.NewAutoIndex(entity.IP), "hash": index.NewInvertedIndex()})
}

// create makes the collection anew: what is there under its name is no part of
// the store.
func (c chunks) create(ctx context.Context) error {
	has, err := c.client.HasCollection(ctx, milvusclient.NewHasCollectionOption(c.name))
	if err == nil && has {
		err = c.client.DropCollection(ctx, milvusclient.NewDropCollectionOption(c.name))
	}
	if err == nil {
		err = c.open(ctx)
	}
	return err
}

// hash is a number for a chunk's id, by which it is looked up: ids hold
// characters that servers read differently in an expression.
func hash(id string) int64 {
	sum := sha256.Sum256([]byte(id))
	return int64(binary.LittleEndian.Uint64(sum[:]))
}

// metadata returns what of a chunk the server can filter by. What is too large
// is left out, and marked as if it held lists.
func metadata(c *chunker.Chunk) ([]byte, error) {
	b, err := json.Marshal(coarse.Metadata(&store.Record{Chunk: *c}))
	if err == nil && len(b) > maxText {
		b, err = json.Marshal(map[string]any{coarse.HasLists: true})
	}
	return b, err
}

// put writes rows.
func (c chunks) put(ctx context.Context, rows []stored) error {
	for len(rows) > 0 {
		var slots, hashes []int64
		var hasVector []bool
		var meta [][]byte
		var records [][]string
		var vectors [][]float32
		for size := 0; len(rows) > 0 && len(slots) < batchKeys && size < batchBytes; rows = rows[1:] {
			r := &rows[0]
			list, err := pieces(r.record)
			if err != nil {
				return fmt.Errorf("%s: %w", r.ID, err)
			}
			m, err := metadata(&r.Chunk)
			if err != nil {
				return fmt.Errorf("%s: %w", r.ID, err)
			}
			vector := r.vector
			if !r.hasVector {
				vector = make([]float32, c.dim)
			}
			slots, hashes, hasVector = append(slots, r.slot), append(hashes, hash(r.ID)), append(hasVector, r.hasVector)
			meta, records, vectors = append(meta, m), append(records, list), append(vectors, vector)
			size += len(r.record) + len(m) + 4*c.dim
		}
		_, err := c.client.Upsert(ctx, milvusclient.NewColumnBasedInsertOption(c.name).WithInt64Column("slot", slots).WithInt64Column("hash", hashes).
			WithBoolColumn("has_vector", hasVector).WithColumns(column.NewColumnJSONBytes("metadata", meta), column.NewColumnVarCharArray("record", records)).
			WithFloatVectorColumn("vector", c.dim, vectors))
		if err != nil {
			return err
		}
	}
	return nil
}

// get calls found for the chunks in these slots, those that are there, with
// their vectors if asked for.
func (c chunks) get(ctx context.Context, slots []int64, withVectors bool, found func(stored) error) error {
	fields := []string{"slot", "has_vector", "record"}
	if withVectors {
		fields = append(fields, "vector")
	}
	for some := range slices.Chunk(slots, batchKeys) {
		answer, err := c.client.Query(ctx, milvusclient.NewQueryOption(c.name).WithIDs(column.NewColumnInt64("slot", some)).
			WithOutputFields(fields...).WithConsistencyLevel(entity.ClStrong))
		if err != nil {
			return err
		}
		if err := eachStored(answer, found); err != nil {
			return err
		}
	}
	return nil
}

// slots returns the slots of the chunks that an expression is true of.
func (c chunks) slots(ctx context.Context, expr string) ([]int64, error) {
	pages, err := c.client.QueryIterator(ctx, milvusclient.NewQueryIteratorOption(c.name).WithBatchSize(maxRows).WithFilter(expr).
		WithOutputFields("slot").WithConsistencyLevel(entity.ClStrong))
	if err != nil {
		return nil, err
	}
	var slots []int64
	for {
		answer, err := pages.Next(ctx)
		if errors.Is(err, io.EOF) {
			return slots, nil
		}
		if err != nil {
			return nil, err
		}
		if some, ok := answer.GetColumn("slot").(*column.ColumnInt64); ok {
			slots = append(slots, some.Data()...)
		}
	}
}

// nearest returns the n chunks whose vectors are nearest, of those that an
// expression is true of, the best first.
func (c chunks) nearest(ctx context.Context, vector []float32, n int, expr string) ([]stored, error) {
	answers, err := c.client.Search(ctx, milvusclient.NewSearchOption(c.name, n, []entity.Vector{entity.FloatVector(vector)}).WithANNSField("vector").
		WithFilter(expr).WithOutputFields("slot", "has_vector", "record").WithConsistencyLevel(entity.ClStrong))
	if err != nil {
		return nil, err
	}
	var all []stored
	for _, a := range answers {
		if a.Err != nil {
			return nil, a.Err
		}
		i := 0
		err := eachStored(a, func(r stored) error {
			r.score = a.Scores[i]
			all = append(all, r)
			i++
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func eachStored(answer milvusclient.ResultSet, found func(stored) error) error {
	if answer.ResultCount == 0 {
		return nil
	}
	slots, isSlots := answer.GetColumn("slot").(*column.ColumnInt64)
	hasVector, isBool := answer.GetColumn("has_vector").(*column.ColumnBool)
	records, isRecords := answer.GetColumn("record").(*column.ColumnVarCharArray)
	if !isSlots || !isBool || !isRecords {
		return errNoStore
	}
	vectors, _ := answer.GetColumn("vector").(*column.ColumnFloatVector)
	for i, slot := range slots.Data() {
		r := stored{slot: slot, record: strings.Join(records.Data()[i], ""), hasVector: hasVector.Data()[i]}
		if err := json.Unmarshal([]byte(r.record), &r.Chunk); err != nil {
			return errNoStore
		}
		if vectors != nil {
			r.vector = vectors.Data()[i]
		}
		if err := found(r); err != nil {
			return err
		}
	}
	return nil
}

// delete deletes the chunks in these slots.
func (c chunks) delete(ctx context.Context, slots []int64) error {
	for some := range slices.Chunk(slots, batchKeys) {
		if _, err := c.client.Delete(ctx, milvusclient.NewDeleteOption(c.name).WithInt64IDs("slot", some)); err != nil {
			return err
		}
	}
	return nil
}

// deleteWhere deletes the chunks that an expression is true of.
func (c chunks) deleteWhere(ctx context.Context, expr string) error {
	_, err := c.client.Delete(ctx, milvusclient.NewDeleteOption(c.name).WithExpr(expr))
	return err
}
