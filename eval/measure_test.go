package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// figures returns the measures of a ranking by name.
func figures(q Question, chunks []Chunk, ranking []int, k int) map[string]float64 {
	out := map[string]float64{}
	for i, x := range measure(&q, chunks, ranking, k) {
		out[Measures(k)[i]] = x
	}
	return out
}

func TestMeasures(t *testing.T) {
	a := Chunk{DocID: "a", Spans: Spans{{Start: 0, End: 100}}, Text: "| year | 2024 |", Tokens: 300}
	b := Chunk{DocID: "a", Spans: Spans{{Start: 100, End: 300}}, Text: "b", Tokens: 400}
	inA := Chunk{DocID: "a", Spans: Spans{{Start: 10, End: 20}}, Text: "part of a", Tokens: 100}
	other := Chunk{DocID: "b", Spans: Spans{{Start: 0, End: 1000}}, Text: "other", Tokens: 1000}
	q := func(s ...int) Question { return Question{DocID: "a", Spans: Spans{{Start: s[0], End: s[1]}}} }
	needs := q(80, 100)
	needs.Needs = []string{"2024"}
	missing := q(80, 100)
	missing.Needs = []string{"2023"}
	for _, c := range []struct {
		name   string
		q      Question
		chunks []Chunk
		want   map[string]float64
	}{
		{"all in the first chunk", q(20, 60), []Chunk{a, other},
			map[string]float64{"auc_t": 1, "recall@500t": 1, "recall@2": 1, "precision@2": 40.0 / 1100, "iou@2": 40.0 / 1100, "hit@2": 1, "mrr": 1, "ndcg@10": 1, "full@2000t": 1}},
		{"half in each of two", q(50, 150), []Chunk{a, b},
			map[string]float64{"recall@500t": 1, "recall@2": 1, "precision@2": 100.0 / 300, "ndcg@10": 0.5 + 0.5/math.Log2(3)}},
		{"behind what fills the first budgets", q(0, 100), []Chunk{other, a},
			map[string]float64{"recall@500t": 0, "recall@1000t": 0, "recall@2000t": 1, "recall@4000t": 1, "auc_t": 0.5, "mrr": 0.5, "hit@2": 1}},
		{"the last chunk is cut in proportion", q(100, 300), []Chunk{a, b},
			map[string]float64{"recall@500t": 0.5, "recall@1000t": 1}},
		{"nowhere", q(500, 600), []Chunk{a, b, other},
			map[string]float64{"auc_t": 0, "recall@2": 0, "iou@2": 0, "hit@2": 0, "mrr": 0, "ndcg@10": 0, "full@2000t": 0}},
		{"the same bytes of another document", Question{DocID: "c", Spans: Spans{{Start: 0, End: 50}}}, []Chunk{a, other},
			map[string]float64{"recall@4000t": 0, "hit@2": 0}},
		{"found twice counts once", q(10, 20), []Chunk{a, inA},
			map[string]float64{"recall@2": 1, "precision@2": 10.0 / 110, "repeat@2": 0.5}},
		{"no chunks", q(10, 20), nil,
			map[string]float64{"auc_t": 0, "precision@2": 0, "iou@2": 0, "repeat@2": 0, "mrr": 0}},
		{"what it needs is there", needs, []Chunk{a}, map[string]float64{"self@500t": 1, "recall@500t": 1}},
		{"what it needs is not", missing, []Chunk{a}, map[string]float64{"self@500t": 0, "recall@500t": 1}},
		{"no needs, no self", q(0, 10), []Chunk{a}, map[string]float64{"self@500t": Missing}},
	} {
		ranking := make([]int, len(c.chunks))
		for i := range ranking {
			ranking[i] = i
		}
		got := figures(c.q, c.chunks, ranking, 2)
		for name, want := range c.want {
			if math.IsNaN(want) != math.IsNaN(got[name]) || math.Abs(got[name]-want) > 1e-12 {
				t.Errorf("%s: %s is %v, want %v", c.name, name, got[name], want)
			}
		}
	}
}

// Whatever the chunks: shares are shares, more tokens never hold less evidence,
// what is found alone is found, and a chunk more at the top never harms recall.
func TestMeasuresOfAnyRanking(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	span := func() Spans {
		start := random.IntN(1000)
		return Spans{{Start: start, End: start + 1 + random.IntN(300)}}
	}
	for range 2000 {
		var chunks []Chunk
		for range random.IntN(30) {
			chunks = append(chunks, Chunk{DocID: fmt.Sprint(random.IntN(2)), Spans: append(span(), span()...).union(), Text: fmt.Sprint(random.IntN(3)), Tokens: 1 + random.IntN(900)})
		}
		q := Question{DocID: "0", Spans: append(span(), span()...)}
		if random.IntN(2) == 0 {
			q.Needs = []string{"1"}
		}
		ranking := random.Perm(len(chunks))
		got := figures(q, chunks, ranking, 5)
		for name, x := range got {
			if x < 0 || x > 1+1e-9 {
				t.Fatalf("%s is %v", name, x)
			}
		}
		for i, b := range Budgets {
			if i > 0 && got[atTokens("recall", b)] < got[atTokens("recall", Budgets[i-1])] {
				t.Fatalf("recall falls from %d to %d tokens", Budgets[i-1], b)
			}
			if got[atTokens("self", b)] > got[atTokens("recall", b)] {
				t.Fatalf("self is above recall at %d tokens", b)
			}
		}
		if more := figures(q, chunks, ranking, 6); more["recall@6"] < got["recall@5"] || more["hit@6"] < got["hit@5"] {
			t.Fatal("recall falls from 5 chunks to 6")
		}
		if (got["mrr"] > 0) != (got["recall@5"] > 0) && len(chunks) <= 5 {
			t.Fatal("evidence has a rank, and is not found")
		}
	}
}

func TestSpans(t *testing.T) {
	u := Spans{{Start: 5, End: 9}, {Start: 0, End: 3}, {Start: 3, End: 4}, {Start: 7, End: 7}, {Start: 8, End: 12}}.union()
	if want := (Spans{{Start: 0, End: 4}, {Start: 5, End: 12}}); fmt.Sprint(u) != fmt.Sprint(want) {
		t.Errorf("union: got %v, want %v", u, want)
	}
	if got, want := u.and(Spans{{Start: 2, End: 6}, {Start: 11, End: 20}}), (Spans{{Start: 2, End: 4}, {Start: 5, End: 6}, {Start: 11, End: 12}}); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("and: got %v, want %v", got, want)
	}
	if got, want := u.first(5.5), (Spans{{Start: 0, End: 4}, {Start: 5, End: 6}}); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("first: got %v, want %v", got, want)
	}
	for _, bad := range []string{`[[3,1]]`, `[[1]]`, `[[-1,2]]`, `[1,2]`, `[[0.5,2]]`} {
		if err := new(Spans).UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
