package command

import (
	"bufio"
	"encoding/json"
	"io"
	"maps"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/store"
)

// Frameworks read lines of JSON each under field names of their own, and take
// another's line in silence as an empty text. So there is a profile for each.
// In all of them the metadata is flat, for the databases behind them take
// nothing else.

// profileSink writes a line of JSON a chunk.
type profileSink struct {
	buf  *bufio.Writer
	enc  *json.Encoder
	line func(c *chunker.Chunk) any
}

func newProfile(line func(*chunker.Chunk) any) func(io.Writer) sink {
	return func(w io.Writer) sink {
		buf := bufio.NewWriterSize(w, 1<<16)
		enc := json.NewEncoder(buf)
		enc.SetEscapeHTML(false)
		return profileSink{buf, enc, line}
	}
}

func (s profileSink) chunk(c *chunker.Chunk) error { return s.enc.Encode(s.line(c)) }
func (s profileSink) close() error                 { return s.buf.Flush() }

// langchainLine is for langchain_core.documents.Document(**line).
func langchainLine(c *chunker.Chunk) any {
	return struct {
		ID          string         `json:"id"`
		PageContent string         `json:"page_content"`
		Metadata    map[string]any `json:"metadata"`
	}{c.ID, c.Text, store.Flat(c)}
}

// haystackLine is for haystack.Document.from_dict(line).
func haystackLine(c *chunker.Chunk) any {
	return struct {
		ID      string         `json:"id"`
		Content string         `json:"content"`
		Meta    map[string]any `json:"meta"`
	}{c.ID, c.Text, store.Flat(c)}
}

// llamaNode is for llama_index.core.schema.TextNode(**line). That one puts all
// metadata in front of the text, to embed it and for the model, unless told
// which keys to leave out: all, and all but the context.
type llamaNode struct {
	ID            string                  `json:"id_"`
	Text          string                  `json:"text"`
	Metadata      map[string]any          `json:"metadata"`
	Relationships map[string]llamaRelated `json:"relationships"`
	NotEmbedded   []string                `json:"excluded_embed_metadata_keys"`
	NotShown      []string                `json:"excluded_llm_metadata_keys"`
}

type llamaRelated struct {
	NodeID string `json:"node_id"`
}

func llamaindexLine(c *chunker.Chunk) any {
	n := llamaNode{ID: c.ID, Text: c.Text, Metadata: store.Flat(c), Relationships: map[string]llamaRelated{}}
	for kind, id := range map[string]string{"1": c.DocID, "2": c.PrevID, "3": c.NextID, "4": c.ParentID} { // its NodeRelationship
		if id != "" {
			n.Relationships[kind] = llamaRelated{id}
		}
	}
	n.NotEmbedded = slices.Sorted(maps.Keys(n.Metadata))
	n.NotShown = slices.DeleteFunc(slices.Clone(n.NotEmbedded), func(key string) bool { return key == "context" })
	return n
}

// parquetRow is the record as columns. Numbers that do not apply are null.
type parquetRow struct {
	ID          string        `parquet:"id"`
	DocID       string        `parquet:"doc_id,dict"`
	Source      string        `parquet:"source,dict"`
	SourceType  string        `parquet:"source_type,dict"`
	Index       int64         `parquet:"chunk_index"`
	Total       int64         `parquet:"total_chunks"`
	Type        string        `parquet:"type,dict"`
	Types       []string      `parquet:"types,list"`
	SectionPath []string      `parquet:"section_path,list"`
	Heading     string        `parquet:"heading"`
	Text        string        `parquet:"text"`
	Context     string        `parquet:"context"`
	Tokens      int64         `parquet:"tokens"`
	Size        int64         `parquet:"chunk_size"`
	Start       int64         `parquet:"start"`
	End         int64         `parquet:"end"`
	StartLine   int64         `parquet:"start_line"`
	EndLine     int64         `parquet:"end_line"`
	PageStart   int64         `parquet:"page_start,optional"`
	PageEnd     int64         `parquet:"page_end,optional"`
	Parts       []parquetPart `parquet:"parts,list"`
	Language    string        `parquet:"language,optional,dict"`
	Symbols     []string      `parquet:"symbols,list"`
	TableID     string        `parquet:"table_id,optional"`
	RowStart    *int64        `parquet:"table_row_start,optional"`
	RowEnd      *int64        `parquet:"table_row_end,optional"`
	Rows        *int64        `parquet:"table_rows,optional"`
	Columns     []string      `parquet:"table_columns,list"`
	ParentID    string        `parquet:"parent_id,optional"`
	PrevID      string        `parquet:"prev_id,optional"`
	NextID      string        `parquet:"next_id,optional"`
	Reason      string        `parquet:"reason,dict"`
	Flags       []string      `parquet:"flags,list"`
	Meta        string        `parquet:"meta,dict"` // JSON: its keys differ from document to document
}

type parquetPart struct {
	Role  string `parquet:"role,dict"`
	Start int64  `parquet:"start"`
	End   int64  `parquet:"end"`
}

// parquetGroup is how many rows are held in memory and stand together in the
// file.
const parquetGroup = 16384

type parquetSink struct {
	w *parquet.GenericWriter[parquetRow]
	n int
}

func newParquet(w io.Writer) sink {
	return &parquetSink{w: parquet.NewGenericWriter[parquetRow](w, parquet.Compression(&zstd.Codec{}), parquet.CreatedBy("cantle", version(), ""))}
}

func (s *parquetSink) chunk(c *chunker.Chunk) error {
	row := parquetRow{ID: c.ID, DocID: c.DocID, Source: c.Source, SourceType: c.SourceType, Index: int64(c.Index), Total: int64(c.Total),
		Type: c.Type, Types: c.Types, SectionPath: c.SectionPath, Heading: c.Heading, Text: c.Text, Context: c.Context,
		Tokens: int64(c.Tokens), Size: int64(c.Size), Start: int64(c.Start), End: int64(c.End), StartLine: int64(c.StartLine), EndLine: int64(c.EndLine),
		PageStart: int64(c.PageStart), PageEnd: int64(c.PageEnd), Language: c.Language, Symbols: c.Symbols,
		ParentID: c.ParentID, PrevID: c.PrevID, NextID: c.NextID, Reason: c.Reason, Flags: c.Flags, Meta: "{}"}
	for _, p := range c.Parts {
		row.Parts = append(row.Parts, parquetPart{string(p.Role), int64(p.Start), int64(p.End)})
	}
	if t := c.Table; t != nil {
		start, end, rows := int64(t.RowStart), int64(t.RowEnd), int64(t.Rows)
		row.TableID, row.RowStart, row.RowEnd, row.Rows, row.Columns = t.ID, &start, &end, &rows, t.Columns
	}
	if len(c.Meta) > 0 {
		b, err := json.Marshal(c.Meta)
		if err != nil {
			return err
		}
		row.Meta = string(b)
	}
	if _, err := s.w.Write([]parquetRow{row}); err != nil {
		return err
	}
	if s.n++; s.n%parquetGroup == 0 {
		return s.w.Flush()
	}
	return nil
}

func (s *parquetSink) close() error { return s.w.Close() }
