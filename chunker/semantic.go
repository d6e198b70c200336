package chunker

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// An Embedder turns texts into vectors, one for each text, all of one length.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// A SemanticMode says where the meaning changes.
type SemanticMode string

const (
	// MaxMin lets a sentence join those before it when its highest similarity
	// to any of them is above the lowest among themselves, weighted (Kiss et
	// al., Discover Computing 2025, 10.1007/s10791-025-09638-7).
	MaxMin SemanticMode = "max-min"
	// MaxMinPlain is that rule without weights: highest >= lowest.
	MaxMinPlain SemanticMode = "max-min-plain"
	// Threshold cuts where what stands before and what stands behind are less
	// similar than Amount.
	Threshold SemanticMode = "threshold"
	// Percentile cuts where their distance is above that share of all distances.
	Percentile SemanticMode = "percentile"
	// StdDev cuts where their distance is Amount standard deviations above the mean.
	StdDev SemanticMode = "stddev"
	// Gradient cuts where their distance rises more than that share of all rises.
	Gradient SemanticMode = "gradient"
)

// defaultAmounts are what Semantic.Amount is where it is 0.
var defaultAmounts = map[SemanticMode]float64{
	MaxMin: 0.6, MaxMinPlain: 0, Threshold: 0.6, Percentile: 95, StdDev: 1, Gradient: 95,
}

// The constants of MaxMin, as the authors' own program has them
// (hsdslab/MaxMinChunking); the third is its Amount of 0.6. That program takes
// the sigmoid of one sentence less than the chunk has, the paper's formula of
// all; it matters only where even the lowest similarity is above 0.7.
const (
	maxMinShare   = 0.9 // of the lowest similarity
	maxMinInitial = 1.5 // times the similarity of the second sentence to the first
)

// SemanticOptions say where the strategy Semantic cuts.
type SemanticOptions struct {
	Embedder Embedder
	Mode     SemanticMode // "" means Percentile, which does not depend on the scale of an embedder
	// Amount is the threshold of the mode: a similarity, a percentile, or a
	// number of standard deviations. 0 means its default.
	Amount float64
	// Window is how many sentences more than one are taken on either side of a
	// place to compare what stands before it with what stands behind; 0 means
	// 1, -1 none. The two sides share no sentence, else they would be alike
	// wherever the place is. MaxMin compares sentences one by one.
	Window int
	// AcrossHeadings lets a chunk hold text of several sections.
	AcrossHeadings bool
}

func (o *SemanticOptions) check() error {
	if o.Mode == "" {
		o.Mode = Percentile
	}
	amount, ok := defaultAmounts[o.Mode]
	if !ok {
		return &OptionError{"Mode", o.Mode, "is none of max-min, max-min-plain, threshold, percentile, stddev, gradient"}
	}
	if o.Amount == 0 {
		o.Amount = amount
	}
	limit := map[SemanticMode]float64{Percentile: 100, Gradient: 100, StdDev: math.Inf(1)}[o.Mode]
	if limit == 0 {
		limit = 1
	}
	if o.Amount < 0 || o.Amount > limit || math.IsNaN(o.Amount) {
		return &OptionError{"Amount", o.Amount, fmt.Sprintf("must be from 0 to %g for %s", limit, o.Mode)}
	}
	if o.Window < -1 || o.Window > 16 {
		return &OptionError{"Window", o.Window, "must be from 0 to 16 sentences"}
	}
	if o.Window == 0 {
		o.Window = 1
	}
	return nil
}

// semantic makes cuts compulsory where the meaning changes. A part under Min
// stays with what follows it.
func (p *planner) semantic(ctx context.Context) error {
	o := p.opt.Semantic
	compare := p.distances
	if o.Mode == MaxMin || o.Mode == MaxMinPlain {
		compare = p.maxMin
	}
	change, err := compare(ctx, o)
	if err != nil {
		return err
	}
	first := 0
	for i := 1; i < len(p.atoms); i++ {
		a := &p.atoms[i]
		switch {
		case a.bond == apart:
			first = i
		case a.bond == held || p.sizes.size(p.view.trim(p.atoms[first].start, p.atoms[i-1].end)) < p.opt.Min:
		case p.sizes.size(p.atoms[first].start, a.end) > p.opt.Max:
			first = i // the limit cuts here or before
		case change(first, i):
			a.bond, a.cause = apart, byMeaning
			first = i
		}
	}
	return nil
}

// A window is some atoms in a row, both ends included.
type window struct{ first, last int }

// singles returns a window for each atom.
func (p *planner) singles() []window {
	windows := make([]window, len(p.atoms))
	for i := range windows {
		windows[i] = window{i, i}
	}
	return windows
}

