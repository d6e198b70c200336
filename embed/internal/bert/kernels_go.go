package bert

import "math"

// portable are the kernels in plain Go: where there is no C compiler, and what
// the others are tested against.
type portable struct{}

func (portable) name() string { return "go" }

func (portable) multiply(c, a matrix, b panels, bias []float32) {
	for j := 0; j < b.cols; j += panelWidth {
		panel := b.data[j/panelWidth*b.panel:]
		for i := range a.rows {
			var sum [panelWidth]float32
			if bias != nil {
				copy(sum[:], bias[j:])
			}
			for p, x := range a.row(i) {
				row := panel[p*b.stride:][:panelWidth]
				for l, y := range row {
					sum[l] += x * y
				}
			}
			copy(c.row(i)[j:], sum[:])
		}
	}
}

func (portable) softmax(x matrix, n int, scale float32) {
	for i := range x.rows {
		row := x.row(i)
		clear(row[n:])
		top := row[0]
		for _, v := range row[:n] {
			top = max(top, v)
		}
		var total float32
		for j, v := range row[:n] {
			row[j] = float32(math.Exp(float64((v - top) * scale)))
			total += row[j]
		}
		for j := range row[:n] {
			row[j] /= total
		}
	}
}

func (portable) addNorm(x, y matrix, gain, bias []float32, eps float32) {
	for i := range x.rows {
		row := x.row(i)
		var total float32
		for j, v := range y.row(i) {
			row[j] += v
			total += row[j]
		}
		mean := total / float32(len(row))
		var squares float32
		for _, v := range row {
			squares += (v - mean) * (v - mean)
		}
		scale := 1 / float32(math.Sqrt(float64(squares/float32(len(row))+eps)))
		for j, v := range row {
			row[j] = (v-mean)*scale*gain[j] + bias[j]
		}
	}
}

func (portable) gelu(x []float32) {
	for i, v := range x {
		x[i] = float32(0.5 * float64(v) * (1 + math.Erf(float64(v)/math.Sqrt2)))
	}
}
