package cantle_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/internal/laws"
	"github.com/cantle/cantle/internal/walk"
)

// preset is what a preset of the command says of reading and cutting.
type preset struct {
	encoding     string
	max, overlap int
	isolate      bool
	parse        cantle.ParseOptions
}

// presets returns the presets as the command prints them: a line of name and
// use, and one of flags.
func presets(t *testing.T) map[string]preset {
	t.Helper()
	out, err := exec.Command("go", "run", "./cmd/cantle", "presets").Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]preset{}
	name := ""
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		words := strings.Fields(line)
		if line[0] != ' ' {
			name = words[0]
			continue
		}
		p := preset{}
		for i := 0; i < len(words); i++ {
			number := func() int {
				i++
				n, err := strconv.Atoi(words[i])
				if err != nil {
					t.Fatalf("preset %s: %v", name, err)
				}
				return n
			}
			switch words[i] {
			case "--encoding":
				i++
				p.encoding = words[i]
			case "--max-tokens":
				p.max = number()
			case "--overlap":
				p.overlap = number()
			case "--isolate":
				p.isolate = true
			case "--find-questions":
				p.parse.Questions = true
			case "--find-clauses":
				p.parse.Clauses = true
			case "--headings":
				i++
				p.parse.Headings = words[i]
			default:
				t.Fatalf("preset %s: %s is not tested", name, words[i])
			}
		}
		all[name] = p
	}
	if len(all) < 6 {
		t.Fatalf("only %d presets: %s", len(all), out)
	}
	return all
}

// options returns what a preset says for a way of cutting, in its own unit or,
// where encoding is not "", in another.
func (p preset) options(t *testing.T, cut chunker.Options, encoding string) cantle.Options {
	t.Helper()
	if encoding == "" {
		encoding = p.encoding
	}
	cut.Max, cut.Overlap, cut.Isolate = p.max, p.overlap, p.isolate
	opt, err := cantle.Options{Encoding: encoding, Parse: p.parse, Cut: cut}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return opt
}

func everyStrategyAndStructure() map[string]chunker.Options {
	all := everyStrategy()
	all["structure"] = chunker.Options{}
	return all
}

func inputs(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, pattern := range []string{"testdata/docs/*.*", "testdata/cases/*/input*", "testdata/kb/*.*"} {
		paths, _ := filepath.Glob(pattern)
		for _, p := range paths {
			src, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			all[p] = src
		}
	}
	if len(all) < 20 {
		t.Fatalf("only %d documents", len(all))
	}
	return all
}

// TestLawsOfEveryPreset checks that no strategy with any preset, counted in its
// own unit and in tokens, goes over the limit, loses text, or has an overlap
// that is none, and that it cuts the same twice.
func TestLawsOfEveryPreset(t *testing.T) {
	presets := presets(t)
	for path, src := range inputs(t) {
		for name, p := range presets {
			doc, err := cantle.Parse(path, src, p.parse)
			if err != nil {
				t.Fatal(err)
			}
			for strategy, cut := range everyStrategyAndStructure() {
				for _, encoding := range []string{"", "cl100k_base"} {
					opt := p.options(t, cut, encoding)
					chunks, err := cantle.Cut(context.Background(), doc, opt)
					if err != nil {
						t.Fatal(err)
					}
					for _, err := range laws.CheckFlat(doc, opt.Cut, chunks) {
						t.Errorf("%s, %s %s: %s: %v", strategy, name, encoding, path, err)
					}
					if again, _ := cantle.Cut(context.Background(), doc, opt); !reflect.DeepEqual(chunks, again) {
						t.Errorf("%s, %s %s: %s: cut twice, not the same", strategy, name, encoding, path)
					}
				}
			}
		}
	}
}

