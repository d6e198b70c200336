package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/embed"
	"github.com/cantle/cantle/rank"
	"github.com/cantle/cantle/store"
)

func newSearch(s streams) *cobra.Command {
	var name, where, kind, mode, expand, format, embedder string
	var top, budget int
	cmd := &cobra.Command{
		Use:   "search [flags] QUERY...",
		Short: "Search the chunks in a store",
		Long: "Search the chunks that 'cantle ingest' has put into a store: by their words, by vector, or by both.\n" +
			"The words of the query may be arguments of their own.\n" +
			"Filters compare fields of the record and keys of the metadata: = != < <= > >= ^= (begins) $= (ends) *= (contains),\n" +
			"in (...), exists; and, or, not, parentheses. A list fits where one of its items does.",
		Example: "  cantle search 'how do I rotate a key'\n  cantle search --where 'category = \"after_sales\" and section_path ^= \"Chapter 3\"' refunds\n  cantle search --expand parent --format prompt --budget 2000 'refund deadline'",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			q := store.Query{Top: top}
			filter, err := searchFilter(where, kind)
			if err != nil {
				return misuse{err}
			}
			q.Where = filter
			write, ok := hitFormats[format]
			if !ok {
				return misuse{fmt.Errorf("--format %s: is none of pretty, json, prompt", format)}
			}
			if top < 1 {
				return misuse{fmt.Errorf("--top %d: must be at least 1", top)}
			}
			if budget < 0 {
				return misuse{fmt.Errorf("--budget %d: must not be negative", budget)}
			}
			how := store.Expansion(expand)
			if !slices.Contains([]store.Expansion{store.ExpandNone, store.ExpandParent, store.ExpandNeighbours, store.ExpandSection}, how) {
				return misuse{fmt.Errorf("--expand %s: is none of parent, neighbours, section", expand)}
			}
			query := strings.Join(args, " ")
			if strings.TrimSpace(query) == "" {
				return misuse{errors.New("the query is empty")}
			}
			if mode == "" {
				mode = map[bool]string{false: "keyword", true: "hybrid"}[embedder != ""]
			}
			if !slices.Contains([]string{"keyword", "vector", "hybrid"}, mode) {
				return misuse{fmt.Errorf("--mode %s: is none of keyword, vector, hybrid", mode)}
			}
			if mode != "vector" {
				q.Text = query
			}
			if mode != "keyword" {
				if embedder == "" {
					return misuse{fmt.Errorf("--mode %s: needs the --embedder that the store was filled with", mode)}
				}
				e, err := embed.Open(embedder)
				if err != nil {
					return misuse{fmt.Errorf("--embedder: %w", err)}
				}
				vectors, err := e.Embed(cmd.Context(), []string{query})
				if err != nil {
					return fmt.Errorf("embedding: %w", err)
				}
				q.Vector, q.Embedder = vectors[0], e.Name()
			}
			if !storeExists(name) {
				return misuse{fmt.Errorf("--store %s: there is no such file; 'cantle ingest' makes it", name)}
			}
			st, err := OpenStore(cmd.Context(), name)
			if err != nil {
				return misuse{err}
			}
			defer st.Close()
			hits, err := st.Search(cmd.Context(), q)
			if err != nil {
				return err
			}
			passages, err := store.Expand(cmd.Context(), st, hits, how, budget)
			if err != nil {
				return err
			}
			if len(passages) == 0 {
				why, err := whyNothing(cmd.Context(), st, q, hits, budget)
				if err != nil {
					return err
				}
				if format == "pretty" {
					_, err := fmt.Fprintln(s.out, why)
					return err
				}
				fmt.Fprintf(s.err, "cantle: %s\n", why)
			}
			return write(s.out, query, passages)
		},
	}
	fl := cmd.Flags()
	addStore(cmd, &name)
	fl.IntVar(&top, "top", store.DefaultTop, "how many hits")
	fl.StringVar(&where, "where", "", "`filter` of what may be found")
	fl.StringVar(&kind, "type", "", "what may be found: text, code or table")
	fl.StringVar(&mode, "mode", "", "how to search: keyword, vector or hybrid (default hybrid where an embedder is named, else keyword)")
	fl.StringVar(&embedder, "embedder", "", "what the chunks were embedded by: lexical, minilm:FOLDER or http://HOST/v1?model=NAME")
	fl.StringVar(&expand, "expand", "", "what to show for a hit: its parent, its neighbours too, or its section")
	fl.IntVar(&budget, "budget", 0, "how many tokens all that is shown may have (default no limit)")
	fl.StringVar(&format, "format", "pretty", "how to show it: pretty, json (one object a line) or prompt (for a model)")
	return cmd
}

