package chunker

import "math/bits"

// sizes answers how large a part of a text is, from one pass of the sizer over
// the whole. An answer can be off by a unit or two where a part begins or ends
// inside a unit of the whole; see planner.fits.
type sizes struct {
	bits   []uint64
	rank   []int32  // units that start before word i
	pieces []uint64 // where pieces start that the sizer takes each by itself; nil where it does not
}

// A piecer is a Sizer that takes text piece by piece, as tokens.Piecer says.
type piecer interface {
	Sizer
	MarkPieces(text string, bits, pieces []uint64) bool
}

func newSizes(s Sizer, text string) *sizes {
	z := &sizes{bits: make([]uint64, len(text)/64+1), rank: make([]int32, len(text)/64+2)}
	if p, ok := s.(piecer); ok {
		z.pieces = make([]uint64, len(z.bits))
		if !p.MarkPieces(text, z.bits, z.pieces) {
			z.pieces = nil
		}
	}
	if z.pieces == nil {
		s.Mark(text, z.bits)
	}
	for i, w := range z.bits {
		z.rank[i+1] = z.rank[i] + int32(bits.OnesCount64(w))
	}
	return z
}

// before returns how many units start before offset.
func (z *sizes) before(offset int) int {
	return int(z.rank[offset/64]) + bits.OnesCount64(z.bits[offset/64]&(1<<(offset%64)-1))
}

// size returns the size of the text from start to end. A unit that runs over
// start counts as one.
func (z *sizes) size(start, end int) int {
	if start >= end {
		return 0
	}
	n := z.before(end) - z.before(start)
	if z.bits[start/64]&(1<<(start%64)) == 0 {
		n++
	}
	return n
}

// exact returns the size of the text from start to end by itself, and whether
// it can be told without counting more than the last piece. A blank at the end
// may be of another piece where the text goes on.
func (z *sizes) exact(s Sizer, text string, start, end int) (size int, ok bool) {
	if z.pieces == nil || start >= end || z.pieces[start/64]&(1<<(start%64)) == 0 || blankBefore(text[start:end]) > 0 {
		return 0, false
	}
	last := end - 1
	word := z.pieces[last/64] & (1<<(last%64+1) - 1)
	for i := last / 64; ; {
		if word != 0 {
			last = i*64 + bits.Len64(word) - 1
			break
		}
		i--
		word = z.pieces[i]
	}
	return z.before(last) - z.before(start) + s.Count(text[last:end]), true
}
