package bert

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// batchTokens is how many tokens go through the layers at once: enough that
// reading the weights costs little, few enough that the activations stay in the
// second-level cache.
const batchTokens = 128

// Embed returns a vector of length 1 for each text. It keeps as many cores busy
// as GOMAXPROCS allows. It fails only when ctx is done, or when the tokenizer
// turns out to be another model's.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	tokens := make([][]int, len(texts))
	inParallel(ctx, len(texts), func(i int) { tokens[i] = m.tokenizer.encode(texts[i], m.maxTokens) })
	for _, ids := range tokens {
		for _, id := range ids {
			if id < 0 || id >= m.Vocabulary {
				return nil, fmt.Errorf("%s: gives token %d to a model of %d", m.tokenizer.path, id, m.Vocabulary)
			}
		}
	}

	order := make([]int, len(texts)) // the longest first, so that the workers end together
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return len(tokens[j]) - len(tokens[i]) })
	batches := split(order, func(i int) int { return len(tokens[i]) })
	inParallel(ctx, len(batches), func(b int) { m.forward(batches[b], tokens, vectors) })
	return vectors, ctx.Err()
}

// split cuts order into batches of at most batchTokens, or one text.
func split(order []int, size func(int) int) [][]int {
	var batches [][]int
	for len(order) > 0 {
		n, total := 1, size(order[0])
		for n < len(order) && total+size(order[n]) <= batchTokens {
			total += size(order[n])
			n++
		}
		batches = append(batches, order[:n])
		order = order[n:]
	}
	return batches
}

// inParallel calls f for 0 to n-1 until ctx is done.
func inParallel(ctx context.Context, n int, f func(int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		})
	}
	all.Wait()
}

// scratch holds the activations of a batch.
type scratch struct {
	x, y, qkv, mid, keys, scores []float32
}

// grow returns *x with at least n floats, of any content.
func grow(x *[]float32, n int) []float32 {
	if len(*x) < n {
		*x = make([]float32, n)
	}
	return *x
}

// forward takes a batch of texts through the model. There is no padding: the
// tokens of all texts are rows of one matrix, and only attention looks at each
// text by itself.
func (m *Model) forward(batch []int, tokens [][]int, vectors [][]float32) {
	s, _ := m.scratch.Get().(*scratch)
	if s == nil {
		s = new(scratch)
	}
	defer m.scratch.Put(s)
	rows := 0
	for _, i := range batch {
		rows += len(tokens[i])
	}
	hidden, k := m.Hidden, m.kernels
	x := newMatrix(grow(&s.x, rows*hidden), rows, hidden)
	y := newMatrix(grow(&s.y, rows*hidden), rows, hidden)
	qkv := newMatrix(grow(&s.qkv, rows*3*hidden), rows, 3*hidden)
	grow(&s.mid, rows*max(hidden, m.Intermediate))
	mid, attended := newMatrix(s.mid, rows, m.Intermediate), newMatrix(s.mid, rows, hidden) // one after the other

	row := 0
	for _, i := range batch {
		for position, id := range tokens[i] {
			copy(x.row(row), m.words[id*hidden:])
			copy(y.row(row), m.positions[position*hidden:])
			row++
		}
	}
	k.addNorm(x, y, m.norm.gain, m.norm.bias, m.Epsilon)

	for _, l := range m.layers {
		k.multiply(qkv, x, l.qkv.weight, l.qkv.bias)
		row := 0
		for _, i := range batch {
			n := len(tokens[i])
			m.attend(s, y.part(row, n, 0, hidden), qkv.part(row, n, 0, 3*hidden))
			row += n
		}
		k.multiply(attended, y, l.out.weight, l.out.bias)
		k.addNorm(x, attended, l.outNorm.gain, l.outNorm.bias, m.Epsilon)

		k.multiply(mid, x, l.up.weight, l.up.bias)
		k.gelu(mid.data)
		k.multiply(y, mid, l.down.weight, l.down.bias)
		k.addNorm(x, y, l.downNorm.gain, l.downNorm.bias, m.Epsilon)
	}

	row = 0
	for _, i := range batch {
		n := len(tokens[i])
		vectors[i] = m.pool(x.part(row, n, 0, hidden))
		row += n
	}
}

// attend sets to to the attention of one text's tokens to each other.
func (m *Model) attend(s *scratch, to, qkv matrix) {
	n := qkv.rows
	width := m.Hidden / m.Heads
	padded := (n + panelWidth - 1) / panelWidth * panelWidth
	keys := newPanels(grow(&s.keys, width*padded), width, padded)
	scores := newMatrix(grow(&s.scores, n*padded), n, padded)
	scale := float32(1 / math.Sqrt(float64(width)))
	for head := range m.Heads {
		at := head * width
		keys.setTransposed(0, qkv.part(0, n, m.Hidden+at, width))
		m.kernels.multiply(scores, qkv.part(0, n, at, width), keys, nil)
		m.kernels.softmax(scores, n, scale)
		weights := scores
		weights.cols = n
		m.kernels.multiply(to.part(0, n, at, width), weights, inPlace(qkv.part(0, n, 2*m.Hidden+at, width)), nil)
	}
}

// pool makes one vector of length 1 of those of a text's tokens.
func (m *Model) pool(x matrix) []float32 {
	if m.firstOnly {
		x.rows = 1
	}
	sums := make([]float64, x.cols)
	for i := range x.rows {
		for j, v := range x.row(i) {
			sums[j] += float64(v)
		}
	}
	var square float64
	for _, v := range sums {
		square += v * v
	}
	vector := make([]float32, x.cols)
	if square == 0 {
		return vector
	}
	for j, v := range sums {
		vector[j] = float32(v / math.Sqrt(square))
	}
	return vector
}
