package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// Write writes the report as indented JSON.
func (r *Report) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(r)
}

// ReadReport reads what Write has written. Anything else is an error.
func ReadReport(in io.Reader) (*Report, error) {
	r := &Report{}
	if err := json.NewDecoder(in).Decode(r); err != nil {
		return nil, err
	}
	for i, o := range r.Settings {
		if err := r.check(o); err != nil {
			return nil, fmt.Errorf("setting %d: %w", i+1, err)
		}
	}
	return r, nil
}

// check says what an outcome lacks of what every report holds.
func (r *Report) check(o *Outcome) error {
	switch {
	case o == nil:
		return errors.New("is null")
	case len(o.Sets) != len(r.Sets):
		return fmt.Errorf("holds %d sets, the report is of %d", len(o.Sets), len(r.Sets))
	case o.Mean == nil && len(r.Sets) > 1:
		return errors.New("holds no mean of the sets")
	}
	for _, set := range o.Sets {
		for _, v := range set.Values {
			if len(v.Values) != len(r.Measures) {
				return fmt.Errorf("set %s, question %s: has %d values, there are %d measures", set.Set, v.ID, len(v.Values), len(r.Measures))
			}
		}
	}
	return nil
}

// TextOptions say what to show of a report.
type TextOptions struct {
	ByType  bool // a table for each type of question too
	Details bool // all measures with their intervals
}

// headline are the measures of the tables, where a set has them.
func (r *Report) headline() []string {
	return []string{"auc_t", "recall@500t", "recall@1000t", "recall@2000t", "recall@4000t", "self@2000t", fmt.Sprintf("recall@%d", r.K), fmt.Sprintf("iou@%d", r.K), "mrr", "ndcg@10"}
}

// WriteText writes the report for people: a table for each set, and one of the
// means where there are several.
func (r *Report) WriteText(w io.Writer, opt TextOptions) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for j, set := range r.Sets {
		fmt.Fprintf(t, "%s: %d questions, %d documents, %s\n", set.Name, set.Questions, set.Documents, r.Retriever)
		r.table(t, func(o *Outcome) (Figures, *Sizes) { return o.Sets[j].Figures, &o.Sets[j].Sizes })
		if opt.ByType {
			for _, name := range set.Types {
				if len(set.Types) < 2 {
					break
				}
				fmt.Fprintf(t, "%s, type %s: %d questions\n", set.Name, name, r.Settings[0].Sets[j].Types[name].Is["auc_t"].N)
				r.table(t, func(o *Outcome) (Figures, *Sizes) { return o.Sets[j].Types[name], nil })
			}
		}
		if opt.Details {
			for _, o := range r.Settings {
				fmt.Fprintf(t, "%s, %s\n", set.Name, o.Setting)
				r.details(t, o.Sets[j].Figures)
			}
		}
	}
	if len(r.Sets) > 1 {
		fmt.Fprintf(t, "mean of %d sets\n", len(r.Sets))
		r.table(t, func(o *Outcome) (Figures, *Sizes) { return *o.Mean, nil })
	}
	return t.Flush()
}

// table writes a line a setting: sizes, measures, and the difference of auc_t to
// the first setting, with a star where its interval leaves out 0.
func (r *Report) table(t io.Writer, of func(*Outcome) (Figures, *Sizes)) {
	first, sizes := of(r.Settings[0])
	names := slices.DeleteFunc(r.headline(), func(n string) bool { _, ok := first.Is[n]; return !ok })
	fmt.Fprint(t, "setting")
	if sizes != nil {
		fmt.Fprint(t, "\tchunks\tmean\tp95")
	}
	for _, n := range names {
		fmt.Fprintf(t, "\t%s", n)
	}
	if len(r.Settings) > 1 {
		fmt.Fprint(t, "\tauc_t to the first")
	}
	fmt.Fprintln(t)
	for _, o := range r.Settings {
		f, sizes := of(o)
		fmt.Fprint(t, o.Setting)
		if sizes != nil {
			fmt.Fprintf(t, "\t%d\t%.0f\t%.0f", sizes.Chunks, sizes.Mean, sizes.P95)
		}
		for _, n := range names {
			fmt.Fprintf(t, "\t%.3f", f.Is[n].Mean)
		}
		if d, ok := f.Difference["auc_t"]; ok {
			fmt.Fprintf(t, "\t%s", d.signed())
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintln(t)
}

// details writes a line a measure.
func (r *Report) details(t io.Writer, f Figures) {
	for _, n := range r.Measures {
		e, ok := f.Is[n]
		if !ok {
			continue
		}
		fmt.Fprintf(t, "  %s\t%.3f\t[%.3f, %.3f]", n, e.Mean, e.Low, e.High)
		if d, ok := f.Difference[n]; ok {
			fmt.Fprintf(t, "\t%s", d.signed())
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintln(t)
}

// signed writes a difference: "+0.021 [+0.003, +0.040] *".
func (e Estimate) signed() string {
	star := ""
	if e.IsClear() {
		star = " *"
	}
	return fmt.Sprintf("%+.3f [%+.3f, %+.3f]%s", e.Mean, e.Low, e.High, star)
}
