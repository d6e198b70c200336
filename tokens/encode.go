package tokens

// A search is the working memory of vocabulary.encode.
type search struct {
	stack    []uint32
	dead     []uint64
	verdicts [1 << verdictBits]uint64
}

// Verdicts of adjacent are remembered, each pair in its one place: the pair's key,
// shifted by one, the verdict in the lowest bit. 0 would be the pair of the atom 0
// with itself, not adjacent, and is no verdict.
const verdictBits = 15

func (w *search) adjacent(v *vocabulary, left, right uint32) bool {
	key := pairKey(left, right)
	at := &w.verdicts[key*0x9E3779B97F4A7C15>>(64-verdictBits)]
	if *at>>1 == key && *at != 0 {
		return *at&1 != 0
	}
	*at = key << 1
	if v.adjacent(left, right) {
		*at |= 1
		return true
	}
	return false
}

// encode returns the tokens of one piece, which holds at least one byte. The
// result is w's own, valid until its next use.
//
// The tokens on the stack are always those of the text up to pos. Where no token
// fits behind them, no token may end at pos: it is marked dead, so that each
// offset is given up once, and the last token is replaced by a shorter one.
func (v *vocabulary) encode(piece string, w *search) []uint32 {
	next, size := v.trie.longest(piece)
	stack := w.stack[:0]
	if size == len(piece) {
		w.stack = append(stack, next)
		return w.stack
	}
	dead := w.dead[:0]
	for range len(piece)/64 + 1 {
		dead = append(dead, 0)
	}
	w.dead = dead

	pos := 0
	last := none
	for {
		for next != none {
			end := pos + size
			if v.tokens[next].left != none && dead[end/64]>>(end%64)&1 == 0 && (last == none || w.adjacent(v, last, next)) {
				break
			}
			if next = v.tokens[next].shorter; next != none {
				size = v.len(next)
			}
		}
		if next == none {
			dead[pos/64] |= 1 << (pos % 64)
			stack = stack[:len(stack)-1]
			pos -= v.len(last)
			next, last = v.tokens[last].shorter, none
			if next != none {
				size = v.len(next)
			}
			if len(stack) > 0 {
				last = stack[len(stack)-1]
			}
			continue
		}
		stack = append(stack, next)
		last = next
		pos += size
		if pos == len(piece) {
			w.stack = stack
			return stack
		}
		next, size = v.trie.longest(piece[pos:])
	}
}