func TestNothingIsNoChunk(t *testing.T) {
	for _, text := range []string{"", "\n", "---\na: b\n---\n", "---\na: b\n---\n\n \n", "<!-- a -->\n"} {
		for strategy, cut := range everyStrategyAndStructure() {
			chunks, err := cantle.Chunk(context.Background(), "a.md", []byte(text), cantle.Options{Cut: cut})
			if err != nil || len(chunks) > 0 {
				t.Errorf("%s of %q: %d chunks, error %v", strategy, text, len(chunks), err)
			}
		}
	}
}

// edits are an insertion, a deletion and a replacement in the middle of a text.
func edits(text string, at int) []string {
	end := at + strings.IndexByte(text[at:], '\n')
	return []string{
		text[:at] + "A sentence that was not there before. " + text[at:],
		text[:at] + text[end:],
		text[:at] + "Nothing of what was said here is true any more." + text[end:],
	}
}

// TestAnEditChangesTheIdsOfItsSection is law 10 for the ways of cutting that
// keep sections apart: all other chunks keep their ids.
func TestAnEditChangesTheIdsOfItsSection(t *testing.T) {
	var sections []string
	for _, name := range []string{"Spring", "Summer", "Autumn", "Winter"} {
		var b strings.Builder
		b.WriteString("## " + name + "\n\n")
		for _, what := range []string{"gate", "sluice", "mill", "weir", "dam", "lock", "ford", "quay"} {
			b.WriteString("In " + name + " the " + what + " is opened once a week, unless there is ice on the river. " +
				"Whoever opens the " + what + " writes down in the book of " + name + " when it was.\n\n")
		}
		sections = append(sections, b.String())
	}
	text := "# The river\n\n" + strings.Join(sections, "")
	at := strings.Index(text, "In Summer the mill")
	for name, cut := range everyStrategyAndStructure() {
		if cut.Strategy != chunker.Structure && cut.Strategy != "" && cut.Strategy != chunker.Semantic {
			continue
		}
		if m := cut.Semantic.Mode; m == chunker.Percentile || m == chunker.StdDev || m == chunker.Gradient {
			continue // what is far there depends on the whole document
		}
		cut.Max, cut.DocID = 60, "river"
		before := ids(t, text, cut)
		for i, edited := range edits(text, at) {
			after := ids(t, edited, cut)
			for id, path := range before {
				if _, ok := after[id]; !ok && !strings.Contains(path, "Summer") {
					t.Errorf("%s, edit %d: a chunk of %s has another id", name, i, path)
				}
			}
			if reflect.DeepEqual(before, after) {
				t.Errorf("%s, edit %d: no id has changed", name, i)
			}
		}
	}
}

// TestAnEditKeepsTheIdsBeforeIt is what holds of law 10 for the others, which
// fill one chunk after the other: what goes before an edit keeps its ids. What
// goes behind does so only from where chunks begin at the same places again:
// soon with separators that part paragraphs, by chance or never with fixed.
func TestAnEditKeepsTheIdsBeforeIt(t *testing.T) {
	var b strings.Builder
	for _, when := range []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"} {
		for _, what := range []string{"gate", "sluice", "mill", "weir", "dam", "lock"} {
			b.WriteString("On " + when + " the " + what + " is opened, unless there is ice on the river. " +
				"Whoever opens the " + what + " writes down in the book of " + when + " when it was.\n\n")
		}
	}
	text := b.String()
	at := strings.Index(text, "On Thursday the mill")
	for name, cut := range everyStrategyAndStructure() {
		if m := cut.Semantic.Mode; cut.Strategy == chunker.Structure || cut.Strategy == "" || m == chunker.Percentile || m == chunker.StdDev || m == chunker.Gradient {
			continue
		}
		cut.Max, cut.DocID = 60, "river"
		chunks, err := cantle.Chunk(context.Background(), "river.md", []byte(text), cantle.Options{Cut: cut})
		if err != nil {
			t.Fatal(err)
		}
		for i, edited := range edits(text, at) {
			after := ids(t, edited, cut)
			kept := 0
			for _, c := range chunks {
				_, ok := after[c.ID]
				if ok {
					kept++
				} else if c.Index+1 < len(chunks) && chunks[c.Index+1].End <= at { // not the last one before it
					t.Errorf("%s, edit %d: the chunk at %d has another id, the edit is at %d", name, i, c.Start, at)
				}
			}
			t.Logf("%s, edit %d: %d of %d ids are kept", name, i, kept, len(chunks))
		}
	}
}

