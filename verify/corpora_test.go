package verify_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/code"
	"github.com/cantle/cantle/internal/walk"
	"github.com/cantle/cantle/records"
	"github.com/cantle/cantle/verify"
)

func shared(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("CANTLE_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	dir := filepath.Join(root, name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not there", dir)
	}
	return dir
}

// What cantle makes of a file has no fault, as written to JSON lines and read
// back would be.
func checkFolder(t *testing.T, dir string, every int, opt cantle.Options) {
	opt, err := opt.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	total := &verify.Report{}
	n := 0
	err = walk.Walk(context.Background(), []string{dir}, walk.Options{}, func(f walk.File) error {
		src, err := os.ReadFile(f.Path)
		if err != nil || code.Generated(f.ID, src) != "" {
			return err
		}
		if n++; n%every != 0 {
			return nil
		}
		opt := opt
		opt.Cut.DocID = f.ID
		chunks, err := cantle.Chunk(context.Background(), f.ID, src, opt)
		if errors.Is(err, cantle.ErrBinary) {
			return nil
		}
		if err != nil {
			return err
		}
		recs := make([]records.Record, len(chunks))
		for i := range chunks {
			recs[i] = records.Of(&chunks[i])
		}
		report, err := verify.Check(f.ID, src, recs, verify.Options{Max: opt.Cut.Max, Encoding: opt.Encoding, Sizes: true, Keep: 2, Parse: opt.Parse})
		if err != nil {
			return err
		}
		total.Merge(report, 2)
		return nil
	}, func(path string, err error) { t.Errorf("%s: %v", path, err) })
	if err != nil {
		t.Fatal(err)
	}
	// A group of rows that fits without the header of its table stays whole and
	// goes without; in the filings that is one chunk in 300.
	rows := total.Counts[verify.Headless] + total.Counts[verify.NotesParted]
	for _, f := range total.Faults {
		if (f.Kind == verify.Headless || f.Kind == verify.NotesParted) && rows <= total.Chunks/300 {
			t.Log(f)
			continue
		}
		t.Error(f)
	}
	t.Logf("%d chunks of %d documents, %.4f covered, %d faults %v", total.Chunks, total.Documents, total.Coverage(), total.Total(), total.Counts)
}

func TestOwnChunksHaveNoFault(t *testing.T) {
	sample := func(n int) int {
		if os.Getenv("CANTLE_LONG") != "" {
			return 1
		}
		return n
	}
	cut := func(limit, overlap int) cantle.Options {
		var opt cantle.Options
		opt.Cut.Max, opt.Cut.Overlap = limit, overlap
		return opt
	}
	for _, c := range []struct {
		corpus string
		every  int
	}{{"markdown", 50}, {"markdown-zh", 50}, {"filings", 17}} {
		t.Run(c.corpus, func(t *testing.T) {
			dir := shared(t, filepath.Join("corpora", c.corpus))
			checkFolder(t, dir, sample(c.every), cut(400, 0))
			checkFolder(t, dir, sample(c.every), cut(400, 40))
		})
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip(err)
	}
	root := strings.TrimSpace(string(out))
	for _, folder := range []string{"net", "go", "encoding"} {
		t.Run("go/"+folder, func(t *testing.T) {
			checkFolder(t, filepath.Join(root, "src", folder), sample(20), cut(400, 0))
		})
	}
	t.Run("python", func(t *testing.T) {
		out, err := exec.Command("python3", "-c", "import json, os; print(os.path.dirname(os.path.dirname(json.__file__)))").Output()
		if err != nil {
			t.Skip(err)
		}
		lib := strings.TrimSpace(string(out))
		for _, folder := range []string{"asyncio", "email", "json", "unittest"} {
			checkFolder(t, filepath.Join(lib, folder), sample(20), cut(400, 0))
		}
	})
	t.Run("c", func(t *testing.T) {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/smacker/go-tree-sitter").Output()
		if err != nil {
			t.Skip(err)
		}
		// The library itself; the grammars beside it are tables.
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "*.[ch]"))
		if err != nil || len(files) == 0 {
			t.Skip("no files")
		}
		for _, file := range files {
			checkFolder(t, file, 1, cut(400, 0))
		}
	})
}
