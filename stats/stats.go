package stats

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/records"
)

// Options say how to count. Sizer must be given.
type Options struct {
	Sizer chunker.Sizer
	// Min is the size under which a chunk is counted as small; 0 means 32.
	Min int
	// Similar is the share of three-word sequences that two chunks must have in
	// common to be near-duplicates; 0 means 0.8. Below 0.6 many are missed.
	Similar float64
}

const (
	defaultMin     = 32
	defaultSimilar = 0.8
)

// A Summary describes the sizes of some chunks.
type Summary struct {
	Name   string  `json:"name,omitempty"`
	Chunks int     `json:"chunks"`
	Sum    int64   `json:"sum"`
	Mean   float64 `json:"mean"`
	Dev    float64 `json:"deviation"`
	Least  int     `json:"min"`
	P10    int     `json:"p10"`
	P25    int     `json:"p25"`
	P50    int     `json:"p50"`
	P75    int     `json:"p75"`
	P90    int     `json:"p90"`
	P95    int     `json:"p95"`
	P99    int     `json:"p99"`
	Most   int     `json:"max"`
}

// Uneven reports whether p90 is over twice the mean: a few chunks then hold
// most of the text, and what is retrieved by number is retrieved by chance.
func (s *Summary) Uneven() bool { return float64(s.P90) > 2*s.Mean }

// A Bar is the number of chunks of a size from From to below To.
type Bar struct {
	From   int `json:"from"`
	To     int `json:"to"`
	Chunks int `json:"chunks"`
}

// A Report describes a set of chunks.
type Report struct {
	All        Summary   `json:"all"`
	Parents    int       `json:"parents"` // records of that type, which are left out
	Uneven     bool      `json:"uneven"`  // see Summary.Uneven
	Min        int       `json:"small_under"`
	Small      int       `json:"small"` // chunks under it
	Histogram  []Bar     `json:"histogram"`
	Types      []Summary `json:"types"`
	Languages  []Summary `json:"languages"`
	Sources    []Summary `json:"sources"`    // the largest first
	Context    int64     `json:"context"`    // size spent on it
	Heads      int64     `json:"heads"`      // on repeated heads and tails
	Overlap    int64     `json:"overlap"`    // on what is repeated from before
	Duplicates int       `json:"duplicates"` // chunks that are near-duplicates of one before
	Pairs      []Pair    `json:"pairs"`      // some of them
}

// A Pair are two chunks that are nearly the same.
type Pair struct {
	First      string  `json:"first"` // an id, or a line where there is none
	Second     string  `json:"second"`
	Similarity float64 `json:"similarity"` // estimated
}

// A Collector takes in the chunks of a set.
type Collector struct {
	opt     Options
	sizes   group
	types   map[string]*group
	langs   map[string]*group
	sources map[string]*group
	context int64
	heads   int64
	overlap int64
	near    *near
	parents int
}

// group are the sizes of some chunks: how many there are of each.
type group map[int]int

// New returns a Collector without chunks.
func New(opt Options) *Collector {
	if opt.Min == 0 {
		opt.Min = defaultMin
	}
	if opt.Similar == 0 {
		opt.Similar = defaultSimilar
	}
	return &Collector{opt: opt, sizes: group{}, types: map[string]*group{}, langs: map[string]*group{}, sources: map[string]*group{}, near: newNear(opt.Similar)}
}

// Add takes in a chunk. Records of type parent repeat others and are counted,
// no more.
func (c *Collector) Add(r *records.Record) {
	if r.Type == chunker.TypeParent {
		c.parents++
		return
	}
	size := c.opt.Sizer.Count(r.Embedded())
	c.sizes[size]++
	for _, by := range [...]struct {
		groups map[string]*group
		name   string
	}{{c.types, r.Type}, {c.langs, r.Language}, {c.sources, r.Doc}} {
		g := by.groups[by.name]
		if g == nil {
			g = &group{}
			by.groups[by.name] = g
		}
		(*g)[size]++
	}
	if r.Context != "" {
		c.context += int64(size - c.opt.Sizer.Count(r.Text))
	}
	c.repeated(r)
	c.near.add(r)
}

