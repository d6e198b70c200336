package records

import (
	"io"

	"github.com/cantle/cantle/chunker"
)

// An Index knows where in a file of JSON lines the records of each document
// stand. Records need not be in any order.
type Index struct {
	file    io.ReaderAt
	shape   Shape
	docs    []string // in the order of their first records
	lines   map[string][]place
	parents int
}

type place struct {
	offset int64
	length int32
	line   int32
}

// NewIndex reads file, size bytes long, once. It leaves out records of type
// parent, which repeat what others hold. Errors are as for [Read].
func NewIndex(file io.ReaderAt, size int64, mapping map[string]string) (*Index, error) {
	x := &Index{file: file, lines: map[string][]place{}}
	detected := false
	err := eachLine(io.NewSectionReader(file, 0, size), func(n int, offset int64, line []byte) error {
		if !detected {
			if err := otherForm(line); err != nil {
				return &LineError{n, err}
			}
			x.shape, detected = Detect(line).Map(mapping), true
		}
		rec, err := x.shape.record(line)
		if err != nil {
			return &LineError{n, err}
		}
		if rec.Type == chunker.TypeParent {
			x.parents++
			return nil
		}
		if x.lines[rec.Doc] == nil {
			x.docs = append(x.docs, rec.Doc)
		}
		x.lines[rec.Doc] = append(x.lines[rec.Doc], place{offset, int32(len(line)), int32(n)})
		return nil
	})
	return x, err
}

// Shape returns the shape of the records.
func (x *Index) Shape() Shape { return x.shape }

// Parents returns how many records of type parent have been left out.
func (x *Index) Parents() int { return x.parents }

// Documents returns the names of the documents, in the order of their first
// records; the caller must not change it.
func (x *Index) Documents() []string { return x.docs }

// Records returns the records of a document, in the order of their lines. It
// may be called by several goroutines at once.
func (x *Index) Records(doc string) ([]Record, error) {
	places := x.lines[doc]
	recs := make([]Record, 0, len(places))
	var buf []byte
	for _, p := range places {
		if cap(buf) < int(p.length) {
			buf = make([]byte, p.length)
		}
		buf = buf[:p.length]
		if _, err := x.file.ReadAt(buf, p.offset); err != nil {
			return nil, err
		}
		rec, err := x.shape.record(buf)
		if err != nil {
			return nil, &LineError{int(p.line), err}
		}
		rec.Line = int(p.line)
		recs = append(recs, rec)
	}
	return recs, nil
}
