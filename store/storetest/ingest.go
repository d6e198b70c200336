package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/store"
)

// A Library is a folder of documents for tests.
type Library struct {
	Dir string
	r   *rand.Rand
}

// NewLibrary returns a library that has been written, of version 1.
func NewLibrary(t *testing.T, documents int) *Library {
	l := &Library{Dir: filepath.Join(t.TempDir(), "docs"), r: rand.New(rand.NewPCG(11, 12))}
	for i := range documents {
		l.Write(t, i, 1)
	}
	return l
}

// Path is where document i is.
func (l *Library) Path(i int) string {
	return filepath.Join(l.Dir, fmt.Sprintf("part%d", i%7), fmt.Sprintf("doc%03d.md", i))
}

// Write writes document i, whose every section names its version.
func (l *Library) Write(t *testing.T, i, version int) {
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
	if err := os.MkdirAll(filepath.Dir(l.Path(i)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(l.Path(i), []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// An Opener opens the store that the command knows by a name.
type Opener func(ctx context.Context, name string) (store.Store, error)

// Dump returns all that is in a store, as JSON, and checks that no document is
// half there and that all its chunks are found.
func (open Opener) Dump(t *testing.T, name string) string {
	t.Helper()
	s, err := open(t.Context(), name)
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

// Ingest is the command cantle in a process of its own, which reads dir into the
// store of that name. cantle must be in PATH.
func Ingest(ctx context.Context, name, dir string, more ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "cantle", append([]string{"ingest", "--store", name, dir}, more...)...)
}

// Clean returns what a new store holds into which dir was read, as Dump does.
func (open Opener) Clean(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "clean.db")
	if out, err := Ingest(t.Context(), name, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return open.Dump(t, name)
}

// SurviveKills kills ingests into the stores that name names, ten into each, by
// kill -9 at any moment; once in a while it kills the server instead, by restart.
// Files change in between. After one more run a store must be as a clean ingest
// makes it.
func (open Opener) SurviveKills(t *testing.T, documents, kills int, name func(n int) string, restart func()) {
	l := NewLibrary(t, documents)
	start := time.Now()
	if out, err := Ingest(t.Context(), name(1000), l.Dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole := time.Since(start)
	killed := 0
	for n := 0; killed < kills && n < 10*kills; n++ {
		now := name(n / 10)
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(l.r.Int64N(int64(whole))))
		cmd := Ingest(ctx, now, l.Dir)
		if n%10 == 3 {
			cmd.Cancel = func() error { restart(); return nil }
		}
		err := cmd.Run() // a done context kills with SIGKILL
		cancel()
		if err != nil {
			killed++
		}
		if _, err := os.Stat(now); err != nil && !strings.Contains(now, "://") {
			continue // it was killed before it made the file
		}
		open.Dump(t, now)
		if n%10 == 9 {
			if out, err := Ingest(t.Context(), now, l.Dir).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if open.Dump(t, now) != open.Clean(t, l.Dir) {
				t.Fatal("the store is not as a clean ingest makes it")
			}
		}
		for range documents / 3 { // from now on some are new, some are gone
			l.Write(t, l.r.IntN(documents), n+2)
		}
		os.Remove(l.Path(l.r.IntN(documents)))
	}
	if killed < kills {
		t.Errorf("only %d runs were killed", killed)
	}
}
