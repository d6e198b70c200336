package tokens

import (
	"slices"
	"unicode/utf8"
	"unsafe"
)

// An aligned is text that may have been rewritten, with the way back: from[i] is
// the offset, in the text that a caller gave, of what text[i] came from. Offsets
// do not fall.
type aligned struct {
	text []byte
	from []uint32
}

// reset empties a and makes room for n bytes.
func (a *aligned) reset(n int) {
	a.text = slices.Grow(a.text[:0], n)
	a.from = slices.Grow(a.from[:0], n)
}

func (a aligned) slice(i, j int) aligned { return aligned{a.text[i:j], a.from[i:j]} }

// view returns the text as a string that is valid until the buffer changes.
func (a aligned) view() string { return unsafe.String(unsafe.SliceData(a.text), len(a.text)) }

// add appends s as what came from offset from.
func (a *aligned) add(s string, from uint32) {
	a.text = append(a.text, s...)
	for range len(s) {
		a.from = append(a.from, from)
	}
}

func (a *aligned) addBytes(b []byte, from uint32) {
	a.text = append(a.text, b...)
	for range len(b) {
		a.from = append(a.from, from)
	}
}

func (a *aligned) addByte(b byte, from uint32) {
	a.text = append(a.text, b)
	a.from = append(a.from, from)
}

func (a *aligned) addRune(r rune, from uint32) {
	if r < utf8.RuneSelf {
		a.addByte(byte(r), from)
		return
	}
	n := len(a.text)
	a.text = utf8.AppendRune(a.text, r)
	for range len(a.text) - n {
		a.from = append(a.from, from)
	}
}

// take appends part of another one.
func (a *aligned) take(b aligned) {
	a.text = append(a.text, b.text...)
	a.from = append(a.from, b.from...)
}

// load sets a to text, with U+FFFD for each byte that is not part of valid UTF-8.
func (a *aligned) load(text string) {
	a.reset(len(text))
	if utf8.ValidString(text) {
		a.text = append(a.text, text...)
		for i := range len(text) {
			a.from = append(a.from, uint32(i))
		}
		return
	}
	for i, r := range text {
		_, n := utf8.DecodeRuneInString(text[i:])
		for k := range utf8.RuneLen(r) {
			a.from = append(a.from, uint32(i+min(k, n-1)))
		}
		a.text = utf8.AppendRune(a.text, r)
	}
}
