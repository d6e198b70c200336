// Package sqlite keeps a store in one SQLite file, which any tool can open.
//
// Keywords are ranked by BM25 over an inverted index of its own in tables, not
// by FTS5: that one's formula, stemming and lack of Chinese are others than those
// of cantle's evaluation, and a question's common words ("how", "the") make it
// read every row. Here a term's postings are a few blobs, so a search costs
// some milliseconds at a hundred thousand chunks, and it ranks exactly as
// 'cantle eval' does.
//
// Vectors are compared one by one, in memory: exact, good to some hundred
// thousand chunks. They are read at the first search that needs them.
//
// A document is replaced in one transaction. The file is in WAL mode: searches
// go on beside an ingest, and of two ingests one waits for the other.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"runtime"
	"sync"
	"time"

	driver "modernc.org/sqlite" // by the name "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Store is a store.Store in a SQLite file.
type Store struct {
	path        string
	read, write *sql.DB // write has one connection, whose transactions take the lock at once

	mu      sync.Mutex
	vectors map[int64]*vectors // by embedder, what has been read of them
}

const (
	applicationID = 0x63616e74 // "cant", in the file's header
	schemaVersion = 1
)

// schema is what a new file gets. A chunk has a slot, a number that grows and
// is never used twice; 4,096 of them are a block.
const schema = `
CREATE TABLE state (
	only       INTEGER PRIMARY KEY CHECK (only = 1),
	next_slot  INTEGER NOT NULL,
	changes    INTEGER NOT NULL            -- grows with every transaction that writes
);
INSERT INTO state VALUES (1, 0, 0);
CREATE TABLE documents (
	key      INTEGER PRIMARY KEY,
	id       TEXT NOT NULL UNIQUE,
	root     TEXT NOT NULL,
	hash     TEXT NOT NULL,
	settings TEXT NOT NULL,
	embedder TEXT NOT NULL,
	size     INTEGER NOT NULL,
	modified INTEGER NOT NULL,
	chunks   INTEGER NOT NULL
);
CREATE TABLE metas (                       -- what the chunks of a document have in common
	key  INTEGER PRIMARY KEY,
	meta TEXT NOT NULL UNIQUE              -- JSON
);
CREATE TABLE embedders (
	key  INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	dim  INTEGER NOT NULL                  -- floats of a vector
);
CREATE TABLE records (
	slot   INTEGER PRIMARY KEY,
	record TEXT NOT NULL                   -- JSON, as 'cantle chunk' prints it
);
CREATE TABLE vectors (
	slot     INTEGER PRIMARY KEY,
	embedder INTEGER NOT NULL,
	vector   BLOB NOT NULL                 -- float32, little-endian
);
CREATE TABLE blocks (
	block   INTEGER PRIMARY KEY,
	live    INTEGER NOT NULL,              -- chunks that can be found
	terms   INTEGER NOT NULL,              -- of these together
	lengths BLOB NOT NULL                  -- uint32 of each slot: 1 + its terms; 0 where there is nothing to find
);
CREATE TABLE postings (
	block INTEGER NOT NULL,
	term  TEXT NOT NULL,
	data  BLOB NOT NULL,                   -- slot within the block, times: as varints
	PRIMARY KEY (block, term)
) WITHOUT ROWID;
`

// Open opens the store in the file at path, or makes one. A file that is
// something else is an error and left alone.
func Open(ctx context.Context, path string) (*Store, error) {
	s := &Store{path: path, vectors: map[int64]*vectors{}}
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, fmt.Errorf("store %s: %w", path, err)
	}
	return s, nil
}

// Exists reports whether there is a file at path to open.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (s *Store) open(ctx context.Context) error {
	var err error
	name := "file:" + (&url.URL{Path: s.path}).EscapedPath() + "?_pragma=busy_timeout(60000)&_pragma=synchronous(normal)"
	if s.write, err = sql.Open("sqlite", name+"&_txlock=immediate&_pragma=cache_size(-65536)"); err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	if s.read, err = sql.Open("sqlite", name+"&_pragma=cache_size(-65536)"); err != nil {
		return err
	}
	s.read.SetMaxOpenConns(max(4, runtime.GOMAXPROCS(0)))
	s.read.SetMaxIdleConns(4)
	var h header
	if err := patiently(ctx, func() error {
		if h, err = s.header(ctx); err != nil || h != (header{}) {
			return err
		}
		if err := s.create(ctx); err != nil {
			return err
		}
		h, err = s.header(ctx)
		return err
	}); err != nil {
		return err
	}
	switch {
	case h.application != applicationID:
		return errors.New("the file is something else")
	case h.version != schemaVersion:
		return fmt.Errorf("the file has format %d, this program reads %d", h.version, schemaVersion)
	}
	return nil
}

// A header is what a file says it is; the zero value is that of an empty one.
type header struct{ application, version, tables int }

// patiently calls f until the file is not busy, for a minute: where two make a
// file at once, SQLite refuses the change to its write-ahead log at once, whatever
// the busy_timeout.
func patiently(ctx context.Context, f func() error) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		err := f()
		var e *driver.Error
		if !errors.As(err, &e) || e.Code()&0xff != sqlite3.SQLITE_BUSY {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// header returns what the file says it is, all of one moment.
func (s *Store) header(ctx context.Context) (h header, err error) {
	err = s.view(ctx, func(tx *sql.Tx) error {
		for _, ask := range []struct {
			query string
			to    *int
		}{{"PRAGMA application_id", &h.application}, {"PRAGMA user_version", &h.version}, {"SELECT count(*) FROM sqlite_schema", &h.tables}} {
			if err := tx.QueryRowContext(ctx, ask.query).Scan(ask.to); err != nil {
				return err
			}
		}
		return nil
	})
	return h, err
}

// create makes the tables, unless another process has done so meanwhile.
func (s *Store) create(ctx context.Context) error {
	if _, err := s.write.ExecContext(ctx, "PRAGMA journal_mode = wal"); err != nil {
		return err
	}
	return s.change(ctx, func(tx *sql.Tx) error {
		var tables int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil || tables > 0 {
			return err
		}
		_, err := tx.ExecContext(ctx, schema+createChunks+fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, schemaVersion))
		return err
	})
}

// Close closes the file. The store cannot be used any more.
func (s *Store) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// change calls f with a transaction that writes; it is kept where f returns
// nil, and otherwise nothing of it.
func (s *Store) change(ctx context.Context, f func(*sql.Tx) error) error {
	return inside(ctx, s.write, nil, f)
}

// view calls f with a transaction that reads: all in it is of one moment.
func (s *Store) view(ctx context.Context, f func(*sql.Tx) error) error {
	return inside(ctx, s.read, &sql.TxOptions{ReadOnly: true}, f)
}

func inside(ctx context.Context, db *sql.DB, opt *sql.TxOptions, f func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, opt)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}
