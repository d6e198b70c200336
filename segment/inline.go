package segment

// inline skips what Markdown reads as one thing within a line: code spans and
// link targets. It remembers where it looked in vain, so that a line of unpaired
// marks is searched once for each kind, not once a mark. The zero value is ready.
type inline struct {
	noTicks [4]int // no run of that many backticks closes before this offset
	noParen int    // no ) closes a target before this offset
}

// code returns the offset after the code span that begins with the backtick at
// i, or after the backticks where it is none. Spans are sought to the end of the
// line, those of more than three backticks not at all.
func (in *inline) code(text string, i int) int {
	n := run(text, i, '`')
	from := i + n
	if n >= len(in.noTicks) || from <= in.noTicks[n] {
		return from
	}
	j := from
	for j < len(text) && lineEnd(text, j) == 0 {
		if text[j] != '`' {
			j++
			continue
		}
		m := run(text, j, '`')
		j += m
		if m == n {
			return j
		}
	}
	in.noTicks[n] = j
	return from
}

// target returns the offset after the link target that begins with the ( at i,
// or i where it does not close in the line.
func (in *inline) target(text string, i int) int {
	if i < in.noParen {
		return i
	}
	depth := 0
	j := i
	for ; j < len(text) && lineEnd(text, j) == 0; j++ {
		switch text[j] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	in.noParen = j
	return i
}

// run returns how many c stand at i.
func run(text string, i int, c byte) int {
	n := 0
	for i+n < len(text) && text[i+n] == c {
		n++
	}
	return n
}

// reference returns the offset after the footnote or citation, such as [^note],
// [12] or (1), that starts at i, or i.
func reference(text string, i int) int {
	const longest = 40
	j := i + 1
	closer := byte(']')
	if text[i] == '(' {
		closer = ')'
	}
	named := closer == ']' && j < len(text) && text[j] == '^'
	if named {
		j++
	}
	for from := j; j < len(text) && j-i < longest; j++ {
		switch c := text[j]; {
		case c == closer && j > from:
			return j + 1
		case named && c > ' ' && c != ']', '0' <= c && c <= '9':
		default:
			return i
		}
	}
	return i
}
