package sqlite

import (
	"os"
	"path/filepath"
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
