// Package charset turns the bytes of a text file into UTF-8.
//
// Nearly all files are UTF-8 and come back as they are. The others are told by
// their byte order mark, by what an HTML page declares, and last by statistics
// of their bytes, for which a sentence is enough; a word or two are read as
// windows-1252. Offsets into the result are offsets into that UTF-8 text.
package charset

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gogs/chardet"
	xcharset "golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
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

// nearlyUTF8 reports whether two in three bytes beyond ASCII are of well-formed
// runes. Runes of two bytes that are no letters or signs of western languages
// count half: in other encodings their bytes are side by side now and then.
func nearlyUTF8(src []byte) bool {
	good, bad := 0, 0
	for len(src) > 0 {
		r, size := utf8.DecodeRune(src)
		switch {
		case r < utf8.RuneSelf:
		case r == utf8.RuneError && size == 1:
			bad++
		case size == 2 && r >= 0x180:
			good++
		default:
			good += size
		}
		src = src[size:]
	}
	return good >= 2*bad
}

// guess returns the likeliest encoding of src, which is not UTF-8. That of
// another script than the Latin is told by the words that are not all ASCII,
// that of a language in Latin script by all words from the first of these on.
// Where the evidence is thin it is windows-1252.
func guess(src []byte) (encoding.Encoding, string) {
	words := wordsBeyondASCII(src)
	if looksChinese(words) && reads(words, simplifiedchinese.GB18030, "gb18030") {
		return simplifiedchinese.GB18030, "gb18030"
	}
	for _, c := range candidates(words) {
		if !isLatin(c.name) && reads(words, c.encoding, c.name) {
			return c.encoding, c.name
		}
	}
	if countBeyondASCII(words) >= 3 {
		for _, c := range candidates(fromBeyondASCII(src)) {
			if isLatin(c.name) {
				return c.encoding, c.name
			}
		}
	}
	return charmap.Windows1252, western
}

const western = "windows-1252"

// wordsBeyondASCII returns the first words of src that are not all ASCII.
func wordsBeyondASCII(src []byte) []byte {
	var words []byte
	for word := range bytes.FieldsFuncSeq(src, func(r rune) bool { return r <= ' ' }) {
		if len(words) >= sample {
			break
		}
		if countBeyondASCII(word) > 0 {
			words = append(append(words, word[:min(len(word), sample)]...), ' ')
		}
	}
	return words
}

// fromBeyondASCII returns what follows in src from the line on that has its
// first byte beyond ASCII.
func fromBeyondASCII(src []byte) []byte {
	at := max(0, bytes.IndexFunc(src, func(r rune) bool { return r >= utf8.RuneSelf }))
	at = bytes.LastIndexByte(src[:at], '\n') + 1
	return src[at:min(len(src), at+sample)]
}

func countBeyondASCII(b []byte) int {
	n := 0
	for _, c := range b {
		if c >= utf8.RuneSelf {
			n++
		}
	}
	return n
}

// A candidate is an encoding that the statistics propose.
type candidate struct {
	encoding   encoding.Encoding
	name       string
	confidence int // 10 to 100
}

// candidates returns what the statistics propose for text, the likeliest
// first. They give no order among equals: there western goes before others,
// and Big5, in which all reads that reads in EUC, goes last.
func candidates(text []byte) []candidate {
	var list []candidate
	found, _ := chardet.NewTextDetector().DetectAll(text)
	for _, r := range found {
		e, name := xcharset.Lookup(r.Charset)
		if e == nil || r.Confidence < 10 || strings.HasPrefix(name, "utf-") {
			continue
		}
		list = append(list, candidate{e, name, r.Confidence})
	}
	last := func(c candidate) int {
		switch c.name {
		case western:
			return 0
		case "big5":
			return 2
		}
		return 1
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(b.confidence-a.confidence, last(a)-last(b), strings.Compare(a.name, b.name))
	})
	return list
}

func isLatin(name string) bool {
	switch name {
	case western, "windows-1250", "windows-1254", "iso-8859-2":
		return true
	}
	return false
}

// leads are the first bytes of the letters in common use, in encodings that
// take two bytes for each.
var leads = map[string]struct{ first, last byte }{
	"gb18030":   {0xb0, 0xd7},
	"big5":      {0xa4, 0xc6},
	"shift_jis": {0x82, 0x98},
	"euc-jp":    {0xa4, 0xcf},
	"euc-kr":    {0xb0, 0xc8},
}

// reads reports whether text reads well in an encoding that is not Latin: its
// letters stand beside their like and not among those of ASCII, and most are
// in common use.
func reads(text []byte, e encoding.Encoding, name string) bool {
	decoded, err := e.NewDecoder().Bytes(text)
	if err != nil {
		return false
	}
	joined, alone, rare, wrong, kana := 0, 0, 0, 0, 0
	common, wide := leads[name]
	runes := []rune(string(decoded))
	for i, r := range runes {
		switch {
		case r < utf8.RuneSelf:
			continue
		case r == utf8.RuneError, r < 0xa0, 0x2500 <= r && r < 0x25a0, unicode.Is(unicode.Co, r): // controls, lines of boxes, letters of one's own
			wrong++
			continue
		case !unicode.IsLetter(r):
			continue
		}
		before, after := runes[max(i-1, 0)], runes[min(i+1, len(runes)-1)]
		if isASCIILetter(before) || isASCIILetter(after) || before < utf8.RuneSelf && after < utf8.RuneSelf {
			alone++
		} else {
			joined++
		}
		if lead := leadIn(e, r); wide && (lead < common.first || lead > common.last) {
			rare++
		}
		if unicode.In(r, unicode.Hiragana, unicode.Katakana) {
			kana++
		}
	}
	if name == "euc-jp" && kana == 0 { // ideographs alone are as well Chinese
		return false
	}
	return joined > 1 && joined > alone && joined > 3*rare && joined > 20*wrong
}

func isASCIILetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// leadIn returns the first of the two bytes that r takes in e, 0 where it
// takes none or another number.
func leadIn(e encoding.Encoding, r rune) byte {
	var buf [8]byte
	n, _, err := e.NewEncoder().Transform(buf[:], []byte(string(r)), true)
	if err != nil || n != 2 {
		return 0
	}
	return buf[0]
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
