package tokens

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// benchInputs are the texts that speed is measured on.
func benchInputs(tb testing.TB) map[string]func() []string {
	return map[string]func() []string{
		"markdown":    func() []string { return corpus(tb, "markdown", 16<<20) },
		"markdown-zh": func() []string { return corpus(tb, "markdown-zh", 4<<20) },
		"filings":     func() []string { return corpus(tb, "filings", 4<<20) },
		"go":          func() []string { return files(tb, filepath.Join(goroot(tb), "src", "net"), ".go", 4<<20) },
	}
}

func goroot(tb testing.TB) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		tb.Skip(err)
	}
	return strings.TrimSpace(string(out))
}

func size(texts []string) int64 {
	n := 0
	for _, s := range texts {
		n += len(s)
	}
	return int64(n)
}

func benchmark(b *testing.B, names []string, run func(e Encoding, text string) int) {
	inputs := benchInputs(b)
	for _, name := range names {
		e, err := Get(name)
		if err != nil {
			b.Fatal(err)
		}
		for _, input := range []string{"markdown", "markdown-zh", "filings", "go"} {
			b.Run("encoding="+name+"/input="+input, func(b *testing.B) {
				texts := inputs[input]()
				b.SetBytes(size(texts))
				for b.Loop() {
					for _, text := range texts {
						run(e, text)
					}
				}
			})
		}
	}
}

func BenchmarkCount(b *testing.B) {
	benchmark(b, []string{"cl100k_base", "o200k_base", "r50k_base", "chars", "words"}, func(e Encoding, text string) int { return e.Count(text) })
}

func BenchmarkEncode(b *testing.B) {
	benchmark(b, []string{"cl100k_base", "o200k_base"}, func(e Encoding, text string) int { return len(e.(Coder).Encode(text)) })
}

func BenchmarkMark(b *testing.B) {
	bits := make([]uint64, 1<<17)
	benchmark(b, []string{"cl100k_base", "o200k_base"}, func(e Encoding, text string) int { e.Mark(text, bits); return 0 })
}

// BenchmarkSplit measures the splitters alone: what Count could be at best.
func BenchmarkSplit(b *testing.B) {
	var ends [256]int
	benchmark(b, []string{"cl100k_base", "o200k_base"}, func(e Encoding, text string) int {
		split := e.(*bytePair).split
		n := 0
		for i := 0; i < len(text); {
			k := split(text, i, ends[:])
			n += k
			i = ends[k-1]
		}
		return n
	})
}

// BenchmarkOracle measures tiktoken-go on the same texts.
func BenchmarkOracle(b *testing.B) {
	benchmark(b, []string{"cl100k_base", "o200k_base"}, func(e Encoding, text string) int {
		return len(oracle(b, e.Name()).EncodeOrdinary(text))
	})
}

func BenchmarkTokenizerFile(b *testing.B) {
	benchmark(b, []string{"testdata/bert-uncased.json", "testdata/llama3.json", "testdata/llama2.json", "testdata/xlm-roberta.json"},
		func(e Encoding, text string) int { return e.Count(text) })
}

func BenchmarkRun(b *testing.B) {
	e := coder(b, "cl100k_base")
	for _, s := range []string{"a", " ", "=", "中", "ab", "\n"} {
		b.Run("rune="+s, func(b *testing.B) {
			text := strings.Repeat(s, 1<<20/len(s))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				e.Count(text)
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, name := range []string{"cl100k_base", "o200k_base"} {
		b.Run("encoding="+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				vocabularies.Delete(name)
				if _, err := ranks(name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
