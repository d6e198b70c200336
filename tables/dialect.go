package tables

import (
	"bytes"
	"slices"
)

// A Dialect is how a file of separated values is written.
type Dialect struct {
	Delimiter byte // between cells
	Quote     byte // around cells that hold delimiters or line ends
}

// sampleSize is how many bytes are looked at to find the dialect.
const sampleSize = 64 << 10

// detect returns the dialect of src: the delimiter that gives most records of
// the sample the same number of cells, at least two.
func detect(src []byte) Dialect {
	sample := src[:min(len(src), sampleSize)]
	if len(sample) < len(src) {
		if i := bytes.LastIndexByte(sample, '\n'); i > 0 {
			sample = sample[:i+1]
		}
	}
	best, bestScore := Dialect{',', '"'}, 0.0
	for _, delimiter := range []byte{',', '\t', ';', '|'} {
		d := Dialect{delimiter, '"'}
		if quotes(sample, delimiter, '\'') {
			d.Quote = '\''
		}
		if score := d.score(sample); score > bestScore {
			best, bestScore = d, score
		}
	}
	return best
}

// quotes reports whether quote stands beside delimiter or a line end more
// often than not, as quotes around cells do.
func quotes(sample []byte, delimiter, quote byte) bool {
	outside, all := 0, bytes.Count(sample, []byte{quote})
	for _, pair := range [...][2]byte{{delimiter, quote}, {quote, delimiter}, {'\n', quote}, {quote, '\n'}, {quote, '\r'}} {
		outside += bytes.Count(sample, pair[:])
	}
	return all > 1 && outside*10 >= all*8 && bytes.IndexByte(sample, '"') < 0
}

// score is the share of the records of sample that have the usual number of
// cells, and a little for more cells; 0 where that number is one.
func (d Dialect) score(sample []byte) float64 {
	s := scanner{src: sample, Dialect: d}
	var counts []int
	for s.next() && len(counts) < 500 {
		if !s.isBlank() {
			counts = append(counts, s.count())
		}
	}
	usual := usualCount(counts)
	if usual < 2 {
		return 0
	}
	same := 0
	for _, c := range counts {
		if c == usual {
			same++
		}
	}
	return float64(same)/float64(len(counts)) + float64(min(usual, 20))/1000
}

// usualCount returns the commonest of counts, the larger one of two, 0 for none.
func usualCount(counts []int) int {
	tally := map[int]int{}
	for _, c := range counts {
		tally[c]++
	}
	usual := 0
	for c, n := range tally {
		if n > tally[usual] || n == tally[usual] && c > usual {
			usual = c
		}
	}
	return usual
}

// A scanner finds the records of a file. A quote opens a cell only at its
// start; two quotes in a quoted cell are one; a line end in a quoted cell is
// part of it. A cell whose closing quote is missing would take in the rest of
// the file: where one does, line ends end all records from there on.
type scanner struct {
	src []byte
	Dialect
	start, end int  // of the record, its line end included
	unclosed   int  // offset of the first record whose quote does not close, 0 for none
	lines      bool // line ends end records, whatever the quotes
	quoteAt    int  // the first quote at or after start; len(src) for none
	known      bool // quoteAt is set
}

// next finds the next record.
func (s *scanner) next() bool {
	s.start = s.end
	if s.start >= len(s.src) {
		return false
	}
	line := s.start + lineEnd(s.src[s.start:])
	if !s.known || s.quoteAt < s.start {
		s.known = true
		s.quoteAt = len(s.src)
		if i := bytes.IndexByte(s.src[s.start:], s.Quote); i >= 0 {
			s.quoteAt = s.start + i
		}
	}
	if s.lines || s.quoteAt >= line {
		s.end = line
		return true
	}
	for at := s.start; ; {
		end, closed := s.cell(at, len(s.src))
		if !closed {
			s.unclosed, s.lines = s.start, true
			s.end = line
			return true
		}
		if end >= len(s.src) || s.src[end] != s.Delimiter {
			s.end = end + lineEnd(s.src[end:])
			return true
		}
		at = end + 1
	}
}

