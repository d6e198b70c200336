package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/sqlite"
	"github.com/cantle/cantle/store/storetest"
)

// A library is a folder of documents for tests.
type library struct {
	dir string
	r   *rand.Rand
}

func newLibrary(t *testing.T, documents int) *library {
	l := &library{dir: filepath.Join(t.TempDir(), "docs"), r: rand.New(rand.NewPCG(11, 12))}
	for i := range documents {
		l.write(t, i, 1)
	}
	return l
}

func (l *library) path(i int) string {
	return filepath.Join(l.dir, fmt.Sprintf("part%d", i%7), fmt.Sprintf("doc%03d.md", i))
}

// write writes document i, whose every section names its version.
func (l *library) write(t *testing.T, i, version int) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "---\ncategory: kind%d\n---\n# Document %d\n\n", i%3, i)
	for section := range 8 + i%5 {
		fmt.Fprintf(&b, "## Section %d\n\nThis is version %d. ", section, version)
		for range 20 {
			fmt.Fprintf(&b, "word%d ", l.r.IntN(500))
		}
		b.WriteString("\n\n")
	}
	if err := os.MkdirAll(filepath.Dir(l.path(i)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(l.path(i), []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// dump returns all that is in a store, as JSON, and checks that no document is
// half there and that all its chunks are found.
func dump(t *testing.T, name string) string {
	t.Helper()
	s, err := openStore(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all, err := s.Manifest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	documents := map[string][]chunker.Chunk{}
	total := 0
	for _, d := range all {
		chunks, err := s.Document(t.Context(), d.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(chunks) == 0 && d.Hash == "" {
			continue // a first put that was cut short: nobody sees it
		}
		if d.Hash != "" && len(chunks) != d.Chunks || len(chunks) != chunks[0].Total {
			t.Errorf("%s has %d chunks of %d", d.ID, len(chunks), d.Chunks)
		}
		documents[d.ID] = chunks
		total += len(chunks)
	}
	if !strings.HasPrefix(name, "chroma") { // which ranks some of many only
		hits, err := s.Search(t.Context(), store.Query{Text: "version section", Top: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) != total {
			t.Errorf("%d chunks are found, %d are there", len(hits), total)
		}
	}
	b, err := json.Marshal(documents)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// ingestInto runs the command in a process of its own.
func ingestInto(ctx context.Context, name, dir string, more ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "cantle", append([]string{"ingest", "--store", name, dir}, more...)...)
}

func clean(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "clean.db")
	if out, err := ingestInto(t.Context(), name, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dump(t, name)
}

// kill -9 at any moment, files changing in between: after one more run the
// store is as a clean ingest makes it.
func TestIngestSurvivesKills(t *testing.T) {
	kills := 6
	if os.Getenv("CANTLE_LONG") != "" {
		kills = 50
	}
	dir := t.TempDir()
	surviveKills(t, 300, kills, func(n int) string { return filepath.Join(dir, fmt.Sprintf("store%d.db", n)) }, func() {})
}

func TestIngestIntoChromaSurvivesKills(t *testing.T) {
	address, restart := storetest.Chroma(t)
	surviveKills(t, 60, 50, func(n int) string { return fmt.Sprintf("chroma://%s/kb%d", address, n) }, restart)
}

func TestIngestIntoPostgresSurvivesKills(t *testing.T) {
	address, restart := storetest.Postgres(t)
	surviveKills(t, 300, 50, func(n int) string { return fmt.Sprintf("postgres://postgres@%s/postgres?store=kb%d", address, n) }, restart)
}

// surviveKills kills ingests into the stores that name names, ten into each.
// Once in a while it kills the server instead, by restart.
func surviveKills(t *testing.T, documents, kills int, name func(n int) string, restart func()) {
	l := newLibrary(t, documents)
	start := time.Now()
	if out, err := ingestInto(t.Context(), name(1000), l.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole := time.Since(start)
	killed := 0
	for n := 0; killed < kills && n < 10*kills; n++ {
		now := name(n / 10)
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(l.r.Int64N(int64(whole))))
		cmd := ingestInto(ctx, now, l.dir)
		if n%10 == 3 {
			cmd.Cancel = func() error { restart(); return nil }
		}
		err := cmd.Run() // a done context kills with SIGKILL
		cancel()
		if err != nil {
			killed++
		}
		if !strings.Contains(now, "://") && !sqlite.Exists(now) {
			continue
		}
		dump(t, now)
		if n%10 == 9 {
			if out, err := ingestInto(t.Context(), now, l.dir).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if dump(t, now) != clean(t, l.dir) {
				t.Fatal("the store is not as a clean ingest makes it")
			}
		}
		for range documents / 3 { // from now on some are new, some are gone
			l.write(t, l.r.IntN(documents), n+2)
		}
		os.Remove(l.path(l.r.IntN(documents)))
	}
	if killed < kills {
		t.Errorf("only %d runs were killed", killed)
	}
}

func TestTwoIngestsAtOnce(t *testing.T) {
	l := newLibrary(t, 200)
	name := filepath.Join(t.TempDir(), "store.db")
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if out, err := ingestInto(t.Context(), name, l.dir).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	both.Wait()
	if dump(t, name) != clean(t, l.dir) {
		t.Error("the store is not as one ingest makes it")
	}
}

// A disk that is full: an error, nothing half there, and the next run mends it.
func TestIngestWithFullDisk(t *testing.T) {
	l := newLibrary(t, 200)
	want := clean(t, l.dir)
	for _, blocks := range []int{40, 400, 1500} { // of 512 or 1024 bytes a file
		name := filepath.Join(t.TempDir(), "store.db")
		cmd := exec.Command("sh", "-c", fmt.Sprintf("ulimit -f %d && exec cantle ingest --store %s %s", blocks, name, l.dir))
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Errorf("%d blocks: no error: %s", blocks, out)
		} else if !bytes.Contains(out, []byte("cantle:")) {
			t.Errorf("%d blocks: %v, and it says %s", blocks, err, out)
		}
		if blocks > 40 {
			dump(t, name)
		}
		if out, err := ingestInto(t.Context(), name, l.dir).CombinedOutput(); err != nil {
			t.Errorf("%d blocks, then again: %v: %s", blocks, err, out)
		} else if dump(t, name) != want {
			t.Errorf("%d blocks, then again: the store is not as a clean ingest makes it", blocks)
		}
	}
}

// What has not changed is neither cut nor written.
func TestIngestAgainWritesNothing(t *testing.T) {
	l := newLibrary(t, 50)
	name := filepath.Join(t.TempDir(), "store.db")
	var out bytes.Buffer
	once := func(args ...string) string {
		t.Helper()
		out.Reset()
		if code := Run(append([]string{"ingest", "--store", name, l.dir}, args...), nil, &out, &out); code != exitFine {
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
	if err := os.Chtimes(l.path(3), now, now); err != nil { // touched is not changed
		t.Fatal(err)
	}
	l.write(t, 7, 2)
	os.Remove(l.path(8))
	if got := once("--dry-run"); got != "would add 0, change 1, delete 1 documents, leave 48" {
		t.Errorf("a dry run says %s", got)
	}
	if got := once(); got != "added 0, changed 1, deleted 1 documents, left 48" {
		t.Errorf("after an edit it says %s", got)
	}
	if dump(t, name) != clean(t, l.dir) {
		t.Error("the store is not as a clean ingest makes it")
	}
}

func TestWatch(t *testing.T) {
	l := newLibrary(t, 3)
	name := filepath.Join(t.TempDir(), "store.db")
	ctx, cancel := context.WithCancel(t.Context())
	cmd := ingestInto(ctx, name, l.dir, "--watch")
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
	l.write(t, 9, 1)        // in a folder that is new
	await(4)
	os.Remove(l.path(0))
	await(3)
	cancel()
	if err := cmd.Wait(); err != nil && cmd.ProcessState.ExitCode() != exitFine {
		t.Errorf("%v: %s", err, &out)
	}
}
