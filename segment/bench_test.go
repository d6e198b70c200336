package segment

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pages returns the Markdown pages of the shared corpus of that name joined, up to
// a megabyte, and skips where there is none.
func pages(tb testing.TB, name string) string {
	shared := os.Getenv("CANTLE_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "shared")
	}
	var b strings.Builder
	filepath.WalkDir(filepath.Join(shared, "corpora", name), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || b.Len() > 1<<20 || filepath.Ext(path) != ".md" {
			return nil
		}
		page, err := os.ReadFile(path)
		b.Write(page)
		return err
	})
	if b.Len() == 0 {
		tb.Skip("no corpus of that name")
	}
	return b.String()
}

// TestCorpus holds the laws over real pages.
func TestCorpus(t *testing.T) {
	for _, name := range []string{"markdown", "markdown-zh"} {
		text := pages(t, name)
		for _, c := range cutters {
			checkLaws(t, c.name, text, c.cut(nil, text))
		}
	}
}

func BenchmarkCut(b *testing.B) {
	for _, lang := range []string{"en", "zh"} {
		for _, c := range cutters {
			b.Run("lang="+lang+"/unit="+c.name, func(b *testing.B) {
				text := pages(b, map[string]string{"en": "markdown", "zh": "markdown-zh"}[lang])
				dst := c.cut(nil, text)
				checkLaws(b, c.name, text, dst)
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					dst = c.cut(dst[:0], text)
				}
			})
		}
	}
}
