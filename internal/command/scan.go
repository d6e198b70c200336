package command

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/go-analyze/charts"
	"github.com/spf13/cobra"

	"github.com/cantle/cantle/eval"
)

func newScan(s streams) *cobra.Command {
	var f cutFlags
	var e evalFlags
	var g grid
	var output, plot, measure string
	cmd := &cobra.Command{
		Use:   "scan [flags] PATH...",
		Short: "Find the chunk size that answers questions best",
		Long: "Measure a grid of settings as 'cantle eval' does, and say which is best by recall at equal tokens,\n" +
			"and which cannot be told apart from it. An alarm stands where one chunk in ten is more than twice as long as the mean.",
		Example: "  cantle scan --questions questions.jsonl docs\n" +
			"  cantle scan --questions questions.jsonl --sizes 200..1500/100 --overlaps 0,10%,20% --plot scan.html docs",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := g.parse(); err != nil {
				return misuse{err}
			}
			if ext := strings.ToLower(filepath.Ext(plot)); plot != "" && ext != ".svg" && ext != ".html" {
				return misuse{fmt.Errorf("--plot %s: must end in .svg or .html", plot)}
			}
			var opened embedders
			defer opened.close()
			settings, err := newSettings(cmd.Flags(), g.settings(), &opened)
			if err != nil {
				return err
			}
			sets, err := e.open(cmd.Context(), args)
			if err != nil {
				return err
			}
			report, err := e.compare(cmd.Context(), s, &opened, f.embedCache, sets, settings)
			if err != nil {
				return err
			}
			if _, ok := report.Settings[0].Overall().Is[measure]; !ok {
				return misuse{fmt.Errorf("--measure %s: these questions have none", measure)}
			}
			if output != "" {
				if err := writeWhole(s.out, output, report.Write); err != nil {
					return err
				}
			}
			choice := report.Choose(measure)
			if plot != "" {
				if err := g.plot(s, plot, report, choice); err != nil {
					return err
				}
			}
			return writeScan(s.out, report, choice)
		},
	}
	f.add(cmd)
	e.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&g.sizeList, "sizes", "200..1500/100", "limits to try: FROM..TO/STEP, or a list 200,400,800")
	fl.StringVar(&g.overlapList, "overlaps", "0", "overlaps to try, in tokens or in percent of the limit: 0,10%,20%")
	fl.StringSliceVar(&g.strategies, "strategies", []string{"structure"}, "strategies to try")
	fl.StringVar(&measure, "measure", "auc_t", "the figure to choose by")
	fl.StringVarP(&output, "output", "o", "", "write the results to this `file` as JSON")
	fl.StringVar(&plot, "plot", "", "draw the measure over the sizes to this `file`, .svg or .html")
	return cmd
}

// A grid is sizes, overlaps and strategies, each with each.
type grid struct {
	sizeList, overlapList string
	strategies            []string

	sizes []int
	lines []gridLine
}

// A gridLine is what is the same over the sizes: one line of the plot.
type gridLine struct {
	strategy string
	overlap  string // "20" or "10%"
}

func (l gridLine) String() string { return l.strategy + ", overlap " + l.overlap }

// overlapOf returns the overlap of a limit, in tokens.
func (l gridLine) overlapOf(size int) int {
	n, _ := strconv.Atoi(strings.TrimSuffix(l.overlap, "%"))
	if strings.HasSuffix(l.overlap, "%") {
		return size * n / 100
	}
	return n
}

// maxSettings bounds a scan: above it somebody has mistyped.
const maxSettings = 10_000

func (g *grid) parse() error {
	var err error
	if g.sizes, err = parseSizes(g.sizeList); err != nil {
		return fmt.Errorf("--sizes %s: %w", g.sizeList, err)
	}
	for _, strategy := range g.strategies {
		for overlap := range strings.SplitSeq(g.overlapList, ",") {
			overlap = strings.TrimSpace(overlap)
			n, err := strconv.Atoi(strings.TrimSuffix(overlap, "%"))
			if err != nil || n < 0 || strings.HasSuffix(overlap, "%") && n >= 100 {
				return fmt.Errorf("--overlaps %s: %q is neither a number nor a percentage", g.overlapList, overlap)
			}
			g.lines = append(g.lines, gridLine{strategy, overlap})
		}
	}
	if n := len(g.sizes) * len(g.lines); n > maxSettings {
		return fmt.Errorf("%d settings are more than %d", n, maxSettings)
	}
	return nil
}

