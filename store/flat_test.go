package store

import (
	"reflect"
	"testing"

	"github.com/cantle/cantle/chunker"
)

func TestFlat(t *testing.T) {
	c := chunker.Chunk{ID: "i", DocID: "d", Type: "table", Types: []string{"table", "text"}, SectionPath: []string{"A", "B > C"}, Text: "x", Context: "A",
		End: 3, Table: &chunker.Table{ID: "t1", RowEnd: 2, Rows: 9},
		Meta: map[string]any{"category": "ops", "type": "mine", "tags": []any{"a", "b"}, "mixed": []any{"a", 1}, "none": nil, "empty": []any{},
			"owner": map[string]any{"name": "Li", "age": 3}, "ok": true}}
	want := map[string]any{"doc_id": "d", "type": "table", "types": "table, text", "section_path": `A > B \> C`, "context": "A", "chunk_index": 0, "start": 0, "end": 3,
		"table_id": "t1", "table_row_start": 0, "table_row_end": 2, "table_rows": 9,
		"category": "ops", "meta.type": "mine", "tags": "a, b", "mixed": `["a",1]`, "owner.name": "Li", "owner.age": 3.0, "ok": true}
	if got := Flat(&c); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
