package segment

import "unicode/utf8"

// A line is what the start of a line says about where it may end. Columns are
// characters from 0; a tab counts as four, a full-width blank as two.
type line struct {
	begin   int  // offset of the first character after indentation, > marks and list mark
	content int  // column of begin: deeper lines that follow are not its continuation
	marked  bool // it begins with a list mark, or is a heading, a table row or a fence
	closed  bool // it is a heading, a table row or a fence: what follows is another thing
	indent  int  // column of the first character after > marks
}

// lineAt reads the start of the line at i.
func lineAt(text string, i int) line {
	var l line
	i, l.indent = indentation(text, i)
	l.begin, l.content = i, l.indent
	if i >= len(text) {
		return l
	}
	switch c := text[i]; {
	case c == '|', c == '`' && run(text, i, '`') >= 3, c == '~' && run(text, i, '~') >= 3:
		l.marked, l.closed = true, true
	case c == '#':
		n := run(text, i, '#')
		if n <= 6 && markIs(text, i+n, blank) {
			l.marked, l.closed = true, true
			l.begin = i + n
		}
	default:
		if n := listMark(text, i); n > 0 {
			l.marked = true
			l.begin = skipBlanks(text, i+n)
			l.content += utf8.RuneCountInString(text[i:l.begin])
		}
	}
	return l
}

// indentation returns the offset and column of the first character at or after i
// that is neither blank nor a Markdown quote mark.
func indentation(text string, i int) (int, int) {
	column := 0
	for {
		m, n := markAt(text, i)
		switch {
		case m == newline:
			return i, column
		case text[i] == '\t':
			column += 4
		case m == blank && n == len("\u3000"):
			column += 2
		case m == blank || text[i] == '>':
			column++
		default:
			return i, column
		}
		i += n
	}
}

// markIs reports whether the character at i has mark m; the end of text counts
// as a blank and as a line end.
func markIs(text string, i int, m mark) bool {
	got, n := markAt(text, i)
	return got == m || n == 0 && m == blank
}

// listMark returns the length in bytes of the list mark at i, less the blank that
// must follow it, or 0: a bullet, or a number (ordinal) followed by . or ).
func listMark(text string, i int) int {
	switch c := runeAt(text, i); c {
	case '-', '*', '+':
		if markIs(text, i+1, blank) {
			return 1
		}
		return 0
	case '•', '‣', '◦', '▪', '●', '○', '■', '□', '·':
		return utf8.RuneLen(c)
	case '（', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '第':
		return hanOrdinal(text, i)
	}
	j := i
	if text[j] == '(' {
		j++
	}
	n := ordinal(text, j)
	if n == 0 {
		return 0
	}
	j += n
	if j < len(text) && (text[j] == ')' || text[j] == '.' && text[i] != '(') && markIs(text, j+1, blank) {
		return j + 1 - i
	}
	return 0
}

// ordinal returns the length of the list number at i: up to three digits, with
// dots between groups of them (2.10.1), a single letter, or a small Roman number.
// A longer number is a year or an amount, not a place in a list.
func ordinal(text string, i int) int {
	if i >= len(text) {
		return 0
	}
	j := i
	if c := text[i]; '0' <= c && c <= '9' {
		digits := 0
		for ; j < len(text) && j-i < 16; j++ {
			if c := text[j]; '0' <= c && c <= '9' {
				digits++
			} else if c == '.' && j+1 < len(text) && '0' <= text[j+1] && text[j+1] <= '9' {
				digits = 0
			} else {
				break
			}
			if digits > 3 {
				return 0
			}
		}
	} else {
		for j < len(text) && j-i < 4 && (text[j]|0x20 == 'i' || text[j]|0x20 == 'v' || text[j]|0x20 == 'x') {
			j++
		}
		if j == i && isLower(c|0x20) {
			j++
		}
	}
	if j < len(text) && isWord(text[j]) {
		return 0
	}
	return j - i
}

// hanOrdinal returns the length in bytes of the Chinese list mark at i, such as
// （一）, 一、 or 第十二条, or 0.
func hanOrdinal(text string, i int) int {
	first := runeAt(text, i)
	j := i
	if first == '（' || first == '第' {
		j += len("（")
	}
	digits := 0
	for ; digits < 6; digits++ {
		r, n := utf8.DecodeRuneInString(text[j:])
		if !isHanDigit(r) && !isDigit(r) {
			break
		}
		j += n
	}
	if digits == 0 {
		return 0
	}
	r, n := utf8.DecodeRuneInString(text[j:])
	switch m, _ := markAt(text, j+n); {
	case first == '（' && r == '）',
		first == '第' && (r == '条' || r == '章' || r == '节' || r == '款') && m != letter,
		first != '（' && first != '第' && r == '、':
		return j + n - i
	}
	return 0
}

func isHanDigit(r rune) bool {
	switch r {
	case '零', '〇', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '百', '千':
		return true
	}
	return false
}
