package chunker

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
)

// runes sizes text in runes: what a test can count by eye.
type runes struct{}

func (runes) Count(text string) int { return utf8.RuneCountInString(text) }

func (runes) Mark(text string, bits []uint64) {
	for i := range text {
		bits[i/64] |= 1 << (i % 64)
	}
}

// greedy is the obvious splitter: it fills each piece as far as it goes. It
// returns the cost of its plan by the same costs, or infinity where it finds none.
func greedy(p *planner, first, last, limit int) float64 {
	total := 0.0
	for i := first; i < last; {
		room := limit
		if i > first {
			total += p.cutCost(i)
			room -= p.opt.Overlap
		}
		m := p.measure(i, limit)
		end, size := -1, 0
		for j := i; j < last; j++ {
			n, fits := m.to(j, room)
			if !fits {
				break
			}
			end, size = j, n
		}
		if end < 0 {
			return math.Inf(1)
		}
		total += p.pieceCost(size, end-i < last-first-1, m.shed)
		i = end + 1
	}
	return total
}

// exhaustive tries every set of cuts.
func exhaustive(p *planner, first, last, limit int) float64 {
	best := math.Inf(1)
	n := last - first
	for set := range 1 << (n - 1) {
		total, i := 0.0, 0
		for j := 0; j < n; j++ {
			if j < n-1 && set&(1<<j) == 0 {
				continue
			}
			room := limit
			if i > 0 {
				total += p.cutCost(first + i)
				room -= p.opt.Overlap
			}
			m := p.measure(first+i, limit)
			size, fits := m.to(first+j, room)
			if !fits {
				total = math.Inf(1)
			}
			total += p.pieceCost(size, j-i < n-1, m.shed)
			i = j + 1
		}
		best = min(best, total)
	}
	return best
}

// costOf returns the cost of the pieces that run chose.
func costOf(p *planner, pieces []piece, limit int) float64 {
	first, last := pieces[0].first, pieces[len(pieces)-1].last+1
	total := 0.0
	for k, pc := range pieces {
		if k > 0 {
			total += p.cutCost(pc.first)
		}
		m := p.measure(pc.first, limit)
		size, _ := m.to(pc.last, limit)
		total += p.pieceCost(size, pc.last-pc.first < last-first-1, m.shed)
	}
	return total
}

// randomPlan is a document of paragraphs of random sizes, as atoms.
func randomPlan(r *rand.Rand, atoms int) *planner {
	var src strings.Builder
	root := &ast.Node{Kind: ast.Root}
	for range atoms {
		start := src.Len()
		src.WriteString(strings.Repeat("x", 1+r.IntN(30)) + "\n\n")
		root.Children = append(root.Children, &ast.Node{Kind: ast.Paragraph, Span: ast.Span{Start: start, End: src.Len()}})
	}
	root.Span.End = src.Len()
	d := &ast.Document{Source: []byte(src.String()), Root: root}
	opt, err := Options{Sizer: runes{}, Max: 40 + r.IntN(60), Overlap: r.IntN(8)}.resolve()
	if err != nil {
		panic(err)
	}
	p := &planner{doc: d, opt: opt, max: opt.Max, view: newView(d)}
	p.sizes = newSizes(opt.Sizer, p.view.text)
	p.collect()
	for i := range p.atoms {
		p.atoms[i].level, p.atoms[i].depth = level(r.IntN(4)), uint8(r.IntN(3))
	}
	return p
}

func TestPlanIsTheCheapest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		p := randomPlan(r, 1+r.IntN(11))
		n := len(p.atoms)
		pieces := p.run(nil, 0, n, p.opt.Max)
		got := costOf(p, pieces, p.opt.Max)
		if slow := greedy(p, 0, n, p.opt.Max); got > slow+1e-6 {
			t.Fatalf("plan %d: cost %v, a greedy splitter's is %v", i, got, slow)
		}
		if best := exhaustive(p, 0, n, p.opt.Max); got > best+1e-6 {
			t.Fatalf("plan %d: cost %v, the best is %v", i, got, best)
		}
	}
	for i := range 50 {
		p := randomPlan(r, 500)
		pieces := p.run(nil, 0, len(p.atoms), p.opt.Max)
		if got, slow := costOf(p, pieces, p.opt.Max), greedy(p, 0, len(p.atoms), p.opt.Max); got > slow+1e-6 {
			t.Fatalf("long plan %d: cost %v, a greedy splitter's is %v", i, got, slow)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{}, "sizer"},
		{Options{Sizer: runes{}, Max: -5}, "max -5"},
		{Options{Sizer: runes{}, Overlap: -1}, "overlap -1"},
		{Options{Sizer: runes{}, Max: 64, Overlap: 64}, "overlap 64"},
		{Options{Sizer: runes{}, Max: 64, Min: 65}, "min 65"},
		{Options{Sizer: runes{}, Max: 64, Want: 65}, "want 65"},
		{Options{Sizer: runes{}, Context: "title"}, "context title"},
		{Options{Sizer: runes{}, JoinUnder: -1}, "joinunder -1"},
		{Options{Sizer: runes{}, Max: 64, Parents: 63}, "parents 63"},
	} {
		_, err := Split(context.Background(), ast.Leaf("x", "text", []byte("text")), c.opt)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: got %v", c.opt, err)
		}
	}
}

func ExampleJoinPath() {
	line := JoinPath([]string{"Support 24/7", "Read/write > append"})
	fmt.Println(line)
	fmt.Printf("%q\n", SplitPath(line))
	// Output:
	// Support 24/7 > Read/write \> append
	// ["Support 24/7" "Read/write > append"]
}
