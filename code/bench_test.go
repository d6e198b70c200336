package code

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cantle/cantle/code/internal/syntax"
)

// BenchmarkParse compares the tree with tree-sitter's parse alone, of the same
// files through the same binding: "ratio" is the share of its speed.
func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ lang, root, ext string }{
		{"go", filepath.Join(goSource(), "net/http"), ".go"},
		{"python", pythonSource(), ".py"},
		{"rust", peerSource("rust"), ".rs"},
		{"typescript", peerSource("typescript"), ".ts"},
		{"java", peerSource("java"), ".java"},
		{"c", "/usr/include/linux", ".h"},
		{"cpp", "/usr/include/c++", ".h"},
		{"javascript", "/usr/lib/node_modules", ".js"},
	} {
		b.Run("language="+c.lang, func(b *testing.B) {
			files, size := sample(c.root, c.ext, 4<<20)
			if size == 0 {
				b.Skip("no source")
			}
			l := lookup(c.lang).compile()
			nothing := syntax.Prune{MinSize: math.MaxUint32}
			parseOnly := func() {
				for _, src := range files {
					if l.mask != nil {
						src = l.mask(src)
					}
					if err := l.syntax.Parse(src, &nothing, time.Minute, func([]syntax.Node) {}); err != nil {
						b.Fatal(err)
					}
				}
			}
			parseOnly()
			b.SetBytes(int64(size))
			var alone time.Duration
			for b.Loop() {
				b.StopTimer()
				start := time.Now()
				parseOnly()
				alone += time.Since(start)
				b.StartTimer()
				for _, src := range files {
					Parse("", c.lang, src, Options{})
				}
			}
			b.ReportMetric(alone.Seconds()/b.Elapsed().Seconds(), "ratio")
		})
	}
}

// sample returns files below root, of about limit bytes together.
func sample(root, ext string, limit int) (files [][]byte, size int) {
	filepath.WalkDir(root, func(file string, e os.DirEntry, err error) error {
		if err != nil || size >= limit || e.IsDir() || filepath.Ext(file) != ext {
			return nil
		}
		if src, err := os.ReadFile(file); err == nil {
			files, size = append(files, src), size+len(src)
		}
		return nil
	})
	return files, size
}
