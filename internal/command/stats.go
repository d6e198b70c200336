package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/records"
	"github.com/cantle/cantle/stats"
	"github.com/cantle/cantle/tokens"
)

func newStats(s streams) *cobra.Command {
	var opt stats.Options
	var encoding, mapping string
	var top int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats [flags] CHUNKS",
		Short: "Say how long the chunks of a file are, and what their tokens are spent on",
		Long: "Say how long the chunks of a file of JSON lines are, by type, language and source, what is spent on context,\n" +
			"repeated heads and overlap, and how many chunks are nearly the same as another. CHUNKS may be - for standard\n" +
			"input, and come from any chunker, see 'cantle verify --help'.",
		Example: "  cantle stats chunks.jsonl\n  cantle chunk docs | cantle stats -\n  cantle stats --encoding o200k_base --json chunks.jsonl",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			fields, err := records.ParseMap(mapping)
			if err != nil {
				return misuse{fmt.Errorf("--map: %w", err)}
			}
			if opt.Sizer, err = tokens.Get(encoding); err != nil {
				return misuse{fmt.Errorf("--encoding: %w", err)}
			}
			if opt.Min < 1 {
				return misuse{fmt.Errorf("--small %d: must be at least 1", opt.Min)}
			}
			if opt.Similar <= 0 || opt.Similar > 1 {
				return misuse{fmt.Errorf("--similar %v: must be above 0 and at most 1", opt.Similar)}
			}
			in, _, err := seekable(s, args[0])
			if err != nil {
				return misuse{fmt.Errorf("%s: %w", args[0], plain(err))}
			}
			defer in.Close()
			c := stats.New(opt)
			err = records.Read(io.NewSectionReader(in, 0, 1<<62), fields, func(r *records.Record, _ []byte) error {
				c.Add(r)
				return cmd.Context().Err()
			})
			if err != nil {
				return chunksError(args[0], err)
			}
			r := c.Report()
			if asJSON {
				enc := json.NewEncoder(s.out)
				enc.SetEscapeHTML(false)
				enc.SetIndent("", "  ")
				return enc.Encode(r)
			}
			return writeStats(s.out, r, top)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&encoding, "encoding", cantle.DefaultEncoding, "what sizes count: a tiktoken encoding, a model, chars, words, or a tokenizer.json file")
	fl.StringVar(&mapping, "map", "", "where fields are found, as in text=page_content,doc=metadata.source")
	fl.IntVar(&opt.Min, "small", 32, "size under which a chunk is counted as small")
	fl.Float64Var(&opt.Similar, "similar", 0.8, "share in common that makes two chunks near-duplicates")
	fl.IntVar(&top, "top", 10, "how many types, languages and sources are listed, the largest first")
	fl.BoolVar(&asJSON, "json", false, "write the report as JSON")
	return cmd
}

// chunksError returns an error of reading a file of chunks: what is none is misuse.
func chunksError(name string, err error) error {
	err = fmt.Errorf("%s: %w", name, err)
	if bad := new(records.LineError); errors.As(err, &bad) {
		return misuse{err}
	}
	return err
}

// writeStats writes a report for people.
func writeStats(out io.Writer, r *stats.Report, top int) error {
	var b strings.Builder
	all := &r.All
	share := func(n int64) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(1, all.Sum))) }
	of := func(n int) string { return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(max(1, all.Chunks))) }
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range [...]struct{ name, value string }{
		{"chunks", fmt.Sprint(all.Chunks)},
		{"tokens", fmt.Sprint(all.Sum)},
		{"mean, deviation", fmt.Sprintf("%.1f, %.1f", all.Mean, all.Dev)},
		{fmt.Sprintf("under %d", r.Min), of(r.Small)},
		{"near-duplicates", of(r.Duplicates)},
		{"spent on context", fmt.Sprintf("%d (%s)", r.Context, share(r.Context))},
		{"on repeated heads", fmt.Sprintf("%d (%s)", r.Heads, share(r.Heads))},
		{"on overlap", fmt.Sprintf("%d (%s)", r.Overlap, share(r.Overlap))},
	} {
		fmt.Fprintf(t, "%s\t%s\n", row.name, row.value)
	}
	if r.Parents > 0 {
		fmt.Fprintf(t, "parents, left out\t%d\n", r.Parents)
	}
	t.Flush()
	if r.Uneven {
		fmt.Fprintf(&b, "\nuneven: the 90th percentile of %d is over twice the mean of %.1f\n", all.P90, all.Mean)
	}
	b.WriteByte('\n')
	most := 1
	for _, bar := range r.Histogram {
		most = max(most, bar.Chunks)
	}
	for _, bar := range r.Histogram {
		fmt.Fprintf(&b, "%5d-%-5d %s %d\n", bar.From, bar.To-1, blocks(bar.Chunks, most, 50), bar.Chunks)
	}
	for _, by := range [...]struct {
		name   string
		groups []stats.Summary
	}{{"type", r.Types}, {"language", r.Languages}, {"source", r.Sources}} {
		if len(by.groups) == 0 {
			continue
		}
		b.WriteByte('\n')
		t = tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "chunks\tmean\tp10\tp50\tp90\tp99\tmax\t  "+by.name)
		for _, g := range by.groups[:min(max(0, top), len(by.groups))] {
			name := g.Name
			if name == "" {
				name = "(none)"
			}
			fmt.Fprintf(t, "%d\t%.1f\t%d\t%d\t%d\t%d\t%d\t  %s\n", g.Chunks, g.Mean, g.P10, g.P50, g.P90, g.P99, g.Most, name)
		}
		t.Flush()
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// blocks draws a bar in eighths of a column.
func blocks(n, most, width int) string {
	eighths := n * width * 8 / most
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune(" ▏▎▍▌▋▊▉")[rest])
	}
	return s
}
