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

// Of many errors the first are reported one by one, and the rest are counted.
func TestProblemsAreBounded(t *testing.T) {
	d := parsed(t, "a.py", "", strings.Repeat("def f():\n $ = $\n", 500))
	if n := len(d.Problems); n != maxProblems+1 || d.Problems[n-1].Message != "400 more syntax errors" {
		t.Errorf("%d problems, the last %v", n, d.Problems[n-1])
	}
	if d = parsed(t, "a.py", "", "def f():\n $ = $\n"); len(d.Problems) != 1 || d.Problems[0].Message != "syntax error" {
		t.Errorf("problems %v, want one", d.Problems)
	}
}

// Errors that follow one another are one problem.
func TestProblemsInARow(t *testing.T) {
	d := parsed(t, "a.sql", "", "SELECT 1;\nDELIMITER ;\n\nDELIMITER ;\n\nDELIMITER ;\n\nSELECT 2;\n")
	if len(d.Problems) != 1 {
		t.Errorf("problems %v, want one", d.Problems)
	}
}
