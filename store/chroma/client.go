package chroma

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cantle/cantle/chunker"
)

// client speaks HTTP with a server.
type client struct {
	http  *http.Client
	base  string
	token string
}

func newClient(server, token string) *client {
	return &client{&http.Client{Timeout: 5 * time.Minute}, server + "/api/v2/tenants/default_tenant/databases/default_database", token}
}

// A statusError is an answer that is not 2xx.
type statusError struct {
	code    int
	message string
}

func (e *statusError) Error() string { return fmt.Sprintf("%s (status %d)", e.message, e.code) }

// maxAnswer bounds what is read of an answer, bytes.
const maxAnswer = 1 << 30

func (c *client) call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.token != "" {
		req.Header.Set("x-chroma-token", c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return err
	}
	if resp.StatusCode/100 != 2 {
		var said struct{ Message string }
		if json.Unmarshal(answer, &said) != nil || said.Message == "" {
			said.Message = strings.TrimSpace(string(answer[:min(len(answer), 200)]))
		}
		return &statusError{resp.StatusCode, said.Message}
	}
	if out == nil {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(answer))
	dec.UseNumber() // a time in nanoseconds is more than a float64 holds
	return dec.Decode(out)
}

// collection returns the id of a collection, "" where there is none and it is
// not to be made.
func (c *client) collection(ctx context.Context, name, embedder string, create bool) (string, error) {
	var got struct{ ID string }
	if !create {
		err := c.call(ctx, "GET", "/collections/"+url.PathEscape(name), nil, &got)
		var status *statusError
		if errors.As(err, &status) && status.code == http.StatusNotFound {
			return "", nil
		}
		return got.ID, err
	}
	err := c.call(ctx, "POST", "/collections", map[string]any{"name": name, "get_or_create": true,
		"metadata":      map[string]any{"embedder": embedder, "made_by": "cantle"},
		"configuration": map[string]any{"hnsw": map[string]any{"space": "cosine"}}}, &got)
	return got.ID, err
}

// A collection is one of the server's.
type collection struct {
	ID, Name string
	Metadata map[string]any
}

func (c *client) list(ctx context.Context, prefix string) ([]collection, error) {
	const page = 1000
	var found []collection
	for offset := 0; ; offset += page {
		var some []collection
		if err := c.call(ctx, "GET", fmt.Sprintf("/collections?limit=%d&offset=%d", page, offset), nil, &some); err != nil {
			return nil, err
		}
		for _, one := range some {
			if strings.HasPrefix(one.Name, prefix) && one.Metadata["made_by"] == "cantle" {
				found = append(found, one)
			}
		}
		if len(some) < page {
			return found, nil
		}
	}
}

// A query is what a get is asked for.
type query struct {
	IDs           []string `json:"ids,omitempty"`
	Where         any      `json:"where,omitempty"`
	WhereDocument any      `json:"where_document,omitempty"`
	Include       []string `json:"include"`
	Limit         int      `json:"limit,omitempty"`
	Offset        int      `json:"offset,omitempty"`
}

func equal(key string, value any) map[string]any {
	return map[string]any{key: map[string]any{"$eq": value}}
}

func in(key string, values []string) map[string]any {
	return map[string]any{key: map[string]any{"$in": values}}
}

// A record is one of a collection, with what was asked for.
type record struct {
	id       string
	metadata map[string]any
	score    float32 // of a search
}

func (r *record) text(key string) string {
	s, _ := r.metadata[key].(string)
	return s
}

func (r *record) generation() string { return r.text("generation") }
func (r *record) document() string   { return r.text("doc_id") }

// chunk returns the chunk and its position in the document.
func (r *record) chunk() (c chunker.Chunk, position int, err error) {
	n, _ := r.metadata["position"].(json.Number)
	at, _ := n.Int64()
	err = json.Unmarshal([]byte(r.text("record")), &c)
	return c, int(at), err
}

