package html

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/cantle/cantle/ast"
)

func shared(t testing.TB, path string) string {
	root := os.Getenv("CANTLE_SHARED")
	if root == "" {
		root = "../../shared"
	}
	p := filepath.Join(root, path)
	if _, err := os.Stat(p); err != nil {
		t.Skipf("no corpus: %v", err)
	}
	return p
}

func filings(t testing.TB) []string {
	files, _ := filepath.Glob(filepath.Join(shared(t, "corpora/filings"), "*.html"))
	if testing.Short() || os.Getenv("CANTLE_LONG") == "" {
		files = files[:min(len(files), 2)]
	}
	return files
}

func dump(doc *ast.Document) string {
	var b bytes.Buffer
	ast.Dump(&b, doc)
	return b.String()
}

func TestDev(t *testing.T) {
	for _, f := range []string{"rowspan-multirow-head", "ixbrl-inline-order", "nested-layout-tables"} {
		src, _ := os.ReadFile("testdata/" + f + ".html")
		doc := Parse(f, src, Options{})
		if err := ast.Check(doc); err != nil {
			t.Error(err)
		}
		fmt.Println(dump(doc))
	}
}

func TestFilings(t *testing.T) {
	for _, f := range filings(t) {
		src, _ := os.ReadFile(f)
		doc := Parse(f, src, Options{})
		if err := ast.Check(doc); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	var all [][]byte
	size := 0
	for _, f := range filings(b) {
		src, _ := os.ReadFile(f)
		all = append(all, src)
		size += len(src)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range all {
			Parse("", src, Options{})
		}
	}
}
