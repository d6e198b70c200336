package bert

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// BenchmarkEmbed runs the model in the folder that CANTLE_MINILM names on every
// instruction set, over texts of mixed length.
func BenchmarkEmbed(b *testing.B) {
	folder := os.Getenv("CANTLE_MINILM")
	if folder == "" {
		b.Skip("CANTLE_MINILM is not set to the folder of a model")
	}
	m, err := Load(folder)
	if err != nil {
		b.Fatal(err)
	}
	words := strings.Fields("The baker proves the dough overnight in a cool room since dough that is proved too long makes a flat loaf")
	var texts []string
	for n := range 32 {
		texts = append(texts, strings.Join(slices.Repeat(words, 4)[:8+2*n], " "))
	}
	for _, k := range slices.Backward(available()) {
		b.Run("set="+k.name(), func(b *testing.B) {
			m.kernels = k
			tokens := 0
			for b.Loop() {
				tokens = 0
				for _, text := range texts {
					tokens += len(m.tokenizer.encode(text, m.maxTokens))
				}
				m.Embed(b.Context(), texts)
			}
			b.ReportMetric(float64(tokens*b.N)/b.Elapsed().Seconds(), "tokens/s")
		})
	}
}
