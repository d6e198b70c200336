package command

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cantle/cantle/store/sqlite"
	"github.com/cantle/cantle/store/storetest"
)

var ingests = storetest.Opener(OpenStore)

func TestIngestSurvivesKills(t *testing.T) {
	kills := 6
	if os.Getenv("CANTLE_LONG") != "" {
		kills = 50
	}
	dir := t.TempDir()
	ingests.SurviveKills(t, 300, kills, func(n int) string { return filepath.Join(dir, fmt.Sprintf("store%d.db", n)) }, func() {})
}

func TestIngestIntoChromaSurvivesKills(t *testing.T) {
	address, restart := storetest.Chroma(t)
	ingests.SurviveKills(t, 60, 50, func(n int) string { return fmt.Sprintf("chroma://%s/kb%d", address, n) }, restart)
}

func TestIngestIntoPostgresSurvivesKills(t *testing.T) {
	address, restart := storetest.Postgres(t)
	ingests.SurviveKills(t, 300, 50, func(n int) string { return fmt.Sprintf("postgres://postgres@%s/postgres?store=kb%d", address, n) }, restart)
}

func TestTwoIngestsAtOnce(t *testing.T) {
	l := storetest.NewLibrary(t, 200)
	name := filepath.Join(t.TempDir(), "store.db")
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if out, err := storetest.Ingest(t.Context(), name, l.Dir).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	both.Wait()
	if ingests.Dump(t, name) != ingests.Clean(t, l.Dir) {
		t.Error("the store is not as one ingest makes it")
	}
}

// A disk that is full: an error, nothing half there, and the next run mends it.
func TestIngestWithFullDisk(t *testing.T) {
	l := storetest.NewLibrary(t, 200)
	want := ingests.Clean(t, l.Dir)
	for _, blocks := range []int{40, 400, 1500} { // of 512 or 1024 bytes a file
		name := filepath.Join(t.TempDir(), "store.db")
		cmd := exec.Command("sh", "-c", fmt.Sprintf("ulimit -f %d && exec cantle ingest --store %s %s", blocks, name, l.Dir))
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Errorf("%d blocks: no error: %s", blocks, out)
		} else if !bytes.Contains(out, []byte("cantle:")) {
			t.Errorf("%d blocks: %v, and it says %s", blocks, err, out)
		}
		if blocks > 40 {
			ingests.Dump(t, name)
		}
		if out, err := storetest.Ingest(t.Context(), name, l.Dir).CombinedOutput(); err != nil {
			t.Errorf("%d blocks, then again: %v: %s", blocks, err, out)
		} else if ingests.Dump(t, name) != want {
			t.Errorf("%d blocks, then again: the store is not as a clean ingest makes it", blocks)
		}
	}
}

// What has not changed is neither cut nor written.
func TestIngestAgainWritesNothing(t *testing.T) {
	l := storetest.NewLibrary(t, 50)
	name := filepath.Join(t.TempDir(), "store.db")
	var out bytes.Buffer
	once := func(args ...string) string {
		t.Helper()
		out.Reset()
		if code := Run(append([]string{"ingest", "--store", name, l.Dir}, args...), nil, &out, &out); code != exitFine {
			t.Fatalf("exit status %d: %s", code, &out)
		}
		return strings.Split(out.String(), "\n")[0]
	}
	once()
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := once(); got != "added 0, changed 0, deleted 0 documents, left 50" {
		t.Errorf("the second run says %s", got)
	}
	after, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the second run has written, %v", err)
	}
	now := time.Now()
	if err := os.Chtimes(l.Path(3), now, now); err != nil { // touched is not changed
		t.Fatal(err)
	}
	l.Write(t, 7, 2)
	os.Remove(l.Path(8))
	if got := once("--dry-run"); got != "would add 0, change 1, delete 1 documents, leave 48" {
		t.Errorf("a dry run says %s", got)
	}
	if got := once(); got != "added 0, changed 1, deleted 1 documents, left 48" {
		t.Errorf("after an edit it says %s", got)
	}
	if ingests.Dump(t, name) != ingests.Clean(t, l.Dir) {
		t.Error("the store is not as a clean ingest makes it")
	}
}

func TestWatch(t *testing.T) {
	l := storetest.NewLibrary(t, 3)
	name := filepath.Join(t.TempDir(), "store.db")
	ctx, cancel := context.WithCancel(t.Context())
	cmd := storetest.Ingest(ctx, name, l.Dir, "--watch")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	count := func() int {
		s, err := sqlite.Open(t.Context(), name)
		if err != nil {
			return -1
		}
		defer s.Close()
		all, err := s.Manifest(t.Context())
		if err != nil {
			return -1
		}
		return len(all)
	}
	await := func(want int) {
		t.Helper()
		deadline := time.Now().Add(20 * time.Second)
		for count() != want {
			if time.Now().After(deadline) {
				t.Fatalf("%d documents, want %d: %s", count(), want, &out)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	await(3)
	time.Sleep(time.Second) // it watches a moment after the first run
	l.Write(t, 9, 1)        // in a folder that is new
	await(4)
	os.Remove(l.Path(0))
	await(3)
	cancel()
	if err := cmd.Wait(); err != nil && cmd.ProcessState.ExitCode() != exitFine {
		t.Errorf("%v: %s", err, &out)
	}
}
