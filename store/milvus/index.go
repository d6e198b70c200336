package milvus

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/bits"
	"slices"

	"github.com/cantle/cantle/store/internal/inverted"
)

// The index is a table with three kinds of rows. N/I is bucket I of the postings
// of block N, in base64: for each term that hashes to it the term and its
// postings, each with its length in front. N@V is the lengths of the chunks of
// block N as of version V, as inverted.Block has them, in base64. N- is where in
// block N documents begin, as JSON. No row is ever changed: a writer adds others.

// bucketTerms is about how many terms share a row: enough to keep rows few,
// few enough to be read for the sake of one.
const bucketTerms = 32

func bucketKey(number int64, bucket int) string { return fmt.Sprintf("%d/%d", number, bucket) }
func (b *block) lengthsKey() string             { return fmt.Sprintf("%d@%d", b.Number, b.Since) }
func (b *block) bucketKey(term string) string   { return bucketKey(b.Number, bucketOf(term, b.Buckets)) }
func (b *block) beginsKey() string              { return fmt.Sprintf("%d-", b.Number) }
func encode(data []byte) string                 { return base64.RawStdEncoding.EncodeToString(data) }
func decode(r row) ([]byte, error)              { return base64.RawStdEncoding.DecodeString(r.data) }
func bucketsFor(terms int) int                  { return 1 << bits.Len(uint(terms/bucketTerms)) }

func bucketOf(term string, buckets int) int {
	h := fnv.New32a()
	h.Write([]byte(term))
	return int(h.Sum32()) & (buckets - 1)
}

// keys returns the keys of all rows of a block.
func (b *block) keys() []string {
	keys := []string{b.lengthsKey(), b.beginsKey()}
	for i := range b.Buckets {
		keys = append(keys, bucketKey(b.Number, i))
	}
	return keys
}

// postingsRows returns the postings of a block that is new with a version.
func postingsRows(b *block, added map[string][]byte, version int64) []row {
	data := make([][]byte, b.Buckets)
	for _, term := range slices.Sorted(maps.Keys(added)) {
		i := bucketOf(term, b.Buckets)
		for _, part := range [][]byte{[]byte(term), added[term]} {
			data[i] = append(binary.AppendUvarint(data[i], uint64(len(part))), part...)
		}
	}
	var rows []row
	for i, d := range data {
		if d != nil {
			rows = append(rows, row{bucketKey(b.Number, i), version, encode(d)})
		}
	}
	return rows
}

// postings returns those of a term in its bucket, nil for none.
func postings(r row, term string) ([]byte, error) {
	data, err := decode(r)
	if err != nil {
		return nil, errNoStore
	}
	for len(data) > 0 {
		var parts [2][]byte
		for i := range parts {
			n, size := binary.Uvarint(data)
			if size <= 0 || n > uint64(len(data)-size) {
				return nil, errNoStore
			}
			parts[i], data = data[size:][:n], data[size:][n:]
		}
		if string(parts[0]) == term {
			return parts[1], nil
		}
	}
	return nil, nil
}

// lengthsRow returns the lengths of a block, of the slots that were used.
func lengthsRow(b *block, lengths *inverted.Block) row {
	return row{b.lengthsKey(), b.Since, encode(lengths.Lengths[:4*b.Used])}
}

// lengths reads blocks. It returns errChanged where one is not there.
func (s *Store) lengths(ctx context.Context, all []block) (inverted.Blocks, error) {
	keys := make([]string, len(all))
	for i := range all {
		keys[i] = all[i].lengthsKey()
	}
	rows, err := s.index.get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	blocks := inverted.Blocks{}
	for i := range all {
		r, ok := rows[keys[i]]
		if !ok {
			return nil, errChanged
		}
		data, err := decode(r)
		if err != nil || int64(len(data)) != 4*all[i].Used {
			return nil, errNoStore
		}
		b := inverted.New()
		b.Live, b.Terms = all[i].Live, all[i].Terms
		copy(b.Lengths, data)
		blocks[all[i].Number] = b
	}
	return blocks, nil
}

// A begin is where a document begins, or where it goes on at the start of a
// block.
type begin struct {
	Slot int64
	Doc  string
}

// begins reads where documents begin, by block. It returns errChanged where a
// block is not there.
func (s *Store) begins(ctx context.Context, all []block) (map[int64][]begin, error) {
	keys := make([]string, len(all))
	for i := range all {
		keys[i] = all[i].beginsKey()
	}
	rows, err := s.index.get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	begins := map[int64][]begin{}
	for i := range all {
		r, ok := rows[keys[i]]
		if !ok {
			return nil, errChanged
		}
		var list []begin
		if err := json.Unmarshal([]byte(r.data), &list); err != nil || len(list) == 0 {
			return nil, errNoStore
		}
		begins[all[i].Number] = list
	}
	return begins, nil
}

// lists reads the postings of terms in all blocks.
func (s *Store) lists(ctx context.Context, r *root, terms []string) (map[string]map[int64][]byte, error) {
	wanted := map[string]bool{}
	for i := range r.Blocks {
		for _, term := range terms {
			wanted[r.Blocks[i].bucketKey(term)] = true
		}
	}
	rows, err := s.index.get(ctx, slices.Collect(maps.Keys(wanted))...)
	if err != nil {
		return nil, err
	}
	lists := map[string]map[int64][]byte{}
	for _, term := range terms {
		if lists[term] != nil {
			continue
		}
		lists[term] = map[int64][]byte{}
		for i := range r.Blocks {
			b := &r.Blocks[i]
			bucket, ok := rows[b.bucketKey(term)]
			if !ok {
				continue
			}
			data, err := postings(bucket, term)
			if err != nil {
				return nil, err
			}
			if data != nil {
				lists[term][b.Number] = data
			}
		}
	}
	return lists, nil
}
