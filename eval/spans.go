package eval

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cantle/cantle/ast"
)

// Spans are byte ranges of one document. In JSON a span is a pair: [[0,812]].
type Spans []ast.Span

// MarshalJSON writes pairs.
func (s Spans) MarshalJSON() ([]byte, error) {
	pairs := make([][2]int, len(s))
	for i, r := range s {
		pairs[i] = [2]int{r.Start, r.End}
	}
	return json.Marshal(pairs)
}

// UnmarshalJSON reads pairs, each of two numbers of which the second is not the
// smaller one.
func (s *Spans) UnmarshalJSON(b []byte) error {
	var pairs [][]int
	if err := json.Unmarshal(b, &pairs); err != nil {
		return err
	}
	*s = make(Spans, len(pairs))
	for i, p := range pairs {
		if len(p) != 2 || p[0] < 0 || p[1] < p[0] {
			return fmt.Errorf("span %v is not [start, end]", p)
		}
		(*s)[i] = ast.Span{Start: p[0], End: p[1]}
	}
	return nil
}

// size is the number of bytes of spans that do not overlap.
func (s Spans) size() int {
	n := 0
	for _, r := range s {
		n += r.Len()
	}
	return n
}

// union returns the same bytes in ascending spans that neither overlap nor touch.
func (s Spans) union() Spans {
	sorted := slices.SortedFunc(slices.Values(s), func(a, b ast.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var out Spans
	for _, r := range sorted {
		switch last := len(out) - 1; {
		case r.IsEmpty():
		case last >= 0 && r.Start <= out[last].End:
			out[last].End = max(out[last].End, r.End)
		default:
			out = append(out, r)
		}
	}
	return out
}

// and returns the bytes that are in both, which must be unions.
func (s Spans) and(t Spans) Spans {
	var out Spans
	for i, j := 0, 0; i < len(s) && j < len(t); {
		r := ast.Span{Start: max(s[i].Start, t[j].Start), End: min(s[i].End, t[j].End)}
		if !r.IsEmpty() {
			out = append(out, r)
		}
		if s[i].End < t[j].End {
			i++
		} else {
			j++
		}
	}
	return out
}

// first returns the first n bytes, rounded down within a span.
func (s Spans) first(n float64) Spans {
	var out Spans
	for _, r := range s {
		w := min(float64(r.Len()), n)
		if n -= w; w > 0 {
			out = append(out, ast.Span{Start: r.Start, End: int(float64(r.Start) + w)})
		}
	}
	return out
}
