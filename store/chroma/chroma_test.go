package chroma

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/turns"
	"github.com/cantle/cantle/store/storetest"
)

func TestContract(t *testing.T) {
	address, _ := storetest.Chroma(t)
	storetest.Run(t, storetest.Setup{Chunks: 10_000, Approximate: true, Open: func(t *testing.T, name string) store.Store { return open(t, address, name) }})
}

func open(t *testing.T, address, name string) *Store {
	s, err := Open(t.Context(), "chroma://"+address+"/"+name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// watched returns the address of a proxy in front of a server, and the requests
// that came through it.
func watched(t *testing.T, address string) (string, *requests) {
	seen := &requests{}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: address})
	proxy.ErrorLog = log.New(io.Discard, "", 0) // of requests that are given up
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		var in struct{ IDs []string }
		json.Unmarshal(body, &in)
		seen.mu.Lock()
		seen.list = append(seen.list, request{path.Base(r.URL.Path), len(in.IDs)})
		seen.mu.Unlock()
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), seen
}

type request struct {
	what string // the last word of its path
	ids  int
}

type requests struct {
	mu   sync.Mutex
	list []request
}

// take returns those of a kind since the last take.
func (r *requests) take(what string) []request {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.list
	r.list = nil
	return slices.DeleteFunc(list, func(one request) bool { return one.what != what })
}

// A search is one, whatever a writer that was killed has left behind; no request
// names more records than a server may take.
func TestRequests(t *testing.T) {
	address, _ := storetest.Chroma(t)
	address, seen := watched(t, address)
	s := open(t, address, "requests")
	var entries []store.Entry
	for i := range batchRows + 10 {
		entries = append(entries, storetest.Entry(fmt.Sprintf("d%d.md", i), nil, "apple"))
		entries[i].Embedder, entries[i].Records[0].Vector = "e", []float32{1, 0}
	}
	if err := s.Put(t.Context(), entries...); err != nil {
		t.Fatal(err)
	}
	for _, r := range seen.take("upsert") {
		if r.ids > batchRows {
			t.Errorf("%d records in a request", r.ids)
		}
	}
	if err := s.write(t.Context(), entries[:20], make([]string, 20)); err != nil { // and no line of the manifest
		t.Fatal(err)
	}
	for range 3 {
		seen.take("")
		hits, err := s.Search(t.Context(), store.Query{Vector: []float32{1, 0}, Embedder: "e", Top: 3})
		if got := seen.take("query"); len(hits) != 3 || err != nil || len(got) != 1 {
			t.Errorf("%d hits, %v; searched %d times", len(hits), err, len(got))
		}
	}
}

// seize puts a lock of others in the place of the one that is there.
func seize(t *testing.T, s *Store, token string) {
	t.Helper()
	b := batch{}
	b.add(lockID, noVector, "", map[string]any{"token": token, "beat": "1"})
	if err := s.client.upsert(t.Context(), s.manifest, &b); err != nil {
		t.Fatal(err)
	}
}

// A writer that others took for dead ends, and leaves their lock as it is.
func TestLockIsLost(t *testing.T) {
	address, _ := storetest.Chroma(t)
	s := open(t, address, "lost")
	if err := s.Put(t.Context(), storetest.Entry("a.md", nil, "apple")); err != nil {
		t.Fatal(err)
	}
	err := s.locked(t.Context(), func(ctx context.Context, ticket *ticket) error {
		seize(t, s, "another")
		if err := ticket.put(ctx, &batch{}); !errors.Is(err, turns.ErrLost) {
			t.Errorf("a write to the manifest: %v", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(5 * turns.Beat):
			t.Error("the writer goes on")
		}
		return ctx.Err()
	})
	if !errors.Is(err, turns.ErrLost) {
		t.Errorf("got %v", err)
	}
	if token, beat, err := s.holder(t.Context()); token != "another" || beat == "" || err != nil {
		t.Errorf("the lock is of %q, %v", token, err)
	}
	// The other is dead, so a writer comes to its turn.
	if err := s.Put(t.Context(), storetest.Entry("a.md", nil, "pear")); err != nil {
		t.Fatal(err)
	}
	if token, _, err := s.holder(t.Context()); token != "" || err != nil {
		t.Errorf("the lock is left by %q, %v", token, err)
	}
}

// Of many that wait for a writer that is dead one at a time comes to its turn, and
// none while one is at work that gives signs of life.
func TestLockOfTheDead(t *testing.T) {
	address, _ := storetest.Chroma(t)
	s := open(t, address, "dead")
	seize(t, s, "dead")
	var all sync.WaitGroup
	var inside, turnsTaken atomic.Int64
	for range 6 {
		all.Go(func() {
			s := open(t, address, "dead")
			err := s.locked(t.Context(), func(ctx context.Context, _ *ticket) error {
				if inside.Add(1) > 1 {
					t.Error("two are at work")
				}
				if turnsTaken.Add(1) == 1 {
					turns.Wait(ctx, turns.Patience+2*turns.Beat)
				}
				inside.Add(-1)
				return ctx.Err()
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if turnsTaken.Load() != 6 {
		t.Errorf("%d came to their turn", turnsTaken.Load())
	}
}

func TestAddresses(t *testing.T) {
	for _, bad := range []string{"chroma://", "chroma://host", "chroma://host/a b", "chroma://host/a/b", "http://host/a", "chroma://host/-", "chroma://ho st/a", "chroma://host/a?x=1"} {
		if _, err := Open(t.Context(), bad); err == nil {
			t.Errorf("%s is no error", bad)
		}
	}
}
