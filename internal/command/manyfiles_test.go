//go:build linux

package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestMemoryOfManyFiles holds the memory for ten times the files against that
// for a tenth of them.
func TestMemoryOfManyFiles(t *testing.T) {
	if os.Getenv("CANTLE_LONG") != "1" {
		t.Skip("CANTLE_LONG is not set")
	}
	root := t.TempDir()
	const folders, each = 20, 1000
	for d := range folders {
		dir := filepath.Join(root, fmt.Sprint(d))
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		for f := range each {
			unit := d*each + f
			text := fmt.Sprintf("# Unit %d\n\n", unit) + strings.Repeat(fmt.Sprintf("The pump of unit %d starts when the level falls below %d cm.\n\n", unit, f), 15)
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(f)+".md"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	peak := func(paths ...string) int64 {
		cmd := exec.Command("cantle", append([]string{"chunk", "-o", os.DevNull}, paths...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss // kB
	}
	few, many := peak(filepath.Join(root, "0"), filepath.Join(root, "1")), peak(root)
	t.Logf("%d files %d MB, %d files %d MB", 2*each, few>>10, folders*each, many>>10)
	if many > few+few/2 {
		t.Errorf("%d files take %d MB at the peak, %d files %d MB", folders*each, many>>10, 2*each, few>>10)
	}
}