// embed returns a vector of length 1 for each window. Those of equal windows
// are the same.
func (p *planner) embed(ctx context.Context, e Embedder, windows []window) ([][]float32, error) {
	var texts []string
	index := map[window]int{}
	for _, w := range windows {
		if _, ok := index[w]; !ok {
			index[w] = len(texts)
			texts = append(texts, strings.TrimSpace(p.view.text[p.atoms[w.first].start:p.atoms[w.last].end]))
		}
	}
	if len(texts) == 0 {
		return nil, nil
	}
	vectors, err := e.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("chunker: the embedder gave %d vectors for %d texts", len(vectors), len(texts))
	}
	for _, v := range vectors {
		if len(v) != len(vectors[0]) {
			return nil, fmt.Errorf("chunker: the embedder gave vectors of %d and of %d floats", len(vectors[0]), len(v))
		}
		normalise(v)
	}
	all := make([][]float32, len(windows))
	for i, w := range windows {
		all[i] = vectors[index[w]]
	}
	return all, nil
}

func normalise(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
}

// similarity returns the cosine of two vectors of length 1.
func similarity(a, b []float32) float64 {
	var sum float32
	for i := range a {
		sum += a[i] * b[i]
	}
	return float64(sum)
}

// maxMin returns a function that says whether atom i does not belong with
// those from first on. It is called for each i in turn.
func (p *planner) maxMin(ctx context.Context, o SemanticOptions) (func(first, i int) bool, error) {
	vectors, err := p.embed(ctx, o.Embedder, p.singles())
	if err != nil {
		return nil, err
	}
	from, upto, lowest := -1, -1, 1.0
	return func(first, i int) bool {
		if first != from {
			from, upto, lowest = first, first, 1.0
		}
		for k := upto + 1; k < i; k++ { // those that joined since
			for j := first; j < k; j++ {
				lowest = min(lowest, similarity(vectors[j], vectors[k]))
			}
		}
		upto = i - 1
		highest := -1.0
		for j := first; j < i; j++ {
			highest = max(highest, similarity(vectors[j], vectors[i]))
		}
		n := i - first
		switch {
		case o.Mode == MaxMinPlain:
			return n > 1 && highest < lowest
		case n == 1:
			return maxMinInitial*highest <= o.Amount
		}
		sigmoid := 1 / (1 + math.Exp(-float64(n)))
		return highest <= max(maxMinShare*lowest*sigmoid, o.Amount)
	}, nil
}

// distances returns a function that says whether what begins with atom i is
// far from what ends before it.
func (p *planner) distances(ctx context.Context, o SemanticOptions) (func(first, i int) bool, error) {
	var sides []window // before and behind each place where a cut is free
	place := make([]int, len(p.atoms))
	wide := max(0, o.Window)
	for i := range p.atoms {
		if p.atoms[i].bond != free {
			continue
		}
		from, to := i-1, i
		for from > max(0, i-1-wide) && p.atoms[from].bond != apart {
			from--
		}
		for to < min(len(p.atoms)-1, i+wide) && p.atoms[to+1].bond != apart {
			to++
		}
		place[i] = len(sides) / 2
		sides = append(sides, window{from, i - 1}, window{i, to})
	}
	vectors, err := p.embed(ctx, o.Embedder, sides)
	if err != nil {
		return nil, err
	}
	far := make([]float64, len(vectors)/2)
	for k := range far {
		far[k] = 1 - similarity(vectors[2*k], vectors[2*k+1])
	}
	if len(far) == 0 {
		return func(int, int) bool { return false }, nil
	}
	limit := 0.0
	switch o.Mode {
	case Threshold:
		limit = 1 - o.Amount
	case Percentile:
		limit = percentile(far, o.Amount)
	case StdDev:
		mean, dev := 0.0, 0.0
		for _, x := range far {
			mean += x / float64(len(far))
		}
		for _, x := range far {
			dev += (x - mean) * (x - mean) / float64(len(far))
		}
		limit = mean + o.Amount*math.Sqrt(dev)
	case Gradient:
		far = rises(far)
		limit = percentile(far, o.Amount)
	}
	return func(_, i int) bool { return far[place[i]] > limit }, nil
}

// percentile returns the value below which that share of xs lies, between two
// of them by their distance.
func percentile(xs []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	at := share / 100 * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// rises returns how far each of xs is above the one before it. (The slope from
// the one before to the one after is steepest one place before a peak.)
func rises(xs []float64) []float64 {
	r := make([]float64, len(xs))
	for i := 1; i < len(xs); i++ {
		r[i] = xs[i] - xs[i-1]
	}
	return r
}

// topics makes cuts compulsory between paragraphs that are less similar than
// TopicThreshold.
func (p *planner) topics(ctx context.Context) error {
	vectors, err := p.embed(ctx, p.opt.Semantic.Embedder, p.singles())
	if err != nil {
		return err
	}
	for i := 1; i < len(p.atoms); i++ {
		if p.atoms[i].bond == free && endsParagraph(p.view.text[p.atoms[i-1].start:p.atoms[i-1].end]) &&
			similarity(vectors[i-1], vectors[i]) < p.opt.TopicThreshold {
			p.atoms[i].bond, p.atoms[i].cause = apart, byMeaning
		}
	}
	return nil
}

func endsParagraph(s string) bool {
	return strings.Count(s[len(strings.TrimRight(s, " \t\r\n")):], "\n") > 1
}
