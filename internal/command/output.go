package command

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cantle/cantle/chunker"
)

// A sink writes chunks in some form.
type sink interface {
	chunk(c *chunker.Chunk) error
	close() error // ends the output; does not close the writer
}

var encoders = map[string]func(io.Writer) sink{
	"jsonl":      func(w io.Writer) sink { return newJSONLines(w) },
	"json":       func(w io.Writer) sink { return &jsonArray{lines: newJSONLines(w)} },
	"csv":        func(w io.Writer) sink { return &csvSink{w: csv.NewWriter(w)} },
	"markdown":   func(w io.Writer) sink { return &markdownSink{w: bufio.NewWriter(w)} },
	"parquet":    newParquet,
	"langchain":  newProfile(langchainLine),
	"llamaindex": newProfile(llamaindexLine),
	"haystack":   newProfile(haystackLine),
}

type jsonLines struct {
	buf  *bufio.Writer
	line []byte
}

func newJSONLines(w io.Writer) *jsonLines {
	return &jsonLines{buf: bufio.NewWriterSize(w, 1<<16)}
}

func (s *jsonLines) chunk(c *chunker.Chunk) (err error) {
	if s.line, err = c.AppendJSON(s.line[:0]); err != nil {
		return err
	}
	s.line = append(s.line, '\n')
	_, err = s.buf.Write(s.line)
	return err
}

func (s *jsonLines) close() error { return s.buf.Flush() }

// jsonArray writes one array of all chunks.
type jsonArray struct {
	lines *jsonLines
	begun bool
}

func (s *jsonArray) chunk(c *chunker.Chunk) error {
	s.lines.buf.WriteString(map[bool]string{false: "[\n", true: ","}[s.begun])
	s.begun = true
	return s.lines.chunk(c)
}

func (s *jsonArray) close() error {
	s.lines.buf.WriteString(map[bool]string{false: "[]\n", true: "]\n"}[s.begun])
	return s.lines.close()
}

// csvSink writes one row a chunk.
type csvSink struct {
	w     *csv.Writer
	begun bool
	cells []string
}

// csvColumns are the fields of a record but for parts and explain. Lists and
// objects are JSON, section_path is a line.
var csvColumns = []struct {
	name string
	cell func(c *chunker.Chunk) string
}{
	{"id", func(c *chunker.Chunk) string { return c.ID }},
	{"doc_id", func(c *chunker.Chunk) string { return c.DocID }},
	{"chunk_index", func(c *chunker.Chunk) string { return strconv.Itoa(c.Index) }},
	{"type", func(c *chunker.Chunk) string { return c.Type }},
	{"section_path", func(c *chunker.Chunk) string { return chunker.JoinPath(c.SectionPath) }},
	{"start_line", func(c *chunker.Chunk) string { return strconv.Itoa(c.StartLine) }},
	{"end_line", func(c *chunker.Chunk) string { return strconv.Itoa(c.EndLine) }},
	{"start", func(c *chunker.Chunk) string { return strconv.Itoa(c.Start) }},
	{"end", func(c *chunker.Chunk) string { return strconv.Itoa(c.End) }},
	{"tokens", func(c *chunker.Chunk) string { return strconv.Itoa(c.Tokens) }},
	{"context", func(c *chunker.Chunk) string { return c.Context }},
	{"text", func(c *chunker.Chunk) string { return c.Text }},
	{"source", func(c *chunker.Chunk) string { return c.Source }},
	{"source_type", func(c *chunker.Chunk) string { return c.SourceType }},
	{"total_chunks", func(c *chunker.Chunk) string { return strconv.Itoa(c.Total) }},
	{"types", func(c *chunker.Chunk) string { return cellJSON(c.Types) }},
	{"heading", func(c *chunker.Chunk) string { return c.Heading }},
	{"chunk_size", func(c *chunker.Chunk) string { return strconv.Itoa(c.Size) }},
	{"page_start", func(c *chunker.Chunk) string { return orEmpty(c.PageStart) }},
	{"page_end", func(c *chunker.Chunk) string { return orEmpty(c.PageEnd) }},
	{"language", func(c *chunker.Chunk) string { return c.Language }},
	{"symbols", func(c *chunker.Chunk) string { return cellJSON(c.Symbols) }},
	{"table", func(c *chunker.Chunk) string { return cellJSON(c.Table) }},
	{"parent_id", func(c *chunker.Chunk) string { return c.ParentID }},
	{"prev_id", func(c *chunker.Chunk) string { return c.PrevID }},
	{"next_id", func(c *chunker.Chunk) string { return c.NextID }},
	{"reason", func(c *chunker.Chunk) string { return c.Reason }},
	{"flags", func(c *chunker.Chunk) string { return cellJSON(c.Flags) }},
	{"meta", func(c *chunker.Chunk) string { return cellJSON(c.Meta) }},
}

