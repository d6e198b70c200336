package inverted

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSearch(t *testing.T) {
	blocks := Blocks{0: New(), 7: New()}
	blocks[0].Add(1, []string{"a", "b", "a"})
	blocks[0].Add(2, []string{"b"})
	blocks[7].Add(7*BlockSlots+3, []string{"a"})
	lists := map[string]map[int64][]byte{}
	for _, term := range []string{"a", "b", "c"} {
		lists[term] = map[int64][]byte{}
		for number, b := range blocks {
			if data := b.Added[term]; data != nil {
				lists[term][number] = data
			}
		}
	}
	search := func(terms ...string) []int64 {
		found, err := blocks.Search(terms, lists, nil)
		if err != nil {
			t.Fatal(err)
		}
		var slots []int64
		for _, f := range found {
			slots = append(slots, f.Item)
		}
		slices.Sort(slots)
		return slots
	}
	if got := search("a", "c"); !slices.Equal(got, []int64{1, 7*BlockSlots + 3}) {
		t.Errorf("got %v", got)
	}
	blocks[0].Remove(1)
	blocks[0].Remove(1)
	if got := search("a", "b"); !slices.Equal(got, []int64{2, 7*BlockSlots + 3}) {
		t.Errorf("after a removal: %v", got)
	}
	if b := blocks[0]; b.Live != 1 || b.Terms != 1 || blocks.IsLive(1) || !blocks.IsLive(2) || blocks.IsLive(5*BlockSlots) {
		t.Errorf("live %d, terms %d", b.Live, b.Terms)
	}
	for _, bad := range [][]byte{{0x80}, {1}, {0xff, 0xff, 0xff, 1, 1}} {
		if _, err := blocks.Search([]string{"x"}, map[string]map[int64][]byte{"x": {0: bad}}, nil); !errors.Is(err, ErrDamaged) {
			t.Errorf("%x: %v", bad, err)
		}
	}
}

// Best is a whole sort, cut off.
func TestBest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	places := func(slots []int64) (map[int64]Place, error) {
		at := map[int64]Place{}
		for _, s := range slots {
			at[s] = Place{Position: int(s)}
		}
		return at, nil
	}
	for range 500 {
		found := make([]Scored, r.IntN(60))
		for i := range found {
			found[i] = Scored{Item: int64(i), Score: float32(r.IntN(12))}
		}
		want := slices.Clone(found)
		slices.SortStableFunc(want, func(x, y Scored) int { return cmp.Compare(y.Score, x.Score) })
		n := 1 + r.IntN(20)
		r.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
		got, err := Best(found, n, places)
		if err != nil || !slices.Equal(got, want[:min(n, len(want))]) {
			t.Fatalf("got %v, %v, want %v", got, err, want)
		}
	}
}
