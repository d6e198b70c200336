package tokens

import (
	"sync"
	"unicode/utf8"
)

// A bytePair is an encoding of byte pairs: it splits text into pieces and encodes
// each by itself. It implements Coder.
type bytePair struct {
	name    string
	split   splitter
	lines   bool               // line ends end a piece: no piece reaches over one into text
	vocab   func() *vocabulary // loads it at the first call
	special map[int]string     // the tokens that only Decode knows
	workers sync.Pool          // *worker
}

// A worker does one call at a time. It keeps what it learned about pieces for
// the next one.
type worker struct {
	vocab  *vocabulary
	cache  pieceCache
	ends   [256]int
	search search
}

// keepSearch is the largest piece, in bytes, whose working memory a worker keeps.
const keepSearch = 1 << 16

func (e *bytePair) worker() *worker {
	if w, ok := e.workers.Get().(*worker); ok {
		return w
	}
	return &worker{vocab: e.vocab()}
}

func (e *bytePair) release(w *worker) {
	if cap(w.search.stack) > keepSearch {
		w.search.stack, w.search.dead = nil, nil
	}
	e.workers.Put(w)
}

// look returns what there is to know of the piece s[i:i+n], one to be remembered.
func (w *worker) look(s string, i, n int) *pieceTokens {
	p, known := w.cache.at(s, i, n)
	if !known {
		w.learn(p, s[i:i+n])
	}
	return p
}

func (w *worker) learn(p *pieceTokens, piece string) {
	found := w.vocab.encode(piece, &w.search)
	*p = pieceTokens{first: found[0]}
	at := 0
	for _, t := range found {
		p.starts |= 1 << at
		at += w.vocab.len(t)
	}
}

// Name is part of Encoding.
func (e *bytePair) Name() string { return e.name }

// Count is part of Encoding.
func (e *bytePair) Count(text string) int {
	const most = int(^uint(0) >> 1)
	return e.count(validText(text), most)
}

// CountUntil is part of Encoding.
func (e *bytePair) CountUntil(text string, limit int) int {
	limit = max(limit, 0)
	if len(text)/e.vocab().longest > limit { // even of the longest tokens these are too many
		return limit + 1
	}
	return min(e.count(validText(text), limit), limit+1)
}

// count returns the number of tokens of text, or a number above limit.
func (e *bytePair) count(text string, limit int) int {
	w := e.worker()
	n := 0
	for i := 0; i < len(text) && n <= limit; {
		ends := w.ends[:e.split(text, i, w.ends[:])]
		for _, end := range ends {
			if remembered(text, i, end-i) {
				n += w.look(text, i, end-i).count()
			} else {
				n += len(w.vocab.encode(text[i:end], &w.search))
			}
			i = end
		}
	}
	e.release(w)
	return n
}

// Mark is part of Encoding.
func (e *bytePair) Mark(text string, bits []uint64) {
	if !utf8.ValidString(text) {
		e.markInvalid(text, bits)
		return
	}
	e.mark(text, bits, nil)
}

// MarkPieces is part of Piecer.
func (e *bytePair) MarkPieces(text string, bits, pieces []uint64) bool {
	if !e.lines || !utf8.ValidString(text) {
		return false
	}
	e.mark(text, bits, pieces)
	return true
}

// mark marks the tokens of valid text and, where pieces is not nil, the pieces
// that they are in.
func (e *bytePair) mark(text string, bits, pieces []uint64) {
	w := e.worker()
	for i := 0; i < len(text); {
		ends := w.ends[:e.split(text, i, w.ends[:])]
		for _, end := range ends {
			if pieces != nil {
				pieces[i/64] |= 1 << (i % 64)
			}
			if remembered(text, i, end-i) {
				starts := w.look(text, i, end-i).starts
				bits[i/64] |= starts << (i % 64)
				if over := starts >> (64 - i%64); over != 0 {
					bits[i/64+1] |= over
				}
				i = end
				continue
			}
			for _, t := range w.vocab.encode(text[i:end], &w.search) {
				bits[i/64] |= 1 << (i % 64)
				i += w.vocab.len(t)
			}
		}
	}
	e.release(w)
}

// markInvalid marks text that is not valid UTF-8: it marks the valid text that is
// counted in its place, and takes the marks over, byte by byte.
func (e *bytePair) markInvalid(text string, bits []uint64) {
	valid := validText(text)
	marks := make([]uint64, (len(valid)+63)/64)
	e.mark(valid, marks, nil)
	j := 0
	for i, r := range text {
		_, n := utf8.DecodeRuneInString(text[i:])
		for k := range utf8.RuneLen(r) {
			if marks[j/64]>>(j%64)&1 != 0 {
				at := i + min(k, n-1)
				bits[at/64] |= 1 << (at % 64)
			}
			j++
		}
	}
}

// Encode is part of Coder.
func (e *bytePair) Encode(text string) []int {
	text = validText(text)
	w := e.worker()
	ids := make([]int, 0, len(text)/4+1)
	for i := 0; i < len(text); {
		ends := w.ends[:e.split(text, i, w.ends[:])]
		for _, end := range ends {
			if remembered(text, i, end-i) {
				if p := w.look(text, i, end-i); p.starts == 1 {
					ids = append(ids, int(p.first))
					i = end
					continue
				}
			}
			for _, t := range w.vocab.encode(text[i:end], &w.search) {
				ids = append(ids, int(t))
			}
			i = end
		}
	}
	e.release(w)
	return ids
}

// Decode is part of Coder.
func (e *bytePair) Decode(ids []int) string {
	var text []byte
	vocab := e.vocab()
	for _, id := range ids {
		if s, ok := e.special[id]; ok {
			text = append(text, s...)
		} else if 0 <= id && id < len(vocab.tokens) {
			text = append(text, vocab.text(uint32(id))...)
		}
	}
	return string(text)
}

// validText returns text with U+FFFD for each byte that is not part of valid UTF-8.
func validText(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}
