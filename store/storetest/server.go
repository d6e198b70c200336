package storetest

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
// or by the function that is returned, which kills it at once.
func Start(t *testing.T, address string, cmd *exec.Cmd) (kill func()) {
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
	kill = func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
		log.Close()
	}
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
