package cantle_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/internal/walk"
	"github.com/cantle/cantle/tokens"
	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// corpus reads at most limit bytes of files below a folder of the corpora.
func corpus(b *testing.B, name string, limit int) (names []string, files [][]byte, size int64) {
	dir := shared(b, filepath.Join("corpora", name))
	err := walk.Walk(context.Background(), []string{dir}, walk.Options{}, func(f walk.File) error {
		if size > int64(limit) {
			return nil
		}
		src, err := os.ReadFile(f.Path)
		names, files, size = append(names, f.ID), append(files, src), size+int64(len(src))
		return err
	}, func(path string, err error) { b.Error(path, err) })
	if err != nil {
		b.Fatal(err)
	}
	return names, files, size
}

// BenchmarkChunk measures the stages of the whole way, each with what goes
// before it: parse; parse and cut.
func BenchmarkChunk(b *testing.B) {
	for _, name := range []string{"markdown", "markdown-zh", "filings"} {
		names, files, size := corpus(b, name, 4<<20)
		opt, err := cantle.Options{Cut: chunker.Options{Max: 512}}.Resolve()
		if err != nil {
			b.Fatal(err)
		}
		docs := make([]*ast.Document, len(files))
		parse := func() {
			for i := range files {
				var err error
				if docs[i], err = cantle.Parse(names[i], files[i], cantle.ParseOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		}
		parse()
		b.Run("stage=parse/corpus="+name, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				parse()
			}
		})
		b.Run("stage=cut/corpus="+name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, d := range docs {
					if _, err := cantle.Cut(context.Background(), d, opt); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkSizer cuts with the counter that cantle has and with tiktoken-go's,
// which it has taken the place of.
func BenchmarkSizer(b *testing.B) {
	names, files, size := corpus(b, "markdown", 1<<20)
	docs := make([]*ast.Document, len(files))
	for i := range files {
		docs[i], _ = cantle.Parse(names[i], files[i], cantle.ParseOptions{})
	}
	own, err := tokens.Get("cl100k_base")
	if err != nil {
		b.Fatal(err)
	}
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	theirs, err := tiktoken.GetEncoding("cl100k_base")
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range []struct {
		name  string
		sizer chunker.Sizer
	}{{"cantle", own}, {"tiktoken-go", tiktokenSizer{theirs}}} {
		b.Run("sizer="+s.name, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				for _, d := range docs {
					if _, err := cantle.Cut(context.Background(), d, cantle.Options{Cut: chunker.Options{Max: 512, Sizer: s.sizer}}); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

type tiktokenSizer struct{ enc *tiktoken.Tiktoken }

func (s tiktokenSizer) Count(text string) int { return len(s.enc.EncodeOrdinary(text)) }

func (s tiktokenSizer) Mark(text string, bits []uint64) {
	at := 0
	for _, id := range s.enc.EncodeOrdinary(text) {
		bits[at/64] |= 1 << (at % 64)
		at += len(s.enc.Decode([]int{id}))
	}
}
