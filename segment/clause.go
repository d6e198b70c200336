package segment

// Clauses appends the ends of text's clauses to dst: after commas, semicolons,
// colons and their full-width forms, and after line ends. ASCII marks count only
// before a blank or a CJK character; none counts between digits, nor inside code
// spans and link targets. A sentence's end is not a clause's: cut sentences first.
func Clauses(dst []int, text string) []int {
	var in inline
	for i := 0; i < len(text); {
		if !clauseBytes[text[i]] {
			i++
			continue
		}
		switch m, n := markAt(text, i); {
		case m == newline:
			i += lineEnd(text, i)
			if i < len(text) && !extends(text, i) {
				dst = append(dst, i)
			}
		case m == pause:
			end, ends := clauseEnd(text, i, i+n)
			if ends {
				dst = append(dst, end)
			}
			i = end
		case text[i] == '`':
			i = in.code(text, i)
		case text[i] == '(' && i > 0 && text[i-1] == ']':
			i = max(i+1, in.target(text, i))
		default:
			i += n
		}
	}
	return closeAll(dst, text)
}

// clauseBytes are the bytes that may begin something Clauses looks at.
var clauseBytes = firstBytes(",;:\n\r`(，、،")

// clauseEnd returns where the next clause begins after the pause at [from, to),
// and whether one does there.
func clauseEnd(text string, from, to int) (int, bool) {
	if isDigit(runeBefore(text, from)) && isDigit(runeAt(text, to)) {
		return to, false
	}
	end := to
	for end < len(text) {
		m, n := markAt(text, end)
		if m == emphasis {
			n = run(text, end, text[end])
		}
		if m != closing && !((m == quote || m == emphasis) && closesBefore(text, end+n)) {
			break
		}
		end += n
	}
	next := skipBlanks(text, end)
	if next == len(text) || extends(text, next) {
		return next, false
	}
	switch m, _ := markAt(text, next); m {
	case newline, closing, pause, stop:
		return next, false
	}
	ends := next > end || text[from] >= 0x80 || isCJK(runeAt(text, next))
	return next, ends
}

// closesBefore reports whether a quote or emphasis mark that may open or close
// must do the latter because there is nothing at i for it to open.
func closesBefore(text string, i int) bool {
	m, _ := markAt(text, i)
	return m != letter && m != opening && m != symbol
}
