package code

import (
	"bytes"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"github.com/cantle/cantle/ast"
)

// Where there is no memory for a tree the file is cut at blank lines, and the
// program goes on. A child of the test has little of it.
func TestOutOfMemory(t *testing.T) {
	const child = "CANTLE_TEST_OUT_OF_MEMORY"
	if os.Getenv(child) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestOutOfMemory$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	debug.SetGCPercent(-1)
	src := bytes.Repeat([]byte("func f() { g(1, 2, 3) }\n"), 200_000)
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	pages := 0
	for _, digit := range strings.Fields(string(statm))[0] {
		pages = pages*10 + int(digit-'0')
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		t.Fatal(err)
	}
	limit.Cur = uint64(pages*os.Getpagesize()) + 48<<20
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		t.Fatal(err)
	}
	d := Parse("", "go", src, Options{})
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		t.Fatal(err)
	}
	if len(d.Problems) != 1 || !strings.Contains(d.Problems[0].Message, "out of memory") {
		t.Errorf("problems %v, want one of the memory", d.Problems)
	}
	if err := ast.Check(d); err != nil {
		t.Error(err)
	}
	if d = Parse("", "go", []byte("func f() {}\n"), Options{}); len(d.Problems) > 0 || len(d.Root.Children) != 1 || d.Root.Children[0].Name != "f" {
		t.Errorf("afterwards: problems %v, %d children, want f", d.Problems, len(d.Root.Children))
	}
}
