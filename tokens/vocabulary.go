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

	tokens []token

	pairs     []uint64 // open addressing: left<<42 | right<<21 | merged; 0 is free
	pairShift uint8
}

// A token lies in one cache line, since an encoder needs all of it.
type token struct {
	left, right uint32 // the pair that it is merged from; left is none if it never comes about by merging and so is a token only where it is a whole piece
	shorter     uint32 // the longest other token that it starts with and that can come about by merging
	size        uint32 // in bytes
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
		bytes:  bytes,
		starts: starts,
		atoms:  uint32(atoms),
		trie:   newTrie(n),
		tokens: make([]token, n),
	}
	for t := range v.tokens {
		v.tokens[t].size = starts[t+1] - starts[t]
	}
	order := v.byLength()
	v.longest = v.len(order[len(order)-1])
	for _, t := range order {
		v.trie.add(v.text(t), t)
	}
	size := 16
	v.pairShift = 64 - 4
	for size < 2*n {
		size *= 2
		v.pairShift--
	}
	v.pairs = make([]uint64, size)
	for _, t := range order { // the longest token that starts it, whatever its rank
		s := v.text(t)
		v.tokens[t].shorter, _ = v.trie.longest(s[:len(s)-1])
	}
	for t := uint32(atoms); t < uint32(n); t++ {
		v.merge(t)
	}
	for _, t := range order {
		if s := v.tokens[t].shorter; s != none && v.tokens[s].left == none {
			v.tokens[t].shorter = v.tokens[s].shorter
		}
	}
	return v, nil
}

// byLength returns the tokens from the shortest to the longest, without those
// that have no bytes, which are gaps in the numbering.
func (v *vocabulary) byLength() []uint32 {
	var counts []int
	for _, t := range v.tokens {
		for len(counts) <= int(t.size) {
			counts = append(counts, 0)
		}
		counts[t.size]++
	}
	at := make([]int, len(counts))
	for l := 2; l < len(counts); l++ {
		at[l] = at[l-1] + counts[l-1]
	}
	order := make([]uint32, len(v.tokens)-counts[0])
	for i, t := range v.tokens {
		if t.size > 0 {
			order[at[t.size]] = uint32(i)
			at[t.size]++
		}
	}
	return order
}

func (v *vocabulary) len(t uint32) int { return int(v.tokens[t].size) }

func (v *vocabulary) text(t uint32) string { return v.bytes[v.starts[t]:v.starts[t+1]] }

// merge finds the pair that t is merged from, when all tokens of lower rank have
// theirs: the two that byte pair encoding makes of t's bytes without t.
func (v *vocabulary) merge(t uint32) {
	text := v.text(t)
	for left := v.tokens[t].shorter; text != "" && left != none; left = v.tokens[left].shorter {
		if left > t || v.tokens[left].left == none {
			continue
		}
		right := v.trie.find(text[v.len(left):])
		if right == none || right > t || v.tokens[right].left == none || !v.adjacent(left, right) {
			continue
		}
		v.tokens[t].left, v.tokens[t].right = left, right
		v.addPair(left, right, t)
		return
	}
	v.tokens[t].left = none
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
			left = v.tokens[left].right
		} else {
			if right < v.atoms {
				return true
			}
			limit = right + 1
			right = v.tokens[right].left
		}
	}
}
