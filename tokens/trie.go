package tokens

// none stands for a token or node that is not there.
const none = ^uint32(0)

// A trie finds the longest token that text starts with. Its nodes are the
// prefixes of tokens; a node that is a token has the token's number, the others
// follow. The edges lie in one hash table, so that a step is one probe, except
// the first two, which index tables.
type trie struct {
	tokens uint32      // nodes below this are tokens
	nodes  uint32      // the number of nodes
	first  [256]uint32 // nodes of one byte
	second []uint32    // nodes of two bytes, by first<<8|second
	edges  []uint64    // open addressing: parent<<40 | byte<<32 | child; 0 is free
	shift  uint8       // 32 - log2(len(edges))
	used   int
}

// newTrie returns a trie for tokens numbered below n.
func newTrie(n int) *trie {
	t := &trie{tokens: uint32(n), nodes: uint32(n), second: make([]uint32, 1<<16)}
	for i := range t.first {
		t.first[i] = none
	}
	for i := range t.second {
		t.second[i] = none
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
		}
		parent = next
	}
}

// longest returns the longest token that s starts with, none if there is none.
func (t *trie) longest(s string) uint32 {
	best := none
	if len(s) == 0 {
		return best
	}
	if n := t.first[s[0]]; n < t.tokens {
		best = n
	}
	if len(s) == 1 {
		return best
	}
	at := t.second[int(s[0])<<8|int(s[1])]
	for i := 2; at != none; i++ {
		if at < t.tokens {
			best = at
		}
		if i >= len(s) {
			break
		}
		at = t.child(at, s[i])
	}
	return best
}

// longestPrefix returns the longest token that s starts with and that is not s.
func (t *trie) longestPrefix(s string) uint32 {
	return t.longest(s[:len(s)-1])
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
