package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/storetest"
)

func TestContract(t *testing.T) {
	dirs := t.TempDir()
	setup := storetest.Setup{Chunks: 5000, Open: func(t *testing.T, name string) store.Store {
		s, err := Open(t.Context(), filepath.Join(dirs, name+".db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}}
	if os.Getenv("CANTLE_LONG") != "" {
		setup.Chunks = 100_000
	}
	storetest.Run(t, setup)
}

// Whoever makes the file, all that open it at once find it made.
func TestOpenAtOnce(t *testing.T) {
	dir := t.TempDir()
	for i := range 30 {
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				s, err := Open(t.Context(), filepath.Join(dir, fmt.Sprint(i)))
				if err != nil {
					t.Error(err)
					return
				}
				s.Close()
			})
		}
		all.Wait()
	}
}

// What was replaced does not stay in the index for ever.
func TestIndexIsClearedUp(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for v := range 40 {
		texts := make([]string, 500)
		for i := range texts {
			texts[i] = fmt.Sprintf("version %d part %d", v, i)
		}
		if err := s.Put(t.Context(), storetest.Entry("a.md", nil, texts...)); err != nil {
			t.Fatal(err)
		}
	}
	for table, limit := range map[string]int{"blocks": 2, "chunks": 500, "records": 500, "postings": 2000} {
		var n int
		if err := s.read.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n > limit {
			t.Errorf("%s has %d rows, want %d at most", table, n, limit)
		}
	}
}
