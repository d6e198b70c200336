package tokens

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A megabyte without a place to split takes no longer than any other: the limit
// is generous, it guards against quadratic time. The short run has a sixteenth.
func TestLongPieces(t *testing.T) {
	size, limit := 1<<16, 2*time.Second
	if os.Getenv("CANTLE_LONG") != "" {
		size, limit = 1<<20, 20*time.Second
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	random := func(alphabet string) string {
		runes := []rune(alphabet)
		var b strings.Builder
		for b.Len() < size {
			b.WriteRune(runes[rnd.IntN(len(runes))])
		}
		return b.String()
	}
	for _, name := range slices.Concat(distinctNames, tokenizerFiles(t)) {
		e, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, alphabet := range []string{"a", " ", "=", "\n", "-", "*", "中", "的一是", "ab", "aA", "é", "\u0301", "abcdefghijklmnopqrstuvwxyz", " \n", " \t", "=-_", "!", "'", "'s", "0", "A\u0301", "\u0301\u0327", "\u4e00\u4e01\u4e02", "😀", "\xff", "<|endoftext|>"} {
			text := random(alphabet)
			start := time.Now()
			n := e.Count(text)
			if d := time.Since(start); d > limit {
				t.Errorf("%s: %d bytes of %q took %v", name, len(text), alphabet, d)
			}
			if got, want := e.CountUntil(text, 100), min(n, 101); got != want {
				t.Errorf("%s: CountUntil(%q..., 100) = %d, want %d", name, alphabet, got, want)
			}
			if _, ok := e.(Coder); ok && alphabet != "\xff" && marks(e, text) != n {
				t.Errorf("%s: %q: Count is %d, but Mark sets %d bits", name, alphabet, n, marks(e, text))
			}
		}
	}
}

// Counting and marking allocate nothing once a worker is there.
func TestNoAllocation(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool drops what it holds at random under the race detector")
	}
	text := strings.Repeat("The quick brown fox, 数据库的安装, 12345 items.\n\tif err != nil {\n", 100)
	set := make([]uint64, len(text)/64+1)
	for _, name := range append(Names(), "words") {
		e, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for method, run := range map[string]func(){
			"Count":      func() { e.Count(text) },
			"CountUntil": func() { e.CountUntil(text, 100) },
			"Mark":       func() { e.Mark(text, set) },
		} {
			run()
			if n := testing.AllocsPerRun(20, run); n >= 1 {
				t.Errorf("%s: %s allocates %v times", name, method, n)
			}
		}
	}
}

func TestManyGoroutines(t *testing.T) {
	e := coder(t, "o200k_base")
	texts := snippets(t, 200)
	want := make([]int, len(texts))
	for i, text := range texts {
		want[i] = len(oracle(t, "o200k_base").EncodeOrdinary(text))
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i, text := range texts {
				if n := e.Count(text); n != want[i] {
					t.Errorf("Count(%s) = %d, want %d", excerpt(text), n, want[i])
				}
			}
		})
	}
	wg.Wait()
}
