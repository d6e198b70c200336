// Package pgvector keeps a store in PostgreSQL with the extension vector.
//
// A store is a schema. A document is replaced in one transaction, writers take
// turns by an advisory lock, and a search reads one snapshot. Keywords are
// ranked by BM25 over cantle's own inverted index in tables, exactly as 'cantle
// eval' does: PostgreSQL's full text search does not know how rare a word is.
// Vectors are searched by an HNSW index, which may miss one; with a filter they
// are compared one by one, and miss none.
package pgvector

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/inverted"
)

// Store is a store.Store in PostgreSQL.
type Store struct {
	pool   *pgxpool.Pool
	schema string

	mu      sync.Mutex
	changes int64           // of what is remembered
	blocks  inverted.Blocks // nil for nothing
}

const schemaVersion = 1

// DefaultSchema is where a store is that its address does not name.
const DefaultSchema = "cantle"

var schemaName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,50}$`)

// createTables makes the tables; chunks has a column for each field that a
// filter can name. See package sqlite for what they hold.
var createTables = func() string {
	var b strings.Builder
	b.WriteString(`
CREATE TABLE state (version integer NOT NULL, next_slot bigint NOT NULL, changes bigint NOT NULL);
CREATE TABLE documents (
	key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, root text NOT NULL, hash text NOT NULL,
	settings text NOT NULL, embedder text NOT NULL, size bigint NOT NULL, modified bigint NOT NULL, chunks bigint NOT NULL);
CREATE TABLE metas (key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hash text NOT NULL UNIQUE, meta jsonb NOT NULL);
CREATE INDEX ON metas USING gin (meta jsonb_path_ops);
CREATE TABLE embedders (key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, dim integer NOT NULL);
CREATE TABLE records (slot bigint PRIMARY KEY, record text NOT NULL);
CREATE TABLE blocks (block bigint PRIMARY KEY, live bigint NOT NULL, terms bigint NOT NULL, lengths bytea NOT NULL);
CREATE TABLE postings (block bigint NOT NULL, term text COLLATE "C" NOT NULL, data bytea NOT NULL, PRIMARY KEY (term, block));
CREATE INDEX ON postings (block);
CREATE TABLE chunks (slot bigint PRIMARY KEY, doc bigint NOT NULL, position bigint NOT NULL, content bigint NOT NULL, meta bigint NOT NULL`)
	for _, f := range store.Fields {
		fmt.Fprintf(&b, ", %s %s NOT NULL", f.Name, map[store.Kind]string{store.Text: `text COLLATE "C"`, store.Number: "bigint", store.List: `text[] COLLATE "C"`}[f.Kind])
	}
	fmt.Fprintf(&b, `);
CREATE UNIQUE INDEX ON chunks (id);
CREATE INDEX ON chunks (doc);
INSERT INTO state VALUES (%d, 0, 0);`, schemaVersion)
	return b.String()
}()

// Open connects to postgres://USER@HOST/DATABASE, an address as libpq has it.
// Its parameter store=NAME is the schema, which is made if there is none.
func Open(ctx context.Context, address string) (*Store, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("store: the address cannot be read")
	}
	q := u.Query()
	s := &Store{schema: q.Get("store")}
	if s.schema == "" {
		s.schema = DefaultSchema
	}
	if !schemaName.MatchString(s.schema) {
		return nil, fmt.Errorf("store %s: store=%s is no name of lower-case letters, digits and underscores", u.Redacted(), s.schema)
	}
	q.Del("store")
	u.RawQuery = q.Encode()
	config, err := pgxpool.ParseConfig(u.String())
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", u.Redacted(), err)
	}
	config.ConnConfig.RuntimeParams["search_path"] = s.schema + ",public"
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err == nil {
		err = s.create(ctx)
	}
	if err != nil {
		if s.pool != nil {
			s.pool.Close()
		}
		return nil, fmt.Errorf("store %s: %w", u.Redacted(), err)
	}
	return s, nil
}

// create makes schema and tables, where they are not there.
func (s *Store) create(ctx context.Context) error {
	return s.change(ctx, func(tx pgx.Tx) error {
		var there bool
		if err := tx.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", s.schema+".state").Scan(&there); err != nil {
			return err
		}
		if !there {
			if _, err := tx.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS vector SCHEMA public"); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+s.schema); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, createTables); err != nil {
				return err
			}
		}
		var version int
		if err := tx.QueryRow(ctx, "SELECT version FROM state").Scan(&version); err != nil {
			return err
		}
		if version != schemaVersion {
			return fmt.Errorf("the schema %s has format %d, this program reads %d", s.schema, version, schemaVersion)
		}
		return nil
	})
}

// Close closes the connections.
func (s *Store) Close() error {
	s.pool.Close()
	return nil
}

// change calls f with a transaction that writes, while no other does.
func (s *Store) change(ctx context.Context, f func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", "cantle "+s.schema); err != nil {
			return err
		}
		return f(tx)
	})
}

// view calls f with a transaction that reads: all in it is of one moment.
func (s *Store) view(ctx context.Context, f func(pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, f)
}

func vectorTable(embedder int64) string { return fmt.Sprintf("vectors_%d", embedder) }