// parseSizes reads "200..1500/100" or "200,400".
func parseSizes(s string) ([]int, error) {
	number := func(s string) (int, error) {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n < 1 {
			return 0, fmt.Errorf("%q is not a number from 1", s)
		}
		return n, nil
	}
	var sizes []int
	from, rest, isRange := strings.Cut(s, "..")
	if !isRange {
		for part := range strings.SplitSeq(s, ",") {
			n, err := number(part)
			if err != nil {
				return nil, err
			}
			sizes = append(sizes, n)
		}
		return sizes, nil
	}
	to, by, ok := strings.Cut(rest, "/")
	if !ok {
		by = "100"
	}
	var bounds [3]int
	for i, part := range []string{from, to, by} {
		var err error
		if bounds[i], err = number(part); err != nil {
			return nil, err
		}
	}
	if bounds[1] < bounds[0] || (bounds[1]-bounds[0])/bounds[2] >= maxSettings {
		return nil, fmt.Errorf("there are no sizes, or more than %d", maxSettings)
	}
	for n := bounds[0]; n <= bounds[1]; n += bounds[2] {
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// settings returns the flags of each setting, line by line.
func (g *grid) settings() []string {
	var out []string
	for _, l := range g.lines {
		for _, size := range g.sizes {
			text := fmt.Sprintf("--max-tokens %d", size)
			if n := l.overlapOf(size); n > 0 {
				text += fmt.Sprintf(" --overlap %d", n)
			}
			if l.strategy != "structure" {
				text += " --strategy " + l.strategy
			}
			out = append(out, text)
		}
	}
	return out
}

// writeScan writes a line a setting, the best and those like it marked, and what
// to take from it.
func writeScan(w io.Writer, r *eval.Report, c eval.Choice) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, set := range r.Sets {
		fmt.Fprintf(t, "%s: %d questions, %d documents, %s\n", set.Name, set.Questions, set.Documents, r.Retriever)
	}
	fmt.Fprintf(t, "\t%s\t\tto the best\tchunks\tmean\tp50\tp90\tmax\t\n", c.Measure)
	for i, o := range r.Settings {
		mark := ""
		switch {
		case o == c.Best:
			mark = "best"
		case !c.Behind[i].IsClear():
			mark = "alike"
		}
		is, sizes := o.Overall().Is[c.Measure], o.Sets[0].Sizes
		fmt.Fprintf(t, "%s\t%.3f\t%s\t%+.3f [%+.3f, %+.3f]\t%d\t%.0f\t%.0f\t%.0f\t%d\t%s\n", o.Setting, is.Mean, mark,
			c.Behind[i].Mean, c.Behind[i].Low, c.Behind[i].High, sizes.Chunks, sizes.Mean, sizes.P50, sizes.P90, sizes.Max, sizes.Alarm())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n"+verdict(r, c)+"\n")
	return err
}

// verdict says what to take from a scan.
func verdict(r *eval.Report, c eval.Choice) string {
	best := c.Best.Overall().Is[c.Measure]
	text := fmt.Sprintf("%s is best: %s %.3f [%.3f, %.3f] over %d questions.", c.Best.Setting, c.Measure, best.Mean, best.Low, best.High, best.N)
	switch n := len(c.Alike); {
	case len(r.Settings) == 1:
	case n == 0:
		text += " Every other setting is behind by an interval that leaves out 0."
	case n == len(r.Settings)-1:
		text += " These questions do not tell any of the others apart from it: ask more of them, or keep the default."
	default:
		text += fmt.Sprintf(" Of the %d others, %d cannot be told apart from it by these questions.", len(r.Settings)-1, n)
	}
	return text
}

// plot draws the measure over the sizes, as an SVG file or as a page with the
// table beside it.
func (g *grid) plot(s streams, name string, r *eval.Report, c eval.Choice) error {
	svg, err := g.draw(r, c)
	if err != nil {
		return err
	}
	if strings.EqualFold(filepath.Ext(name), ".svg") {
		return writeWhole(s.out, name, func(w io.Writer) error {
			_, err := w.Write(svg)
			return err
		})
	}
	var table strings.Builder
	if err := writeScan(&table, r, c); err != nil {
		return err
	}
	return writeWhole(s.out, name, func(w io.Writer) error {
		return scanPage.Execute(w, struct {
			Title string
			Plot  template.HTML
			Table string
		}{c.Measure + " by chunk size", template.HTML(svg), table.String()})
	})
}

func (g *grid) draw(r *eval.Report, c eval.Choice) ([]byte, error) {
	values := make([][]float64, len(g.lines))
	names := make([]string, len(g.lines))
	low, high := 1.0, 0.0
	for i, line := range g.lines {
		names[i] = line.String()
		for j := range g.sizes {
			x := r.Settings[i*len(g.sizes)+j].Overall().Is[c.Measure].Mean
			values[i] = append(values[i], x)
			low, high = min(low, x), max(high, x)
		}
	}
	labels := make([]string, len(g.sizes))
	for i, n := range g.sizes {
		labels[i] = strconv.Itoa(n)
	}
	opt := charts.NewLineChartOptionWithData(values)
	opt.Title.Text = c.Measure + " by limit in tokens"
	opt.XAxis.Labels = labels
	opt.Legend.SeriesNames = names
	opt.Legend.Offset = charts.OffsetStr{Left: charts.PositionRight, Top: charts.PositionBottom}
	// Shares a few hundredths apart are what there is to see.
	opt.YAxis[0].Min = charts.Ptr(max(0, math.Floor(low*50-0.5)/50))
	opt.YAxis[0].Max = charts.Ptr(math.Ceil(high*50+0.5) / 50)
	opt.YAxis[0].Unit = 0.02
	opt.ValueFormatter = func(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }
	p := charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputSVG, Width: 900, Height: 450})
	if err := p.LineChart(opt); err != nil {
		return nil, err
	}
	return p.Bytes()
}

var scanPage = template.Must(template.New("scan").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{{.Title}}</title>
<style>body { font: 15px sans-serif; margin: 2em } pre { overflow-x: auto }</style>
<h1>{{.Title}}</h1>
{{.Plot}}
<pre>{{.Table}}</pre>
</html>
`))
