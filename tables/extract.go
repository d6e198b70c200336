package tables

import (
	"io"
	"iter"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/charset"
)

// Extracts reads a file of separated values that need not fit into memory. It
// yields extracts of about size bytes, at least 64 KB, each of which begins with the lines up
// to the header row and holds whole rows; together they hold what [ParseCSV]
// gives of the whole. Dialect and header are those of the first extract. Where
// a quote does not close, line ends end rows up to the end of the extract only.
//
// The error is that of r, and the last thing that is yielded. A row longer
// than size makes for a longer extract.
func Extracts(name string, r io.Reader, opts Options, size int) iter.Seq2[ast.Extract, error] {
	return func(yield func(ast.Extract, error) bool) {
		in, encoding, err := charset.NewReader(r)
		if err != nil {
			yield(ast.Extract{}, err)
			return
		}
		size := max(size, sampleSize)
		var layout *layout
		var head, rest []byte
		var next ast.Extract
		read, lines, room := 0, 0, size // read: offset in the whole of what comes after the head
		for {
			src := make([]byte, len(head)+len(rest), len(head)+max(room, len(rest)))
			copy(src[copy(src, head):], rest)
			n, err := io.ReadFull(in, src[len(src):cap(src)])
			src = src[:len(src)+n]
			last := err == io.EOF || err == io.ErrUnexpectedEOF
			if err != nil && !last {
				yield(ast.Extract{}, err)
				return
			}
			end := len(src)
			if !last {
				if end = lastRow(src, len(head), size, layout); end == len(head) {
					rest, room = src[len(head):], 2*len(src)
					continue
				}
			}
			p := newCSVParser(name, src[:end], encoding, opts)
			p.layout = layout
			p.parse()
			next.Doc, next.Head, next.Shift = p.doc, len(head), read-len(head)
			if !yield(next, nil) || last {
				return
			}
			if layout == nil {
				layout = p.layout
				head = src[:p.headEnd:p.headEnd]
				read, lines = len(head), countLines(head)
			}
			read += end - len(head)
			next.Rows += p.rows
			lines += countLines(src[len(head):end])
			next.Lines = lines - countLines(head)
			rest, room = src[end:], size
		}
	}
}

// lastRow returns where the last row of src that is not blank starts, since it
// may go on behind src; head where there is no other.
func lastRow(src []byte, head, size int, l *layout) int {
	s := scanner{src: src, end: head}
	if l != nil {
		s.Dialect = l.Dialect
	} else {
		p := newCSVParser("", src, "", Options{})
		p.preamble()
		s.Dialect = p.Dialect
	}
	row := head
	for s.next() {
		if s.lines && s.unclosed > head && len(src)-s.unclosed < size {
			return s.unclosed // it may close further on
		}
		if !s.isBlank() {
			row = s.start
		}
	}
	return row
}

func countLines(src []byte) int { return ast.NewLines(src).Line(len(src)) - 1 }
