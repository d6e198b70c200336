package markdown

import (
	"testing"

	"github.com/cantle/cantle/ast"
)

// BenchmarkParse parses a sample of real documents, one after the other.
func BenchmarkParse(b *testing.B) {
	for _, name := range []string{"markdown", "markdown-zh"} {
		b.Run("corpus="+name, func(b *testing.B) {
			var files [][]byte
			size := 0
			corpus(b, name, func(_ string, src []byte) {
				files = append(files, src)
				size += len(src)
			})
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, src := range files {
					if d := Parse("", src, Options{}); d.Root.Span != (ast.Span{Start: 0, End: len(src)}) {
						b.Fatal("the tree does not span the source")
					}
				}
			}
		})
	}
}
