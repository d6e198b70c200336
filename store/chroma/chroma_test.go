package chroma

import (
	"net"
	"os/exec"
	"testing"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/storetest"
)

// start starts a server over the data in dir.
func start(t *testing.T, dir string) (address string, kill func()) {
	t.Helper()
	program := storetest.Program(t, "CANTLE_CHROMA", "chroma")
	address = storetest.Address(t)
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	return address, storetest.Start(t, address, exec.Command(program, "run", "--path", dir, "--host", host, "--port", port))
}

func TestContract(t *testing.T) {
	address, _ := start(t, t.TempDir())
	storetest.Run(t, storetest.Setup{Chunks: 10_000, Open: func(t *testing.T, name string) store.Store {
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
