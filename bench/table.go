package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/cantle/cantle/verify"
)

// growthSizes are those of the single documents, in MB.
var growthSizes = []int{1, 4, 16, 50}

func growthName(mb int) string { return fmt.Sprintf("document/%dMB", mb) }

func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(v))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// writeTable writes a record as tables of Markdown, one a job, each with the
// tools from the fastest to the slowest.
func (r *Record) writeTable(w io.Writer) {
	var jobs []string
	for _, res := range r.Results {
		if !slices.Contains(jobs, res.Job) {
			jobs = append(jobs, res.Job)
		}
	}
	for _, job := range jobs {
		var rows []Result
		for _, res := range r.Results {
			if res.Job == job {
				rows = append(rows, res)
			}
		}
		slices.SortStableFunc(rows, func(a, b Result) int { return cmp.Compare(b.speed(), a.speed()) })
		fmt.Fprintf(w, "\n### %s\n\n", job)
		t := newTable(w, "tool", "MB/s of CPU", "spread", "MB/s of wall", "peak +MB", "start s", "MB", "failed", "chunks", "over", "largest", "lost", "fences cut", "functions cut", "rows headless")
		for _, res := range rows {
			if res.Error != "" {
				t.row(res.Tool, res.Error)
				continue
			}
			cells := []string{res.Tool, fmt.Sprintf("%.2f", res.speed()), res.spread(), fmt.Sprintf("%.2f", float64(res.Bytes)/1e6/median(res.Wall)),
				fmt.Sprintf("%.0f", max(0, res.Peak-res.Base)), fmt.Sprintf("%.1f", res.Start), fmt.Sprintf("%.1f", float64(res.Bytes)/1e6), fmt.Sprint(res.failures())}
			if o := res.Output; o != nil {
				cells = append(cells, fmt.Sprint(res.Chunks), fmt.Sprint(o.Faults[verify.Over]), fmt.Sprint(o.Largest), fmt.Sprintf("%.2f %%", 100*o.Lost()),
					fmt.Sprint(o.Faults[verify.FenceCut]), fmt.Sprint(o.Faults[verify.FunctionCut]), fmt.Sprint(o.Faults[verify.Headless]))
			}
			t.row(cells...)
		}
		t.flush()
	}
	r.writeGrowth(w)
	if len(r.Commands) > 0 {
		fmt.Fprintf(w, "\n### the command, start to exit\n\n")
		t := newTable(w, "what", "wall s", "CPU s", "peak MB", "MB/s of wall", "MB/s of CPU")
		for _, c := range r.Commands {
			if c.Error != "" {
				t.row(c.Name, c.Error)
				continue
			}
			mb := float64(c.Bytes) / 1e6
			cells := []string{c.Name, fmt.Sprintf("%.3f", median(c.Wall)), fmt.Sprintf("%.3f", median(c.CPU)), fmt.Sprintf("%.0f", c.Peak)}
			if mb >= 1 {
				cells = append(cells, fmt.Sprintf("%.2f", mb/median(c.Wall)), fmt.Sprintf("%.2f", mb/median(c.CPU)))
			}
			t.row(cells...)
		}
		t.flush()
	}
}

// speed is in MB of input a second of processor time, the median of the rounds.
func (res *Result) speed() float64 { return float64(res.Bytes) / 1e6 / median(res.CPU) }

// failures is the number of documents that could not be cut.
func (res *Result) failures() (n int) {
	for _, k := range res.Failed {
		n += k
	}
	return n
}

// spread is the least and the greatest speed.
func (res *Result) spread() string {
	mb := float64(res.Bytes) / 1e6
	return fmt.Sprintf("%.2f-%.2f", mb/slices.Max(res.CPU), mb/slices.Min(res.CPU))
}

// writeGrowth writes the exponent with which each tool's time grows with the
// size of a document: 1 is linear, 2 is quadratic.
func (r *Record) writeGrowth(w io.Writer) {
	times := map[string][]float64{}
	for _, mb := range growthSizes {
		for _, res := range r.Results {
			if res.Job == growthName(mb) && res.Error == "" {
				times[res.Tool] = append(times[res.Tool], median(res.CPU))
			}
		}
	}
	if len(times) == 0 {
		return
	}
	fmt.Fprintf(w, "\n### growth with one document\n\n")
	t := newTable(w, "tool", "MB", "exponent")
	for _, tool := range tools {
		if s := times[tool.name]; len(s) > 1 {
			sizes := growthSizes[:len(s)]
			first, last := 0, len(s)-1
			t.row(tool.name, fmt.Sprintf("%d to %d", sizes[first], sizes[last]),
				fmt.Sprintf("%.2f", math.Log(s[last]/s[first])/math.Log(float64(sizes[last])/float64(sizes[first]))))
			delete(times, tool.name)
		}
	}
	t.flush()
}

// A table is one of Markdown, its columns lined up.
type table struct {
	w       *tabwriter.Writer
	columns int
}

func newTable(w io.Writer, columns ...string) table {
	t := table{tabwriter.NewWriter(w, 0, 0, 1, ' ', 0), len(columns)}
	t.row(columns...)
	t.row(strings.Split(strings.Repeat("--- ", len(columns)-1)+"---", " ")...)
	return t
}

func (t table) row(cells ...string) {
	for range t.columns - len(cells) {
		cells = append(cells, "")
	}
	fmt.Fprintf(t.w, "| %s |\n", strings.Join(cells, "\t| "))
}

func (t table) flush() { t.w.Flush() }
