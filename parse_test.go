package cantle_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
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

// Modules are no text where the name of a file says that it is MDX.
func TestParseMDX(t *testing.T) {
	for name, want := range map[string]ast.Kind{"a.mdx": ast.Markup, "A.MDX": ast.Markup, "a.md": ast.Paragraph} {
		doc, err := cantle.Parse(name, []byte("import A from 'a'\n\n# B\n"), cantle.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := doc.Root.Children[0].Kind; got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}
