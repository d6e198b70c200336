package code

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/cantle/cantle/ast"
)

// long reports whether tests may take minutes.
func long() bool { return os.Getenv("CANTLE_LONG") == "1" }

// corpus calls use with the files of a language below root: with all of them
// if CANTLE_LONG=1, else with one in fifty.
func corpus(t *testing.T, root, ext string, use func(file string, src []byte)) {
	t.Helper()
	if _, err := os.Stat(root); err != nil {
		t.Skip(err)
	}
	count := 0
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(file) != ext || strings.Contains(file, "site-packages") {
			return err
		}
		if count++; count%50 != 0 && !long() {
			return nil
		}
		src, err := os.ReadFile(file)
		if err == nil {
			use(file, src)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// goSource is the standard library's source.
func goSource() string { return filepath.Join(runtime.GOROOT(), "src") }

func TestLawsOnGoSource(t *testing.T) {
	corpus(t, goSource(), ".go", func(file string, src []byte) {
		if err := ast.Check(Parse(file, "", src, Options{})); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	})
}
