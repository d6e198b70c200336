package bert

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func random(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// check compares with relative error, or absolute below 1.
func check(t *testing.T, what string, got, want []float32, tolerance float64) {
	t.Helper()
	for i := range want {
		if d := math.Abs(float64(got[i] - want[i])); !(d <= tolerance*max(1, math.Abs(float64(want[i])))) {
			t.Fatalf("%s: at %d got %v, want %v", what, i, got[i], want[i])
		}
	}
}

// TestKernels compares every instruction set with plain Go, over shapes that
// fill tiles and such that do not.
func TestKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range available()[1:] {
		t.Run(k.name(), func(t *testing.T) {
			for _, rows := range []int{1, 2, 5, 6, 7, 11, 12, 13, 17, 23, 37} {
				for _, cols := range []int{16, 32, 48, 80} {
					for _, depth := range []int{1, 16, 33, 383, 384, 385, 800} {
						shape := fmt.Sprintf("%d x %d over %d", rows, cols, depth)
						a := matrix{random(r, rows*(depth+3)), rows, depth, depth + 3}
						w := newMatrix(random(r, cols*depth), cols, depth)
						packed := newPanels(make([]float32, cols*depth), depth, cols)
						packed.setTransposed(0, w)
						for _, bias := range [][]float32{nil, random(r, cols)} {
							got := matrix{make([]float32, rows*(cols+16)), rows, cols, cols + 16}
							want := matrix{make([]float32, rows*(cols+16)), rows, cols, cols + 16}
							k.multiply(got, a, packed, bias)
							portable{}.multiply(want, a, packed, bias)
							check(t, shape, got.data, want.data, 1e-4)
						}
					}
				}
			}
			for _, n := range []int{1, 3, 16, 17, 31, 250} {
				width := (n + panelWidth - 1) / panelWidth * panelWidth
				got := newMatrix(random(r, 5*width), 5, width)
				got.row(1)[0] = 1e30 // e^x overflows
				got.row(2)[n-1] = -1e30
				want := got
				want.data = slices.Clone(got.data)
				k.softmax(got, n, 3)
				portable{}.softmax(want, n, 3)
				check(t, fmt.Sprintf("softmax of %d", n), got.data, want.data, 1e-6)
			}
			for _, width := range []int{16, 48, 384} {
				gain, bias := random(r, width), random(r, width)
				got, y := newMatrix(random(r, 3*width), 3, width), newMatrix(random(r, 3*width), 3, width)
				copy(got.row(1), y.row(1)) // twice y
				want := got
				want.data = slices.Clone(got.data)
				k.addNorm(got, y, gain, bias, 1e-12)
				portable{}.addNorm(want, y, gain, bias, 1e-12)
				check(t, fmt.Sprintf("norm of %d", width), got.data, want.data, 1e-5)
			}
			var got []float32
			for x := float32(-20); x < 20; x += 0.01 {
				got = append(got, x)
			}
			got = got[:len(got)/panelWidth*panelWidth]
			want := slices.Clone(got)
			k.gelu(got)
			portable{}.gelu(want)
			check(t, "gelu", got, want, 1e-6)
		})
	}
}

// TestMultiplyByRow wants a row's product to be the same bits whatever rows are
// with it: the vector of a text must not depend on its batch.
func TestMultiplyByRow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const rows, depth, cols = 29, 500, 48
	a := newMatrix(random(r, rows*depth), rows, depth)
	b := newPanels(random(r, depth*cols), depth, cols)
	for _, k := range available() {
		all := newMatrix(make([]float32, rows*cols), rows, cols)
		k.multiply(all, a, b, nil)
		for i := range rows {
			one := newMatrix(make([]float32, cols), 1, cols)
			k.multiply(one, a.part(i, 1, 0, depth), b, nil)
			if !slices.Equal(one.data, all.row(i)) {
				t.Errorf("%s: row %d differs", k.name(), i)
			}
		}
	}
}

func TestInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	a := newMatrix(random(r, 3*7), 3, 7)
	whole := newMatrix(random(r, 7*96), 7, 96)
	v := whole.part(0, 7, 32, 32)
	want := newMatrix(make([]float32, 3*32), 3, 32)
	for i := range 3 {
		for j := range 32 {
			for p := range 7 {
				want.row(i)[j] += a.row(i)[p] * v.row(p)[j]
			}
		}
	}
	for _, k := range available() {
		got := newMatrix(make([]float32, 3*32), 3, 32)
		k.multiply(got, a, inPlace(v), nil)
		check(t, k.name(), got.data, want.data, 1e-5)
	}
}

func BenchmarkMultiply(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, k := range available() {
		for _, shape := range [][3]int{{22, 384, 1152}, {256, 384, 1152}, {256, 384, 1536}, {256, 1536, 384}} {
			rows, depth, cols := shape[0], shape[1], shape[2]
			a, c := newMatrix(random(r, rows*depth), rows, depth), newMatrix(make([]float32, rows*cols), rows, cols)
			p := newPanels(random(r, depth*cols), depth, cols)
			b.Run(fmt.Sprintf("set=%s/rows=%d/depth=%d/cols=%d", k.name(), rows, depth, cols), func(b *testing.B) {
				for b.Loop() {
					k.multiply(c, a, p, nil)
				}
				b.ReportMetric(2*float64(rows)*float64(depth)*float64(cols)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
