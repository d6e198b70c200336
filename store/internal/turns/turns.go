// Package turns is for stores on servers that have no lock. Writers take turns by
// records that they keep on the server: a writer changes its own every Beat, and
// one that stays the same for Patience is of a writer that is dead.
package turns

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	Beat     = time.Second
	Patience = 6 * Beat
)

// ErrLost says that others took this writer for dead.
var ErrLost = errors.New("the lock is lost: no sign of life reached the server in time")

// While calls f, and live every Beat until f returns. Where live fails, the context
// of f ends, and f's error is that of live.
func While(ctx context.Context, live, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var beating sync.WaitGroup
	beating.Go(func() {
		for Wait(ctx, Beat) == nil {
			if err := live(ctx); err != nil {
				cancel(err)
			}
		}
	})
	err := f(ctx)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	cancel(nil)
	beating.Wait()
	return err
}

// Free calls f, which gives up a turn, for a moment even where ctx has ended.
func Free(ctx context.Context, f func(context.Context) error) error {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), Patience)
	defer done()
	return f(ctx)
}

// Wait waits, or returns why ctx ended.
func Wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Signs are what is seen of others: when a record was last seen to change.
type Signs map[string]sign

type sign struct {
	value any
	at    time.Time
}

// IsDead notes the value of a record, and reports whether it has been the same for
// Patience.
func (s Signs) IsDead(key string, value any) bool {
	if was, ok := s[key]; !ok || was.value != value {
		s[key] = sign{value, time.Now()}
		return false
	}
	return time.Since(s[key].at) > Patience
}
