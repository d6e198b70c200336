package chroma

import (
	"context"
	"errors"
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
