package eval

import (
	"cmp"
	"context"
	"fmt"

	"github.com/cantle/cantle/internal/ordered"
)

// A Setting is a way to cut a set.
type Setting struct {
	Name string
	Cut  func(ctx context.Context, set *Set) ([]Chunk, error)
}

// DefaultSeed is what the draws of a bootstrap begin with.
const DefaultSeed = 7

// Compare cuts the sets by each of the settings, searches them, and estimates
// the measures and their differences to the first setting. It works on jobs sets
// at once; done, which may be nil, is called after each.
func Compare(ctx context.Context, sets []*Set, settings []Setting, opt Options, jobs int, done func()) (*Report, error) {
	opt.K = cmp.Or(opt.K, DefaultK)
	r := &Report{Retriever: opt.Retriever.Name(), K: opt.K, Seed: DefaultSeed, Resamples: Resamples, Measures: Measures(opt.K)}
	for _, s := range sets {
		r.Sets = append(r.Sets, s.info())
	}
	type task struct{ setting, set int }
	feed := func(yield func(task) error) error {
		for i := range settings {
			for j := range sets {
				if err := yield(task{i, j}); err != nil {
					return err
				}
			}
		}
		return nil
	}
	do := func(t task) (m measured) {
		chunks, err := settings[t.setting].Cut(ctx, sets[t.set])
		if err == nil {
			m.values, err = Evaluate(ctx, sets[t.set], chunks, opt)
		}
		if err != nil {
			m.err = fmt.Errorf("%s on %s: %w", settings[t.setting].Name, sets[t.set].Name, err)
		}
		m.sizes = sizesOf(chunks)
		return m
	}
	var all []measured
	err := ordered.Map(ctx, jobs, feed, do, func(m measured) error {
		all = append(all, m)
		if done != nil && m.err == nil {
			done()
		}
		return m.err
	})
	if err != nil {
		return nil, err
	}
	base := all[:len(sets)]
	for i, s := range settings {
		r.Settings = append(r.Settings, r.outcome(s.Name, sets, all[i*len(sets):][:len(sets)], base, i > 0))
	}
	return r, nil
}

// measured is what one setting gave on one set.
type measured struct {
	values [][]float64 // by question, then measure
	sizes  Sizes
	err    error
}

// outcome estimates the figures of one setting on all sets.
func (r *Report) outcome(name string, sets []*Set, of, base []measured, compared bool) *Outcome {
	o := &Outcome{Setting: name}
	var all, allBase [][][]float64
	for j, set := range sets {
		m, b := of[j].values, base[j].values
		all, allBase = append(all, m), append(allBase, b)
		so := SetOutcome{Set: set.Name, Sizes: of[j].sizes, Figures: r.figures([][][]float64{m}, [][][]float64{b}, compared)}
		for i, q := range set.Questions {
			so.Values = append(so.Values, Values{q.ID, m[i]})
		}
		if types := r.Sets[j].Types; len(types) > 1 {
			so.Types = map[string]Figures{}
			for _, t := range types {
				so.Types[t] = r.figures([][][]float64{ofType(set, m, t)}, [][][]float64{ofType(set, b, t)}, compared)
			}
		}
		o.Sets = append(o.Sets, so)
	}
	if len(sets) > 1 {
		mean := r.figures(all, allBase, compared)
		o.Mean = &mean
	}
	return o
}

// ofType returns the values of the questions of a type.
func ofType(set *Set, values [][]float64, t string) [][]float64 {
	var out [][]float64
	for i, q := range set.Questions {
		if q.Type == t {
			out = append(out, values[i])
		}
	}
	return out
}

// figures estimates each measure, and its difference to base where that is
// asked for, over sets of values.
func (r *Report) figures(of, base [][][]float64, compared bool) Figures {
	f := Figures{Is: map[string]Estimate{}}
	if compared {
		f.Difference = map[string]Estimate{}
	}
	for m, name := range r.Measures {
		var is, than [][]float64
		for j := range of {
			if x := column(of[j], m); len(x) > 0 {
				is, than = append(is, x), append(than, column(base[j], m))
			}
		}
		if len(is) == 0 {
			continue
		}
		f.Is[name] = Bootstrap(r.Seed, is...)
		if compared {
			f.Difference[name] = Bootstrap(r.Seed, differences(is, than)...)
		}
	}
	return f
}

// differences returns a minus b.
func differences(a, b [][]float64) [][]float64 {
	out := make([][]float64, len(a))
	for j := range a {
		out[j] = make([]float64, len(a[j]))
		for i := range a[j] {
			out[j][i] = a[j][i] - b[j][i]
		}
	}
	return out
}
