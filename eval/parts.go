package eval

import (
	"context"
	"math"
	"math/bits"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/embed"
)

// Parts embeds a text that is longer than a model reads as the mean of the
// vectors of its parts, weighted by their tokens. A model would cut it off, and
// then large chunks lose for a reason that says nothing about them.
type Parts struct {
	embed.Embedder
	Sizer chunker.Sizer // counts as the model does
	Max   int           // tokens of a part, at least 1
}

// Name says that long texts are means.
func (p *Parts) Name() string { return p.Embedder.Name() + " mean of parts" }

// Embed embeds all parts of all texts at once.
func (p *Parts) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var parts []string
	var sizes []int
	counts := make([]int, len(texts))
	for i, text := range texts {
		before := len(parts)
		parts, sizes = p.cut(parts, sizes, text)
		counts[i] = len(parts) - before
	}
	vectors, err := p.Embedder.Embed(ctx, parts)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for i, n := range counts {
		out[i] = mean(vectors[:n], sizes[:n])
		vectors, sizes = vectors[n:], sizes[n:]
	}
	return out, nil
}

// cut appends the parts of a text and their sizes in tokens.
func (p *Parts) cut(parts []string, sizes []int, text string) ([]string, []int) {
	marks := make([]uint64, (len(text)+63)/64)
	p.Sizer.Mark(text, marks)
	start, n := 0, 0
	for w, word := range marks {
		for ; word != 0; word &= word - 1 {
			at := w*64 + bits.TrailingZeros64(word)
			if n == p.Max {
				parts, sizes = append(parts, text[start:at]), append(sizes, n)
				start, n = at, 0
			}
			n++
		}
	}
	return append(parts, text[start:]), append(sizes, n)
}

// mean returns the mean of vectors by their weights, of length 1.
func mean(vectors [][]float32, weights []int) []float32 {
	if len(vectors) == 1 {
		return vectors[0]
	}
	out := make([]float32, len(vectors[0]))
	for i, v := range vectors {
		for j, x := range v {
			out[j] += float32(float32(weights[i]) * x)
		}
	}
	length := math.Sqrt(float64(dot(out, out)))
	if length > 0 {
		for j := range out {
			out[j] = float32(float64(out[j]) / length)
		}
	}
	return out
}
