package pgvector

import (
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/storetest"
)

// start starts a server of its own. PostgreSQL does not run as root: then it
// runs as nobody.
func start(t *testing.T) (address string, kill func()) {
	t.Helper()
	program := storetest.Program(t, "CANTLE_POSTGRES", "postgres")
	dir, err := os.MkdirTemp("", "cantle-postgres") // not t.TempDir, whose parents others cannot enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	attributes := &syscall.SysProcAttr{}
	if os.Getuid() == 0 {
		nobody, err := user.Lookup("nobody")
		if err != nil {
			t.Skip("as root there must be a user nobody")
		}
		uid, _ := strconv.Atoi(nobody.Uid)
		gid, _ := strconv.Atoi(nobody.Gid)
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
		attributes.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	data := filepath.Join(dir, "data")
	initdb := exec.Command(filepath.Join(filepath.Dir(program), "initdb"), "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
	initdb.SysProcAttr, initdb.Dir = attributes, dir
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v: %s", err, out)
	}
	address = storetest.Address(t)
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-D", data, "-p", port, "-k", dir, "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200")
	cmd.Dir = dir
	cmd.SysProcAttr = attributes
	return address, storetest.Start(t, address, cmd)
}

func TestContract(t *testing.T) {
	address, _ := start(t)
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
