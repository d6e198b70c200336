package ast

// An Extract is a part of a document that is too large to be held as a whole,
// as a document of its own: the head of the whole, such as the header row of
// its table, and then bytes from further down.
type Extract struct {
	Doc   *Document
	Head  int // bytes of Doc.Source that are repeated from the start of the whole; 0 in the first extract
	Shift int // what to add to an offset at or behind Head for the offset in the whole
	Lines int // the same for lines
	Rows  int // the same for rows of the table
}

// Offset returns the offset in the whole of an offset in e.Doc.
func (e *Extract) Offset(offset int) int {
	if offset < e.Head {
		return offset
	}
	return offset + e.Shift
}
