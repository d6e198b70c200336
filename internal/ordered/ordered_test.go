package ordered

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

func numbers(n int) func(yield func(int) error) error {
	return func(yield func(int) error) error {
		for i := range n {
			if err := yield(i); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestMapKeepsOrder(t *testing.T) {
	next := 0
	err := Map(context.Background(), 4, numbers(200),
		func(i int) int { time.Sleep(time.Duration(i%7) * 100 * time.Microsecond); return i * i },
		func(r int) error {
			if r != next*next {
				t.Fatalf("result %d is %d", next, r)
			}
			next++
			return nil
		})
	if err != nil || next != 200 {
		t.Errorf("%d results, %v", next, err)
	}
}

func TestMapStops(t *testing.T) {
	boom := errors.New("boom")
	var begun atomic.Int32
	count := func(i int) int { begun.Add(1); return i }
	if err := Map(context.Background(), 2, numbers(1e6), count, func(r int) error { return boom }); err != boom {
		t.Errorf("use fails: got %v", err)
	}
	if n := begun.Load(); n > 100 {
		t.Errorf("%d items were begun after the end", n)
	}
	feed := func(yield func(int) error) error { yield(1); return boom }
	if err := Map(context.Background(), 2, feed, count, func(int) error { return nil }); err != boom {
		t.Errorf("feed fails: got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := Map(ctx, 2, numbers(1e6), count, func(int) error { cancel(); return nil }); err != context.Canceled {
		t.Errorf("cancelled: got %v", err)
	}
}

// TestMapDoesNotWaitWhenInterrupted has work that ends after Map.
func TestMapDoesNotWaitWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	returned := make(chan struct{})
	defer close(returned)
	work := func(i int) int {
		if i == 1 {
			cancel()
			<-returned
		}
		return i
	}
	if err := Map(ctx, 2, numbers(10), work, func(int) error { return nil }); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}