// searchFilter joins --where and --type.
func searchFilter(where, kind string) (store.Filter, error) {
	var all store.And
	if where != "" {
		f, err := store.ParseFilter(where)
		if err != nil {
			return nil, fmt.Errorf("--where: %w", err)
		}
		all = append(all, f)
	}
	if kind != "" {
		if !slices.Contains([]string{"text", "code", "table"}, kind) {
			return nil, fmt.Errorf("--type %s: is none of text, code, table", kind)
		}
		all = append(all, store.Compare{Field: "type", Op: store.Equal, Value: kind})
	}
	if all == nil {
		return nil, nil
	}
	return all, nil
}

var hitFormats = map[string]func(w io.Writer, query string, passages []store.Passage) error{
	"pretty": writePretty,
	"json":   writeHitsJSON,
	"prompt": writePrompt,
}

// writePretty shows passages to people: where each is, and its text.
func writePretty(out io.Writer, query string, passages []store.Passage) error {
	style := newStyle(out, query)
	for i := range passages {
		p := &passages[i]
		first, last := &p.Chunks[0], &p.Chunks[len(p.Chunks)-1]
		where := first.Source
		if first.StartLine > 0 {
			where = fmt.Sprintf("%s:%d-%d", first.Source, first.StartLine, last.EndLine)
		}
		path := chunker.JoinPath(p.Hits[0].SectionPath)
		if path != "" {
			path = "  " + printable(path)
		}
		fmt.Fprintf(out, "%d. %s%s  (%.3f)\n", i+1, style.link(first.Source, printable(where)), style.bold(path), p.Hits[0].Score)
		for line := range strings.Lines(p.Text()) {
			fmt.Fprintf(out, "   %s\n", style.mark(printable(strings.TrimRight(line, "\r\n"))))
		}
		if _, err := fmt.Fprintln(out); err != nil {
			return err
		}
	}
	return nil
}

// printable replaces what would command a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// style dresses text for a terminal; the zero value leaves it bare.
type style struct {
	isTerminal bool
	terms      map[string]bool
}

func newStyle(out io.Writer, query string) style {
	if c, ok := out.(*checkedWriter); ok {
		out = c.Writer
	}
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("NO_COLOR") != "" {
		return style{}
	}
	s := style{isTerminal: true, terms: map[string]bool{}}
	var a rank.Analyzer
	for _, t := range a.Terms(nil, query) {
		s.terms[t] = true
	}
	return s
}

func (s style) bold(text string) string {
	if !s.isTerminal || text == "" {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

// link makes text lead to a file.
func (s style) link(file, text string) string {
	abs, err := filepath.Abs(file)
	if _, statErr := os.Stat(abs); !s.isTerminal || err != nil || statErr != nil {
		return text
	}
	return "\x1b]8;;" + (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}).String() + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

var words = regexp.MustCompile(`[0-9A-Za-z_]+|[\p{Han}\p{Hiragana}\p{Katakana}]{2}`)

// mark marks the words of the query.
func (s style) mark(line string) string {
	if !s.isTerminal {
		return line
	}
	var a rank.Analyzer
	return words.ReplaceAllStringFunc(line, func(w string) string {
		for _, t := range a.Terms(nil, w) {
			if s.terms[t] {
				return "\x1b[1;33m" + w + "\x1b[0m"
			}
		}
		return w
	})
}

// writeHitsJSON writes an object a passage: the hit's record, its score, and
// what it was expanded to.
func writeHitsJSON(out io.Writer, _ string, passages []store.Passage) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for i := range passages {
		p := &passages[i]
		line := struct {
			Score   float32        `json:"score"`
			Chunk   *chunker.Chunk `json:"chunk"`
			Others  []string       `json:"other_hits,omitempty"` // ids of further hits in the passage
			Passage string         `json:"passage"`
			IDs     []string       `json:"passage_ids"`
		}{Score: p.Hits[0].Score, Chunk: &p.Hits[0].Chunk, Passage: p.Text()}
		for _, h := range p.Hits[1:] {
			line.Others = append(line.Others, h.ID)
		}
		for _, c := range p.Chunks {
			line.IDs = append(line.IDs, c.ID)
		}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// writePrompt writes passages as a model is given them: numbered, each with its
// source and path, in a fence that the text cannot close.
func writePrompt(out io.Writer, query string, passages []store.Passage) error {
	for i := range passages {
		p := &passages[i]
		first, last := &p.Chunks[0], &p.Chunks[len(p.Chunks)-1]
		fmt.Fprintf(out, "[%d] %s", i+1, printable(first.DocID))
		if first.StartLine > 0 {
			fmt.Fprintf(out, ":%d-%d", first.StartLine, last.EndLine)
		}
		if path := chunker.JoinPath(p.Hits[0].SectionPath); path != "" {
			fmt.Fprintf(out, " (%s)", printable(path))
		}
		text := p.Text()
		fence := strings.Repeat("`", max(3, longestRun(text)+1))
		if _, err := fmt.Fprintf(out, "\n%s\n%s\n%s\n\n", fence, text, fence); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "Question: %s\n", query)
	return err
}

// longestRun returns how many backquotes stand together at most.
func longestRun(s string) int {
	longest, n := 0, 0
	for i := range len(s) {
		if n++; s[i] != '`' {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}
