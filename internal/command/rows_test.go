package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A large file of values that is no text is passed over like any other.
func TestLargeRowsThatAreNoText(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "a.csv")
	for name, text := range map[string]string{large: "id,name\n", filepath.Join(dir, "z.md"): "Zed.\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Truncate(large, largeRows+1); err != nil { // the rest is NUL
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := Run([]string{"chunk", dir}, nil, &out, &errs); code != exitFailed {
		t.Errorf("exit status %d, want %d", code, exitFailed)
	}
	if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"text":"Zed."`) {
		t.Errorf("got %.300s", got)
	}
	if got := errs.String(); !strings.HasPrefix(got, large+": not text") || strings.Count(got, "\n") != 1 {
		t.Errorf("reported: %.300s", got)
	}
}
