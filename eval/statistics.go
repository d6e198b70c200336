package eval

import (
	"math"
	"math/rand/v2"
	"slices"
)

// column returns the values of one measure that are not Missing.
func column(values [][]float64, measure int) []float64 {
	var out []float64
	for _, row := range values {
		if x := row[measure]; !math.IsNaN(x) {
			out = append(out, x)
		}
	}
	return out
}

// Mean is the mean of x, Missing where it is empty.
func Mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// An Estimate is a mean with the interval that holds it with 95 % confidence.
type Estimate struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	N    int     `json:"n"` // questions
}

// IsClear reports whether the interval leaves out 0.
func (e Estimate) IsClear() bool { return e.Low > 0 || e.High < 0 }

// Resamples is how often the questions are drawn anew for an interval.
const Resamples = 2000

// Bootstrap estimates the mean over strata of the means within them: several
// sets of questions, each with the same weight. Within each, as many questions
// are drawn with replacement as there are. The same seed and values give the
// same interval.
func Bootstrap(seed uint64, strata ...[]float64) Estimate {
	var e Estimate
	strata = slices.DeleteFunc(slices.Clone(strata), func(x []float64) bool { return len(x) == 0 })
	for _, x := range strata {
		e.N += len(x)
		e.Mean += Mean(x) / float64(len(strata))
	}
	if len(strata) == 0 {
		return Estimate{Mean: Missing, Low: Missing, High: Missing}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	means := make([]float64, Resamples)
	for i := range means {
		for _, x := range strata {
			sum := 0.0
			for range x {
				sum += x[random.IntN(len(x))]
			}
			means[i] += sum / float64(len(x)) / float64(len(strata))
		}
	}
	slices.Sort(means)
	e.Low, e.High = percentile(means, 2.5), percentile(means, 97.5)
	return e
}

// percentile of sorted values, between neighbours by proportion.
func percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return Missing
	}
	at := p / 100 * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
