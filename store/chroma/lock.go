package chroma

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/cantle/cantle/store/internal/turns"
)

// Writers take turns by the lock, a record of the manifest with the token of its
// holder and a beat. Chroma adds a record only where there is none, so one of many
// gets the lock. An update changes what it names and makes no record, so a holder
// that was taken for dead, and is not, cannot take the lock back. A delete names
// the token that is to go.
//
// This is what Chroma can do, and it leaves moments open. A delete looks for what
// it names first and deletes it then. And no write can be made to depend on the
// lock: its holder looks before each write to the manifest, and its context ends
// when a beat finds the lock lost, but a request that is on its way by then is
// carried out.

// lockID is the id of the lock.
const lockID = "\x00lock"

// pause is how long is waited before the lock is looked at again.
const pause = 50 * time.Millisecond

// A ticket is a turn.
type ticket struct {
	store *Store
	token string
}

// locked calls f while no other writer is at work.
func (s *Store) locked(ctx context.Context, f func(context.Context, *ticket) error) error {
	t := &ticket{s, rand.Text()}
	err := t.take(ctx)
	if err == nil {
		err = turns.While(ctx, t.live, func(ctx context.Context) error { return f(ctx, t) })
	}
	freeErr := turns.Free(ctx, func(ctx context.Context) error { return s.unlock(ctx, equal("token", t.token)) })
	if err == nil {
		err = freeErr
	}
	return err
}

// take waits until the lock is ours.
func (t *ticket) take(ctx context.Context) error {
	signs := turns.Signs{}
	for {
		b := batch{}
		b.add(lockID, noVector, "", map[string]any{"token": t.token, "beat": ""})
		if err := t.store.client.add(ctx, t.store.manifest, &b); err != nil {
			return err
		}
		holder, beat, err := t.store.holder(ctx)
		if err != nil || holder == t.token {
			return err
		}
		if signs.IsDead(holder, beat) {
			err = t.store.unlock(ctx, both(equal("token", holder), equal("beat", beat)))
		} else {
			err = turns.Wait(ctx, pause)
		}
		if err != nil {
			return err
		}
	}
}

// holder returns what the lock says, nothing where there is none.
func (s *Store) holder(ctx context.Context) (token, beat string, err error) {
	err = s.client.each(ctx, s.manifest, query{IDs: []string{lockID}}, func(r record) error {
		token, beat = r.text("token"), r.text("beat")
		return nil
	})
	return token, beat, err
}

func (s *Store) unlock(ctx context.Context, where any) error {
	return s.client.deleteWhere(ctx, s.manifest, []string{lockID}, where)
}

// live writes a beat, and fails where the lock is not ours.
func (t *ticket) live(ctx context.Context) error {
	err := t.store.client.update(ctx, t.store.manifest, lockID, map[string]any{"beat": rand.Text()})
	if err != nil {
		return fmt.Errorf("the lock is lost: %w", err)
	}
	return t.check(ctx)
}

func (t *ticket) check(ctx context.Context) error {
	holder, _, err := t.store.holder(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("the lock is lost: %w", err)
	case holder != t.token:
		return turns.ErrLost
	}
	return nil
}

// put writes to the manifest, while the lock is ours.
func (t *ticket) put(ctx context.Context, b *batch) error {
	if err := t.check(ctx); err != nil {
		return err
	}
	return t.store.client.upsert(ctx, t.store.manifest, b)
}

// newEpoch says that what is seen of documents is about to change.
func (t *ticket) newEpoch(ctx context.Context) error {
	b := batch{}
	b.add(epochID, noVector, "", map[string]any{"epoch": rand.Text()})
	return t.put(ctx, &b)
}

// delete deletes from the manifest, while the lock is ours.
func (t *ticket) delete(ctx context.Context, ids []string) error {
	if err := t.check(ctx); err != nil {
		return err
	}
	return t.store.client.deleteIDs(ctx, t.store.manifest, ids)
}
