package tokens

import (
	"math/bits"
	"unicode/utf8"
)

// shortPiece is the length in bytes up to which a piece fits in a pieceKey. Most
// are shorter: a word with its space.
const shortPiece = 15

// A pieceKey holds a short piece itself: its bytes, zeros, and in the last byte
// its length, which is not 0.
type pieceKey struct{ lo, hi uint64 }

// pieceMasks[n] keeps the first n of 16 bytes.
var pieceMasks = func() (m [shortPiece + 1]pieceKey) {
	for n := range m {
		m[n].lo = 1<<(8*min(n, 8)) - 1
		m[n].hi = 1<<(8*max(n-8, 0)) - 1
	}
	return m
}()

// keyOf returns the key of s[i:i+n], a short piece.
func keyOf(s string, i, n int) pieceKey {
	if i+16 > len(s) {
		return keyAtEnd(s, i, n)
	}
	m := &pieceMasks[n]
	return pieceKey{word64(s, i) & m.lo, word64(s, i+8)&m.hi | uint64(n)<<56}
}

// keyAtEnd is keyOf where there are no 16 bytes to read: words that overlap make
// up the piece.
func keyAtEnd(s string, i, n int) pieceKey {
	s = s[i : i+n]
	length := uint64(n) << 56
	if n >= 8 {
		return pieceKey{word64(s, 0), word64(s, n-8)>>(8*(16-n)) | length}
	}
	lo := uint64(0)
	for k := range n {
		lo |= uint64(s[k]) << (8 * k)
	}
	return pieceKey{lo, length}
}

// pieceTokens is what is remembered of a piece of at most longPiece bytes.
type pieceTokens struct {
	starts uint64 // bit i is set if a token starts at byte i of the piece
	first  uint32 // the first token
}

func (p *pieceTokens) count() int { return bits.OnesCount64(p.starts) }

// A pieceCache remembers pieces. Each piece has one place, which the next piece of
// that place takes over. So it is bounded: 4.5 MB for each goroutine that counts at
// once. With a quarter of it Chinese, whose pieces come again less often, is cut a
// sixth slower, English a twentieth.
type pieceCache struct {
	short [1 << shortBits]struct {
		key pieceKey
		pieceTokens
	}
	long [1 << longBits]struct {
		text [longPiece]byte
		size int
		pieceTokens
	}
}

const (
	longPiece = 64 // bytes: a bit each in pieceTokens
	shortBits = 17
	longBits  = 12

	hashFactor = 0x9E3779B97F4A7C15
)

// remembered reports whether the piece s[i:i+n] is for the cache. A long one that
// starts with ASCII is a name, a ruler or an indentation, which come again. In
// Chinese it is a clause, which does not.
func remembered(s string, i, n int) bool {
	return n <= shortPiece || n <= longPiece && s[i] < utf8.RuneSelf
}

// at returns the place of a piece that is remembered, s[i:i+n], and whether it is
// known. If not, the caller must fill it in.
func (c *pieceCache) at(s string, i, n int) (p *pieceTokens, known bool) {
	if n > shortPiece {
		return c.atLong(s[i : i+n])
	}
	key := keyOf(s, i, n)
	e := &c.short[(key.lo^key.hi*hashFactor)*0xD6E8FEB86659FD93>>(64-shortBits)]
	if e.key == key {
		return &e.pieceTokens, true
	}
	e.key = key
	return &e.pieceTokens, false
}

func (c *pieceCache) atLong(piece string) (p *pieceTokens, known bool) {
	h := word64(piece, len(piece)-8)
	for k := 0; k+8 <= len(piece); k += 8 {
		h = (h ^ word64(piece, k)) * hashFactor
		h ^= h >> 32
	}
	e := &c.long[h*hashFactor>>(64-longBits)]
	if string(e.text[:e.size]) == piece {
		return &e.pieceTokens, true
	}
	e.size = copy(e.text[:], piece)
	return &e.pieceTokens, false
}
