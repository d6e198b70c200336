package coarse

import (
	"testing"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/store"
)

func TestFilter(t *testing.T) {
	const category = `category = "x" or meta.category = "x" or has_lists = true`
	for _, c := range []struct{ filter, want string }{
		{`doc_id = "a.md"`, `doc_id = "a.md"`},
		{`doc_id ^= "a"`, ""},
		{`doc_id = ""`, ""},
		{`tokens = 3`, ""},
		{`path = "A > B"`, ""},
		{`section_path = "A"`, ""},
		{`not doc_id = "a.md"`, ""},
		{`doc_id = "a.md" and tokens > 3`, `doc_id = "a.md"`},
		{`doc_id = "a.md" and type = "code"`, `doc_id = "a.md" and type = "code"`},
		{`doc_id = "a.md" or type = "code"`, `doc_id = "a.md" or type = "code"`},
		{`doc_id = "a.md" or tokens > 3`, ""},
		{`category = "x"`, category},
		{`meta.category = "x"`, category},
	} {
		f, err := store.ParseFilter(c.filter)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if coarse := Filter(f); coarse != nil {
			got = coarse.String()
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.filter, got, c.want)
		}
	}
}

func TestMetadata(t *testing.T) {
	r := store.Record{Chunk: chunker.Chunk{ID: "a#1", Meta: map[string]any{"deep": map[string]any{"tags": []string{"x"}}}}}
	if m := Metadata(&r); m[HasLists] != true || m["id"] != "a#1" {
		t.Errorf("got %v", m)
	}
	r.Meta = map[string]any{"category": "x"}
	if m := Metadata(&r); m[HasLists] != false || m["category"] != "x" {
		t.Errorf("got %v", m)
	}
}
