package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences appends the ends of text's sentences to dst.
//
// A full stop ends one unless it belongs to an abbreviation, a number, a name's
// initial, an address or a list mark; ! and ? do unless a lower-case word follows,
// as in "So?" she asked. The stops of Chinese, Japanese, Hindi, Arabic, Armenian,
// Ethiopic, Khmer and Burmese need no blank after them. A blank line always ends
// one; a line end does where the next line begins a list item, a table row or a
// heading, or is indented further. Inside code spans and link targets nothing does.
func Sentences(dst []int, text string) []int {
	s := sentences{text: text, dst: dst, line: lineAt(text, 0)}
	for i := s.line.begin; i < len(text); {
		if !sentenceBytes[text[i]] {
			i++
			continue
		}
		i = s.step(i)
	}
	return closeAll(s.dst, text)
}

// sentenceBytes are the bytes that may begin something step looks at: the others
// are passed over. No ideograph shares its first byte with a stop.
var sentenceBytes = firstBytes(".!?\n\r`(\"*…。！।؟۔։።")

// sentences is one pass over a text.
type sentences struct {
	text   string
	dst    []int
	start  int  // offset of the sentence being read
	line   line // the line being read
	due    bool // the sentence ends with this line
	quoted bool // a " awaits its partner in this paragraph
	strong bool // so does a * or a run of them
	inline inline
}

// step looks at the character at i and returns where to go on.
func (s *sentences) step(i int) int {
	switch c := s.text[i]; c {
	case '\n', '\r':
		return s.lineEnd(i)
	case '`':
		return s.code(i)
	case '(':
		if i > 0 && s.text[i-1] == ']' {
			i = s.inline.target(s.text, i)
		}
		if i < len(s.text) && s.text[i] == '(' {
			i++
		}
		return i
	case '"':
		s.quoted = !s.quoted
		return i + 1
	case '*':
		s.strong = !s.strong
		return i + run(s.text, i, '*')
	}
	r, n := utf8.DecodeRuneInString(s.text[i:])
	if !isStop(r) {
		return i + n
	}
	return s.stop(i)
}

// isStop reports whether r may end a sentence. The full-width semicolon may: what
// it parts are sentences in all but name, and long Chinese ones have no other.
func isStop(r rune) bool { return r == '；' || markOf(r) == stop }

// cut ends the sentence at i.
func (s *sentences) cut(i int) {
	if i > s.start && i < len(s.text) && !extends(s.text, i) {
		s.dst = append(s.dst, i)
		s.start = i
	}
}

// code passes over the code span at i, but not over a full stop that ends a word
// right before its closing mark: that one may be the sentence's.
func (s *sentences) code(i int) int {
	j := s.inline.code(s.text, i)
	k := j
	for k > i && s.text[k-1] == '`' {
		k--
	}
	if k-2 > i && s.text[k-1] == '.' && isLower(s.text[k-2]) && closesBefore(s.text, j) {
		return k - 1
	}
	return j
}

// lineEnd passes over the line end at i, over the blank lines after it, and over
// the mark of the line that follows, and cuts where that begins something new.
func (s *sentences) lineEnd(i int) int {
	i += lineEnd(s.text, i)
	gap := false
	for {
		j, _ := indentation(s.text, i)
		if j >= len(s.text) {
			return j
		}
		n := lineEnd(s.text, j)
		if n == 0 {
			break
		}
		i = j + n
		gap = true
	}
	next := lineAt(s.text, i)
	if gap || s.due || s.line.closed || next.marked || next.indent > s.line.content {
		s.cut(i)
	}
	if gap {
		s.quoted, s.strong = false, false
	}
	s.line, s.due = next, false
	return next.begin
}

// A finish is the run of stops and closing marks after a sentence.
type finish struct {
	from, to       int
	dots, ellipses int  // how many . and … among the stops
	bang, full     bool // is there a ! or ?; is there a stop that needs no blank
	quote          bool // a closing quote or bracket is among the closing marks
}

