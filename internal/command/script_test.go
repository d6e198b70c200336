package command

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the expected output of scripts anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"cantle": func() { os.Exit(Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }})
}

// TestScript runs the scripts in testdata/script, one for each thing that the
// command does. Besides what testscript knows, a script can say
//
//	status N program args...
//
// to run a program that must end with exit status N. $CASES is the folder
// testdata/cases of the module.
func TestScript(t *testing.T) {
	cases, err := filepath.Abs(filepath.Join("..", "..", "testdata", "cases"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("CASES", cases)
			// Whoever needs the network fails at once.
			e.Setenv("HTTP_PROXY", "http://127.0.0.1:9")
			e.Setenv("HTTPS_PROXY", "http://127.0.0.1:9")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}

func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N program args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// An interrupt leaves the output file as it was, and nothing beside it.
func TestInterruptKeepsTheOldFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "chunks.jsonl")
	if err := os.WriteFile(name, []byte("old\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	in, feed := io.Pipe()
	go func() {
		feed.Write([]byte("# A document\n\n")) // returns once it is read: the command is at work
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			self.Signal(os.Interrupt)
		}
		time.Sleep(300 * time.Millisecond) // for the signal to come through
		feed.Close()
	}()
	var errs bytes.Buffer
	if code := Run([]string{"chunk", "-o", name, "-"}, in, io.Discard, &errs); code != exitFailed {
		t.Errorf("exit status %d, want %d: %s", code, exitFailed, &errs)
	}
	if got, err := os.ReadFile(name); string(got) != "old\n" || err != nil {
		t.Errorf("the file holds %q, %v", got, err)
	}
	if entries, err := os.ReadDir(dir); len(entries) != 1 || err != nil {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
