package cantle_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cantle/cantle"
)

// A context that is done is found before the parse, which would fail here.
func TestChunkLooksAtTheContextFirst(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := cantle.Chunk(ctx, "a.md", []byte("\x00"), cantle.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}
