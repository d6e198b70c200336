package cantle_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cantle/cantle"
)

// TestParseErrors holds that Parse refuses what has no text.
func TestParseErrors(t *testing.T) {
	if _, err := cantle.Parse("a.md", []byte("a\x00b"), cantle.ParseOptions{}); !errors.Is(err, cantle.ErrBinary) {
		t.Errorf("a NUL: %v", err)
	}
	for _, src := range []string{"", "a,b\n1,2\n", "PK\x03\x04 and no more"} {
		if _, err := cantle.Parse("a.xlsx", []byte(src), cantle.ParseOptions{}); err == nil || !strings.Contains(err.Error(), "not a workbook") {
			t.Errorf("%q: %v", src, err)
		}
	}
	var format *cantle.FormatError
	if _, err := cantle.Parse("a.md", nil, cantle.ParseOptions{Format: "word"}); !errors.As(err, &format) {
		t.Errorf("a format: %v", err)
	}
}
