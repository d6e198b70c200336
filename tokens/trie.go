package tokens

import (
	"cmp"
	"slices"
)

// none stands for a token or node that is not there.
const none = ^uint32(0)

// A trie finds the longest token that text starts with. Its nodes are the
// prefixes of tokens; a node that is a token has the token's number, the others
// follow. The edges lie in one hash table, so that a step is one probe, except
// the first ones, which index tables.
type trie struct {
	tokens uint32      // nodes below this are tokens
	nodes  uint32      // the number of nodes
	first  [256]uint32 // nodes of one byte
	second []uint32    // nodes of two bytes, by first<<8|second
	third  []uint32    // nodes of three bytes from 0xE0 on, which begin most runes of Asia, by the low 4, 6 and 6 bits
	edges  []uint64    // open addressing: parent<<40 | byte<<32 | child; 0 is free
	shift  uint8       // 32 - log2(len(edges))
	used   int
}

// newTrie returns a trie for tokens numbered below n.
func newTrie(n int) *trie {
	t := &trie{tokens: uint32(n), nodes: uint32(n), second: make([]uint32, 1<<16), third: make([]uint32, 1<<16)}
	for _, table := range [][]uint32{t.first[:], t.second, t.third} {
		for i := range table {
			table[i] = none
		}
	}
	t.grow(1 << 10)
	return t
}

func edgeKey(parent uint32, b byte) uint64 { return uint64(parent)<<8 | uint64(b) }

func (t *trie) slot(key uint64) uint32 {
	return uint32(key) * 0x9E3779B1 >> t.shift
}

// child returns the node that b leads to from parent, a node of two bytes or more.
func (t *trie) child(parent uint32, b byte) uint32 {
	key := edgeKey(parent, b)
	mask := uint32(len(t.edges) - 1)
	for i := t.slot(key); ; i++ {
		e := t.edges[i&mask]
		if e == 0 {
			return none
		}
		if e>>32 == key {
			return uint32(e)
		}
	}
}

func (t *trie) grow(size int) {
	old := t.edges
	t.edges = make([]uint64, size)
	t.shift = 32
	for n := size; n > 1; n >>= 1 {
		t.shift--
	}
	for _, e := range old {
		if e != 0 {
			t.put(e)
		}
	}
}

func (t *trie) put(e uint64) {
	mask := uint32(len(t.edges) - 1)
	i := t.slot(e>>32) & mask
	for t.edges[i] != 0 {
		i = (i + 1) & mask
	}
	t.edges[i] = e
}

// add enters a token. Every token that is a prefix of it must be there already.
func (t *trie) add(token string, number uint32) {
	node := func(i int) uint32 {
		if i == len(token)-1 {
			return number
		}
		t.nodes++
		return t.nodes - 1
	}
	at := &t.first[token[0]]
	if *at == none {
		*at = node(0)
	}
	if len(token) == 1 {
		return
	}
	at = &t.second[int(token[0])<<8|int(token[1])]
	if *at == none {
		*at = node(1)
	}
	parent := *at
	for i := 2; i < len(token); i++ {
		next := t.child(parent, token[i])
		if next == none {
			next = node(i)
			if t.used++; 2*t.used > len(t.edges) {
				t.grow(2 * len(t.edges))
			}
			t.put(edgeKey(parent, token[i])<<32 | uint64(next))
			if i == 2 && isThree(token[0], token[1], token[2]) {
				t.third[threeIndex(token[0], token[1], token[2])] = next
			}
		}
		parent = next
	}
}

// isThree reports whether the bytes are those of a rune of three bytes.
func isThree(a, b, c byte) bool { return a&0xF0 == 0xE0 && b&0xC0 == 0x80 && c&0xC0 == 0x80 }

func threeIndex(a, b, c byte) int { return int(a&0x0F)<<12 | int(b&0x3F)<<6 | int(c&0x3F) }

// longest returns the longest token that s starts with and its size in bytes,
// none and 0 if there is none.
func (t *trie) longest(s string) (best uint32, size int) {
	best = none
	if len(s) == 0 {
		return best, 0
	}
	if n := t.first[s[0]]; n < t.tokens {
		best, size = n, 1
	}
	if len(s) == 1 {
		return best, size
	}
	at := t.second[int(s[0])<<8|int(s[1])]
	i := 2
	if len(s) > 2 && isThree(s[0], s[1], s[2]) {
		if at < t.tokens {
			best, size = at, 2
		}
		at = t.third[threeIndex(s[0], s[1], s[2])]
		i = 3
	}
	for ; at != none; i++ {
		if at < t.tokens {
			best, size = at, i
		}
		if i >= len(s) {
			break
		}
		at = t.child(at, s[i])
	}
	return best, size
}

// find returns the token that is s, none if there is none.
func (t *trie) find(s string) uint32 {
	at := t.first[s[0]]
	if len(s) > 1 {
		at = t.second[int(s[0])<<8|int(s[1])]
	}
	for i := 2; i < len(s) && at != none; i++ {
		at = t.child(at, s[i])
	}
	if at < t.tokens {
		return at
	}
	return none
}

// root and step walk the nodes that s leads to: root returns the first and step
// the one after node, of n bytes, each with its size; none at the end.
func (t *trie) root(s string) (node uint32, n int) {
	return t.first[s[0]], 1
}

func (t *trie) step(node uint32, s string, n int) (uint32, int) {
	if n == len(s) {
		return none, n
	}
	if n == 1 {
		return t.second[int(s[0])<<8|int(s[1])], 2
	}
	return t.child(node, s[n]), n + 1
}

// A numbered is a token's text and number.
type numbered struct {
	text   string
	number uint32
}

// trieOf returns a trie of the words given, which it sorts. Empty ones are left out.
func trieOf(words []numbered) *trie {
	slices.SortFunc(words, func(a, b numbered) int { return cmp.Compare(len(a.text), len(b.text)) })
	n := uint32(0)
	for _, w := range words {
		n = max(n, w.number+1)
	}
	t := newTrie(int(n))
	for _, w := range words {
		if w.text != "" {
			t.add(w.text, w.number)
		}
	}
	return t
}