// repeated counts what a text repeats: its parts other than own text, each
// taken for as much of the text as it has bytes of the source.
func (c *Collector) repeated(r *records.Record) {
	before, after := 0, 0
	overlap := 0
	own := false
	for _, p := range r.Parts {
		n := p.End - p.Start
		switch p.Role {
		case chunker.RoleBody:
			own = true
		case chunker.RoleOverlap:
			overlap += n
		case chunker.RoleTail:
			after += n
		default:
			if !own {
				before += n
			}
		}
	}
	if before+overlap+after > len(r.Text) {
		return // a page shows otherwise than it stands
	}
	count := func(s string) int64 {
		if s == "" {
			return 0
		}
		return int64(c.opt.Sizer.Count(s))
	}
	c.heads += count(strings.ToValidUTF8(r.Text[:before], "")) + count(strings.ToValidUTF8(r.Text[len(r.Text)-after:], ""))
	c.overlap += count(strings.ToValidUTF8(r.Text[before:before+overlap], ""))
}

// Report says what was taken in.
func (c *Collector) Report() *Report {
	r := &Report{All: c.sizes.summary(""), Parents: c.parents, Min: c.opt.Min, Context: c.context, Heads: c.heads, Overlap: c.overlap,
		Types: summaries(c.types), Languages: summaries(c.langs), Sources: summaries(c.sources),
		Duplicates: c.near.found, Pairs: c.near.pairs}
	r.Uneven = r.All.Uneven()
	for size, n := range c.sizes {
		if size < c.opt.Min {
			r.Small += n
		}
	}
	r.Histogram = c.sizes.bars(r.All.Most)
	return r
}

func summaries(groups map[string]*group) []Summary {
	var all []Summary
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		all = append(all, groups[name].summary(name))
	}
	slices.SortStableFunc(all, func(a, b Summary) int { return int(min(1, max(-1, b.Sum-a.Sum))) })
	return all
}

func (g group) summary(name string) Summary {
	s := Summary{Name: name}
	var squares float64
	sizes := slices.Sorted(maps.Keys(g))
	for _, size := range sizes {
		s.Chunks += g[size]
		s.Sum += int64(size) * int64(g[size])
		squares += float64(size) * float64(size) * float64(g[size])
	}
	if s.Chunks == 0 {
		return s
	}
	s.Mean = float64(s.Sum) / float64(s.Chunks)
	s.Dev = math.Sqrt(max(0, squares/float64(s.Chunks)-s.Mean*s.Mean))
	s.Least, s.Most = sizes[0], sizes[len(sizes)-1]
	seen, at := 0, 0
	for _, q := range [...]struct {
		share float64
		value *int
	}{{.10, &s.P10}, {.25, &s.P25}, {.50, &s.P50}, {.75, &s.P75}, {.90, &s.P90}, {.95, &s.P95}, {.99, &s.P99}} {
		// The nearest rank: the least size that so many chunks do not exceed.
		for rank := int(math.Ceil(q.share * float64(s.Chunks))); seen+g[sizes[at]] < rank; at++ {
			seen += g[sizes[at]]
		}
		*q.value = sizes[at]
	}
	return s
}

// bars returns some twenty bars up to the largest size, of round widths.
func (g group) bars(most int) []Bar {
	if len(g) == 0 {
		return nil
	}
	width := 1
	for i := 0; width*20 < most; i++ {
		width = [...]int{2, 5, 10}[i%3] * int(math.Pow10(i/3))
	}
	bars := make([]Bar, most/width+1)
	for i := range bars {
		bars[i] = Bar{From: i * width, To: (i + 1) * width}
	}
	for size, n := range g {
		bars[size/width].Chunks += n
	}
	return bars
}
