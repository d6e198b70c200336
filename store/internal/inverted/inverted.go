// Package inverted is the inverted index that stores keep in tables of their
// own: for a term and a block of slots the slots it is in, as one value of
// bytes. A search reads a few values, and ranks by BM25 exactly as package rank
// has it.
//
// A chunk has a slot, a number that grows and is never used twice. BlockSlots of
// them are a block, which knows the length of each chunk that can be found. To
// remove a chunk is to forget its length; the postings of a block that holds
// little go when the store moves what is left into new slots.
package inverted

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/cantle/cantle/rank"
	"github.com/cantle/cantle/store"
)

// BlockSlots is how many slots share the rows of postings: enough for a row to
// hold many chunks, few enough for a row to be written anew at little cost.
const BlockSlots = 4096

// ErrDamaged says that what was read is no index.
var ErrDamaged = errors.New("the index is damaged: ingest into a new store")

// A Block is the part of the index that is about its slots.
type Block struct {
	Live    int               // chunks that can be found
	Terms   int               // of these together
	Lengths []byte            // uint32 of each slot: 1 + its terms; 0 where there is nothing to find
	Added   map[string][]byte // postings that are not in the table yet, by term
	IsNew   bool              // it has no row yet
}

// New returns an empty block.
func New() *Block { return &Block{IsNew: true, Lengths: make([]byte, 4*BlockSlots)} }

// Check returns ErrDamaged for a block that cannot be.
func (b *Block) Check() error {
	if len(b.Lengths) != 4*BlockSlots {
		return ErrDamaged
	}
	return nil
}

// Length returns 1 + the number of terms of the chunk in a slot; 0 where there
// is nothing to find.
func (b *Block) Length(slot int64) uint32 {
	return binary.LittleEndian.Uint32(b.Lengths[4*(slot%BlockSlots):])
}

func (b *Block) setLength(slot int64, n uint32) {
	binary.LittleEndian.PutUint32(b.Lengths[4*(slot%BlockSlots):], n)
}

// Add makes a chunk of these terms findable. It sorts terms.
func (b *Block) Add(slot int64, terms []string) {
	b.setLength(slot, uint32(len(terms))+1)
	b.Live++
	b.Terms += len(terms)
	if b.Added == nil {
		b.Added = map[string][]byte{}
	}
	slices.Sort(terms)
	for i := 0; i < len(terms); {
		n := i + 1
		for n < len(terms) && terms[n] == terms[i] {
			n++
		}
		data := binary.AppendUvarint(b.Added[terms[i]], uint64(slot%BlockSlots))
		b.Added[terms[i]] = binary.AppendUvarint(data, uint64(n-i))
		i = n
	}
}

// Remove makes what is in a slot unfindable.
func (b *Block) Remove(slot int64) {
	if n := b.Length(slot); n > 0 {
		b.Live--
		b.Terms -= int(n) - 1
		b.setLength(slot, 0)
	}
}

// IsSparse reports whether a block that takes no more chunks holds so few that
// they had better move. Each move is paid for by three removals.
func (b *Block) IsSparse() bool { return b.Live < BlockSlots/4 }

// postings calls found for each chunk that data names and that can be found.
func (b *Block) postings(data []byte, found func(slot int, times, length int)) error {
	for len(data) > 0 {
		slot, n := binary.Uvarint(data)
		if n <= 0 || slot >= BlockSlots {
			return ErrDamaged
		}
		times, m := binary.Uvarint(data[n:])
		if m <= 0 {
			return ErrDamaged
		}
		data = data[n+m:]
		if length := binary.LittleEndian.Uint32(b.Lengths[4*slot:]); length > 0 {
			found(int(slot), int(times), int(length)-1)
		}
	}
	return nil
}

// Blocks are all blocks of a store, by number.
type Blocks map[int64]*Block

// IsLive reports whether what is in a slot can be found.
func (blocks Blocks) IsLive(slot int64) bool {
	b := blocks[slot/BlockSlots]
	return b != nil && b.Length(slot) > 0
}

