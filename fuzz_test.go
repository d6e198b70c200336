package cantle_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/internal/laws"
)

// fuzzed are names that bring the input to each parser in turn.
var fuzzed = []string{"a.md", "a.html", "a.csv", "a.txt", "a.go", "a.py", "a.ts", "a.yaml"}

// cutInTime cuts doc, and fails the test where that takes more than ten seconds.
func cutInTime(t *testing.T, doc *ast.Document, cut chunker.Options) (cantle.Options, []chunker.Chunk) {
	t.Helper()
	opt, err := cantle.Options{Cut: cut}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	chunks, err := cantle.Cut(context.Background(), doc, opt)
	if err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Fatalf("%s took %v", cut.Strategy, d)
	}
	return opt, chunks
}

// FuzzCode adds to any source what is beside a chunk and above it.
func FuzzCode(f *testing.F) {
	names := []string{"a.go", "a.py", "a.ts", "a.java", "a.rs", "a.c", "a.cpp", "a.rb", "a.vue"}
	files, _ := filepath.Glob("code/testdata/golden/*")
	docs, _ := filepath.Glob("testdata/docs/src/*")
	for i, name := range append(files, docs...) {
		if src, err := os.ReadFile(name); err == nil && filepath.Ext(name) != ".ast" {
			f.Add(src, uint8(i), uint8(24), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, format, size, more uint8) {
		doc, err := cantle.Parse(names[int(format)%len(names)], src, cantle.ParseOptions{})
		if err != nil {
			return // not text
		}
		if err := ast.Check(doc); err != nil {
			t.Fatal(err)
		}
		limit := max(1, int(size))
		checkCodeContext(t, doc, limit)
		checkSkeletons(t, doc, limit, limit+int(more))
	})
}

// FuzzChunk goes the whole way with any bytes and checks every law, at limits
// down to 1.
func FuzzChunk(f *testing.F) {
	seeds, _ := filepath.Glob("testdata/cases/*/*")
	docs, _ := filepath.Glob("testdata/docs/*")
	for i, name := range append(seeds, docs...) {
		if src, err := os.ReadFile(name); err == nil && len(src) < 8000 {
			f.Add(src, uint8(i), uint8(24), uint8(i%7))
		}
	}
	f.Add([]byte("# a\n\n| b | c |\n|---|---|\n| 1 | 2 |\n"), uint8(0), uint8(1), uint8(0))
	f.Fuzz(func(t *testing.T, src []byte, format, limit, overlap uint8) {
		doc, err := cantle.Parse(fuzzed[int(format)%len(fuzzed)], src, cantle.ParseOptions{})
		if err != nil {
			return // not text
		}
		if err := ast.Check(doc); err != nil {
			t.Fatal(err)
		}
		cut := chunker.Options{Max: max(1, int(limit)), Overlap: int(overlap)}
		if cut.Overlap >= cut.Max {
			return
		}
		opt, chunks := cutInTime(t, doc, cut)
		for _, err := range laws.Check(doc, opt.Cut, chunks) {
			t.Error(err)
		}
	})
}
