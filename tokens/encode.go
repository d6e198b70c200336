package tokens

// A search is the working memory of vocabulary.encode.
type search struct {
	stack []uint32
	dead  []uint64
}

// encode returns the tokens of one piece, which holds at least one byte. The
// result is w's own, valid until its next use.
//
// The tokens on the stack are always those of the text up to pos. Where no token
// fits behind them, no token may end at pos: it is marked dead, so that each
// offset is given up once, and the last token is replaced by a shorter one.
func (v *vocabulary) encode(piece string, w *search) []uint32 {
	next := v.trie.longest(piece)
	stack := w.stack[:0]
	if v.len(next) == len(piece) {
		w.stack = append(stack, next)
		return w.stack
	}
	dead := w.dead[:0]
	for range len(piece)/64 + 1 {
		dead = append(dead, 0)
	}
	w.dead = dead

	pos := 0
	for {
		for next != none && v.whole[next] {
			next = v.shorter[next]
		}
		for next != none {
			end := pos + v.len(next)
			if dead[end/64]>>(end%64)&1 == 0 && (len(stack) == 0 || v.adjacent(stack[len(stack)-1], next)) {
				break
			}
			next = v.shorter[next]
		}
		if next == none {
			dead[pos/64] |= 1 << (pos % 64)
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			pos -= v.len(last)
			next = v.shorter[last]
			continue
		}
		stack = append(stack, next)
		pos += v.len(next)
		if pos == len(piece) {
			w.stack = stack
			return stack
		}
		next = v.trie.longest(piece[pos:])
	}
}
