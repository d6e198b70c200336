package records

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/cantle/cantle/chunker"
)

// A Record is what is known of a chunk. Fields that the record did not have
// are "" or nil, numbers -1.
type Record struct {
	ID, Doc       string
	Text, Context string
	Path          []string // titles of the sections around it, outermost first
	Type          string
	Language      string
	Index         int
	Start, End    int // in the document: bytes, or characters where Chars is set
	Chars         bool
	StartLine     int // from 1
	EndLine       int
	Size          int            // as the chunker counted it
	Parts         []chunker.Part // where the parts of Text come from, in cantle's records
	Line          int            // of the JSON lines, from 1
}

// Of returns the record of a chunk as it would be read back.
func Of(c *chunker.Chunk) Record {
	return Record{
		ID: c.ID, Doc: c.DocID, Text: c.Text, Context: c.Context, Path: c.SectionPath, Type: c.Type, Language: c.Language,
		Index: c.Index, Start: c.Start, End: c.End, StartLine: c.StartLine, EndLine: c.EndLine, Size: c.Tokens, Parts: c.Parts,
	}
}

// Embedded returns context and text as an embedding model is given them.
func (r *Record) Embedded() string {
	if r.Context == "" {
		return r.Text
	}
	return r.Context + "\n\n" + r.Text
}

// A LineError says which line could not be read.
type LineError struct {
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

var (
	errNotJSON = errors.New("not a JSON object; want JSON lines, an object a line")
	errNoText  = errors.New("no text found; name its field, as in --map text=page_content")
)

// Read calls use with each record of r and the line it was read from, which is
// valid until use returns. The shape is that of the first record, changed by
// mapping. Blank lines are passed over. The error is a [*LineError], that of r,
// or that of use.
func Read(r io.Reader, mapping map[string]string, use func(rec *Record, line []byte) error) error {
	var shape *Shape
	return eachLine(r, func(n int, _ int64, line []byte) error {
		if shape == nil {
			if err := otherForm(line); err != nil {
				return &LineError{n, err}
			}
			s := Detect(line).Map(mapping)
			shape = &s
		}
		rec, err := shape.record(line)
		if err != nil {
			return &LineError{n, err}
		}
		rec.Line = n
		return use(&rec, line)
	})
}

// otherForm returns an error that says what a file is whose first line is not
// that of JSON lines, where that is one of the other forms that chunks have.
func otherForm(line []byte) error {
	for _, form := range [...]struct{ begins, name string }{{"PAR1", "a Parquet file"}, {"[", "a JSON array"}, {"id,doc_id,", "CSV"}, {"<!-- ", "Markdown"}} {
		if bytes.HasPrefix(line, []byte(form.begins)) {
			return fmt.Errorf("this is %s; want JSON lines, an object a line, as 'cantle chunk' writes without --to", form.name)
		}
	}
	return nil
}

// eachLine calls use with the number, the offset and the text of each line
// that is not blank.
func eachLine(r io.Reader, use func(n int, offset int64, line []byte) error) error {
	in := bufio.NewReaderSize(r, 1<<16)
	var long []byte
	offset := int64(0)
	for n := 1; ; n++ {
		line, err := in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = long[:0]
			for err == bufio.ErrBufferFull {
				long = append(long, line...)
				line, err = in.ReadSlice('\n')
			}
			long = append(long, line...)
			line = long
		}
		if err != nil && err != io.EOF {
			return err
		}
		if strings.TrimSpace(string(line)) != "" {
			if e := use(n, offset, line); e != nil {
				return e
			}
		}
		if err == io.EOF {
			return nil
		}
		offset += int64(len(line))
	}
}

// record reads a line.
func (s *Shape) record(line []byte) (Record, error) {
	if !gjson.ValidBytes(line) {
		return Record{}, errNotJSON
	}
	obj := gjson.ParseBytes(line)
	if !obj.IsObject() {
		return Record{}, errNotJSON
	}
	text := s.field(obj, "text")
	if text.Type != gjson.String {
		return Record{}, errNoText
	}
	r := Record{
		ID: s.string(obj, "id"), Doc: s.string(obj, "doc"), Text: text.String(), Context: s.string(obj, "context"),
		Path: titles(s.field(obj, "path")), Type: s.string(obj, "type"), Language: s.string(obj, "language"),
		Index: s.number(obj, "index"), Start: s.number(obj, "start"), End: s.number(obj, "end"), Chars: s.Chars,
		StartLine: s.number(obj, "start_line"), EndLine: s.number(obj, "end_line"), Size: s.number(obj, "size"),
	}
	if s.Name == "cantle" {
		for _, p := range obj.Get("parts").Array() {
			r.Parts = append(r.Parts, chunker.Part{Role: chunker.Role(p.Get("role").String()), Start: int(p.Get("start").Int()), End: int(p.Get("end").Int())})
		}
	}
	return r, nil
}

func (s *Shape) field(obj gjson.Result, name string) gjson.Result {
	for _, path := range s.fields[name] {
		if v := obj.Get(path); v.Exists() && v.Type != gjson.Null {
			return v
		}
	}
	return gjson.Result{}
}

func (s *Shape) string(obj gjson.Result, name string) string { return s.field(obj, name).String() }

func (s *Shape) number(obj gjson.Result, name string) int {
	if v := s.field(obj, name); v.Type == gjson.Number {
		return int(v.Int())
	}
	return -1
}

// titles reads a section path: a list, a line joined by " > " or "/", or an
// object in which LangChain keeps "Header 1" and LlamaIndex "header_path".
func titles(v gjson.Result) []string {
	var path []string
	switch {
	case v.IsArray():
		for _, t := range v.Array() {
			path = append(path, t.String())
		}
	case v.IsObject():
		v.ForEach(func(key, value gjson.Result) bool {
			switch k := strings.ToLower(key.String()); {
			case k == "header_path":
				path = append(path, titles(value)...)
			case strings.HasPrefix(k, "header") || strings.HasPrefix(k, "h") && len(k) == 2:
				path = append(path, value.String())
			}
			return true
		})
	case strings.Contains(v.String(), " > "):
		return chunker.SplitPath(v.String())
	case v.Type == gjson.String:
		for t := range strings.SplitSeq(v.String(), "/") {
			if t != "" {
				path = append(path, t)
			}
		}
	}
	return path
}