// stop decides about the stop at i.
func (s *sentences) stop(i int) int {
	f := s.finish(i)
	next := skipBlanks(s.text, f.to)
	if next == len(s.text) {
		return next
	}
	n := lineEnd(s.text, next)
	if n == 0 {
		if !s.ends(f, next, next == f.to) {
			return f.to
		}
		s.cut(next)
		return next
	}
	after, _ := indentation(s.text, next+n)
	if after < len(s.text) && lineEnd(s.text, after) == 0 {
		s.due = s.ends(f, after, false)
	}
	return next
}

// finish reads the stops at i and the closing marks after them.
func (s *sentences) finish(i int) finish {
	f := finish{from: i}
	for {
		r := runeAt(s.text, i)
		if !isStop(r) {
			break
		}
		switch r {
		case '.':
			f.dots++
		case '…':
			f.ellipses++
		case '!', '?':
			f.bang = true
		case '！', '？':
			f.bang, f.full = true, true
		case '．':
			// Full-width digits have full-width points, and lists full-width numbers.
			f.full = f.full || !isDigit(runeBefore(s.text, i))
		default:
			f.full = true
		}
		i += utf8.RuneLen(r)
	}
	for i < len(s.text) {
		m, n := markAt(s.text, i)
		switch {
		case m == closing:
			f.quote = true
		case m == quote && s.closes(i):
			f.quote = true
			if s.text[i] == '"' {
				s.quoted = false
			}
		case m == emphasis && s.closes(i):
			n = run(s.text, i, s.text[i])
			if s.text[i] == '*' {
				s.strong = false
			}
		case s.text[i] == '[' || s.text[i] == '(':
			n = reference(s.text, i) - i
		case s.text[i] == '<':
			n = tag(s.text, i) - i
		default:
			n = 0
		}
		if n == 0 {
			break
		}
		i += n
	}
	f.to = i
	return f
}

// closes reports whether the quote or emphasis mark at i, which follows a stop or
// a closing mark directly, closes what came before it: something does that is
// open, and so does a mark with nothing after it to open.
func (s *sentences) closes(i int) bool {
	c := s.text[i] // quote and emphasis marks are ASCII
	if c == '"' && s.quoted || c == '*' && s.strong {
		return true
	}
	return closesBefore(s.text, i+run(s.text, i, c))
}

// isAside reports whether what stands at i is a comment or an attribute of the
// text before it: {/*anchor*/}, {#anchor}, <!-- ignore -->.
func isAside(text string, i int) bool {
	rest := text[i:]
	return strings.HasPrefix(rest, "{/*") || strings.HasPrefix(rest, "{#") || strings.HasPrefix(rest, "<!--")
}

// ends reports whether a sentence ends with f where the next text is at next,
// which stands directly after f if glued.
func (s *sentences) ends(f finish, next int, glued bool) bool {
	switch m, _ := markAt(s.text, next); m {
	case closing, pause, stop:
		return false
	}
	r := runeAt(s.text, next)
	switch r {
	case '|', '—', '–', '―':
		return false
	}
	if isAside(s.text, next) {
		return false
	}
	if f.full {
		if glued && f.quote && (r == 'と' || r == 'っ' || runeBefore(s.text, f.to) == '》') {
			return false // 「はい。」と言った, 《谁？》是一本书
		}
		return !((f.bang || f.quote) && unicode.IsLower(r))
	}
	before := runeBefore(s.text, f.from)
	ellipsis := f.ellipses > 0 || f.dots > 1
	if glued {
		if ellipsis && !f.bang {
			return (f.ellipses > 1 || f.dots > 5) && isCJK(before) && isCJK(r) && r != '等' && r != before
		}
		return isCJK(before) && !isDigit(before) && isCJK(r)
	}
	if markOf(before) == opening {
		return false // (?) and [...] speak about what is before them
	}
	if r == '-' && markIs(s.text, next+1, blank) {
		return false
	}
	w := wordAt(s.text, next)
	switch {
	case f.bang:
		return !w.lower
	case ellipsis:
		return !w.lower && !w.digit && !w.is("I")
	}
	return s.period(f, w)
}
