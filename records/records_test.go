package records_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/cantle/cantle/records"
)

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		line, shape string
		want        records.Record
	}{
		{`{"id":"a","doc_id":"d.md","chunk_index":2,"text":"t","context":"c","section_path":["A","B"],"start":3,"end":4,"start_line":1,"end_line":2,"tokens":9,"type":"text","language":"en"}`, "cantle",
			records.Record{ID: "a", Doc: "d.md", Text: "t", Context: "c", Path: []string{"A", "B"}, Type: "text", Language: "en", Index: 2, Start: 3, End: 4, StartLine: 1, EndLine: 2, Size: 9}},
		{`{"page_content":"t","metadata":{"source":"d.md","start_index":7,"Header 1":"A","Header 2":"B"}}`, "langchain",
			records.Record{Doc: "d.md", Text: "t", Path: []string{"A", "B"}, Chars: true, Index: -1, Start: 7, End: -1, StartLine: -1, EndLine: -1, Size: -1}},
		{`{"lc":1,"kwargs":{"page_content":"t","metadata":{"source":"d.md"}}}`, "langchain",
			records.Record{Doc: "d.md", Text: "t", Chars: true, Index: -1, Start: -1, End: -1, StartLine: -1, EndLine: -1, Size: -1}},
		{`{"id_":"a","text":"t","metadata":{"file_name":"d.md","header_path":"/A/B/"},"start_char_idx":1,"end_char_idx":null}`, "llamaindex",
			records.Record{ID: "a", Doc: "d.md", Text: "t", Path: []string{"A", "B"}, Chars: true, Index: -1, Start: 1, End: -1, StartLine: -1, EndLine: -1, Size: -1}},
		{`{"type":"CompositeElement","element_id":"a","text":"t","metadata":{"filename":"d.md"}}`, "unstructured",
			records.Record{ID: "a", Doc: "d.md", Text: "t", Type: "CompositeElement", Index: -1, Start: -1, End: -1, StartLine: -1, EndLine: -1, Size: -1}},
		{`{"text":"t","meta":{"doc_items":[],"headings":["A"],"origin":{"filename":"d.md"}}}`, "docling",
			records.Record{Doc: "d.md", Text: "t", Path: []string{"A"}, Index: -1, Start: -1, End: -1, StartLine: -1, EndLine: -1, Size: -1}},
		{`{"id":"a","text":"t","start_index":0,"end_index":1,"token_count":1}`, "chonkie",
			records.Record{ID: "a", Text: "t", Chars: true, Index: -1, Start: 0, End: 1, StartLine: -1, EndLine: -1, Size: 1}},
		{`{"content":"t","meta":{"file_path":"d.md","split_id":3}}`, "haystack",
			records.Record{Doc: "d.md", Text: "t", Chars: true, Index: 3, Start: -1, End: -1, StartLine: -1, EndLine: -1, Size: -1}},
	} {
		if got := records.Detect([]byte(c.line)).Name; got != c.shape {
			t.Errorf("%s: taken for %s", c.line, got)
		}
		c.want.Line = 1
		err := records.Read(strings.NewReader(c.line), nil, func(r *records.Record, _ []byte) error {
			if !reflect.DeepEqual(*r, c.want) {
				t.Errorf("%s:\ngot  %+v\nwant %+v", c.shape, *r, c.want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestMap(t *testing.T) {
	m, err := records.ParseMap("text=body.plain, doc=file")
	if err != nil {
		t.Fatal(err)
	}
	err = records.Read(strings.NewReader(`{"body":{"plain":"t"},"file":"d"}`), m, func(r *records.Record, _ []byte) error {
		if r.Text != "t" || r.Doc != "d" {
			t.Errorf("got %+v", r)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"text", "text=", "colour=red"} {
		if _, err := records.ParseMap(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestBadLines(t *testing.T) {
	for _, in := range []string{"{\"text\":\"a\"}\n\n{\"text\":", "{\"text\":\"a\"}\n\n[1]", "{\"text\":\"a\"}\n\n{\"body\":\"b\"}", "{\"text\":\"a\"}\n\n{\"text\":3}"} {
		n := 0
		err := records.Read(strings.NewReader(in), nil, func(*records.Record, []byte) error { n++; return nil })
		var bad *records.LineError
		if n != 1 || !errors.As(err, &bad) || bad.Line != 3 {
			t.Errorf("%q: %d records, %v", in, n, err)
		}
	}
}

// Chunks in another form than JSON lines are said to be so.
func TestOtherForms(t *testing.T) {
	for in, want := range map[string]string{
		"[\n{\"text\":\"a\"}\n]": "JSON array", `[{"text":"a"}]`: "JSON array", "PAR1\x15\x00": "Parquet", "id,doc_id,text\na,b,c": "CSV",
		"<!-- 1/1 a.md | ": "Markdown", "# Text": "not a JSON object",
	} {
		err := records.Read(strings.NewReader(in), nil, nil)
		_, indexErr := records.NewIndex(strings.NewReader(in), int64(len(in)), nil)
		if err == nil || !strings.Contains(err.Error(), want) || indexErr == nil || indexErr.Error() != err.Error() {
			t.Errorf("%q: %v, %v", in, err, indexErr)
		}
	}
}

// The records of a document are found wherever they stand; lines may be longer
// than any buffer.
func TestIndex(t *testing.T) {
	long := strings.Repeat("x", 200000)
	in := `{"doc":"a","text":"1"}` + "\n" + `{"doc":"b","text":"` + long + `"}` + "\n\n" + `{"doc":"b","type":"parent","text":"p"}` + "\n" + `{"doc":"a","text":"3"}`
	x, err := records.NewIndex(strings.NewReader(in), int64(len(in)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Documents(); !reflect.DeepEqual(got, []string{"a", "b"}) {
		t.Errorf("got %v", got)
	}
	if x.Parents() != 1 {
		t.Errorf("%d parents, want 1", x.Parents())
	}
	for doc, want := range map[string][]string{"a": {"1", "3"}, "b": {long}} {
		recs, err := x.Records(doc)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range recs {
			got = append(got, r.Text)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d records", doc, len(got))
		}
	}
}
