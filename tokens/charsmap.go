package tokens

import (
	"bytes"
	"encoding/binary"
	"errors"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// A charsMap is the normalisation that a SentencePiece model carries with it: a
// table of strings and what becomes of them, in a Darts double array.
type charsMap struct {
	units   []uint32
	strings []byte // the results, each ended by a zero byte
}

func newCharsMap(data []byte) (*charsMap, error) {
	if len(data) < 4 {
		return nil, errors.New("precompiled_charsmap is cut short")
	}
	size := int(binary.LittleEndian.Uint32(data))
	data = data[4:]
	if size > len(data) || size%4 != 0 || size == 0 {
		return nil, errors.New("precompiled_charsmap is cut short")
	}
	m := &charsMap{units: make([]uint32, size/4), strings: data[size:]}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return m, nil
}

// lookup returns what the shortest entry that s starts with becomes.
func (m *charsMap) lookup(s string) ([]byte, bool) {
	unit := m.units[0]
	at := offset(unit)
	for i := range len(s) {
		c := s[i]
		if at ^= uint32(c); c == 0 || int(at) >= len(m.units) {
			return nil, false
		}
		unit = m.units[at]
		if unit&(1<<31|0xFF) != uint32(c) { // its label
			return nil, false
		}
		at ^= offset(unit)
		if int(at) >= len(m.units) {
			return nil, false
		}
		if unit>>8&1 != 0 { // it has a value
			start := int(m.units[at] &^ (1 << 31))
			if start > len(m.strings) {
				return nil, false
			}
			result, _, _ := bytes.Cut(m.strings[start:], []byte{0})
			return result, true
		}
	}
	return nil, false
}

func offset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }

// normalise replaces each grapheme of up to five bytes as a whole, if an entry
// starts it, and else rune by rune.
func (m *charsMap) normalise(in aligned, out *aligned) {
	s := in.view()
	at := 0
	for g := graphemes.FromString(s); g.Next(); {
		part := g.Value()
		if len(part) < 6 {
			if result, ok := m.lookup(part); ok {
				out.addBytes(result, in.from[at])
				at += len(part)
				continue
			}
		}
		for len(part) > 0 {
			_, n := utf8.DecodeRuneInString(part)
			if result, ok := m.lookup(part[:n]); ok {
				out.addBytes(result, in.from[at])
			} else {
				out.take(in.slice(at, at+n))
			}
			part = part[n:]
			at += n
		}
	}
}