type answer struct {
	IDs       []string
	Metadatas []map[string]any
}

// each calls found for all records of a collection that q asks for; a
// collection of id "" has none.
func (c *client) each(ctx context.Context, collection string, q query, found func(record) error) error {
	if collection == "" {
		return nil
	}
	const page = 1000
	q.Include = []string{"metadatas"}
	ids := q.IDs
	for {
		if ids != nil { // by ids there are no pages, but a list can be long
			q.IDs = ids[:min(page, len(ids))]
			ids = ids[len(q.IDs):]
		} else {
			q.Limit = page
		}
		var a answer
		if err := c.call(ctx, "POST", "/collections/"+collection+"/get", q, &a); err != nil {
			return err
		}
		for i, id := range a.IDs {
			if a.Metadatas[i] == nil {
				continue // it is being written or deleted
			}
			if err := found(record{id: id, metadata: a.Metadatas[i]}); err != nil {
				return err
			}
		}
		q.Offset += page
		switch {
		case ids != nil && len(ids) == 0:
			return nil
		case ids != nil:
			q.Offset = 0
		case len(a.IDs) < page:
			return nil
		}
	}
}

// ids returns the ids of the records that q asks for, at most q.Limit.
func (c *client) ids(ctx context.Context, collection string, q query) ([]string, error) {
	q.Include = []string{}
	var a answer
	err := c.call(ctx, "POST", "/collections/"+collection+"/get", q, &a)
	return a.IDs, err
}

// A batch is records to write.
type batch struct {
	IDs        []string         `json:"ids"`
	Embeddings [][]float32      `json:"embeddings"`
	Documents  []string         `json:"documents"`
	Metadatas  []map[string]any `json:"metadatas"`
}

func (b *batch) add(id string, vector []float32, text string, metadata map[string]any) {
	b.IDs = append(b.IDs, id)
	b.Embeddings = append(b.Embeddings, vector)
	b.Documents = append(b.Documents, text)
	b.Metadatas = append(b.Metadatas, metadata)
}

// add writes records, unless there are such.
func (c *client) add(ctx context.Context, collection string, b *batch) error {
	return c.call(ctx, "POST", "/collections/"+collection+"/add", b, nil)
}

// update changes what is named of a record's metadata, if it is there.
func (c *client) update(ctx context.Context, collection, id string, metadata map[string]any) error {
	return c.call(ctx, "POST", "/collections/"+collection+"/update", map[string]any{"ids": []string{id}, "metadatas": []any{metadata}}, nil)
}

// batchRows is how many records go in one request at most. The server says how
// many it takes, some thousand; 256 with long texts and vectors are large enough.
const batchRows = 256

// upsert writes records in the place of those of the same ids, in their order.
func (c *client) upsert(ctx context.Context, collection string, b *batch) error {
	for from := 0; from < len(b.IDs); from += batchRows {
		to := min(from+batchRows, len(b.IDs))
		some := batch{b.IDs[from:to], b.Embeddings[from:to], b.Documents[from:to], b.Metadatas[from:to]}
		if err := c.call(ctx, "POST", "/collections/"+collection+"/upsert", some, nil); err != nil {
			return err
		}
	}
	return nil
}

// deleteIDs deletes the records of these ids.
func (c *client) deleteIDs(ctx context.Context, collection string, ids []string) error {
	for some := range slices.Chunk(ids, batchRows) {
		if err := c.deleteWhere(ctx, collection, some, nil); err != nil {
			return err
		}
	}
	return nil
}

// deleteWhere deletes the records that a filter lets through, of all or of these
// ids. A collection of id "" has none.
func (c *client) deleteWhere(ctx context.Context, collection string, ids []string, where any) error {
	if collection == "" {
		return nil
	}
	return c.call(ctx, "POST", "/collections/"+collection+"/delete", map[string]any{"ids": ids, "where": where}, nil)
}
