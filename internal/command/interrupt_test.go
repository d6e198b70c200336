//go:build unix

package command

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestInterruptOfALargeDocument interrupts the command while it works on a
// document that takes seconds: it does not wait for the end of that, and leaves
// no file.
func TestInterruptOfALargeDocument(t *testing.T) {
	in, dir := filepath.Join(t.TempDir(), "large.md"), t.TempDir()
	page := "## The pump\n\nIt starts when the level falls, and stops by itself.\n\n- the valve\n- the fuse\n\n"
	if err := os.WriteFile(in, []byte(strings.Repeat(page, 40<<20/len(page))), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("cantle", "chunk", "-o", filepath.Join(dir, "chunks.jsonl"), in)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	left := func() []os.DirEntry {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return entries
	}
	for start := time.Now(); len(left()) == 0 && time.Since(start) < 20*time.Second; { // the file it writes has another name first
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(200 * time.Millisecond) // it reads or parses
	start := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if took := time.Since(start); took > time.Second {
		t.Errorf("it took %v to end", took)
	}
	if got := cmd.ProcessState.ExitCode(); got != exitFailed || !strings.Contains(errs.String(), "interrupted") {
		t.Errorf("exit status %d, want %d: %s", got, exitFailed, &errs)
	}
	if entries := left(); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}
