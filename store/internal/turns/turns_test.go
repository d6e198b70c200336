package turns

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		beats := 0
		alive := func(context.Context) error { beats++; return nil }
		wait := func(ctx context.Context) error { return Wait(ctx, 10*Beat+Beat/2) }
		if err := While(t.Context(), alive, wait); err != nil || beats != 10 {
			t.Errorf("%d beats, %v", beats, err)
		}
		start := time.Now()
		lost := func(context.Context) error { return ErrLost }
		if err := While(t.Context(), lost, wait); !errors.Is(err, ErrLost) || time.Since(start) != Beat {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), Beat/2)
		defer cancel()
		if err := While(ctx, alive, wait); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the caller gave up: %v", err)
		}
		if err := Free(ctx, func(ctx context.Context) error { return ctx.Err() }); err != nil {
			t.Errorf("a turn is not given up: %v", err)
		}
	})
}

func TestSigns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Signs{}
		for i, c := range []struct {
			after time.Duration
			value int
			want  bool
		}{{0, 1, false}, {Patience, 1, false}, {Beat, 2, false}, {Patience, 2, false}, {Beat, 2, true}, {0, 3, false}} {
			time.Sleep(c.after)
			if got := s.IsDead("a", c.value); got != c.want {
				t.Errorf("step %d: got %v", i, got)
			}
		}
	})
}
