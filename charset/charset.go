// Package charset turns the bytes of a text file into UTF-8.
//
// Nearly all files are UTF-8 and come back as they are. The others are told by
// their byte order mark, by what an HTML page declares, and last by statistics
// of their bytes. Offsets into the result are offsets into that UTF-8 text.
package charset

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gogs/chardet"
	xcharset "golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	textunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// sample is how many bytes are looked at to guess an encoding.
const sample = 64 << 10

// Decode returns src in UTF-8, and the name of the encoding it was in, "" for
// UTF-8, whose bytes are returned as they are. So are those of a text that is
// UTF-8 but for a few stray bytes. html says that <meta charset> counts.
func Decode(src []byte, html bool) (decoded []byte, name string) {
	e, name := find(src, html)
	if e == nil {
		return src, ""
	}
	decoded, err := e.NewDecoder().Bytes(src)
	if err != nil {
		return src, ""
	}
	return decoded, name
}

// NewReader is [Decode] for what does not fit into memory: it returns a reader
// of UTF-8, and the name of the encoding that the first megabyte is in.
func NewReader(r io.Reader) (decoded io.Reader, name string, err error) {
	const size = 1 << 20
	b := bufio.NewReaderSize(r, size)
	head, err := b.Peek(size)
	if err != nil && err != io.EOF {
		return nil, "", err
	}
	for cut := 0; cut < utf8.UTFMax && len(head) == size; cut++ { // a rune may be cut
		if r, n := utf8.DecodeLastRune(head[:size-cut]); r != utf8.RuneError || n > 1 {
			head = head[:size-cut]
		}
	}
	e, name := find(head, false)
	if e == nil {
		return b, "", nil
	}
	return transform.NewReader(b, e.NewDecoder()), name, nil
}

// find returns the encoding of src, nil for UTF-8.
func find(src []byte, html bool) (encoding.Encoding, string) {
	switch {
	case bytes.HasPrefix(src, []byte{0xff, 0xfe}), looksUTF16(src, 1):
		return textunicode.UTF16(textunicode.LittleEndian, textunicode.UseBOM), "utf-16le"
	case bytes.HasPrefix(src, []byte{0xfe, 0xff}), looksUTF16(src, 0):
		return textunicode.UTF16(textunicode.BigEndian, textunicode.UseBOM), "utf-16be"
	case utf8.Valid(src):
		return nil, ""
	}
	if html {
		head := src[:min(len(src), 1024)]
		if e, name, _ := xcharset.DetermineEncoding(head, ""); bytes.Contains(bytes.ToLower(head), []byte("charset")) {
			if name == "utf-8" {
				return nil, ""
			}
			return e, name
		}
	}
	if nearlyUTF8(src) {
		return nil, ""
	}
	return guess(src)
}

// looksUTF16 reports whether src has no byte order mark but a NUL in nearly
// every second byte, counted from offset at.
func looksUTF16(src []byte, at int) bool {
	head := src[:min(len(src), 1024)&^1]
	nuls := 0
	for i := at; i < len(head); i += 2 {
		if head[i] == 0 && head[i^1] != 0 {
			nuls++
		}
	}
	return len(head) >= 8 && nuls*10 >= len(head)/2*8
}

// nearlyUTF8 reports whether at least 9 in 10 runes beyond ASCII are well formed.
func nearlyUTF8(src []byte) bool {
	good, bad := 0, 0
	for len(src) > 0 {
		if src[0] < utf8.RuneSelf {
			src = src[1:]
			continue
		}
		r, size := utf8.DecodeRune(src)
		if r == utf8.RuneError && size == 1 {
			bad++
		} else {
			good++
		}
		src = src[size:]
	}
	return good >= 9*bad
}

// guess returns the likeliest encoding of src, which is not UTF-8.
func guess(src []byte) (encoding.Encoding, string) {
	head := src[:min(len(src), sample)]
	if i := bytes.IndexFunc(src, func(r rune) bool { return r >= utf8.RuneSelf }); i > 0 {
		head = src[i:min(len(src), i+sample)]
	}
	if looksChinese(head) {
		return simplifiedchinese.GB18030, "gb18030"
	}
	if best, err := chardet.NewTextDetector().DetectBest(head); err == nil && best.Confidence >= 10 {
		name := strings.ToLower(best.Charset)
		if name == "gb-18030" {
			name = "gb18030"
		}
		if e, err := htmlindex.Get(name); err == nil && name != "utf-8" {
			if canonical, err := htmlindex.Name(e); err == nil {
				name = canonical
			}
			return e, name
		}
	}
	return charmap.Windows1252, "windows-1252"
}

// looksChinese reports whether head reads well as GB 18030: no bad pair, and
// nearly all of the rest are ideographs in common use and their punctuation.
// The statistics need more text than a small file has. Korean has the same
// bytes, but for its last rows.
func looksChinese(head []byte) bool {
	decoded, err := simplifiedchinese.GB18030.NewDecoder().Bytes(head[:len(head)-trailing(head)])
	if err != nil {
		return false
	}
	common, late, others := 0, 0, 0
	for _, r := range string(decoded) {
		switch lead := leadOf(r); {
		case r < utf8.RuneSelf:
		case 0xb0 <= lead && lead <= 0xd7: // in common use
			common++
			if lead > 0xc8 {
				late++
			}
		case r >= 0x3000 && r <= 0x303f, r >= 0xff00 && r <= 0xff5e, r >= 0x2014 && r <= 0x2026:
			common++
		case unicode.Is(unicode.Han, r):
		default:
			others++
		}
	}
	return others*20 <= common && late*20 > common
}

// leadOf returns the first byte of r in GB 2312, 0 where it has none. Rows
// 0xb0 to 0xd7 hold the ideographs in common use.
func leadOf(r rune) byte {
	var buf [8]byte
	n, _, err := simplifiedchinese.GBK.NewEncoder().Transform(buf[:], []byte(string(r)), true)
	if err != nil || n != 2 || buf[1] < 0xa1 {
		return 0
	}
	return buf[0]
}

// trailing returns 1 where head ends within a pair, as far as one can see.
func trailing(head []byte) int {
	n := 0
	for i := len(head) - 1; i >= 0 && head[i] >= utf8.RuneSelf; i-- {
		n++
	}
	return n & 1
}
