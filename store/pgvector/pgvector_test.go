package pgvector

import (
	"strings"
	"testing"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/storetest"
)

func TestContract(t *testing.T) {
	address, _ := storetest.Postgres(t)
	storetest.Run(t, storetest.Setup{Chunks: 10_000, Open: func(t *testing.T, name string) store.Store {
		s, err := Open(t.Context(), "postgres://postgres@"+address+"/postgres?store="+name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}})
}

func TestAddresses(t *testing.T) {
	for _, bad := range []string{"postgres://h/d?store=A", "postgres://h/d?store=a;b", "postgres://h/d?sslmode=perhaps", "postgres://u:secret@h:port/d"} {
		if _, err := Open(t.Context(), bad); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
