package html

import (
	"strings"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"
	"golang.org/x/text/encoding/charmap"

	"github.com/cantle/cantle/ast"
)

// A writer gathers the text of a block as a reader sees it, and where each
// part of it comes from: entities are decoded, blanks joined, what takes no
// room dropped.
type writer struct {
	src   []byte
	buf   []byte
	marks []ast.Mark
	space bool // a blank is due before the next letter
	next  int  // offset in src that a new mark is not needed for
	start int  // offset of the first byte that made text, where marks is not empty
	end   int  // offset after the last
	lead  int  // blanks that do not join, at the start: indentation

	preserve bool // blanks are kept, as in <pre>
}

func (w *writer) reset() {
	w.buf, w.marks, w.space, w.next, w.lead = w.buf[:0], w.marks[:0], false, -1, 0
}

// isEmpty reports whether nothing visible has been written.
func (w *writer) isEmpty() bool { return len(w.buf) == 0 }

// parser writes s, which is not in the source.
func (w *writer) parser(s string) {
	w.flushSpace()
	w.buf = append(w.buf, s...)
	w.next = -1
}

// insert writes s, which is not in the source, before offset at of the text.
func (w *writer) insert(at int, s string) {
	w.buf = append(w.buf, s...)
	copy(w.buf[at+len(s):], w.buf[at:])
	copy(w.buf[at:], s)
	for i := len(w.marks) - 1; i >= 0 && w.marks[i].Text >= at; i-- {
		w.marks[i].Text += len(s)
	}
}

func (w *writer) flushSpace() {
	if w.space && len(w.buf) > 0 && w.buf[len(w.buf)-1] != '\n' {
		w.buf = append(w.buf, ' ')
		w.next = -1
	}
	w.space = false
}

// lineBreak ends a line within the block.
func (w *writer) lineBreak() {
	if len(w.buf) > 0 {
		w.buf = append(w.buf, '\n')
		w.next = -1
	}
	w.space = false
}

// put writes decoded bytes that stand for src[start:end].
func (w *writer) put(b []byte, start, end int) {
	w.flushSpace()
	if len(w.marks) == 0 {
		w.start = start
	}
	if w.next != start {
		w.marks = append(w.marks, ast.Mark{Text: len(w.buf), Source: start})
	}
	w.buf = append(w.buf, b...)
	w.end = end
	w.next = end
	if len(b) != end-start {
		w.next = -1
	}
}

// classes of bytes in running text
const (
	plain = iota
	space
	ampersand
	high // of a rune of several bytes
	nul
)

var classes = func() (c [256]uint8) {
	for _, b := range " \t\n\r\f" {
		c[b] = space
	}
	c['&'] = ampersand
	c[0] = nul
	for i := 0x80; i < 0x100; i++ {
		c[i] = high
	}
	return c
}()

// flow writes src[start:end] with blanks joined.
func (w *writer) flow(start, end int) {
	src := w.src
	for i := start; i < end; {
		switch classes[src[i]] {
		case space:
			w.space = true
			i++
		case nul:
			i++
		case ampersand:
			decoded, size := entity(src[i:end])
			w.rune(decoded, i, i+size)
			i += size
		case high:
			r, size := utf8.DecodeRune(src[i:end])
			if r == utf8.RuneError && size == 1 {
				w.put([]byte(string(charmap.Windows1252.DecodeByte(src[i]))), i, i+1)
				w.next = -1
				i++
				continue
			}
			if isInvisible(r) || isWide(r) {
				w.rune(string(r), i, i+size)
				i += size
				continue
			}
			from := i
			for i += size; i < end && classes[src[i]] == high; i += size {
				r, size = utf8.DecodeRune(src[i:end])
				if r == utf8.RuneError && size == 1 || isInvisible(r) || isWide(r) {
					break
				}
			}
			w.put(src[from:i], from, i)
		default:
			from := i
			for i++; i < end && classes[src[i]] == plain; i++ {
			}
			w.put(src[from:i], from, i)
		}
	}
}

// rune writes one decoded character, or joins it to the blanks.
func (w *writer) rune(decoded string, start, end int) {
	r, size := utf8.DecodeRuneInString(decoded)
	if size == len(decoded) {
		switch {
		case isWide(r):
			if len(w.buf) == 0 && r == 0xa0 {
				w.lead++
			}
			w.space = true
			return
		case r == ' ' || r == '\n' || r == '\t' || r == '\r':
			w.space = true
			return
		case isInvisible(r) || r == 0:
			return
		}
	}
	w.put([]byte(decoded), start, end)
}

// isWide reports whether r is a blank that HTML does not join but a reader
// takes for one.
func isWide(r rune) bool {
	return r == 0xa0 || 0x2000 <= r && r <= 0x200a || r == 0x202f || r == 0x205f || r == 0x3000
}

// isInvisible reports whether r takes no room: a soft hyphen, a place to break
// a word, a byte order mark.
func isInvisible(r rune) bool {
	return r == 0xad || r == 0x200b || r == 0x2060 || r == 0xfeff
}

// verbatim writes src[start:end] with its blanks, as in <pre>.
func (w *writer) verbatim(start, end int) {
	src := w.src
	for i := start; i < end; {
		switch {
		case src[i] == '&':
			decoded, size := entity(src[i:end])
			w.put([]byte(decoded), i, i+size)
			w.next = -1
			i += size
		case src[i] == '\r':
			if i+1 == end || src[i+1] != '\n' {
				w.put([]byte{'\n'}, i, i+1)
				w.next = -1
			}
			i++
		case src[i] == 0:
			i++
		case src[i] >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(src[i:end])
			if r == utf8.RuneError && size == 1 {
				w.put([]byte(string(charmap.Windows1252.DecodeByte(src[i]))), i, i+1)
				w.next = -1
			} else {
				w.put(src[i:i+size], i, i+size)
			}
			i += size
		default:
			from := i
			for i++; i < end && src[i] < utf8.RuneSelf && src[i] != '&' && src[i] != '\r' && src[i] != 0; i++ {
			}
			w.put(src[from:i], from, i)
		}
	}
}

// entity decodes the character reference at the start of b, which is "&" where
// there is none, and returns its length in b.
func entity(b []byte) (string, int) {
	end := 1
	if end < len(b) && b[end] == '#' {
		end++
	}
	for end < len(b) && end < 40 && isAlphanumeric(b[end]) {
		end++
	}
	if end < len(b) && b[end] == ';' {
		end++
	}
	if end == 1 {
		return "&", 1
	}
	if s, ok := usual[string(b[:end])]; ok {
		return s, end
	}
	decoded := xhtml.UnescapeString(string(b[:end]))
	if strings.HasPrefix(decoded, "&") && len(decoded) == end {
		return "&", 1
	}
	return decoded, end
}

// usual are the references that make up nearly all.
var usual = map[string]string{
	"&#160;": "\u00a0", "&nbsp;": "\u00a0", "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": `"`,
	"&#8217;": "’", "&#8220;": "“", "&#8221;": "”", "&#8212;": "—", "&#8211;": "–", "&#8226;": "•", "&#39;": "'",
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
