package cantle_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/internal/laws"
)

// checkCodeContext fails where what is beside a piece breaks a law, or changes
// anything of a chunk but its context and its size.
func checkCodeContext(t *testing.T, doc *ast.Document, limit int) {
	t.Helper()
	opt, err := cantle.Options{Cut: chunker.Options{Max: limit}}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	without, err := cantle.Cut(context.Background(), doc, opt)
	if err != nil {
		t.Fatal(err)
	}
	opt.Cut.CodeContext = true
	with, err := cantle.Cut(context.Background(), doc, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range laws.Check(doc, opt.Cut, with) {
		t.Errorf("%s at %d, with code context: %v", doc.Name, limit, err)
	}
	if len(with) != len(without) {
		t.Errorf("%s at %d: %d chunks, %d with code context", doc.Name, limit, len(without), len(with))
		return
	}
	for i := range with {
		a, b := without[i], with[i]
		if path, _, _ := strings.Cut(b.Context, "\n"); a.Context != "" && path != a.Context {
			t.Errorf("%s at %d: chunk %d has the context %q, %q without code context", doc.Name, limit, i, b.Context, a.Context)
		}
		b.Context, b.Tokens = a.Context, a.Tokens
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s at %d: chunk %d is another with code context: %+v, without %+v", doc.Name, limit, i, b, a)
		}
	}
}

// contexts returns the contexts of a file's chunks, by the first symbol of each.
func contexts(t *testing.T, name, src string, cut chunker.Options) map[string]string {
	t.Helper()
	cut.CodeContext = true
	of := map[string]string{}
	for _, c := range chunkCode(t, name, src, cut) {
		of[strings.Join(c.Symbols, " ")] = c.Context
	}
	return of
}

const shelf = `"""Books on shelves."""
import json
import os.path, sys
from typing import Any, Optional

class Shelf:
    """Holds books, in the order in which they were put there, and nothing else but them, whoever asks for it to hold more."""
    limit = 10

    @property
    def size(self):
        return len(self.books) if self.books is not None else 0  # no file is read for it

    def put(self, book: Any) -> Optional[int]:
        # A book is put behind those that are there.
        self.books.append(json.dumps(book, sort_keys=True, indent=None))
        return self.sys + len(os.path.join("a", "b", "c", "d", "e", "f"))

    def clear(
        self,
        hard=False,
    ):
        self.books = [] if hard else self.books[:0] + [json.dumps("nothing")]
        return self

def open_shelf(path: str) -> Shelf:
    return Shelf(path, limit=10, read=True, write=False, create=False)
`

// A method has the imports that it uses, of each only the names that it uses,
// and the signatures of the methods beside it; not what belongs to something
// else, as self.sys does.
func TestCodeContext(t *testing.T) {
	got := contexts(t, "lib/shelf.py", shelf, chunker.Options{Max: 400, Min: 16})
	for symbols, want := range map[string]string{
		"Shelf.put":         "lib/shelf.py > Shelf > put\nimport json\nimport os.path\nfrom typing import Any, Optional\ndef size(self):\ndef clear( self, hard=False, ):",
		"Shelf.size":        "lib/shelf.py > Shelf > size\ndef put(self, book: Any) -> Optional[int]:\ndef clear( self, hard=False, ):",
		"Shelf Shelf.limit": "lib/shelf.py > Shelf\ndef size(self):\ndef put(self, book: Any) -> Optional[int]:\ndef clear( self, hard=False, ):",
		"open_shelf":        "lib/shelf.py > open_shelf\nclass Shelf:",
		"":                  "lib/shelf.py\nclass Shelf:\ndef open_shelf(path: str) -> Shelf:", // holds the imports itself
	} {
		if got[symbols] != want {
			t.Errorf("%q has the context %q, want %q", symbols, got[symbols], want)
		}
	}
}

// Of what is beside a piece the nearest is said where there is no room for all,
// and nothing where the path has no room.
func TestCodeContextIsShedFirst(t *testing.T) {
	for _, c := range []struct {
		limit int
		want  string
	}{
		{400, "lib/shelf.py > Shelf > put\nimport json\nimport os.path\nfrom typing import Any, Optional\ndef size(self):\ndef clear( self, hard=False, ):"},
		{150, "lib/shelf.py > Shelf > put\nimport json\nimport os.path\nfrom typing import Any, Optional\ndef size(self):"},
		{84, "lib/shelf.py > Shelf > put\nimport json\nimport os.path"},
		{77, "lib/shelf.py > Shelf > put"},
		{73, "Shelf > put"},
	} {
		got := contexts(t, "lib/shelf.py", shelf, chunker.Options{Max: c.limit, Min: 16})["Shelf.put"]
		if got != c.want {
			t.Errorf("at %d the context is %q, want %q", c.limit, got, c.want)
		}
	}
	if got := contexts(t, "lib/shelf.py", shelf, chunker.Options{Max: 400, Min: 16, Context: chunker.ContextNone})["open_shelf"]; got != "class Shelf:" {
		t.Errorf("without a path the context is %q", got)
	}
}

// The context ends with the name of the definition that a chunk is of, also
// where a class line or a closing brace goes along, and where the chunk is a
// part of it. What is several things has no name.
func TestContextNamesTheDefinition(t *testing.T) {
	long := strings.Repeat("    System.out.println(\"one more line of a long method\");\n", 12)
	src := "package books;\n\nclass Shelf {\n  int size() { return 1 + 1; }\n\n  void put() {\n" + long + "  }\n\n  int last() { return 2; }\n}\n\nclass End { int n; }\n\n@Name enum Kind { A, B }\n"
	chunks := chunkCode(t, "Shelf.java", src, chunker.Options{Max: 100, Min: 10})
	var got []string
	for _, c := range chunks {
		if len(got) == 0 || got[len(got)-1] != c.Context {
			got = append(got, c.Context)
		}
		if last := len(c.SectionPath) - 1; last >= 0 && c.SectionPath[last] != "Shelf" {
			t.Errorf("the path is %q", c.SectionPath)
		}
	}
	want := []string{"Shelf.java", "Shelf.java > Shelf > size", "Shelf.java > Shelf > put", "Shelf.java > Shelf > last", "Shelf.java > End", "Shelf.java > Kind"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// An import in a function is known there alone, one that is tried everywhere.
func TestCodeContextOfLocalImports(t *testing.T) {
	src := "try:\n    import fast as quick\nexcept ImportError:\n    quick = None\n\n" +
		"def f(a):\n    import here\n    " + strings.Repeat("here.run(quick.a, 'some words that take room, and more')\n    ", 6) + "\n\n" +
		"def g(a):\n    return here.run(quick.a, 'some words that take room, and more')\n"
	for symbols, context := range contexts(t, "a.py", src, chunker.Options{Max: 100, Min: 16}) {
		if symbols != "" && !strings.Contains(context, "import fast as quick") || symbols == "g" && strings.Contains(context, "import here") {
			t.Errorf("%q has the context %q", symbols, context)
		}
	}
	parts := chunkCode(t, "a.py", src, chunker.Options{Max: 100, Min: 16, CodeContext: true})
	if last := parts[len(parts)-2]; !strings.Contains(last.Context, "import here") {
		t.Errorf("the end of f has the context %q", last.Context)
	}
}
