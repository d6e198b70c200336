package command

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
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

// csvSink writes the fields that fit into a cell, one row a chunk.
type csvSink struct {
	w     *csv.Writer
	begun bool
}

var csvColumns = []string{"id", "doc_id", "chunk_index", "type", "section_path", "start_line", "end_line", "start", "end", "tokens", "context", "text"}

func (s *csvSink) head() {
	if !s.begun {
		s.begun = true
		s.w.Write(csvColumns)
	}
}

func (s *csvSink) chunk(c *chunker.Chunk) error {
	s.head()
	return s.w.Write([]string{c.ID, c.DocID, strconv.Itoa(c.Index), c.Type, chunker.JoinPath(c.SectionPath),
		strconv.Itoa(c.StartLine), strconv.Itoa(c.EndLine), strconv.Itoa(c.Start), strconv.Itoa(c.End), strconv.Itoa(c.Tokens), c.Context, c.Text})
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
	path := strings.NewReplacer("--", "- -").Replace(chunker.JoinPath(c.SectionPath))
	_, err := fmt.Fprintf(s.w, "<!-- %d/%d %s | %s | %d tokens | %s -->\n\n%s\n\n", c.Index+1, c.Total, where, path, c.Tokens, c.Reason, c.Text)
	return err
}

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
