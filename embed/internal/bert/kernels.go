package bert

// A matrix is a view of floats: rows of cols floats, stride floats apart.
type matrix struct {
	data       []float32
	rows, cols int
	stride     int
}

func newMatrix(data []float32, rows, cols int) matrix {
	return matrix{data[:rows*cols], rows, cols, cols}
}

// row returns row i.
func (m matrix) row(i int) []float32 { return m.data[i*m.stride : i*m.stride+m.cols] }

// part returns the view of some of its rows and columns.
func (m matrix) part(row, rows, col, cols int) matrix {
	return matrix{m.data[row*m.stride+col : (row+rows-1)*m.stride+col+cols], rows, cols, m.stride}
}

// panelWidth is the number of columns of a panel.
const panelWidth = 16

// Panels are a matrix whose columns come in panels of panelWidth, so that the
// innermost loop reads memory in order: entry (i, j) is at
// data[j/16*panel + i*stride + j%16].
type panels struct {
	data          []float32
	rows, cols    int // cols is a multiple of panelWidth
	panel, stride int
}

func newPanels(data []float32, rows, cols int) panels {
	return panels{data[:rows*cols], rows, cols, rows * panelWidth, panelWidth}
}

// inPlace sees m as panels, which needs no copy: each panel is as wide as all
// of m apart from row to row.
func inPlace(m matrix) panels {
	return panels{m.data, m.rows, m.cols, panelWidth, m.stride}
}

// setTransposed copies the transpose of m into the columns from column on;
// where m has fewer rows than a multiple of panelWidth, zeros follow.
func (p panels) setTransposed(column int, m matrix) {
	for j := range (m.rows + panelWidth - 1) / panelWidth * panelWidth {
		to := p.data[(column+j)/panelWidth*p.panel+(column+j)%panelWidth:]
		if j >= m.rows {
			for i := range p.rows {
				to[i*p.stride] = 0
			}
			continue
		}
		for i, x := range m.row(j) {
			to[i*p.stride] = x
		}
	}
}

// Kernels are the loops in which the time goes, for one instruction set. Widths
// of rows are multiples of panelWidth. What a row becomes does not depend on
// what other rows there are, bit for bit; but it does on the instruction set.
type kernels interface {
	name() string

	// multiply sets c to a·b + bias; a nil bias is zero.
	multiply(c, a matrix, b panels, bias []float32)

	// softmax sets the first n floats of each row of x to the softmax of scale
	// times them, and the rest to about zero.
	softmax(x matrix, n int, scale float32)

	// addNorm sets each row of x to gain*(x+y-mean)/deviation + bias.
	addNorm(x, y matrix, gain, bias []float32, eps float32)

	// gelu sets each float of x to x*Φ(x), Φ being the normal distribution.
	gelu(x []float32)
}
