package chunker

import (
	"bytes"
	"encoding/json"
	"testing"
)

// viaLibrary is what encoding/json writes.
func viaLibrary(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func TestAppendJSONWritesAsTheLibraryDoes(t *testing.T) {
	full := Chunk{
		ID: "a", DocID: "b", Source: "c", SourceType: "d", Index: 1, Total: 2, Type: "text", Types: []string{"text", "code"},
		SectionPath: []string{"A", "B"}, Heading: "B", Text: "x < y & \"z\"\n", Context: "A > B", Tokens: 3, Size: 4, Start: 5, End: 6,
		StartLine: 7, EndLine: 8, PageStart: 9, PageEnd: 10, Parts: []Part{{RoleHead, 1, 2}, {RoleBody, 3, 4}}, Language: "en",
		Symbols: []string{"f"}, Table: &Table{ID: "t1", RowStart: 1, RowEnd: 2, Rows: 3, Columns: []string{"k"}},
		ParentID: "p", PrevID: "q", NextID: "r", Reason: "s", Flags: []string{FlagForcedCut}, Meta: map[string]any{"n": 1, "l": []any{"<a>"}},
	}
	bare := full
	bare.Table, bare.Meta = &Table{}, nil
	for _, c := range []Chunk{{}, full, bare, {SectionPath: []string{}, Parts: []Part{}}} {
		got, err := c.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		want := viaLibrary(t, &c)
		if string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if _, err := (&Chunk{Meta: map[string]any{"f": func() {}}}).AppendJSON(nil); err == nil {
		t.Error("a function in Meta: no error")
	}
}

func FuzzString(f *testing.F) {
	for _, s := range []string{"", "plain", "\x00\x1f\"\\\b\f\n\r\t\x7f", "é漢🚀\u2028\u2029", "\xff\xc3", "a\xe2\x80b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(appendString(nil, s)), viaLibrary(t, s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	})
}
