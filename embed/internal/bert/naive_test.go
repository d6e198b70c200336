package bert

import "math"

// naive is the model as its paper has it, in 64 bits and one text at a time.
type naive struct {
	f             *folder
	heads, layers int
	clsOnly       bool
	firstPosition int
}

func (n naive) vector(ids []int) []float32 {
	var x [][]float64
	for position, id := range ids {
		row := n.row("embeddings.word_embeddings.weight", id)
		x = append(x, plus(plus(row, n.row("embeddings.position_embeddings.weight", n.firstPosition+position)), n.row("embeddings.token_type_embeddings.weight", 0)))
	}
	n.norm(x, "embeddings.LayerNorm")
	for l := range n.layers {
		in := "encoder.layer." + string(rune('0'+l)) + "."
		q, k, v := n.linear(x, in+"attention.self.query"), n.linear(x, in+"attention.self.key"), n.linear(x, in+"attention.self.value")
		width := len(x[0]) / n.heads
		mixed := make([][]float64, len(x))
		for i := range x {
			mixed[i] = make([]float64, len(x[0]))
			for at := 0; at < len(x[0]); at += width {
				weights := make([]float64, len(x))
				var total float64
				for j := range x {
					var dot float64
					for c := at; c < at+width; c++ {
						dot += q[i][c] * k[j][c]
					}
					weights[j] = math.Exp(dot / math.Sqrt(float64(width)))
					total += weights[j]
				}
				for j := range x {
					for c := at; c < at+width; c++ {
						mixed[i][c] += weights[j] / total * v[j][c]
					}
				}
			}
		}
		for i, row := range n.linear(mixed, in+"attention.output.dense") {
			x[i] = plus(x[i], row)
		}
		n.norm(x, in+"attention.output.LayerNorm")
		wide := n.linear(x, in+"intermediate.dense")
		for _, row := range wide {
			for c, value := range row {
				row[c] = value / 2 * (1 + math.Erf(value/math.Sqrt2))
			}
		}
		for i, row := range n.linear(wide, in+"output.dense") {
			x[i] = plus(x[i], row)
		}
		n.norm(x, in+"output.LayerNorm")
	}
	if n.clsOnly {
		x = x[:1]
	}
	sum := make([]float64, len(x[0]))
	for _, row := range x {
		sum = plus(sum, row)
	}
	var square float64
	for _, value := range sum {
		square += value * value
	}
	vector := make([]float32, len(sum))
	for i, value := range sum {
		vector[i] = float32(value / math.Sqrt(square))
	}
	return vector
}

func (n naive) row(name string, i int) []float64 {
	t := n.f.weights[name]
	width := t.shape[len(t.shape)-1]
	row := make([]float64, width)
	for c := range row {
		row[c] = float64(t.data[i*width+c])
	}
	return row
}

func (n naive) linear(x [][]float64, name string) [][]float64 {
	bias := n.row(name+".bias", 0)
	to := make([][]float64, len(x))
	for i := range x {
		to[i] = append(to[i], bias...)
		for o := range bias {
			for c, weight := range n.row(name+".weight", o) {
				to[i][o] += weight * x[i][c]
			}
		}
	}
	return to
}

func (n naive) norm(x [][]float64, name string) {
	gain, bias := n.row(name+".weight", 0), n.row(name+".bias", 0)
	for _, row := range x {
		var mean, variance float64
		for _, value := range row {
			mean += value / float64(len(row))
		}
		for _, value := range row {
			variance += (value - mean) * (value - mean) / float64(len(row))
		}
		for c, value := range row {
			row[c] = (value-mean)/math.Sqrt(variance+1e-12)*gain[c] + bias[c]
		}
	}
}

func plus(a, b []float64) []float64 {
	sum := make([]float64, len(a))
	for i := range a {
		sum[i] = a[i] + b[i]
	}
	return sum
}
