package lang

import "encoding/binary"

// A wordTable says which languages have a word. It is looked up for every word
// of every text, and takes a third of the time of a map: nearly all words fit
// into two integers, which are hashed by a multiplication.
type wordTable struct {
	short [1 << tableBits]struct { // open addressing
		key wordKey
		set set // 0 in a free place
	}
	long map[string]set
}

// tableBits makes room for twice the words there are.
const tableBits = 12

// A wordKey is a word of at most 16 bytes, with zeros behind it.
type wordKey struct{ lo, hi uint64 }

func keyOf(word *[maxWord]byte, size int) wordKey {
	lo, hi := binary.LittleEndian.Uint64(word[:8]), binary.LittleEndian.Uint64(word[8:16])
	if size < 8 {
		return wordKey{lo & (1<<(8*size) - 1), 0}
	}
	return wordKey{lo, hi & (1<<(8*(size-8)) - 1)}
}

// slot returns the place of the key or, where it is not there, the free one
// that it may take.
func (t *wordTable) slot(k wordKey) int {
	for i := (k.lo ^ k.hi*0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93 >> (64 - tableBits); ; i = (i + 1) % (1 << tableBits) {
		if e := &t.short[i]; e.set == 0 || e.key == k {
			return int(i)
		}
	}
}

func newWordTable(words map[string]set) *wordTable {
	t := &wordTable{long: map[string]set{}}
	for word, s := range words {
		if len(word) > 16 {
			t.long[word] = s
			continue
		}
		var b [maxWord]byte
		k := keyOf(&b, copy(b[:], word))
		e := &t.short[t.slot(k)]
		e.key, e.set = k, s
	}
	return t
}

// of returns the languages that have the word of that size in bytes.
func (t *wordTable) of(word *[maxWord]byte, size int) set {
	if size > 16 {
		return t.long[string(word[:size])]
	}
	return t.short[t.slot(keyOf(word, size))].set
}
