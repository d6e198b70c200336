package tokens

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpus returns the files under dir of the shared corpora, up to about limit
// bytes of them. It skips the test where there are none.
func corpus(tb testing.TB, dir string, limit int) []string {
	tb.Helper()
	shared := os.Getenv("CANTLE_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "shared")
	}
	return files(tb, filepath.Join(shared, "corpora", dir), "", limit)
}

// files returns the files under root whose names end in suffix, up to about limit
// bytes of them.
func files(tb testing.TB, root, suffix string, limit int) []string {
	tb.Helper()
	var texts []string
	size := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, suffix) {
			return err
		}
		data, err := os.ReadFile(path)
		texts = append(texts, string(data))
		if size += len(data); err == nil && size >= limit {
			return fs.SkipAll
		}
		return err
	})
	if err != nil || len(texts) == 0 {
		tb.Skipf("no corpus: %v", err)
	}
	return texts
}
