package cantle_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cantle/cantle/chunker"
)

// symbolsOf returns the symbols of a file's chunks, a line each.
func symbolsOf(t *testing.T, name, src string, cut chunker.Options) string {
	t.Helper()
	var lines []string
	for _, c := range chunkCode(t, name, src, cut) {
		lines = append(lines, strings.TrimSpace(strings.Join(c.Symbols, " ")))
	}
	return strings.Join(lines, "\n")
}

// body is a statement that takes about 20 tokens.
func body(indent int, end string) string {
	return fmt.Sprintf("%*srun(\"one thing that is long enough to be cut at the limit of it\", 1, 2, 3)%s\n", indent, "", end)
}

// A definition is a symbol of the chunk that has its head, and of each part of
// it; those around it stand before its name.
func TestSymbols(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"class.py", "class Shelf:\n    \"\"\"Base class of all the shelves that there are in this house.\"\"\"\n\n    def get(self):\n" + body(8, "") +
			"\n    def close(self):\n" + body(8, ""),
			"Shelf\nShelf.get\nShelf.close"},
		{"class.ts", "export class Shelf {\n  rows = 1;\n  get() {\n" + body(4, ";") + "  }\n  close() {\n" + body(4, ";") + "  }\n}\n",
			"Shelf Shelf.rows\nShelf.get\nShelf.close"},
		{"Shelf.java", "class Shelf {\n    void get() {\n" + body(8, ";") + "    }\n    void close() {\n" + body(8, ";") + "    }\n}\n",
			"Shelf Shelf.get\nShelf.close"},
		{"Nested.java", "class Shelf {\n  class Row {\n    void get() {\n" + body(6, ";") + "    }\n    void close() {\n" + body(6, ";") + "    }\n  }\n}\n",
			"Shelf Shelf.Row Shelf.Row.get\nShelf.Row.close"},
		{"object.js", "const table = {\n  start() {\n" + body(4, ";") + "  },\n  stop() {\n" + body(4, ";") + "  },\n};\n",
			"table table.start\ntable.stop"},
		{"long.py", "class Shelf:\n    def get(self):\n" + strings.Repeat(body(8, ""), 3),
			"Shelf Shelf.get\nShelf.get\nShelf.get"},
	} {
		if got := symbolsOf(t, c.name, c.src, chunker.Options{Max: 45}); got != c.want {
			t.Errorf("%s: symbols\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// A parent has the symbols of all that it holds, named as its chunks name them.
func TestSymbolsOfParents(t *testing.T) {
	src := "class Shelf:\n    def get(self):\n" + body(8, "") + "\n    def close(self):\n" + body(8, "")
	got, _, _ := strings.Cut(symbolsOf(t, "class.py", src, chunker.Options{Max: 45, Parents: 600}), "\n")
	if want := "Shelf Shelf.get Shelf.close"; got != want {
		t.Errorf("symbols %q, want %q", got, want)
	}
}
