package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fullDisk fails to write, as /dev/full does.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// Whoever cannot write says so, whatever else has failed.
func TestFailedWrites(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"docs/a.md": "# Open ports\n\nIt listens on 8080, and on 8081 where that one is taken.\n", "docs/bad.md": "\x00",
		"q.jsonl": `{"question":"Which port?","doc_id":"a.md","answer":"It listens on 8080"}` + "\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, prepare := range []string{"chunk -o chunks.jsonl docs/a.md", "ingest docs/a.md"} {
		if code := Run(strings.Fields(prepare), nil, io.Discard, io.Discard); code != exitFine {
			t.Fatalf("%s: exit status %d", prepare, code)
		}
	}
	for _, line := range []string{
		"chunk docs/a.md", "chunk docs", "chunk --to json docs", "chunk --to csv docs", "chunk --to markdown docs", "chunk --to parquet docs", "chunk --to langchain docs",
		"tree docs/a.md", "formats", "presets", "version", "--help", "chunk --help",
		"stats chunks.jsonl", "stats --json chunks.jsonl", "verify chunks.jsonl docs", "verify --json chunks.jsonl docs",
		"diff chunks.jsonl docs", "diff --summary chunks.jsonl docs",
		"eval --questions q.jsonl docs", "eval --questions q.jsonl --details docs", "scan --questions q.jsonl --sizes 20,40 docs", "eval make docs/a.md",
		"ingest --dry-run docs", "ingest docs", "search port", "search nothing", "search --format json port", "search --format prompt port",
	} {
		var errs bytes.Buffer
		args := strings.Fields(line)
		if code := Run(args, nil, fullDisk{}, &errs); code != exitFailed || !strings.HasSuffix(errs.String(), "cantle: no space left\n") {
			t.Errorf("%s: exit status %d, %q", line, code, &errs)
		}
	}
}

// A file that is not whole does not take its place.
func TestWriteWhole(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	full := errors.New("no space left")
	for _, c := range []struct {
		write error
		want  string
	}{{nil, "new"}, {errFailed, "new"}, {full, "old"}, {errors.Join(full, errFailed), "old"}} {
		if err := os.WriteFile(name, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		err := writeWhole(nil, name, func(w io.Writer) error {
			fmt.Fprint(w, "new")
			return c.write
		})
		if got, _ := os.ReadFile(name); string(got) != c.want || err != c.write {
			t.Errorf("%v: the file is %s, the error %v", c.write, got, err)
		}
	}
}
