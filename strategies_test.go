package cantle_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/embed"
	"github.com/cantle/cantle/internal/laws"
)

// everyStrategy is each way of cutting that needs no more than this.
func everyStrategy() map[string]chunker.Options {
	semantic := func(mode chunker.SemanticMode) chunker.Options {
		return chunker.Options{Strategy: chunker.Semantic, Semantic: chunker.SemanticOptions{Embedder: &embed.Lexical{}, Mode: mode}}
	}
	return map[string]chunker.Options{
		"fixed":          {Strategy: chunker.Fixed},
		"sentence":       {Strategy: chunker.Sentence},
		"separator":      {Strategy: chunker.Separator, Separators: []string{"\n\n"}},
		"regexp":         {Strategy: chunker.Separator, Separators: []string{`\n#+ `}, Regexp: true, Keep: chunker.KeepStart},
		"recursive":      {Strategy: chunker.Recursive},
		"recursive-none": {Strategy: chunker.Recursive, Separators: []string{"\n", " "}, Keep: chunker.KeepStart},
		"topics":         {Strategy: chunker.Recursive, TopicThreshold: 0.2, Semantic: chunker.SemanticOptions{Embedder: &embed.Lexical{}}},
		"max-min":        semantic(chunker.MaxMin),
		"max-min-plain":  semantic(chunker.MaxMinPlain),
		"threshold":      semantic(chunker.Threshold),
		"percentile":     semantic(chunker.Percentile),
		"stddev":         semantic(chunker.StdDev),
		"gradient":       semantic(chunker.Gradient),
	}
}

func TestLawsOfEveryStrategy(t *testing.T) {
	docs, _ := filepath.Glob("testdata/docs/*.*")
	cases, _ := filepath.Glob("testdata/cases/*/input*")
	for _, path := range append(docs, cases...) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := cantle.Parse(path, src, cantle.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for name, cut := range everyStrategy() {
			for _, limit := range []int{16, 64, 400} {
				for _, overlap := range []int{0, limit / 8} {
					cut.Max, cut.Overlap = limit, overlap
					opt, err := cantle.Options{Cut: cut}.Resolve()
					if err != nil {
						t.Fatal(err)
					}
					chunks, err := cantle.Cut(context.Background(), doc, opt)
					if err != nil {
						t.Fatal(err)
					}
					for _, err := range laws.CheckFlat(doc, opt.Cut, chunks) {
						t.Errorf("%s: %s at %d, overlap %d: %v", name, path, limit, overlap, err)
					}
				}
			}
		}
	}
}

// A page of front matter only, or of blanks, has nothing to cut.
func TestNothingToCut(t *testing.T) {
	for _, src := range []string{"", "\n \n", "---\na: b\n---\n", "<!-- c -->\n"} {
		for name, cut := range everyStrategy() {
			chunks, err := cantle.Chunk(context.Background(), "a.md", []byte(src), cantle.Options{Cut: cut})
			if err != nil || len(chunks) != 0 {
				t.Errorf("%s of %q: %d chunks, %v", name, src, len(chunks), err)
			}
		}
	}
}
