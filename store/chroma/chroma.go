// Package chroma keeps a store on a Chroma server, over its HTTP API v2.
//
// A store NAME is some collections: NAME-manifest holds a record for each
// document, NAME-EMBEDDER the chunks with the vectors of that embedder, and
// NAME-plain those without, parents among them. A chunk's document is its
// context and text, its metadata store.Flat and the whole record as JSON, so
// other clients of Chroma can use the collections too.
//
// Chroma has no transactions, so each put of a document writes its chunks under
// a generation of their own, and then the one record of the manifest that says
// which generation is the document: what a searcher sees changes at once. What
// a crash leaves behind is noted in the manifest before it is written, is seen by
// nobody, and is cleared at the next put of the document. Writers take turns by
// a lock in the manifest; a searcher to whom the epoch there says that one came to
// its end meanwhile searches again.
//
// Vectors are searched by Chroma's HNSW index, which may miss one. Chroma does
// not rank by words: the chunks that hold the query's rarest words are fetched, five
// hundred at most, and ranked here by BM25 among themselves. Filters are
// applied here too; Chroma is asked to do so first where strings are equal.
package chroma

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/store"
)

// Store is a store.Store on a Chroma server.
type Store struct {
	client   *client
	name     string
	manifest string // the collection's id

	mu          sync.Mutex
	collections map[string]string // id by embedder
}

