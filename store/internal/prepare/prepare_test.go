package prepare

import (
	"slices"
	"testing"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/store"
)

// What is searched of a chunk decides whether it stays; what is only said of it
// is written anew.
func TestReplace(t *testing.T) {
	entry := func(change func(records []store.Record)) []store.Entry {
		records := make([]store.Record, 3)
		for i := range records {
			id := string(rune('a' + i))
			records[i] = store.Record{Chunk: chunker.Chunk{ID: id, Index: i, Text: "text of " + id}, Vector: []float32{1, 0}}
		}
		change(records)
		return []store.Entry{{Document: store.Document{ID: "d", Embedder: "e"}, Records: records}}
	}
	before, err := Documents(t.Context(), entry(func([]store.Record) {}))
	if err != nil {
		t.Fatal(err)
	}
	olds := map[string]Old{}
	for i, r := range before[0].Rows {
		olds[r.Record.ID] = Old{Slot: int64(10 + i), Content: r.Content, Position: r.Position, JSON: r.JSON}
	}
	for _, c := range []struct {
		name              string
		change            func(records []store.Record)
		gone, new, redone []int // numbers of chunks
	}{
		{"nothing", func([]store.Record) {}, nil, nil, nil},
		{"text", func(r []store.Record) { r[1].Text = "other" }, []int{1}, []int{1}, nil},
		{"context", func(r []store.Record) { r[1].Context = "other" }, []int{1}, []int{1}, nil},
		{"vector", func(r []store.Record) { r[1].Vector = []float32{0, 1} }, []int{1}, []int{1}, nil},
		{"no vector", func(r []store.Record) { r[1].Vector = nil }, []int{1}, []int{1}, nil},
		{"type", func(r []store.Record) { r[1].Type = chunker.TypeParent }, []int{1}, []int{1}, nil},
		{"id", func(r []store.Record) { r[1].ID = "x" }, []int{1}, []int{1}, nil},
		{"meta", func(r []store.Record) { r[1].Meta = map[string]any{"k": 1} }, nil, nil, []int{1}},
		{"line", func(r []store.Record) { r[1].StartLine = 7 }, nil, nil, []int{1}},
		{"order", func(r []store.Record) { r[1], r[2] = r[2], r[1] }, nil, nil, []int{1, 2}},
	} {
		after, err := Documents(t.Context(), entry(c.change))
		if err != nil {
			t.Fatal(err)
		}
		r := after[0].Replace(olds)
		var gone, isNew, redone []int
		for _, slot := range r.Gone {
			gone = append(gone, int(slot-10))
		}
		for _, row := range r.New {
			isNew = append(isNew, row.Position)
		}
		for _, row := range r.Redone {
			redone = append(redone, row.Position)
			if row.Slot != olds[row.Record.ID].Slot {
				t.Errorf("%s: slot %d", c.name, row.Slot)
			}
		}
		if !slices.Equal(gone, c.gone) || !slices.Equal(isNew, c.new) || !slices.Equal(redone, c.redone) {
			t.Errorf("%s: gone %v, new %v, redone %v", c.name, gone, isNew, redone)
		}
	}
}
