package milvus

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/cantle/cantle/store/internal/turns"
)

// Writers take turns by Lamport's bakery: each draws a number above all that it
// sees and waits until nobody has a lower one. It needs no more of the server
// than that a row that was written is seen by whoever reads later.
//
// A row is a writer: since is its number, 0 while it draws one, and data counts
// its beats. A writer whose row stays the same is dead after a while, and its row is
// deleted by whoever waits for it.

// A ticket is a writer's row.
type ticket struct {
	table table
	key   string

	mu     sync.Mutex
	number int64
	beats  int64
}

// locked calls f while no other writer is at work. Its ticket tells whether that
// is still so.
func (s *Store) locked(ctx context.Context, f func(context.Context, *ticket) error) error {
	t := &ticket{table: s.lock, key: strings.ToLower(rand.Text())}
	if err := t.write(ctx, 0); err != nil {
		return err
	}
	err := turns.While(ctx, t.live, func(ctx context.Context) error {
		if err := t.draw(ctx); err != nil {
			return err
		}
		return f(ctx, t)
	})
	freeErr := turns.Free(ctx, func(ctx context.Context) error { return t.table.delete(ctx, t.key) })
	if err == nil {
		err = freeErr
	}
	return err
}

func (t *ticket) write(ctx context.Context, number int64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.number = number
	t.beats++
	return t.table.put(ctx, row{t.key, t.number, strconv.FormatInt(t.beats, 10)})
}

// live writes another beat, unless the row was deleted.
func (t *ticket) live(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	mine, err := t.table.get(ctx, t.key)
	switch {
	case err != nil:
		return fmt.Errorf("the lock is lost: %w", err)
	case len(mine) == 0:
		return turns.ErrLost
	}
	t.beats++
	return t.table.put(ctx, row{t.key, t.number, strconv.FormatInt(t.beats, 10)})
}

// draw draws a number and waits until its turn comes.
func (t *ticket) draw(ctx context.Context) error {
	highest := int64(0)
	if err := t.table.each(ctx, "", func(r row) error { highest = max(highest, r.since); return nil }); err != nil {
		return err
	}
	number := highest + 1
	if err := t.write(ctx, number); err != nil {
		return err
	}
	signs := turns.Signs{}
	for {
		isMine, isThere := true, false
		var dead []string
		err := t.table.each(ctx, "", func(r row) error {
			if r.key == t.key {
				isThere = true
				return nil
			}
			if signs.IsDead(r.key, r) {
				dead = append(dead, r.key)
				return nil
			}
			if r.since < number || r.since == number && r.key < t.key {
				isMine = false
			}
			return nil
		})
		switch {
		case err != nil:
			return err
		case !isThere:
			return turns.ErrLost
		}
		if err := t.table.delete(ctx, dead...); err != nil || isMine {
			return err
		}
		if err := turns.Wait(ctx, pause); err != nil {
			return err
		}
	}
}
