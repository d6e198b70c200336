package cantle_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
)

const notebook = `{"cells": [
 {"cell_type": "markdown", "source": ["# Title\n", "\n", "Some text.\n"]},
 {"cell_type": "code", "outputs": [{"output_type": "stream", "text": ["hello there\n"]}], "source": ["def f(x):\n", "    return x\n"]},
 {"cell_type": "code", "outputs": [], "source": []},
 {"cell_type": "code", "outputs": [{"data": {"text/plain": ["42 of them"]}}], "source": ["class A:\n", "    def g(x):\n", "        return x\n"]}
], "metadata": {"kernelspec": {"language": "python"}}}`

// A chunk of a notebook says which cells it is of and what they define, and has
// what they have printed where that is asked for.
func TestNotebook(t *testing.T) {
	doc, err := cantle.Parse("a.ipynb", []byte(notebook), cantle.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ast.Check(doc); err != nil {
		t.Error(err)
	}
	chunks := chunkCode(t, "a.ipynb", notebook, chunker.Options{Max: 28})
	if len(chunks) != 2 {
		t.Fatalf("%d chunks, want 2", len(chunks))
	}
	for i, want := range []struct {
		first, last int
		symbols     []string
	}{{1, 2, []string{"f"}}, {4, 4, []string{"A", "A.g"}}} {
		if c := chunks[i]; c.PageStart != want.first || c.PageEnd != want.last || !slices.Equal(c.Symbols, want.symbols) {
			t.Errorf("chunk %d is of the cells %d to %d with %q, want %v", i, c.PageStart, c.PageEnd, c.Symbols, want)
		}
		if strings.Contains(chunks[i].Text, "hello") {
			t.Errorf("chunk %d has the outputs: %q", i, chunks[i].Text)
		}
	}
	with, err := cantle.Chunk(context.Background(), "a.ipynb", []byte(notebook), cantle.Options{Parse: cantle.ParseOptions{Outputs: true}})
	if err != nil || len(with) != 1 || !strings.Contains(with[0].Text, "hello there") || !strings.Contains(with[0].Text, "42 of them") {
		t.Errorf("with outputs: %v, %v", with, err)
	}
}