// cellJSON returns a list or an object as JSON, "" for none.
func cellJSON(v any) string {
	switch of := reflect.ValueOf(v); {
	case of.IsZero(), of.Kind() != reflect.Pointer && of.Len() == 0:
		return ""
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(v) // cannot fail: JSON lines write it, too
	return strings.TrimSuffix(b.String(), "\n")
}

// orEmpty returns a number that is unknown where it is 0.
func orEmpty(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (s *csvSink) head() {
	if !s.begun {
		s.begun = true
		s.row(nil)
	}
}

// row writes the cells of a chunk, for nil the names of the columns.
func (s *csvSink) row(c *chunker.Chunk) error {
	s.cells = s.cells[:0]
	for _, column := range csvColumns {
		if c == nil {
			s.cells = append(s.cells, column.name)
		} else {
			s.cells = append(s.cells, column.cell(c))
		}
	}
	return s.w.Write(s.cells)
}

func (s *csvSink) chunk(c *chunker.Chunk) error {
	s.head()
	return s.row(c)
}

func (s *csvSink) close() error {
	s.head()
	s.w.Flush()
	return s.w.Error()
}

// markdownSink writes chunks for people to read: a rule and a line about each,
// then its text.
type markdownSink struct {
	w *bufio.Writer
}

func (s *markdownSink) chunk(c *chunker.Chunk) error {
	where := c.Source
	if c.StartLine > 0 {
		where = fmt.Sprintf("%s:%d-%d", c.Source, c.StartLine, c.EndLine)
	}
	about := fmt.Sprintf("%d/%d %s | %s | %d tokens | %s", c.Index+1, c.Total, where, strings.Join(c.SectionPath, " > "), c.Tokens, c.Reason)
	if c.Type == chunker.TypeParent {
		about = fmt.Sprintf("parent %s | %s | %d tokens", where, strings.Join(c.SectionPath, " > "), c.Tokens)
	}
	_, err := fmt.Fprintf(s.w, "<!-- %s -->\n\n%s\n\n", commentEnd.Replace(about), c.Text)
	return err
}

// commentEnd parts what would end a comment.
var commentEnd = strings.NewReplacer("-->", "-- >", "--!>", "--! >")

func (s *markdownSink) close() error { return s.w.Flush() }

// A checkedWriter remembers that a write has failed, for those who do not look
// at each.
type checkedWriter struct {
	io.Writer
	mu     sync.Mutex
	failed error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.failed = cmp.Or(w.failed, err)
	}
	return n, err
}

// error returns the first error of writing.
func (w *checkedWriter) error() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

// finish takes the steps behind work that ended with err, where that is nil or
// errFailed. It returns the first error of more than some input, or else err.
func finish(err error, steps ...func() error) error {
	if err != nil && err != errFailed {
		return err
	}
	for _, step := range steps {
		if failed := step(); failed != nil {
			return failed
		}
	}
	return err
}

// writeWhole calls write with standard output or, where a file is named, with
// one beside it that takes its place once write has returned nil or errFailed
// and all is written.
func writeWhole(stdout io.Writer, name string, write func(io.Writer) error) error {
	if name == "" {
		return write(stdout)
	}
	switch info, err := os.Stat(name); {
	case err == nil && info.IsDir():
		return misuse{fmt.Errorf("--output %s: is a folder", name)}
	case err == nil && !info.Mode().IsRegular(): // a pipe, /dev/null: nothing to put in its place
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return misuse{fmt.Errorf("--output %s: %w", name, plain(err))}
		}
		defer f.Close()
		out := &checkedWriter{Writer: f}
		return finish(write(out), out.error, f.Close)
	}
	temp := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%d.part", filepath.Base(name), os.Getpid()))
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return misuse{fmt.Errorf("--output %s: %w", name, plain(err))}
	}
	defer func() {
		f.Close()
		os.Remove(temp) // fails once it has its name
	}()
	out := &checkedWriter{Writer: f}
	return finish(write(out), out.error, f.Sync, f.Close, func() error { return os.Rename(temp, name) })
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
