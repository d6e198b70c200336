package tokens

import "unicode/utf8"

// merges is the byte pair encoding of a tokenizer.json: a list of pairs of
// symbols, each with what they merge into, of which always the one that comes
// first in the list and stands furthest left is merged. The symbols are bytes or
// runes to begin with.
//
// Lists need not be in the order of their results, nor have one pair each, so
// the short cut that vocabulary takes is not open here.
type merges struct {
	pairs   *pairTable
	whole   map[string]uint32 // pieces that are tokens without merging, nil if there are none
	byBytes *[256]uint32      // the symbols of bytes, nil if text is taken by runes
	byRune  map[string]uint32 // the symbols of runes

	// joins[b] says that a merge joins a word that ends in b to the mark of the space
	// behind it. After other bytes text can be cut before a space without another
	// result. nil if it cannot.
	joins *[256]bool

	unknown uint32       // for a rune that is no symbol; none if it is left out
	fuse    bool         // unknown runes in a row are one token
	bytes   *[256]uint32 // the tokens for the bytes of such a rune, before unknown is used
}

type mergeRule struct{ rank, id uint32 }

// A pairTable holds the rules by open addressing. A key is one more than
// pairKey, so that 0 is free.
type pairTable struct {
	keys  []uint64
	rules []mergeRule
	shift uint8
}

func newPairTable(n int) *pairTable {
	t := &pairTable{shift: 64}
	size := 1
	for size < 2*n+2 {
		size *= 2
		t.shift--
	}
	t.keys, t.rules = make([]uint64, size), make([]mergeRule, size)
	return t
}

// slot returns the place of a key, or that where it would go.
func (t *pairTable) slot(key uint64) uint64 {
	mask := uint64(len(t.keys) - 1)
	i := key * 0x9E3779B97F4A7C15 >> t.shift
	for t.keys[i] != 0 && t.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

// put enters a rule, in the place of an earlier one of the same pair.
func (t *pairTable) put(left, right uint32, rule mergeRule) {
	i := t.slot(pairKey(left, right) + 1)
	t.keys[i], t.rules[i] = pairKey(left, right)+1, rule
}

func (t *pairTable) get(left, right uint32) (mergeRule, bool) {
	i := t.slot(pairKey(left, right) + 1)
	return t.rules[i], t.keys[i] != 0
}

// A symbol is a part of the piece. They form a list, in which a merged one takes
// the place of its left part.
type symbol struct {
	start, id  uint32
	prev, next int32
}

const gone = none - 1 // the id of a symbol that was merged into another

// A mergeCandidate is a pair that can be merged, if it is still there.
type mergeCandidate struct {
	rank uint32
	left uint32 // index of the left symbol
	id   uint32 // what the two merge into
}

func (c mergeCandidate) before(d mergeCandidate) bool {
	return c.rank < d.rank || c.rank == d.rank && c.left < d.left
}

func (m *merges) tokenize(piece string, s *modelSearch) {
	if id, ok := m.whole[piece]; ok {
		s.found = append(s.found, foundToken{0, id})
		return
	}
	s.symbols = m.symbols(piece, s.symbols[:0])
	symbols := s.symbols
	q := s.queue[:0]
	push := func(left int32) {
		if left < 0 || symbols[left].next < 0 {
			return
		}
		l, r := symbols[left].id, symbols[symbols[left].next].id
		if rule, ok := m.pairs.get(l, r); ok {
			q = pushCandidate(q, mergeCandidate{rule.rank, uint32(left), rule.id})
		}
	}
	for i := range symbols {
		push(int32(i))
	}
	for len(q) > 0 {
		var c mergeCandidate
		c, q = popCandidate(q)
		l := &symbols[c.left]
		if l.id == gone || l.next < 0 {
			continue
		}
		r := &symbols[l.next]
		if rule, ok := m.pairs.get(l.id, r.id); !ok || rule.id != c.id {
			continue
		}
		l.id, r.id = c.id, gone
		l.next = r.next
		if l.next >= 0 {
			symbols[l.next].prev = int32(c.left)
		}
		push(l.prev)
		push(int32(c.left))
	}
	s.queue = q
	for i := range symbols {
		if symbols[i].id != gone {
			s.found = append(s.found, foundToken{symbols[i].start, symbols[i].id})
		}
	}
}

// symbols appends what the piece consists of before any merge.
func (m *merges) symbols(piece string, list []symbol) []symbol {
	add := func(start int, id uint32) {
		list = append(list, symbol{uint32(start), id, int32(len(list)) - 1, int32(len(list)) + 1})
	}
	if m.byBytes != nil {
		for i := range len(piece) {
			if id := m.byBytes[piece[i]]; id != none {
				add(i, id)
			}
		}
	} else {
		unknown := false
		for i := 0; i < len(piece); {
			_, n := utf8.DecodeRuneInString(piece[i:])
			id, ok := m.byRune[piece[i:i+n]]
			switch {
			case ok:
				add(i, id)
			case m.bytes != nil:
				for k := range n {
					add(i+k, m.bytes[piece[i+k]])
				}
			case m.unknown != none && !(unknown && m.fuse):
				add(i, m.unknown)
			}
			unknown = !ok && m.bytes == nil
			i += n
		}
	}
	if len(list) > 0 {
		list[len(list)-1].next = -1
	}
	return list
}

// pushCandidate and popCandidate keep a binary heap. container/heap would
// allocate each candidate.
func pushCandidate(q []mergeCandidate, c mergeCandidate) []mergeCandidate {
	q = append(q, c)
	i := len(q) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !c.before(q[parent]) {
			break
		}
		q[i] = q[parent]
		i = parent
	}
	q[i] = c
	return q
}

func popCandidate(q []mergeCandidate) (mergeCandidate, []mergeCandidate) {
	top, last := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	i := 0
	for 2*i+1 < len(q) {
		child := 2*i + 1
		if child+1 < len(q) && q[child+1].before(q[child]) {
			child++
		}
		if !q[child].before(last) {
			break
		}
		q[i] = q[child]
		i = child
	}
	if len(q) > 0 {
		q[i] = last
	}
	return top, q
}
