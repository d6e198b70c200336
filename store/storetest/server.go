package storetest

import (
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Program returns the path of a server's program: what the variable names, or
// what is found in PATH. It skips the test where there is none, or without
// CANTLE_LONG.
func Program(t *testing.T, variable, name string) string {
	t.Helper()
	if os.Getenv("CANTLE_LONG") == "" {
		t.Skip("only with CANTLE_LONG=1")
	}
	if path := os.Getenv(variable); path != "" {
		return path
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed, and %s does not name it", name, variable)
	}
	return path
}

// Address returns an address of this machine that nothing listens at.
func Address(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return l.Addr().String()
}

// Start starts a server and waits until it listens. It is ended with the test,
// or by the function that is returned, which sends it and its children how.
func Start(t *testing.T, address string, cmd *exec.Cmd, how syscall.Signal) (kill func()) {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	must(t, err)
	cmd.Stdout, cmd.Stderr = log, log
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true // it is killed with its children
	must(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	kill = sync.OnceFunc(func() {
		syscall.Kill(-cmd.Process.Pid, how)
		<-ended
		log.Close()
	})
	t.Cleanup(kill)
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return kill
		}
		select {
		case <-ended:
		default:
			if time.Now().Before(deadline) {
				continue
			}
		}
		out, _ := os.ReadFile(log.Name())
		t.Fatalf("%s does not listen at %s:\n%s", strings.Join(cmd.Args, " "), address, out)
	}
}

// Chroma starts a Chroma server: the program $CANTLE_CHROMA, or chroma. restart
// kills it and starts it again over the same data.
func Chroma(t *testing.T) (address string, restart func()) {
	t.Helper()
	program := Program(t, "CANTLE_CHROMA", "chroma")
	dir := t.TempDir()
	address = Address(t)
	host, port, err := net.SplitHostPort(address)
	must(t, err)
	start := func() func() {
		return Start(t, address, exec.Command(program, "run", "--path", dir, "--host", host, "--port", port), syscall.SIGKILL)
	}
	kill := start()
	return address, func() {
		kill()
		kill = start()
	}
}

// Postgres starts a PostgreSQL server: the program $CANTLE_POSTGRES, or
// postgres, beside which there must be initdb. It does not run as root: then it
// runs as nobody. restart kills it and starts it again over the same data.
func Postgres(t *testing.T) (address string, restart func()) {
	t.Helper()
	program := Program(t, "CANTLE_POSTGRES", "postgres")
	dir, err := os.MkdirTemp("", "cantle-postgres") // not t.TempDir, whose parents others cannot enter
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	var as *syscall.Credential
	if os.Getuid() == 0 {
		nobody, err := user.Lookup("nobody")
		must(t, err)
		uid, err := strconv.Atoi(nobody.Uid)
		must(t, err)
		gid, err := strconv.Atoi(nobody.Gid)
		must(t, err)
		must(t, os.Chown(dir, uid, gid))
		as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	run := func(program string, args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.SysProcAttr = dir, &syscall.SysProcAttr{Credential: as}
		return cmd
	}
	data := filepath.Join(dir, "data")
	out, err := run(filepath.Join(filepath.Dir(program), "initdb"), "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync").CombinedOutput()
	if err != nil {
		t.Fatalf("initdb: %v: %s", err, out)
	}
	address = Address(t)
	_, port, err := net.SplitHostPort(address)
	must(t, err)
	start := func() func() {
		kill := Start(t, address, run(program, "-D", data, "-p", port, "-k", dir, "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200"),
			syscall.SIGQUIT) // at once, as in a crash; after SIGKILL its children would live on for a moment
		for range 600 { // it listens before it answers
			if run(filepath.Join(filepath.Dir(program), "pg_isready"), "-q", "-h", "127.0.0.1", "-p", port).Run() == nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		return kill
	}
	kill := start()
	return address, func() {
		kill()
		kill = start()
	}
}

// Milvus starts the server of Milvus Lite: the program $CANTLE_MILVUS, or
// milvus-lite. restart kills it and starts it again over the same data.
func Milvus(t *testing.T) (address string, restart func()) {
	t.Helper()
	program := Program(t, "CANTLE_MILVUS", "milvus-lite")
	dir := t.TempDir()
	address = Address(t)
	host, port, err := net.SplitHostPort(address)
	must(t, err)
	start := func() func() {
		return Start(t, address, exec.Command(program, "server", "--data-dir", dir, "--host", host, "--port", port), syscall.SIGKILL)
	}
	kill := start()
	return address, func() {
		kill()
		kill = start()
	}
}