// ids returns the path of each chunk by its id.
func ids(t *testing.T, text string, cut chunker.Options) map[string]string {
	t.Helper()
	chunks, err := cantle.Chunk(context.Background(), "river.md", []byte(text), cantle.Options{Cut: cut})
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]string{}
	for _, c := range chunks {
		paths[c.ID] = chunker.JoinPath(c.SectionPath)
	}
	return paths
}

// FuzzStrategies cuts any bytes in every way and checks the laws that all ways
// keep.
func FuzzStrategies(f *testing.F) {
	strategies := everyStrategy()
	var names []string
	for name := range strategies {
		names = append(names, name)
	}
	slices.Sort(names)
	seeds, _ := filepath.Glob("testdata/cases/*/input*")
	for i, name := range seeds {
		if src, err := os.ReadFile(name); err == nil && len(src) < 8000 {
			f.Add(src, uint8(i), uint8(i), uint8(24), uint8(i%7))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, format, strategy, limit, overlap uint8) {
		doc, err := cantle.Parse(fuzzed[int(format)%len(fuzzed)], src, cantle.ParseOptions{})
		if err != nil {
			return // not text
		}
		name := names[int(strategy)%len(names)]
		cut := strategies[name]
		cut.Max, cut.Overlap = max(1, int(limit)), int(overlap)
		if cut.Overlap >= cut.Max {
			return
		}
		opt, chunks := cutInTime(t, doc, cut)
		for _, err := range laws.CheckFlat(doc, opt.Cut, chunks) {
			t.Errorf("%s: %v", name, err)
		}
	})
}

// TestChunksOfBothLanguagesAreAlike compares the mean size in tokens of the
// chunks of the English and of the Chinese corpus.
func TestChunksOfBothLanguagesAreAlike(t *testing.T) {
	if !long() {
		t.Skip("CANTLE_LONG is not set")
	}
	for name, cut := range everyStrategyAndStructure() {
		cut.Max = 400
		opt, err := cantle.Options{Cut: cut}.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		en := meanSize(t, shared(t, "corpora/markdown"), opt)
		zh := meanSize(t, shared(t, "corpora/markdown-zh"), opt)
		t.Logf("%-14s English %.0f, Chinese %.0f: %+.1f %%", name, en, zh, 100*(zh/en-1))
		if zh/en < 0.9 || zh/en > 1.1 {
			t.Errorf("%s: the mean is %.0f in English and %.0f in Chinese", name, en, zh)
		}
	}
}

// meanSize returns the mean size of the chunks of every tenth document.
func meanSize(t *testing.T, dir string, opt cantle.Options) float64 {
	t.Helper()
	n, sum, count := 0, 0, 0
	err := walk.Walk(context.Background(), []string{dir}, walk.Options{}, func(f walk.File) error {
		if n++; n%10 != 0 {
			return nil
		}
		src, err := os.ReadFile(f.Path)
		if err != nil {
			return err
		}
		doc, err := cantle.Parse(f.ID, src, opt.Parse)
		if err != nil {
			return err
		}
		chunks, err := cantle.Cut(context.Background(), doc, opt)
		for _, c := range chunks {
			sum, count = sum+c.Tokens, count+1
		}
		return err
	}, func(path string, err error) { t.Errorf("%s: %v", path, err) })
	if err != nil {
		t.Fatal(err)
	}
	return float64(sum) / float64(count)
}
