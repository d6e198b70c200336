// Package ordered does work on many things at once and hands on the results
// in the order of the things.
package ordered

import (
	"context"
	"sync"
)

// Map calls work for each item that feed gives, on jobs goroutines, and then
// use for each result, one at a time and in the order of the items. At most
// 16 times jobs results wait, so memory does not grow with the number of items:
// enough that others go on while a large one is worked on.
//
// The first error of feed or use, or the context's, ends it and is returned;
// work already begun is finished and dropped. Map waits for that, but not where
// the context has ended: who interrupts does not wait for a large document.
// feed's yield reports an error when there is no use in going on, which feed
// should return.
func Map[T, R any](outer context.Context, jobs int, feed func(yield func(T) error) error, work func(T) R, use func(R) error) error {
	ctx, cancel := context.WithCancelCause(outer)
	defer cancel(nil)
	type slot struct {
		item   T
		result chan R
	}
	todo := make(chan slot)
	queue := make(chan slot, 16*jobs)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for s := range todo {
				s.result <- work(s.item)
			}
		})
	}
	fed := make(chan error, 1)
	go func() {
		defer close(queue)
		defer close(todo)
		fed <- feed(func(item T) error {
			s := slot{item, make(chan R, 1)}
			select {
			case queue <- s:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			select {
			case todo <- s:
				return nil
			case <-ctx.Done():
				close(s.result)
				return context.Cause(ctx)
			}
		})
	}()
	var failed error
	for s := range queue {
		if failed != nil {
			continue
		}
		select {
		case r, ok := <-s.result:
			if ok {
				failed = use(r)
			}
		case <-ctx.Done():
			failed = context.Cause(ctx)
		}
		if failed != nil {
			cancel(failed)
		}
	}
	if outer.Err() == nil {
		workers.Wait()
	}
	if err := <-fed; failed == nil {
		failed = err
	}
	return failed
}
