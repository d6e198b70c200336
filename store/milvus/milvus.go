// Package milvus keeps a store on a Milvus server, through Milvus's own client.
// It is a module of its own, for that client brings a hundred others with it.
//
// A store NAME is some collections: NAME_manifest holds a row for each document
// and one that is the root, NAME_index the inverted index, NAME_plain and
// NAME_EMBEDDER the chunks without and with vectors, NAME_lock who writes.
//
// Milvus has no transactions, so nothing that a reader needs is changed. A
// writer adds rows that nobody sees, then writes the root, one row, which says
// what is part of the store: the new version is there at once, for all documents
// of a put together. Then it deletes what the old one had. A reader who finds
// another root afterwards than before reads again. What a crash leaves behind is
// seen by nobody and cleared by the next writer. Writers take turns; the server
// must show a reader what was written before, which Milvus calls strong
// consistency.
//
// Keywords are ranked by BM25 over cantle's own inverted index, exactly as
// 'cantle eval' does. Vectors are searched by the server's automatic index,
// which may miss one. Filters are applied here; the server is asked to do so
// first where strings are equal.
package milvus

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/milvus-io/milvus/client/v2/milvusclient"
	"github.com/milvus-io/milvus/pkg/v2/log"
	"go.uber.org/zap/zapcore"
	"google.golang.org/grpc"

	"github.com/cantle/cantle/store"
)

// Store is a store.Store on a Milvus server.
type Store struct {
	client                *milvusclient.Client
	name                  string
	manifest, index, lock table

	mu     sync.Mutex
	opened map[string]bool // collections that are known to be loaded
	latest *contents       // nil for none
}

var _ store.Store = (*Store)(nil)

var storeName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]{0,100}$`)

// connecting bounds how long a server is waited for that does not answer.
const connecting = 10 * time.Second

// Open connects to milvus://HOST:PORT/NAME; milvuss:// is the same over TLS. In
// front of HOST may stand USER:PASSWORD@ or a token as TOKEN@, and behind NAME
// ?database=DATABASE.
func Open(ctx context.Context, address string) (*Store, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("store: the address cannot be read")
	}
	name := strings.Trim(u.Path, "/")
	scheme, ok := map[string]string{"milvus": "http", "milvuss": "https"}[u.Scheme]
	query := u.Query()
	database := query.Get("database")
	query.Del("database")
	shown := fmt.Sprintf("%s://%s/%s", u.Scheme, u.Host, name) // without what is secret
	if !ok || u.Host == "" || !storeName.MatchString(name) || len(query) > 0 {
		return nil, fmt.Errorf("store %s: want milvus://HOST:PORT/NAME, the name of letters, digits and underscores", shown)
	}
	config := &milvusclient.ClientConfig{Address: scheme + "://" + u.Host, DBName: database}
	//lint:ignore SA1019 the client dials the old way, and without this does not say why it got no answer
	config.DialOptions = append([]grpc.DialOption{grpc.WithReturnConnectionError()}, milvusclient.DefaultGrpcOpts...)
	if password, ok := u.User.Password(); ok {
		config.Username, config.Password = u.User.Username(), password
	} else {
		config.APIKey = u.User.Username()
	}
	s, err := open(ctx, config, name)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", shown, err)
	}
	return s, nil
}

func open(ctx context.Context, config *milvusclient.ClientConfig, name string) (*Store, error) {
	log.SetLevel(zapcore.PanicLevel) // the client's own, of errors that it returns
	connect, done := context.WithTimeout(ctx, connecting)
	defer done()
	client, err := milvusclient.New(connect, config)
	if err != nil {
		return nil, err
	}
	s := &Store{client: client, name: name, opened: map[string]bool{},
		manifest: table{client, name + "_manifest"}, index: table{client, name + "_index"}, lock: table{client, name + "_lock"}}
	for _, t := range []table{s.lock, s.index, s.manifest} {
		if err == nil {
			err = t.open(ctx)
		}
	}
	if err == nil {
		err = s.found(ctx)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// found writes the first root, where there is none.
func (s *Store) found(ctx context.Context) error {
	isNew := func() (bool, error) {
		rows, err := s.manifest.get(ctx, rootKey)
		return len(rows) == 0, err
	}
	if none, err := isNew(); err != nil || !none {
		if err == nil {
			_, err = s.root(ctx)
		}
		return err
	}
	return s.locked(ctx, func(ctx context.Context, _ *ticket) error {
		if none, err := isNew(); err != nil || !none {
			return err
		}
		return s.setRoot(ctx, &root{Format: format, Version: 1})
	})
}

// Close closes the connection.
func (s *Store) Close() error { return s.client.Close(context.Background()) }

// collection returns the chunks of an embedder, loaded.
func (s *Store) collection(ctx context.Context, e embedder) (chunks, error) {
	c := s.chunks(e)
	s.mu.Lock()
	isOpen := s.opened[c.name]
	s.mu.Unlock()
	if isOpen {
		return c, nil
	}
	if err := c.open(ctx); err != nil {
		return c, err
	}
	s.mu.Lock()
	s.opened[c.name] = true
	s.mu.Unlock()
	return c, nil
}
