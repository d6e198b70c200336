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
	// al., Discover Computing 2025, 10.1007/s10791-025-09638-7). The default.
	MaxMin SemanticMode = "max-min"
	// MaxMinPlain is that rule without weights: highest >= lowest.
	MaxMinPlain SemanticMode = "max-min-plain"
	// Threshold cuts where neighbouring windows are less similar than Amount.
	Threshold SemanticMode = "threshold"
	// Percentile cuts where their distance is above that share of all distances.
	Percentile SemanticMode = "percentile"
	// StdDev cuts where their distance is Amount standard deviations above the mean.
	StdDev SemanticMode = "stddev"
	// Gradient cuts where their distance rises faster than that share of all rises.
	Gradient SemanticMode = "gradient"
)

// defaultAmounts are what Semantic.Amount is where it is 0.
var defaultAmounts = map[SemanticMode]float64{
	MaxMin: 0.6, MaxMinPlain: 0, Threshold: 0.6, Percentile: 95, StdDev: 3, Gradient: 95,
}

// The constants of MaxMin, as published; the third is its Amount of 0.6.
const (
	maxMinShare   = 0.9 // of the lowest similarity
	maxMinInitial = 1.5 // times the similarity of the second sentence to the first
)

// SemanticOptions say where the strategy Semantic cuts.
type SemanticOptions struct {
	Embedder Embedder
	Mode     SemanticMode // "" means MaxMin
	// Amount is the threshold of the mode: a similarity, a percentile, or a
	// number of standard deviations. 0 means its default.
	Amount float64
	// Window is how many sentences on either side are embedded along with one
	// to compare it with its neighbours; 0 means 1, -1 none. MaxMin has none.
	Window int
	// AcrossHeadings lets a chunk hold text of several sections.
	AcrossHeadings bool
}

func (o *SemanticOptions) check() error {
	if o.Mode == "" {
		o.Mode = MaxMin
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
	maxMin := o.Mode == MaxMin || o.Mode == MaxMinPlain
	window := max(0, o.Window)
	if maxMin {
		window = 0
	}
	vectors, err := p.embedAtoms(ctx, o.Embedder, window)
	if err != nil {
		return err
	}
	var change func(first, i int) bool
	if maxMin {
		change = p.maxMin(vectors, o)
	} else {
		change = distances(vectors, o)
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

// embedAtoms returns a vector of length 1 for each atom with window atoms on
// either side of it, those beyond a compulsory cut left out.
func (p *planner) embedAtoms(ctx context.Context, e Embedder, window int) ([][]float32, error) {
	texts := make([]string, len(p.atoms))
	for i := range p.atoms {
		from, to := i, i
		for from > max(0, i-window) && p.atoms[from].bond != apart {
			from--
		}
		for to < min(len(p.atoms)-1, i+window) && p.atoms[to+1].bond != apart {
			to++
		}
		texts[i] = strings.TrimSpace(p.view.text[p.atoms[from].start:p.atoms[to].end])
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
	return vectors, nil
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
func (p *planner) maxMin(vectors [][]float32, o SemanticOptions) func(first, i int) bool {
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
	}
}

// distances returns a function that says whether atom i is far from the one
// before it.
func distances(vectors [][]float32, o SemanticOptions) func(first, i int) bool {
	d := make([]float64, len(vectors))
	for i := 1; i < len(vectors); i++ {
		d[i] = 1 - similarity(vectors[i-1], vectors[i])
	}
	if len(d) < 2 {
		return func(int, int) bool { return false }
	}
	all, limit := d[1:], 0.0
	switch o.Mode {
	case Threshold:
		limit = 1 - o.Amount
	case Percentile:
		limit = percentile(all, o.Amount)
	case StdDev:
		mean, dev := 0.0, 0.0
		for _, x := range all {
			mean += x / float64(len(all))
		}
		for _, x := range all {
			dev += (x - mean) * (x - mean) / float64(len(all))
		}
		limit = mean + o.Amount*math.Sqrt(dev)
	case Gradient:
		g := gradient(all)
		limit = percentile(g, o.Amount)
		return func(_, i int) bool { return g[i-1] > limit }
	}
	return func(_, i int) bool { return d[i] > limit }
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

// gradient returns the slope at each of xs: from the one before to the one
// after, from itself at the ends.
func gradient(xs []float64) []float64 {
	g := make([]float64, len(xs))
	for i := range xs {
		lo, hi := max(0, i-1), min(len(xs)-1, i+1)
		if hi > lo {
			g[i] = (xs[hi] - xs[lo]) / float64(hi-lo)
		}
	}
	return g
}

// topics makes cuts compulsory between paragraphs that are less similar than
// TopicThreshold.
func (p *planner) topics(ctx context.Context) error {
	vectors, err := p.embedAtoms(ctx, p.opt.Semantic.Embedder, 0)
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