// ReadBlocks reads all blocks from rows of number, live, terms and lengths.
func ReadBlocks(rows interface {
	Next() bool
	Scan(to ...any) error
	Err() error
}) (Blocks, error) {
	blocks := Blocks{}
	for rows.Next() {
		var number int64
		b := &Block{}
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

// Scored is a chunk by its slot.
type Scored = rank.Scored[int64]

// Search scores the chunks that share a term with a query: its terms in their
// order, lists their postings by term and block. What a term weighs comes of
// all chunks, whatever is allowed; nil allows all.
func (blocks Blocks) Search(terms []string, lists map[string]map[int64][]byte, allowed map[int64]bool) ([]Scored, error) {
	var corpus rank.Corpus
	for _, b := range blocks {
		corpus.Texts += b.Live
		corpus.Terms += b.Terms
	}
	weights := map[string]float32{}
	for term, list := range lists {
		n := 0
		for number, data := range list {
			b := blocks[number]
			if b == nil {
				return nil, ErrDamaged
			}
			if err := b.postings(data, func(int, int, int) { n++ }); err != nil {
				return nil, err
			}
		}
		weights[term] = corpus.IDF(n)
	}
	var found []Scored
	mean := corpus.Mean()
	scores := make([]float32, BlockSlots)
	for number, b := range blocks {
		clear(scores)
		for _, term := range terms { // in this order, and each as often as it is asked for: so are the sums of eval
			weight := weights[term]
			b.postings(lists[term][number], func(slot, times, length int) { // has been read once without an error
				scores[slot] += rank.Weight(weight, times, length, mean)
			})
		}
		for i, score := range scores {
			if slot := number*BlockSlots + int64(i); score > 0 && (allowed == nil || allowed[slot]) {
				found = append(found, Scored{Item: slot, Score: score})
			}
		}
	}
	return found, nil
}

// A Place orders chunks of equal score.
type Place struct {
	Doc      string
	Position int
}

// Places finds the places of chunks.
type Places func(slots []int64) (map[int64]Place, error)

func (p Place) compare(q Place) int {
	return cmp.Or(cmp.Compare(p.Doc, q.Doc), cmp.Compare(p.Position, q.Position))
}

// Best returns the n best, n at least 1, the best first; where scores are equal
// those of lesser places, which are asked for of as few slots as needed. It
// reorders found.
func Best(found []Scored, n int, places Places) ([]Scored, error) {
	if len(found) > n {
		least := threshold(found, n)
		found = slices.DeleteFunc(found, func(f Scored) bool { return f.Score < least })
	}
	slices.SortFunc(found, func(x, y Scored) int { return cmp.Compare(y.Score, x.Score) })
	var tied []int64
	for i := range found {
		if i > 0 && found[i].Score == found[i-1].Score || i+1 < len(found) && found[i].Score == found[i+1].Score {
			tied = append(tied, found[i].Item)
		}
	}
	if len(tied) > 0 {
		at, err := places(tied)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(found, func(x, y Scored) int {
			return cmp.Or(cmp.Compare(y.Score, x.Score), at[x.Item].compare(at[y.Item]))
		})
	}
	return found[:min(n, len(found))], nil
}

// threshold returns the score of the nth best of more than n.
func threshold(found []Scored, n int) float32 {
	heap := make([]float32, 0, n) // the best so far, the least of them first
	for _, f := range found {
		switch {
		case len(heap) < n:
			heap = append(heap, f.Score)
			for i := len(heap) - 1; i > 0 && heap[i] < heap[(i-1)/2]; i = (i - 1) / 2 {
				heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
			}
		case f.Score > heap[0]:
			heap[0] = f.Score
			for i := 0; ; {
				least := i
				for _, child := range [2]int{2*i + 1, 2*i + 2} {
					if child < n && heap[child] < heap[least] {
						least = child
					}
				}
				if least == i {
					break
				}
				heap[i], heap[least] = heap[least], heap[i]
				i = least
			}
		}
	}
	return heap[0]
}

// Rank returns the best of what a resolved query asks for: by its words, by its
// vector, or of both rankings fused. keywords and nearest score chunks in any
// order, the depth best among them.
func Rank(q store.Query, places Places, keywords, nearest func(depth int) ([]Scored, error)) ([]Scored, error) {
	depth := q.Top
	if q.Text != "" && q.Vector != nil {
		depth = max(depth, store.FusionDepth)
	}
	var rankings [][]Scored
	add := func(score func(depth int) ([]Scored, error)) error {
		found, err := score(depth)
		if err == nil {
			found, err = Best(found, depth, places)
		}
		rankings = append(rankings, found)
		return err
	}
	if q.Text != "" {
		if err := add(keywords); err != nil {
			return nil, err
		}
	}
	if q.Vector != nil {
		if err := add(nearest); err != nil {
			return nil, err
		}
	}
	if len(rankings) == 1 {
		return rankings[0], nil
	}
	return fuse(rankings, q.Top, places)
}

// fuse makes one ranking of the n best of several.
func fuse(rankings [][]Scored, n int, places Places) ([]Scored, error) {
	lists := make([][]int64, len(rankings))
	for i, r := range rankings {
		for _, f := range r {
			lists[i] = append(lists[i], f.Item)
		}
	}
	return Best(rank.Fuse(cmp.Compare[int64], lists...), n, places)
}
