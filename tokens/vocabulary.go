package tokens

import "fmt"

// A vocabulary holds the tokens of a byte pair encoding, numbered by rank: the
// atoms, which nothing is merged into, then the merged ones in the order in which
// the encoding prefers them.
//
// Byte pair encoding merges, over and over, the adjacent pair whose merger has
// the lowest rank. What it arrives at can be found without merging. Whether it
// leaves a boundary between two tokens depends on these two alone, and text has
// just one cut into tokens at whose every boundary it does. So taking the longest
// token that fits, and going back where none does, finds the same tokens, in
// linear time. The idea is that of GitHub's bpe crate.
type vocabulary struct {
	bytes   string   // of all tokens, one after the other
	starts  []uint32 // token t is bytes[starts[t]:starts[t+1]]
	atoms   uint32   // tokens below this are atoms
	longest int      // length in bytes of the longest token
	trie    *trie

	parts   [][2]uint32 // the pair that t is merged from; for atoms not set
	shorter []uint32    // the longest token that starts t, t excepted, and can come about by merging
	whole   []bool      // t never comes about by merging: it is a token only where it is a whole piece

	pairs     []uint64 // open addressing: left<<42 | right<<21 | merged; 0 is free
	pairShift uint8
}

const maxTokens = 1 << 21 // so that three numbers fit in an entry of pairs

// newVocabulary returns the vocabulary of the tokens given. Any pair whose bytes
// together are a token may be merged, as tiktoken has it; only one pair a token
// ever is.
func newVocabulary(bytes string, starts []uint32, atoms int) (*vocabulary, error) {
	n := len(starts) - 1
	if n > maxTokens {
		return nil, fmt.Errorf("vocabulary of %d tokens, at most %d can be held", n, maxTokens)
	}
	v := &vocabulary{
		bytes:   bytes,
		starts:  starts,
		atoms:   uint32(atoms),
		trie:    newTrie(n),
		parts:   make([][2]uint32, n),
		shorter: make([]uint32, n),
		whole:   make([]bool, n),
	}
	order := v.byLength()
	v.longest = v.len(order[len(order)-1])
	for _, t := range order {
		v.trie.add(v.token(t), t)
	}
	size := 16
	v.pairShift = 64 - 4
	for size < 2*n {
		size *= 2
		v.pairShift--
	}
	v.pairs = make([]uint64, size)
	for _, t := range order { // the longest token that starts it, whatever its rank
		v.shorter[t] = v.trie.longestPrefix(v.token(t))
	}
	for t := uint32(atoms); t < uint32(n); t++ {
		v.merge(t)
	}
	for _, t := range order {
		if s := v.shorter[t]; s != none && v.whole[s] {
			v.shorter[t] = v.shorter[s]
		}
	}
	return v, nil
}

// byLength returns the tokens from the shortest to the longest, without those
// that have no bytes, which are gaps in the numbering.
func (v *vocabulary) byLength() []uint32 {
	n := uint32(len(v.starts) - 1)
	var counts []int
	for t := range n {
		l := v.len(t)
		for len(counts) <= l {
			counts = append(counts, 0)
		}
		counts[l]++
	}
	at := make([]int, len(counts))
	for l := 2; l < len(counts); l++ {
		at[l] = at[l-1] + counts[l-1]
	}
	order := make([]uint32, int(n)-counts[0])
	for t := range n {
		if l := v.len(t); l > 0 {
			order[at[l]] = t
			at[l]++
		}
	}
	return order
}

func (v *vocabulary) len(t uint32) int { return int(v.starts[t+1] - v.starts[t]) }

func (v *vocabulary) token(t uint32) string { return v.bytes[v.starts[t]:v.starts[t+1]] }

// merge finds the pair that t is merged from, when all tokens of lower rank have
// theirs: the two that byte pair encoding makes of t's bytes without t.
func (v *vocabulary) merge(t uint32) {
	s := v.token(t)
	if s == "" {
		v.whole[t] = true
		return
	}
	for left := v.shorter[t]; left != none; left = v.shorter[left] {
		if left > t || v.whole[left] {
			continue
		}
		right := v.trie.find(s[v.len(left):])
		if right == none || right > t || v.whole[right] || !v.adjacent(left, right) {
			continue
		}
		v.parts[t] = [2]uint32{left, right}
		v.addPair(left, right, t)
		return
	}
	v.whole[t] = true
}

func pairKey(left, right uint32) uint64 { return uint64(left)<<21 | uint64(right) }

func (v *vocabulary) pairSlot(key uint64) uint64 { return key * 0x9E3779B97F4A7C15 >> v.pairShift }

func (v *vocabulary) addPair(left, right, merged uint32) {
	key := pairKey(left, right)
	mask := uint64(len(v.pairs) - 1)
	i := v.pairSlot(key)
	for v.pairs[i] != 0 {
		i = (i + 1) & mask
	}
	v.pairs[i] = key<<21 | uint64(merged)
}

// pair returns the token that left and right are merged into, none if they are not.
func (v *vocabulary) pair(left, right uint32) uint32 {
	key := pairKey(left, right)
	mask := uint64(len(v.pairs) - 1)
	for i := v.pairSlot(key); ; i++ {
		e := v.pairs[i&mask]
		if e == 0 {
			return none
		}
		if e>>21 == key {
			return uint32(e) & (maxTokens - 1)
		}
	}
}

// adjacent reports whether byte pair encoding leaves left and right as they are
// where they meet.
//
// It undoes the merges that made them, the last one first, and looks at each step
// whether the two tokens then at the boundary would have been merged before the
// step that is undone: it has a lower rank, or the same and is further left.
func (v *vocabulary) adjacent(left, right uint32) bool {
	limit := none
	for {
		if v.pair(left, right) < limit {
			return false
		}
		if left > right {
			if left < v.atoms {
				return true
			}
			limit = left
			left = v.parts[left][1]
		} else {
			if right < v.atoms {
				return true
			}
			limit = right + 1
			right = v.parts[right][0]
		}
	}
}
