package sqlite

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/storetest"
)

func TestContract(t *testing.T) {
	dirs := t.TempDir()
	setup := storetest.Setup{Chunks: 5000, Open: func(t *testing.T, name string) store.Store {
		s, err := Open(t.Context(), filepath.Join(dirs, name+".db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}}
	if os.Getenv("CANTLE_LONG") != "" {
		setup.Chunks = 100_000
	}
	storetest.Run(t, setup)
}

// Whoever makes the file, all that open it at once find it made.
func TestOpenAtOnce(t *testing.T) {
	dir := t.TempDir()
	for i := range 30 {
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				s, err := Open(t.Context(), filepath.Join(dir, fmt.Sprint(i)))
				if err != nil {
					t.Error(err)
					return
				}
				s.Close()
			})
		}
		all.Wait()
	}
}

// A file of another program stays as it is, to the byte.
func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"tables.db":  "CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')",
		"version.db": "PRAGMA user_version = 7",
		"id.db":      "PRAGMA application_id = 7; CREATE TABLE notes (text TEXT)",
	} {
		path := filepath.Join(dir, name)
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(content); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), "something else") {
			t.Errorf("%s: %v", name, err)
		}
		after, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s is another file than before, %v", name, err)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 3 {
		t.Errorf("there are %v", files)
	}
}

// The table of records has the lines that are printed.
func TestRecordsAreAsPrinted(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e := storetest.Entry("a.md", nil, "a < b && c")
	if err := s.Put(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	want, err := e.Records[0].AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	var got string
	if err := s.read.QueryRow("SELECT record FROM records").Scan(&got); err != nil || got != string(want) {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
}

// What was replaced does not stay in the index for ever.
func TestIndexIsClearedUp(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for v := range 40 {
		texts := make([]string, 500)
		for i := range texts {
			texts[i] = fmt.Sprintf("version %d part %d", v, i)
		}
		if err := s.Put(t.Context(), storetest.Entry("a.md", nil, texts...)); err != nil {
			t.Fatal(err)
		}
	}
	for table, limit := range map[string]int{"blocks": 2, "chunks": 500, "records": 500, "postings": 2000} {
		var n int
		if err := s.read.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n > limit {
			t.Errorf("%s has %d rows, want %d at most", table, n, limit)
		}
	}
}
