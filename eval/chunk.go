package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
)

// A Chunk is what can be retrieved.
type Chunk struct {
	DocID   string
	Spans   Spans // the source it stands for: a union; a header repeated from before is not part of it
	Text    string
	Context string // goes before the text, a blank line between, and is paid for
	Tokens  int    // of Full
}

// Full returns context and text.
func (c *Chunk) Full() string {
	if c.Context == "" {
		return c.Text
	}
	return c.Context + "\n\n" + c.Text
}

// FromRecords returns cantle's chunks as this package takes them. Parents are
// left out: they are what is handed on, not what is searched.
func FromRecords(records []chunker.Chunk) []Chunk {
	var out []Chunk
	for i := range records {
		r := &records[i]
		if r.Type == chunker.TypeParent || strings.TrimSpace(r.Text) == "" {
			continue
		}
		out = append(out, Chunk{DocID: r.DocID, Spans: evidence(r.Parts).union(), Text: r.Text, Context: r.Context})
	}
	return out
}

// evidence is what of the source a chunk says: its own text and the overlap.
func evidence(parts []chunker.Part) Spans {
	var s Spans
	for _, p := range parts {
		if p.Role == chunker.RoleBody || p.Role == chunker.RoleOverlap {
			s = append(s, ast.Span{Start: p.Start, End: p.End})
		}
	}
	return s
}

// record is a line of a file of chunks: of cantle or of any other program.
type record struct {
	DocID   string         `json:"doc_id"`
	Type    string         `json:"type"`
	Start   *int           `json:"start"`
	End     *int           `json:"end"`
	Spans   Spans          `json:"spans"`
	Parts   []chunker.Part `json:"parts"`
	Text    *string        `json:"text"`
	Context string         `json:"context"`
}

func (r *record) spans() (Spans, error) {
	switch {
	case len(r.Spans) > 0:
		return r.Spans.union(), nil
	case len(r.Parts) > 0:
		return evidence(r.Parts).union(), nil
	case r.Start == nil || r.End == nil || *r.Start < 0 || *r.End < *r.Start:
		return nil, fmt.Errorf("chunk of %s: it has no spans, nor start and end", r.DocID)
	}
	return Spans{{Start: *r.Start, End: *r.End}}.union(), nil
}

// ReadChunks reads chunks as JSON lines: doc_id, start and end (or spans, or
// cantle's parts), text and context. Where there is no text it is that of the
// source. Every chunk must lie within its document.
func ReadChunks(r io.Reader, documents map[string][]byte) ([]Chunk, error) {
	var out []Chunk
	err := eachLine(r, func(line int, b []byte) error {
		var rec record
		if err := json.Unmarshal(b, &rec); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if rec.Type == chunker.TypeParent {
			return nil
		}
		src, ok := documents[rec.DocID]
		if !ok {
			return fmt.Errorf("line %d: there is no document %q", line, rec.DocID)
		}
		spans, err := rec.spans()
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if n := len(spans); n > 0 && spans[n-1].End > len(src) {
			return fmt.Errorf("line %d: the chunk ends at byte %d, document %s at %d", line, spans[n-1].End, rec.DocID, len(src))
		}
		c := Chunk{DocID: rec.DocID, Spans: spans, Context: rec.Context}
		if rec.Text != nil {
			c.Text = *rec.Text
		} else {
			var text strings.Builder
			for _, s := range spans {
				text.Write(src[s.Start:s.End])
			}
			c.Text = text.String()
		}
		if strings.TrimSpace(c.Text) != "" {
			out = append(out, c)
		}
		return nil
	})
	return out, err
}
