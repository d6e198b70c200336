package command

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/cantle/cantle/chunker"
)

// chunksAs returns the documents for tests as chunks in a form.
func chunksAs(t *testing.T, to string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	docs := filepath.Join("..", "..", "testdata")
	if code := Run([]string{"chunk", "--all", "--parents", "1200", "--to", to, filepath.Join(docs, "docs"), filepath.Join(docs, "kb")}, nil, &out, &errs); code != exitFine {
		t.Fatalf("exit status %d: %s", code, &errs)
	}
	return out.Bytes()
}

func chunkRecords(t *testing.T) []chunker.Chunk {
	t.Helper()
	var all []chunker.Chunk
	for line := range bytes.Lines(chunksAs(t, "jsonl")) {
		var c chunker.Chunk
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

func TestParquet(t *testing.T) {
	file := chunksAs(t, "parquet")
	rows, err := parquet.Read[parquetRow](bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	want := chunkRecords(t)
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(rows), len(want))
	}
	for i, r := range rows {
		c := &want[i]
		meta := map[string]any{}
		if err := json.Unmarshal([]byte(r.Meta), &meta); err != nil {
			t.Fatal(err)
		}
		if r.ID != c.ID || r.Text != c.Text || r.Context != c.Context || r.ParentID != c.ParentID || int(r.StartLine) != c.StartLine ||
			strings.Join(r.SectionPath, "|") != strings.Join(c.SectionPath, "|") || len(r.Parts) != len(c.Parts) || len(meta) != len(c.Meta) {
			t.Errorf("row %d is %+v, want %+v", i, r, c)
		}
		if c.Table == nil != (r.Rows == nil) || c.Table != nil && int(*r.RowStart) != c.Table.RowStart {
			t.Errorf("row %d: table %v, want %v", i, r.Rows, c.Table)
		}
	}
	var none bytes.Buffer
	if code := Run([]string{"chunk", "--to", "parquet", t.TempDir()}, nil, &none, io.Discard); code != exitFine {
		t.Fatalf("exit status %d", code)
	}
	if rows, err := parquet.Read[parquetRow](bytes.NewReader(none.Bytes()), int64(none.Len())); err != nil || len(rows) != 0 {
		t.Errorf("no chunks: %v, %v", rows, err)
	}
}

func TestProfiles(t *testing.T) {
	want := chunkRecords(t)
	for _, c := range []struct{ name, id, text, meta string }{
		{"langchain", "id", "page_content", "metadata"},
		{"llamaindex", "id_", "text", "metadata"},
		{"haystack", "id", "content", "meta"},
	} {
		i := 0
		for line := range bytes.Lines(chunksAs(t, c.name)) {
			var got map[string]any
			if err := json.Unmarshal(line, &got); err != nil {
				t.Fatal(err)
			}
			meta, _ := got[c.meta].(map[string]any)
			if got[c.id] != want[i].ID || got[c.text] != want[i].Text || meta["doc_id"] != want[i].DocID {
				t.Errorf("%s: line %d is %s", c.name, i, line)
			}
			for key, v := range meta {
				if k := reflect.TypeOf(v).Kind(); k == reflect.Slice || k == reflect.Map {
					t.Errorf("%s: %s is %v", c.name, key, v)
				}
			}
			i++
		}
		if i != len(want) {
			t.Errorf("%s: %d lines, want %d", c.name, i, len(want))
		}
	}
}

// The programs that the files are for read them: ids, texts and metadata are
// as they should be. $CANTLE_PYTHON names a Python that has them.
func TestReaders(t *testing.T) {
	python := os.Getenv("CANTLE_PYTHON")
	if os.Getenv("CANTLE_LONG") == "" || python == "" {
		t.Skip("only with CANTLE_LONG=1 and CANTLE_PYTHON")
	}
	dir := t.TempDir()
	for _, form := range []string{"jsonl", "parquet", "langchain", "llamaindex", "haystack"} {
		if err := os.WriteFile(filepath.Join(dir, "chunks."+form), chunksAs(t, form), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(python, filepath.Join("testdata", "readers.py"), dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if n := strings.Count(string(out), "read by "); n == 0 {
		t.Errorf("no client is installed: %s", out)
	}
	t.Logf("%s", out)
}
