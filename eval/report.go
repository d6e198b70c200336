package eval

import (
	"encoding/json"
	"math"
	"slices"
)

// A Report says how settings did on sets. The same input gives the same report.
type Report struct {
	Version   string     `json:"version"` // of cantle
	Retriever string     `json:"retriever"`
	Encoding  string     `json:"encoding"` // what the budgets count
	K         int        `json:"k"`
	Seed      uint64     `json:"seed"`
	Resamples int        `json:"resamples"`
	Measures  []string   `json:"measures"`
	Sets      []SetInfo  `json:"sets"`
	Settings  []*Outcome `json:"settings"`
}

// SetInfo identifies a set.
type SetInfo struct {
	Name      string   `json:"name"`
	Scope     Scope    `json:"scope"`
	Documents int      `json:"documents"`
	Bytes     int      `json:"bytes"`
	Questions int      `json:"questions"`
	Types     []string `json:"types,omitempty"`
	Hash      string   `json:"sha256"` // of documents and questions
}

// An Outcome is what became of one setting. Figures are by measure; those of a
// measure that no question has are left out.
type Outcome struct {
	Setting string       `json:"setting"`
	Sets    []SetOutcome `json:"sets"`
	// Mean is over the sets, each with the same weight; nil where there is one.
	Mean *Figures `json:"mean,omitempty"`
}

// A SetOutcome is what became of one setting on one set.
type SetOutcome struct {
	Set     string             `json:"set"`
	Sizes   Sizes              `json:"sizes"`
	Figures Figures            `json:"figures"`
	Types   map[string]Figures `json:"types,omitempty"` // by type of question, where there is more than one
	Values  []Values           `json:"values"`          // by question
}

// Figures are estimates by measure.
type Figures struct {
	Is         map[string]Estimate `json:"is"`
	Difference map[string]Estimate `json:"difference,omitempty"` // to the first setting, question by question
}

// Values are the measures of one question, in the order of Report.Measures.
type Values struct {
	ID     string  `json:"id"`
	Values numbers `json:"values"`
}

// numbers are written to six digits, Missing as null.
type numbers []float64

func (n numbers) MarshalJSON() ([]byte, error) {
	out := make([]*float64, len(n))
	for i, x := range n {
		if !math.IsNaN(x) {
			x = math.Round(x*1e6) / 1e6
			out[i] = &x
		}
	}
	return json.Marshal(out)
}

func (n *numbers) UnmarshalJSON(b []byte) error {
	var in []*float64
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*n = make(numbers, len(in))
	for i, x := range in {
		(*n)[i] = Missing
		if x != nil {
			(*n)[i] = *x
		}
	}
	return nil
}

// Sizes are the sizes of chunks in tokens, contexts and repeated heads included.
type Sizes struct {
	Chunks int     `json:"chunks"`
	Sum    int     `json:"sum"`
	Mean   float64 `json:"mean"`
	P5     float64 `json:"p5"`
	P50    float64 `json:"p50"`
	P90    float64 `json:"p90"`
	P95    float64 `json:"p95"`
	Max    int     `json:"max"`
}

func sizesOf(chunks []Chunk) Sizes {
	tokens := make([]float64, len(chunks))
	s := Sizes{Chunks: len(chunks)}
	for i := range chunks {
		tokens[i] = float64(chunks[i].Tokens)
		s.Sum += chunks[i].Tokens
		s.Max = max(s.Max, chunks[i].Tokens)
	}
	if len(tokens) == 0 {
		return s
	}
	slices.Sort(tokens)
	s.Mean = math.Round(Mean(tokens)*100) / 100
	s.P5, s.P50 = percentile(tokens, 5), percentile(tokens, 50)
	s.P90, s.P95 = percentile(tokens, 90), percentile(tokens, 95)
	return s
}

// Alarm says what is wrong with the sizes, "" where nothing is: one chunk in
// ten is more than twice as long as the mean, so that there is no size to speak
// of, and long chunks drown their evidence.
func (s Sizes) Alarm() string {
	if s.P90 > 2*s.Mean {
		return "uneven"
	}
	return ""
}

// Difference estimates how much more of a measure a has than b, question by
// question; b may be of another report over the same questions. Questions that
// one of them does not have are left out.
func (r *Report) Difference(measure string, a *Outcome, than *Report, b *Outcome) Estimate {
	i, j := slices.Index(r.Measures, measure), slices.Index(than.Measures, measure)
	if i < 0 || j < 0 {
		return Bootstrap(r.Seed)
	}
	var strata [][]float64
	for _, set := range a.Sets {
		k := slices.IndexFunc(b.Sets, func(s SetOutcome) bool { return s.Set == set.Set })
		if k < 0 {
			continue
		}
		before := map[string]float64{}
		for _, v := range b.Sets[k].Values {
			before[v.ID] = v.Values[j]
		}
		var d []float64
		for _, v := range set.Values {
			if x, ok := before[v.ID]; ok && !math.IsNaN(x) && !math.IsNaN(v.Values[i]) {
				d = append(d, v.Values[i]-x)
			}
		}
		strata = append(strata, d)
	}
	return Bootstrap(r.Seed, strata...)
}

// Overall returns the figures over all sets.
func (o *Outcome) Overall() Figures {
	if o.Mean != nil {
		return *o.Mean
	}
	return o.Sets[0].Figures
}
