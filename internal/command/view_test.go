package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// The page first shows what 'cantle chunk' gives by the same flags.
func TestViewCutsAsChunk(t *testing.T) {
	contract := filepath.Join("..", "..", "testdata", "docs", "contract.txt")
	python := filepath.Join("..", "..", "testdata", "cases", "11-py-decorators-doc-comments", "input.py")
	bert := filepath.Join("..", "..", "tokens", "testdata", "bert-uncased.json")
	for _, line := range []string{
		"", "--min-tokens 0", "--max-tokens 60", "--max-tokens 60 --min-tokens 0", "--max-tokens 60 --min-tokens 30", "--max-tokens 60 --want-tokens 30", "--max-tokens 60 --overlap 20",
		"--max-tokens 60 --context none", "--max-tokens 60 --isolate", "--max-tokens 60 --parents 300 --skeleton", "--max-tokens 60 --join-under 30",
		"--max-tokens 60 --encoding " + bert, "--max-tokens 60 --want-tokens 31 --encoding " + bert, "--preset legal", "--strategy sentence --max-tokens 40",
	} {
		for _, file := range []string{contract, python} {
			testViewCutsAsChunk(t, strings.Fields(line), file)
		}
	}
}

// testViewCutsAsChunk holds the page of one file against the command.
func testViewCutsAsChunk(t *testing.T, flags []string, file string) {
	var out bytes.Buffer
	if code := Run(append(append([]string{"chunk"}, flags...), file), nil, &out, os.Stderr); code != exitFine {
		t.Fatalf("%v: exit status %d", flags, code)
	}
	var want, got []string
	for record := range strings.Lines(out.String()) {
		var c struct{ ID, Type string }
		if err := json.Unmarshal([]byte(record), &c); err != nil {
			t.Fatal(err)
		}
		if c.Type != "parent" {
			want = append(want, c.ID)
		}
	}
	v := newViewer(t, flags, file)
	doc, err := v.cut(t.Context(), v.names[0], v.settings())
	if err != nil {
		t.Errorf("%v: %v", flags, err)
		return
	}
	for _, c := range doc.Sets[0].Chunks {
		got = append(got, c.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s %v: the page has %d chunks, want %d", file, flags, len(got), len(want))
	}
	// Every limit of the page's slider can be cut by.
	for _, limit := range []int{16, 32, 2000} {
		s := v.settings()
		s.Max, s.Min, s.Overlap = limit, 0, 0
		if _, err := v.cut(t.Context(), v.names[0], s); err != nil {
			t.Errorf("%v: limit %d: %v", flags, limit, err)
		}
	}
}

func newViewer(t *testing.T, flags []string, path string) *viewer {
	t.Helper()
	var f cutFlags
	cmd := &cobra.Command{}
	f.add(cmd)
	if err := cmd.Flags().Parse(flags); err != nil {
		t.Fatal(err)
	}
	opt, err := f.options(cmd.Flags(), &embedders{})
	if err != nil {
		t.Fatal(err)
	}
	v := &viewer{opt: opt, flags: f, paths: map[string]string{}, read: os.ReadFile}
	if err := v.find(t.Context(), walkFlags{}, []string{path}); err != nil {
		t.Fatal(err)
	}
	return v
}
