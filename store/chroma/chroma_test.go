package chroma

import (
	"testing"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/storetest"
)

func TestContract(t *testing.T) {
	address, _ := storetest.Chroma(t)
	storetest.Run(t, storetest.Setup{Chunks: 10_000, Approximate: true, Open: func(t *testing.T, name string) store.Store {
		s, err := Open(t.Context(), "chroma://"+address+"/"+name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}})
}

func TestAddresses(t *testing.T) {
	for _, bad := range []string{"chroma://", "chroma://host", "chroma://host/a b", "chroma://host/a/b", "http://host/a", "chroma://host/-", "chroma://ho st/a", "chroma://host/a?x=1"} {
		if _, err := Open(t.Context(), bad); err == nil {
			t.Errorf("%s is no error", bad)
		}
	}
}