var collectionName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]{0,100}$`)

// Open connects to chroma://HOST:PORT/NAME; chromas:// is the same over TLS.
// A token in front, chroma://TOKEN@HOST, is sent as x-chroma-token.
func Open(ctx context.Context, address string) (*Store, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("store: the address cannot be read")
	}
	name := strings.Trim(u.Path, "/")
	scheme, ok := map[string]string{"chroma": "http", "chromas": "https"}[u.Scheme]
	if !ok || u.Host == "" || !collectionName.MatchString(name) || u.RawQuery != "" {
		return nil, fmt.Errorf("store %s: want chroma://HOST:PORT/NAME, the name of letters, digits, dots and dashes", u.Redacted())
	}
	s := &Store{client: newClient(scheme+"://"+u.Host, u.User.Username()), name: name, collections: map[string]string{}}
	if s.manifest, err = s.client.collection(ctx, name+"-manifest", "", true); err != nil {
		return nil, fmt.Errorf("store chroma://%s/%s: %w", u.Host, name, err)
	}
	return s, nil
}

// Close does nothing: there is no connection to keep.
func (s *Store) Close() error {
	s.client.http.CloseIdleConnections()
	return nil
}

// collection returns the id of an embedder's collection, "" where there is none
// and it is not to be made. "" is the embedder of chunks without vectors.
func (s *Store) collection(ctx context.Context, embedder string, create bool) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id := s.collections[embedder]; id != "" {
		return id, nil
	}
	id, err := s.client.collection(ctx, s.collectionName(embedder), embedder, create)
	if err == nil && id != "" {
		s.collections[embedder] = id
	}
	return id, err
}

var notInNames = regexp.MustCompile(`[^a-zA-Z0-9]+`)

func (s *Store) collectionName(embedder string) string {
	if embedder == "" {
		return s.name + "-plain"
	}
	short := strings.Trim(notInNames.ReplaceAllString(embedder, "-"), "-")
	sum := sha256.Sum256([]byte(embedder))
	return s.name + "-" + short[:min(len(short), 60)] + "-" + hex.EncodeToString(sum[:4])
}

// A line is a record of the manifest.
type line struct {
	store.Document
	generation string // of the chunks that are the document; "" while there are none yet
	pending    string // a generation to be cleared, or one that is being written
	former     string // the embedder of what is to be cleared
}

func (l *line) metadata() map[string]any {
	return map[string]any{"root": l.Root, "hash": l.Hash, "settings": l.Settings, "embedder": l.Embedder, "size": l.Size, "modified": l.Modified,
		"chunks": l.Chunks, "generation": l.generation, "pending": l.pending, "former": l.former}
}

func newLine(id string, m map[string]any) line {
	text := func(key string) string { s, _ := m[key].(string); return s }
	number := func(key string) int64 {
		n, _ := m[key].(json.Number)
		i, _ := n.Int64()
		return i
	}
	return line{store.Document{ID: id, Root: text("root"), Hash: text("hash"), Settings: text("settings"), Embedder: text("embedder"),
		Size: number("size"), Modified: number("modified"), Chunks: int(number("chunks"))}, text("generation"), text("pending"), text("former")}
}

// epochID is the id of the record of the manifest that is the epoch: a text that a
// writer changes before it changes what is seen of documents.
const epochID = "\x00epoch"

// lines returns the manifest's records of these documents.
func (s *Store) lines(ctx context.Context, docIDs []string) (map[string]line, error) {
	if len(docIDs) == 0 {
		return nil, nil
	}
	return s.linesOf(ctx, query{IDs: docIDs})
}

func (s *Store) linesOf(ctx context.Context, q query) (map[string]line, error) {
	all := map[string]line{}
	err := s.client.each(ctx, s.manifest, q, func(r record) error {
		if r.id != lockID && r.id != epochID {
			all[r.id] = newLine(r.id, r.metadata)
		}
		return nil
	})
	return all, err
}

func (s *Store) epoch(ctx context.Context) (epoch string, err error) {
	err = s.client.each(ctx, s.manifest, query{IDs: []string{epochID}}, func(r record) error { epoch = r.text("epoch"); return nil })
	return epoch, err
}

// tries is how often what changes while it is read is read again.
const tries = 20

// steady calls f until the epoch is afterwards what it was before. Then all that
// f reads is of one moment: the chunks of each generation that the manifest named
// were written before the epoch changed for it, and none that it names no more is
// deleted before the next epoch. Where writers never rest the last try counts.
func (s *Store) steady(ctx context.Context, f func() error) error {
	for try := 0; ; try++ {
		before, err := s.epoch(ctx)
		if err != nil {
			return err
		}
		if err := f(); err != nil {
			return err
		}
		after, err := s.epoch(ctx)
		if err != nil || before == after || try == tries {
			return err
		}
	}
}

// Manifest returns all documents. One whose put was cut short has no hash, so
// whoever compares takes it for changed.
func (s *Store) Manifest(ctx context.Context) ([]store.Document, error) {
	lines, err := s.linesOf(ctx, query{})
	if err != nil {
		return nil, err
	}
	var all []store.Document
	for _, l := range lines {
		if l.pending != "" {
			l.Hash, l.Modified = "", 0
		}
		all = append(all, l.Document)
	}
	return all, nil
}

// Document returns the chunks of a document.
func (s *Store) Document(ctx context.Context, docID string) ([]chunker.Chunk, error) {
	var all []chunker.Chunk
	err := s.steady(ctx, func() error {
		at := map[int]chunker.Chunk{} // by position
		all = nil
		lines, err := s.lines(ctx, []string{docID})
		l := lines[docID]
		if err != nil || l.generation == "" {
			return err
		}
		for _, embedder := range distinct(l.Embedder, "") {
			id, err := s.collection(ctx, embedder, false)
			if err != nil {
				return err
			}
			err = s.client.each(ctx, id, query{Where: equal("generation", l.generation)}, func(r record) error {
				c, position, err := r.chunk()
				at[position] = c
				return err
			})
			if err != nil {
				return err
			}
		}
		for _, position := range slices.Sorted(maps.Keys(at)) {
			all = append(all, at[position])
		}
		return nil
	})
	return all, err
}

// chunks returns the collections that are not the manifest.
func (s *Store) chunks(ctx context.Context) ([]collection, error) {
	all, err := s.client.list(ctx, s.name+"-")
	return slices.DeleteFunc(all, func(c collection) bool { return c.Name == s.name+"-manifest" }), err
}

func distinct(a, b string) []string {
	if a == b {
		return []string{a}
	}
	return []string{a, b}
}

// Get returns the chunks of these ids.
func (s *Store) Get(ctx context.Context, ids ...string) ([]chunker.Chunk, error) {
	found := map[string]chunker.Chunk{}
	err := s.steady(ctx, func() error {
		clear(found)
		collections, err := s.chunks(ctx)
		if err != nil {
			return err
		}
		for _, c := range collections {
			for some := range slices.Chunk(ids, batchRows) {
				if err := s.get(ctx, c.ID, some, found); err != nil {
					return err
				}
			}
		}
		return nil
	})
	var all []chunker.Chunk
	for _, id := range ids {
		if c, ok := found[id]; ok {
			all = append(all, c)
		}
	}
	return all, err
}

// get finds the chunks of a collection that are part of their document.
func (s *Store) get(ctx context.Context, collection string, ids []string, found map[string]chunker.Chunk) error {
	var rows []record
	documents := map[string]bool{}
	err := s.client.each(ctx, collection, query{Where: in("id", ids)}, func(r record) error {
		rows = append(rows, r)
		documents[r.document()] = true
		return nil
	})
	if err != nil {
		return err
	}
	now, err := s.lines(ctx, slices.Collect(maps.Keys(documents)))
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.generation() != now[r.document()].generation {
			continue
		}
		c, _, err := r.chunk()
		if err != nil {
			return err
		}
		found[c.ID] = c
	}
	return nil
}
