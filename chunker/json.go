package chunker

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// AppendJSON appends c as one JSON object without a line end, as encoding/json
// writes it with HTML left as it is. It is written out because the records of a
// fast parser would else take as long to write as the documents to cut.
//
// The only error is that of a value that JSON cannot hold.
func (c *Chunk) AppendJSON(dst []byte) ([]byte, error) {
	o := object{dst: append(dst, '{')}
	o.text("id", c.ID)
	o.text("doc_id", c.DocID)
	o.text("source", c.Source)
	o.text("source_type", c.SourceType)
	o.number("chunk_index", c.Index)
	o.number("total_chunks", c.Total)
	o.text("type", c.Type)
	o.texts("types", c.Types)
	o.texts("section_path", c.SectionPath)
	o.optional("heading", c.Heading)
	o.text("text", c.Text)
	o.text("context", c.Context)
	o.number("tokens", c.Tokens)
	o.number("chunk_size", c.Size)
	o.number("start", c.Start)
	o.number("end", c.End)
	o.number("start_line", c.StartLine)
	o.number("end_line", c.EndLine)
	if c.PageStart != 0 {
		o.number("page_start", c.PageStart)
	}
	if c.PageEnd != 0 {
		o.number("page_end", c.PageEnd)
	}
	o.parts("parts", c.Parts)
	o.optional("language", c.Language)
	if len(c.Symbols) > 0 {
		o.texts("symbols", c.Symbols)
	}
	if c.Table != nil {
		o.table("table", c.Table)
	}
	o.optional("parent_id", c.ParentID)
	o.optional("prev_id", c.PrevID)
	o.optional("next_id", c.NextID)
	o.text("reason", c.Reason)
	if c.Explain != nil {
		if err := o.value("explain", c.Explain); err != nil {
			return dst, err
		}
	}
	if len(c.Flags) > 0 {
		o.texts("flags", c.Flags)
	}
	if len(c.Meta) > 0 {
		if err := o.value("meta", c.Meta); err != nil {
			return dst, err
		}
	}
	return append(o.dst, '}'), nil
}

// An object is a JSON object that is being written.
type object struct {
	dst   []byte
	begun bool
}

func (o *object) name(name string) {
	if o.begun {
		o.dst = append(o.dst, ',')
	}
	o.begun = true
	o.dst = append(o.dst, '"')
	o.dst = append(o.dst, name...)
	o.dst = append(o.dst, '"', ':')
}

func (o *object) text(name, value string) {
	o.name(name)
	o.dst = appendString(o.dst, value)
}

func (o *object) optional(name, value string) {
	if value != "" {
		o.text(name, value)
	}
}

func (o *object) number(name string, value int) {
	o.name(name)
	o.dst = strconv.AppendInt(o.dst, int64(value), 10)
}

// value writes what has no fixed shape.
func (o *object) value(name string, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	o.name(name)
	o.dst = append(o.dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
	return nil
}

func (o *object) texts(name string, values []string) {
	o.name(name)
	if values == nil {
		o.dst = append(o.dst, "null"...)
		return
	}
	o.dst = append(o.dst, '[')
	for i, s := range values {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = appendString(o.dst, s)
	}
	o.dst = append(o.dst, ']')
}

func (o *object) parts(name string, parts []Part) {
	o.name(name)
	if parts == nil {
		o.dst = append(o.dst, "null"...)
		return
	}
	o.dst = append(o.dst, '[')
	for i, p := range parts {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		part := object{dst: append(o.dst, '{')}
		part.text("role", string(p.Role))
		part.number("start", p.Start)
		part.number("end", p.End)
		o.dst = append(part.dst, '}')
	}
	o.dst = append(o.dst, ']')
}

func (o *object) table(name string, t *Table) {
	o.name(name)
	table := object{dst: append(o.dst, '{')}
	table.text("id", t.ID)
	table.number("row_start", t.RowStart)
	table.number("row_end", t.RowEnd)
	table.number("rows", t.Rows)
	if len(t.Columns) > 0 {
		table.texts("columns", t.Columns)
	}
	o.dst = append(table.dst, '}')
}

// appendString appends s as a JSON string. Bytes that are no UTF-8 become
// U+FFFD, as JSON can hold no other.
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			dst = append(dst, s[from:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\b':
				dst = append(dst, '\\', 'b')
			case '\f':
				dst = append(dst, '\\', 'f')
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\r':
				dst = append(dst, '\\', 'r')
			case '\t':
				dst = append(dst, '\\', 't')
			default:
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			from = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(append(dst, s[from:i]...), `\ufffd`...)
			from = i + size
		case r == '\u2028' || r == '\u2029': // line ends to JavaScript
			dst = append(append(dst, s[from:i]...), `\u202`...)
			dst = append(dst, hex[r&15])
			from = i + size
		}
		i += size
	}
	return append(append(dst, s[from:]...), '"')
}
