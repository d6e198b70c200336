package tokens

import "math/bits"

// shortPiece is the length in bytes up to which pieces are remembered. Most are
// shorter: a word with its space.
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

// A pieceCache remembers where the tokens of short pieces start. Each piece has
// one place, which the next piece of that place takes over.
type pieceCache [pieceCacheSize]cachedPiece

const pieceCacheSize = 1 << 15

type cachedPiece struct {
	key    pieceKey
	starts uint32 // bit i is set if a token starts at byte i of the piece
	token  uint32 // the first token
}

func (c *pieceCache) at(key pieceKey) *cachedPiece {
	h := (key.lo ^ key.hi*0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93
	return &c[h>>(64-15)]
}

func (p *cachedPiece) count() int { return bits.OnesCount32(p.starts) }
