package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/inverted"
)

// vectors are those of one embedder, in memory. A slot's vector never changes,
// so what was written since is read by its slots; what was removed stays until
// it is half of all, and is passed over.
type vectors struct {
	changes int64 // the state that was read
	last    int64 // the highest slot
	dim     int
	slots   []int64
	floats  []float32 // dim for each slot
}

// errOutdated says that a transaction sees less than is in memory.
var errOutdated = errors.New("a newer state is in memory")

// nearest scores all vectors by their product with the one asked for.
func (s *Store) nearest(ctx context.Context, tx *sql.Tx, blocks inverted.Blocks, q store.Query, allowed map[int64]bool) ([]inverted.Scored, error) {
	v, err := s.load(ctx, tx, blocks, q.Embedder)
	if err != nil {
		return nil, err
	}
	if len(v.slots) > 0 && len(q.Vector) != v.dim {
		return nil, fmt.Errorf("the query's vector has %d floats, those of %s have %d", len(q.Vector), q.Embedder, v.dim)
	}
	found := make([]inverted.Scored, 0, len(v.slots))
	var products [4]float32
	for i := 0; i < len(v.slots); i += 4 {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := min(4, len(v.slots)-i)
		if n == 4 {
			dot4(&products, q.Vector, v.floats[i*v.dim:(i+4)*v.dim])
		} else {
			for j := range n {
				products[j] = dot(q.Vector, v.floats[(i+j)*v.dim:(i+j+1)*v.dim])
			}
		}
		for j, slot := range v.slots[i : i+n] {
			if !blocks.IsLive(slot) || allowed != nil && !allowed[slot] {
				continue
			}
			found = append(found, inverted.Scored{Item: slot, Score: products[j]})
		}
	}
	return found, nil
}

// load returns the vectors as of tx.
func (s *Store) load(ctx context.Context, tx *sql.Tx, blocks inverted.Blocks, embedder string) (*vectors, error) {
	var key int64
	err := tx.QueryRowContext(ctx, "SELECT key FROM embedders WHERE name = ?", embedder).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, unknownEmbedder(ctx, tx, embedder)
	}
	if err != nil {
		return nil, err
	}
	var changes int64
	if err := tx.QueryRowContext(ctx, "SELECT changes FROM state").Scan(&changes); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.vectors[key]
	switch {
	case was == nil:
		was = &vectors{last: -1}
	case was.changes == changes:
		return was, nil
	case was.changes > changes:
		return nil, errOutdated
	}
	v := &vectors{changes: changes, last: was.last, dim: was.dim, slots: was.slots, floats: was.floats}
	v.purge(blocks)
	if err := v.read(ctx, tx, key); err != nil {
		return nil, err
	}
	s.vectors[key] = v
	return v, nil
}

// purge copies what is there without what was removed, once that is half.
func (v *vectors) purge(blocks inverted.Blocks) {
	n := 0
	for _, slot := range v.slots {
		if blocks.IsLive(slot) {
			n++
		}
	}
	if 2*n >= len(v.slots) {
		return
	}
	slots, floats := make([]int64, 0, n), make([]float32, 0, n*v.dim)
	for i, slot := range v.slots {
		if blocks.IsLive(slot) {
			slots = append(slots, slot)
			floats = append(floats, v.floats[i*v.dim:(i+1)*v.dim]...)
		}
	}
	v.slots, v.floats = slots, floats
}

// read appends the vectors of the slots above the last. Others may be using
// what is there, which stays as it is.
func (v *vectors) read(ctx context.Context, tx *sql.Tx, key int64) error {
	rows, err := tx.QueryContext(ctx, "SELECT slot, vector FROM vectors WHERE slot > ? AND embedder = ? ORDER BY slot", v.last, key)
	if err != nil {
		return err
	}
	defer rows.Close()
	var b sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&v.last, &b); err != nil {
			return err
		}
		if v.dim == 0 {
			v.dim = len(b) / 4
		}
		if len(b) != 4*v.dim {
			return fmt.Errorf("vectors of %d and of %d floats", v.dim, len(b)/4)
		}
		v.slots = append(v.slots, v.last)
		for ; len(b) > 0; b = b[4:] {
			v.floats = append(v.floats, math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
	}
	return rows.Err()
}

func unknownEmbedder(ctx context.Context, tx *sql.Tx, want string) error {
	rows, err := tx.QueryContext(ctx, "SELECT name FROM embedders ORDER BY name")
	if err != nil {
		return err
	}
	defer rows.Close()
	bad := &store.EmbedderError{Want: want}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		bad.Have = append(bad.Have, name)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return bad
}

// dot4 multiplies q with four vectors that stand one behind the other. Each sum
// is taken in the order of dot, so that the results are the same; four at once
// keep the processor busy while it waits for one.
func dot4(sums *[4]float32, q, vectors []float32) {
	n := len(q)
	a, b, c, d := vectors[:n], vectors[n:][:n], vectors[2*n:][:n], vectors[3*n:][:n]
	var s0, s1, s2, s3 float32
	for i, x := range q {
		s0 += float32(x * a[i])
		s1 += float32(x * b[i])
		s2 += float32(x * c[i])
		s3 += float32(x * d[i])
	}
	*sums = [4]float32{s0, s1, s2, s3}
}

func dot(a, b []float32) float32 {
	var sum float32
	for i, x := range a {
		sum += float32(x * b[i])
	}
	return sum
}

func encodeVector(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}
