package store

import (
	"strings"
	"unicode"

	"github.com/cantle/cantle/chunker"
)

// A Kind is the type of a field.
type Kind int

const (
	Text   Kind = iota // a string
	Number             // a whole number
	List               // strings
)

// A Field is a field of the record that a filter can name.
type Field struct {
	Name string // as in the record
	Kind Kind

	text   func(c *chunker.Chunk) string
	number func(c *chunker.Chunk) int
	list   func(c *chunker.Chunk) []string
}

// Fields are the fields of the record that a filter can name. path is
// section_path in its joined form. All other names are keys of meta.
var Fields = []Field{
	{Name: "id", text: func(c *chunker.Chunk) string { return c.ID }},
	{Name: "doc_id", text: func(c *chunker.Chunk) string { return c.DocID }},
	{Name: "source", text: func(c *chunker.Chunk) string { return c.Source }},
	{Name: "source_type", text: func(c *chunker.Chunk) string { return c.SourceType }},
	{Name: "type", text: func(c *chunker.Chunk) string { return c.Type }},
	{Name: "path", text: func(c *chunker.Chunk) string { return chunker.JoinPath(c.SectionPath) }},
	{Name: "heading", text: func(c *chunker.Chunk) string { return c.Heading }},
	{Name: "language", text: func(c *chunker.Chunk) string { return c.Language }},
	{Name: "reason", text: func(c *chunker.Chunk) string { return c.Reason }},
	{Name: "parent_id", text: func(c *chunker.Chunk) string { return c.ParentID }},
	{Name: "types", Kind: List, list: func(c *chunker.Chunk) []string { return c.Types }},
	{Name: "section_path", Kind: List, list: func(c *chunker.Chunk) []string { return c.SectionPath }},
	{Name: "symbols", Kind: List, list: func(c *chunker.Chunk) []string { return c.Symbols }},
	{Name: "flags", Kind: List, list: func(c *chunker.Chunk) []string { return c.Flags }},
	{Name: "chunk_index", Kind: Number, number: func(c *chunker.Chunk) int { return c.Index }},
	{Name: "total_chunks", Kind: Number, number: func(c *chunker.Chunk) int { return c.Total }},
	{Name: "tokens", Kind: Number, number: func(c *chunker.Chunk) int { return c.Tokens }},
	{Name: "chunk_size", Kind: Number, number: func(c *chunker.Chunk) int { return c.Size }},
	{Name: "start_line", Kind: Number, number: func(c *chunker.Chunk) int { return c.StartLine }},
	{Name: "end_line", Kind: Number, number: func(c *chunker.Chunk) int { return c.EndLine }},
	{Name: "page_start", Kind: Number, number: func(c *chunker.Chunk) int { return c.PageStart }},
	{Name: "page_end", Kind: Number, number: func(c *chunker.Chunk) int { return c.PageEnd }},
}

// Value returns the field's value of c: a string, an int or a list of strings.
func (f *Field) Value(c *chunker.Chunk) any {
	switch f.Kind {
	case Number:
		return f.number(c)
	case List:
		return f.list(c)
	}
	return f.text(c)
}

// FieldOf returns the field of that name.
func FieldOf(name string) (*Field, bool) {
	for i := range Fields {
		if Fields[i].Name == name {
			return &Fields[i], true
		}
	}
	return nil, false
}

func isBlank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) }) < 0
}
