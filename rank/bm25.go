package rank

import "math"

// Parameters of BM25: how soon more of the same term stops counting, and how
// much the length of a text does.
const (
	k1 = 1.5
	b  = 0.75
)

// A Corpus is what BM25 must know of all texts together.
type Corpus struct {
	Texts int // how many
	Terms int // of all texts together, each as often as it occurs
}

// IDF returns what a term weighs that is in n of the texts.
func (c Corpus) IDF(n int) float32 {
	x := float64(n)
	return float32(math.Log(1 + (float64(c.Texts)-x+0.5)/(x+0.5)))
}

// Mean returns the mean length of a text, in terms.
func (c Corpus) Mean() float32 {
	return max(float32(float64(c.Terms)/float64(max(c.Texts, 1))), 1e-9)
}

// Weight returns what a term adds to the score of a text of length terms that
// it is in times times.
func Weight(idf float32, times, length int, mean float32) float32 {
	f := float32(times)
	norm := float32(k1 * float32((1-b)+float32(float32(b*float32(length))/mean)))
	return float32(float32(idf*f)*(k1+1)) / float32(f+norm)
}