// cell returns where the cell at offset at ends: at a delimiter, a line end or
// limit. It reports false where its quote does not close before limit.
func (s *scanner) cell(at, limit int) (end int, closed bool) {
	if at < limit && s.src[at] == s.Quote {
		for at++; ; {
			i := bytes.IndexByte(s.src[at:limit], s.Quote)
			if i < 0 {
				return limit, false
			}
			at += i + 1
			if at >= limit || s.src[at] != s.Quote {
				break
			}
			at++
		}
	}
	for at < limit && s.src[at] != s.Delimiter && s.src[at] != '\n' && s.src[at] != '\r' {
		at++
	}
	return at, true
}

// lineEnd returns the length of src up to and with its first line end.
func lineEnd(src []byte) int {
	i := bytes.IndexByte(src, '\n')
	if i < 0 {
		i = len(src) - 1
	}
	if r := bytes.IndexByte(src[:i+1], '\r'); r >= 0 && r < i && src[r+1] != '\n' {
		return r + 1
	}
	return i + 1
}

func (s *scanner) isBlank() bool { return len(trimBlanks(s.src[s.start:s.end])) == 0 }

// count returns the number of cells of the record.
func (s *scanner) count() int {
	end := s.contentEnd()
	if s.quoteAt >= end {
		return 1 + bytes.Count(s.src[s.start:end], []byte{s.Delimiter})
	}
	n := 0
	for range s.cells() {
		n++
	}
	return n
}

// contentEnd returns where the record ends without its line end.
func (s *scanner) contentEnd() int {
	end := s.end
	for end > s.start && (s.src[end-1] == '\n' || s.src[end-1] == '\r') {
		end--
	}
	return end
}

// cells yields the start and the end of each cell of the record, quotes
// included.
func (s *scanner) cells() func(yield func(start, end int) bool) {
	return func(yield func(int, int) bool) {
		limit := s.contentEnd()
		for at := s.start; ; {
			end, closed := s.cell(at, limit)
			if !closed { // line ends end records here
				end = limit
				if i := bytes.IndexByte(s.src[at:limit], s.Delimiter); i >= 0 {
					end = at + i
				}
			}
			if !yield(at, end) || end >= limit {
				return
			}
			at = end + 1
		}
	}
}

// values returns the cells of the record as a reader sees them.
func (s *scanner) values() []string {
	var values []string
	for start, end := range s.cells() {
		values = append(values, s.unquote(s.src[start:end]))
	}
	return values
}

func (s *scanner) unquote(cell []byte) string {
	if len(cell) > 1 && cell[0] == s.Quote && cell[len(cell)-1] == s.Quote {
		cell = bytes.ReplaceAll(cell[1:len(cell)-1], []byte{s.Quote, s.Quote}, []byte{s.Quote})
	}
	return string(bytes.ToValidUTF8(trimBlanks(cell), nil))
}

// isHeader reports whether first labels the columns of rows: no cell of it is
// a number, and a column has numbers below it or, where none has, all cells
// differ and are short.
func isHeader(first []string, rows [][]string) bool {
	seen := map[string]bool{}
	distinct := true
	for _, cell := range first {
		switch v := classify(cell); {
		case v == amount, v == year && len(first) < 4, len(cell) > 100:
			return false
		case cell != "":
			distinct = distinct && !seen[cell]
			seen[cell] = true
		}
	}
	if len(seen) == 0 || len(rows) == 0 {
		return false
	}
	for i := range first {
		numbers, filled := 0, 0
		for _, row := range rows {
			if i < len(row) && row[i] != "" {
				filled++
				if v := classify(row[i]); v == amount || v == year {
					numbers++
				}
			}
		}
		if first[i] != "" && filled > 0 && numbers*10 >= filled*6 {
			return true
		}
	}
	return distinct && !slices.ContainsFunc(rows, func(row []string) bool { return slices.Equal(row, first) })
}
