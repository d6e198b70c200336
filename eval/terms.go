package eval

// A vocabulary numbers terms.
type vocabulary map[string]int32

// id returns the number of a term, -1 for one that is not known and not to be
// added.
func (v vocabulary) id(term string, add bool) int32 {
	id, ok := v[term]
	switch {
	case ok:
		return id
	case !add:
		return -1
	}
	id = int32(len(v))
	v[term] = id
	return id
}
