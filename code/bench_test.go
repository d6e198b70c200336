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
// files through the same binding: "ratio" is the share of its speed. MB/s is
// that of both together, tree-MB/s that of [Parse].
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
			b.SetBytes(int64(size))
			var alone, whole time.Duration
			for b.Loop() {
				// By turns, so that what else the machine does hits both.
				for _, src := range files {
					start := time.Now()
					text := src
					if l.mask != nil {
						text = l.mask(src)
					}
					if err := l.syntax.Parse(text, &nothing, time.Minute, func([]syntax.Node) {}); err != nil {
						b.Fatal(err)
					}
					between := time.Now()
					Parse("", c.lang, src, Options{})
					alone += between.Sub(start)
					whole += time.Since(between)
				}
			}
			b.ReportMetric(alone.Seconds()/whole.Seconds(), "ratio")
			b.ReportMetric(float64(size)*float64(b.N)/1e6/whole.Seconds(), "tree-MB/s")
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
