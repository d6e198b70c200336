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

// A document of Kubernetes is named after its object, whatever its size, and
// whether it is one of several.
func TestSymbolsOfKubernetes(t *testing.T) {
	service := func(name string) string {
		return "apiVersion: v1\nkind: Service # to the world\nmetadata:\n  labels:\n    name: no\n  name: \"" + name + "\"\n"
	}
	spec := "spec:\n  replicas: 3\n  template:\n    spec:\n      containers:\n        - name: web\n          image: nginx:1.25\n"
	for _, c := range []struct{ name, src, want string }{
		{"alone", service("web"), "Service/web"},
		{"two", service("web") + "---\n" + service("db"), "Service/web\nService/db"},
		{"begun", "---\n# The first.\n" + service("web") + spec + "---\n" + service("db") + "---\na: 1\nb: 2\n", "Service/web\nService/db\n"},
		{"template", "apiVersion: v1\nkind: Service\nmetadata:\n  name: '{{ .Name }}'\n", "Service"},
		{"none", "kind: x\nother:\n  name: y\n" + spec, "kind other spec"},
	} {
		if got := symbolsOf(t, "a.yaml", c.src, chunker.Options{}); got != c.want {
			t.Errorf("%s: symbols\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	want := "Deployment/web Deployment/web.apiVersion Deployment/web.kind Deployment/web.metadata\n" +
		"Deployment/web Deployment/web.spec"
	src := "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  labels:\n    app: web\n" + spec
	if got := symbolsOf(t, "a.yaml", src, chunker.Options{Max: 50}); got != want {
		t.Errorf("cut: symbols\n%s\nwant\n%s", got, want)
	}
}

// Keys are symbols and contexts as classes and functions are.
func TestKeyPaths(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"a.json", `{
  "name": "x",
  "deps": {
    "pkg": {
      "one": "some words here that take room, and more of them",
      "two": "some words here that take room, and more of them",
      "three": "some words here that take room, and more of them"
    }
  }
}
`},
		{"a.yaml", `name: x
deps:
  pkg:
    one: some words here that take room, and more of them, and more of them
    two: some words here that take room, and more of them, and more of them
    three: some words here that take room, and more of them, and more of them
`},
	} {
		last := chunker.Chunk{}
		for _, k := range chunkCode(t, c.name, c.src, chunker.Options{Max: 45}) {
			last = k
		}
		if want := c.name + " > deps > pkg"; last.Context != want {
			t.Errorf("%s: context %q, want %q", c.name, last.Context, want)
		}
		if got, want := strings.Join(last.Symbols, " "), "deps deps.pkg deps.pkg.three"; got != want {
			t.Errorf("%s: symbols %q, want %q", c.name, got, want)
		}
	}
}

// A parent is measured by the limit of parents.
func TestParentsAreNotOversize(t *testing.T) {
	src := "class Shelf:\n    def get(self):\n" + body(8, "") + "\n    def close(self):\n" + body(8, "")
	for _, skeleton := range []bool{false, true} {
		for _, c := range chunkCode(t, "class.py", src, chunker.Options{Max: 45, Parents: 600, Skeleton: skeleton}) {
			if len(c.Flags) > 0 {
				t.Errorf("%s at %d has the flags %q", c.Type, c.Start, c.Flags)
			}
		}
	}
}
