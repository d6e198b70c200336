package ast

import (
	"bytes"
	"sort"
)

// Lines finds the line and the column of an offset. A line ends with "\n", or
// with a "\r" that no "\n" follows.
type Lines struct {
	starts []int
}

// NewLines indexes src in one pass. It keeps 8 bytes for each line.
func NewLines(src []byte) *Lines {
	starts := make([]int, 1, 1+bytes.Count(src, []byte("\n")))
	if bytes.IndexByte(src, '\r') < 0 {
		for at := 0; ; {
			i := bytes.IndexByte(src[at:], '\n')
			if i < 0 {
				return &Lines{starts}
			}
			at += i + 1
			starts = append(starts, at)
		}
	}
	for i, b := range src {
		if b == '\n' || b == '\r' && (i+1 == len(src) || src[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return &Lines{starts}
}

// Line returns the line of offset, from 1.
func (l *Lines) Line(offset int) int {
	return sort.SearchInts(l.starts, offset+1)
}

// Position returns the line of offset and its column in bytes, both from 1.
func (l *Lines) Position(offset int) (line, column int) {
	line = l.Line(offset)
	return line, offset - l.starts[line-1] + 1
}
