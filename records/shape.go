package records

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// A Shape says where in a JSON object the fields of a record are found.
type Shape struct {
	Name  string
	Chars bool // offsets count characters, not bytes

	marks  []string            // a record of this shape has all of these
	fields map[string][]string // field to the paths to look at, in order
}

// FieldNames are the fields that [Shape.Map] can place.
var FieldNames = []string{"id", "doc", "text", "context", "path", "index", "start", "end", "start_line", "end_line", "size", "type", "language"}

// shapes, the most telling first.
var shapes = []Shape{
	{
		Name: "cantle", marks: []string{"text", "doc_id", "chunk_index"},
		fields: map[string][]string{
			"id": {"id"}, "doc": {"doc_id"}, "text": {"text"}, "context": {"context"}, "path": {"section_path"},
			"index": {"chunk_index"}, "start": {"start"}, "end": {"end"}, "start_line": {"start_line"}, "end_line": {"end_line"},
			"size": {"tokens"}, "type": {"type"}, "language": {"language"},
		},
	},
	{
		Name: "langchain", marks: []string{"page_content"}, Chars: true,
		fields: map[string][]string{
			"id": {"id", "metadata.id"}, "doc": {"metadata.source", "metadata.file_path"}, "text": {"page_content"},
			"path": {"metadata"}, "index": {"metadata.chunk_index"}, "start": {"metadata.start_index"},
		},
	},
	{
		Name: "langchain", marks: []string{"kwargs.page_content"}, Chars: true,
		fields: map[string][]string{
			"id": {"kwargs.id"}, "doc": {"kwargs.metadata.source", "kwargs.metadata.file_path"}, "text": {"kwargs.page_content"},
			"path": {"kwargs.metadata"}, "start": {"kwargs.metadata.start_index"},
		},
	},
	{
		Name: "llamaindex", marks: []string{"text", "id_"}, Chars: true,
		fields: map[string][]string{
			"id": {"id_"}, "doc": {"metadata.file_path", "metadata.file_name", "metadata.source", "ref_doc_id", "relationships.1.node_id"},
			"text": {"text"}, "path": {"metadata"}, "start": {"start_char_idx"}, "end": {"end_char_idx"},
		},
	},
	{
		Name: "unstructured", marks: []string{"text", "element_id"},
		fields: map[string][]string{
			"id": {"element_id"}, "doc": {"metadata.filename"}, "text": {"text"}, "path": {"metadata.section_path"}, "type": {"type"},
		},
	},
	{
		Name: "docling", marks: []string{"text", "meta.doc_items"},
		fields: map[string][]string{
			"doc": {"meta.origin.filename", "source"}, "text": {"text"}, "path": {"meta.headings"},
		},
	},
	{
		Name: "chonkie", marks: []string{"text", "start_index", "token_count"}, Chars: true,
		fields: map[string][]string{
			"id": {"id"}, "doc": {"doc_id", "source"}, "text": {"text"}, "context": {"context"},
			"start": {"start_index"}, "end": {"end_index"}, "size": {"token_count"},
		},
	},
	{
		Name: "haystack", marks: []string{"content"}, Chars: true,
		fields: map[string][]string{
			"id": {"id"}, "doc": {"meta.file_path", "meta.source", "meta.source_id"}, "text": {"content"},
			"path": {"meta.parent_headers"}, "index": {"meta.split_id"}, "start": {"meta.split_idx_start"},
		},
	},
	{
		Name: "plain", marks: []string{"text"},
		fields: map[string][]string{
			"id": {"id"}, "doc": {"doc", "doc_id", "source", "path", "file", "metadata.source"}, "text": {"text"}, "context": {"context"},
			"path": {"section_path", "headings"}, "index": {"index", "chunk_index"}, "start": {"start"}, "end": {"end"},
			"start_line": {"start_line"}, "end_line": {"end_line"}, "size": {"tokens"}, "type": {"type"}, "language": {"language"},
		},
	},
}

// Detect returns the shape of a record, by the fields that it has. Where it
// has the text in none of the known places, that of plain is returned.
func Detect(line []byte) Shape {
	for _, s := range shapes {
		if !slices.ContainsFunc(s.marks, func(m string) bool { return !gjson.GetBytes(line, m).Exists() }) {
			return s
		}
	}
	return shapes[len(shapes)-1]
}

// ParseMap reads a mapping in the form text=page_content,doc=metadata.source:
// a field of [FieldNames] and the path to its value in the object, in the
// syntax of github.com/tidwall/gjson.
func ParseMap(s string) (map[string]string, error) {
	m := map[string]string{}
	for pair := range strings.SplitSeq(s, ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		field, path, ok := strings.Cut(pair, "=")
		switch {
		case !ok || path == "":
			return nil, fmt.Errorf("%q is not of the form field=path", pair)
		case !slices.Contains(FieldNames, field):
			return nil, fmt.Errorf("%q is none of the fields %s", field, strings.Join(FieldNames, ", "))
		}
		m[field] = path
	}
	return m, nil
}

// Map returns s with the fields of m found where m says.
func (s Shape) Map(m map[string]string) Shape {
	fields := make(map[string][]string, len(s.fields))
	for field, paths := range s.fields {
		fields[field] = paths
	}
	for field, path := range m {
		fields[field] = []string{path}
	}
	s.fields = fields
	return s
}
