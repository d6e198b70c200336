package eval

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Limit is how far a measure may fall.
type Limit struct {
	Measure string
	Change  float64 // the mean difference that is too low: -0.02
}

// ParseLimit reads "recall@2000t=-0.02".
func ParseLimit(s string) (Limit, error) {
	name, value, ok := strings.Cut(s, "=")
	change, err := strconv.ParseFloat(value, 64)
	if !ok || err != nil || change > 0 {
		return Limit{}, fmt.Errorf("%q is not of the form measure=-0.02", s)
	}
	return Limit{name, change}, nil
}

// A Fall is a measure that has fallen by more than its limit.
type Fall struct {
	Limit      Limit
	Difference Estimate
}

// Falls compares the first setting of two reports, question by question, and
// returns the measures whose mean fell by more than their limit, by an interval
// that leaves out 0. An error says why they cannot be compared.
func Falls(now, before *Report, limits []Limit) ([]Fall, error) {
	if len(now.Settings) == 0 || len(before.Settings) == 0 {
		return nil, fmt.Errorf("the baseline holds no results")
	}
	if now.Retriever != before.Retriever {
		return nil, fmt.Errorf("the baseline was searched by %s, this by %s", before.Retriever, now.Retriever)
	}
	var falls []Fall
	for _, l := range limits {
		if !slices.Contains(now.Measures, l.Measure) {
			return nil, fmt.Errorf("measure %q is none of %s", l.Measure, strings.Join(now.Measures, ", "))
		}
		d := now.Difference(l.Measure, now.Settings[0], before, before.Settings[0])
		if d.N == 0 {
			return nil, fmt.Errorf("the baseline has no question in common that has %s", l.Measure)
		}
		if d.Mean < l.Change && d.High < 0 {
			falls = append(falls, Fall{l, d})
		}
	}
	return falls, nil
}
