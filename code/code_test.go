package code

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cantle/cantle/ast"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// TestGolden compares the tree of each file in testdata/golden with the .ast
// file beside it.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".ast") {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			d := Parse(filepath.Base(file), "", src, Options{})
			for _, p := range d.Problems {
				if strings.HasPrefix(p.Message, "no grammar") {
					t.Skip(p.Message)
				}
			}
			if err := ast.Check(d); err != nil {
				t.Error(err)
			}
			var got bytes.Buffer
			if err := ast.Dump(&got, d); err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.WriteFile(file+".ast", got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file + ".ast")
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != string(want) {
				t.Errorf("%s: got\n%s\nwant\n%s", file, got.String(), want)
			}
		})
	}
}
