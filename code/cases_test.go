package code

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle/ast"
)

// A tree is a parsed file of testdata with ways to ask for its parts.
type tree struct {
	t *testing.T
	*ast.Document
}

func parseFile(t *testing.T, name string) tree {
	t.Helper()
	src, err := os.ReadFile("testdata/golden/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return tree{t, parsed(t, name, "", string(src))}
}

func parsed(t *testing.T, name, lang, src string) *ast.Document {
	t.Helper()
	d := Parse(name, lang, []byte(src), Options{})
	if err := ast.Check(d); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

func (d tree) text(s ast.Span) string { return string(d.Source[s.Start:s.End]) }

// find returns the definitions of that path of names, outermost first.
func (d tree) find(path ...string) []*ast.Node {
	d.t.Helper()
	var found []*ast.Node
	var walk func(n *ast.Node, rest []string)
	walk = func(n *ast.Node, rest []string) {
		for _, child := range n.Children {
			switch {
			case child.Name != rest[0]:
				walk(child, rest)
			case len(rest) > 1:
				walk(child, rest[1:])
			case child.Kind == ast.Decl:
				found = append(found, child)
			}
		}
	}
	walk(d.Root, path)
	if len(found) == 0 {
		d.t.Fatalf("no definition %q", path)
	}
	return found
}

// holds fails unless the definition's source has all of the parts.
func (d tree) holds(n *ast.Node, parts ...string) {
	d.t.Helper()
	for _, part := range parts {
		if !strings.Contains(d.text(n.Span), part) {
			d.t.Errorf("%s does not hold %q:\n%s", n.Name, part, d.text(n.Span))
		}
	}
}

// 11: decorators and comments above a definition belong to it.
func TestDecoratorsAndComments(t *testing.T) {
	d := parseFile(t, "case11.py")
	load := d.find("load")[0]
	d.holds(load, "# Loads one row.", "# The second", "@lru_cache(maxsize=8)", `@trace(level="debug")`, "def load(key):", "return os.environ")
	if got, want := d.text(load.Lead), "# Loads one row.\n# The second comment line belongs to it as well.\n"; got != want {
		t.Errorf("lead %q, want %q", got, want)
	}
	if !strings.Contains(d.text(load.Head), `"""Return the row for key."""`) {
		t.Errorf("head %q without the docstring", d.text(load.Head))
	}
	d.holds(d.find("Outer", "Inner", "name")[0], "# Names the inner part.", "@property", `return "inner"`)
	run := d.find("Outer", "run")[0]
	d.holds(run, "async def run(self):", "def local():", "return local()")
	if run.IsScope() {
		t.Error("a function that holds a function is a scope")
	}
	outer := d.find("Outer")[0]
	if got, want := d.text(outer.Head), "class Outer:\n    \"\"\"Outer docs.\"\"\"\n\n"; got != want || outer.Lead != outer.Head {
		t.Errorf("head %q and lead %v, want %q for both", got, outer.Lead, want)
	}
	for n := range d.Root.All() {
		if n.Span.Start > 0 && d.Source[n.Span.Start-1] != '\n' {
			t.Errorf("%v begins inside a line", n.Span)
		}
	}
}

// 12: a long function is opened into whole statements, under its signature.
func TestLongFunction(t *testing.T) {
	d := parseFile(t, "case12.go")
	n := d.find("Ledger.Reconcile")[0]
	if got := d.text(ast.Span{Start: n.Lead.End, End: n.Head.End}); got != "func (l *Ledger[T]) Reconcile(limit int64) error {\n" {
		t.Errorf("signature %q", got)
	}
	if got := strings.TrimSpace(d.text(n.Tail)); got != "}" {
		t.Errorf("tail %q", got)
	}
	loops := 0
	for _, child := range n.Children {
		if text := d.text(child.Span); strings.HasPrefix(text, "\tfor ") {
			loops++
			if !strings.HasSuffix(text, "\n\t}\n") {
				t.Errorf("a loop is cut: %q", text)
			}
		}
	}
	if loops != 6 {
		t.Errorf("%d loops, want 6", loops)
	}
	d.holds(d.find("Ledger.Close")[0], "// Close is short.")
}

// 13: attributes and doc comments stay, implementations are told apart.
func TestImplementations(t *testing.T) {
	d := parseFile(t, "case13.rs")
	d.holds(d.find("Greeter")[0], "/// 问候语", "#[derive(Debug, Clone)]", "/// 名字")
	d.holds(d.find("Greeter", "greet")[0], "/// 返回问候。", "#[must_use]")
	d.holds(d.find("Greeter", "part")[0], "// ниже — второй метод")
	d.holds(d.find("Display for Greeter", "fmt")[0], "write!")
	d.find("shout")
}

// 14: branches keep their condition, a macro without a semicolon stays apart.
func TestConditionalsAndMacros(t *testing.T) {
	d := parseFile(t, "case14.c")
	opens := d.find("net_open")
	if len(opens) != 2 {
		t.Fatalf("%d definitions of net_open, want 2", len(opens))
	}
	d.holds(opens[0], "/* Opens the link. */", "return host ? 1 : 0;")
	d.holds(opens[1], "/* No network: always fails. */", "return -1;")
	d.find("#ifdef HAVE_NET", "net_open")
	d.find("#else of #ifdef HAVE_NET", "net_open")
	pick := d.find("pick")[0]
	d.holds(pick, "#ifdef LOG_SMALL", "return SQUARE(v);")
	if text := d.text(pick.Span); strings.Contains(text, "DECLARE_TABLE") || strings.Contains(text, "last") {
		t.Errorf("pick holds what is not its own:\n%s", text)
	}
	d.find("last")
}

// What a grammar cannot place leaves the rest as it is.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ lang, src string }{
		{"go", "package p\n\nfunc a() {\n\tx := (\n}\n\n// B is.\nfunc b() {\n\treturn\n}\n"},
		{"python", "def a(:\n    pass\n\n\n# B is.\ndef b():\n    return 1\n"},
		{"javascript", "function a( {\n}\n\n// B is.\nfunction b() {\n  return 1;\n}\n"},
		{"java", "class A {\n  int x = ;\n\n  // B is.\n  void b() {\n    return;\n  }\n}\n"},
		{"rust", "fn a( {\n}\n\n// B is.\nfn b() {\n    c();\n}\n"},
		{"c", "int a( {\n}\n\n// B is.\nint b(void)\n{\n    return 1;\n}\n"},
		{"cpp", "class A {\n  int x = ;\n\n  // B is.\n  void b() {\n    return;\n  }\n};\n"},
	} {
		d := tree{t, parsed(t, c.lang, c.lang, c.src)}
		if len(d.Problems) == 0 {
			t.Errorf("%s: no problem", c.lang)
		}
		found := false
		for n := range d.Root.All() {
			found = found || n.Kind == ast.Decl && n.Name == "b" && strings.Contains(d.text(n.Span), "B is.")
		}
		if !found {
			t.Errorf("%s: no definition b with its comment", c.lang)
		}
	}
}

// A line is cut only where it is very long.
func TestLongLine(t *testing.T) {
	statement := "function f(a) { return a + 1 } "
	short := parsed(t, "a.js", "", strings.Repeat(statement, 5))
	if got := len(short.Root.Children); got != 1 {
		t.Errorf("a short line: %d nodes, want 1", got)
	}
	long := parsed(t, "a.js", "", strings.Repeat(statement, 1000))
	if got := len(long.Root.Children); got < 50 {
		t.Errorf("a line of %d bytes: %d nodes, want at least 50", len(long.Source), got)
	}
}

// An unknown language is cut at blank lines, by indentation.
func TestParagraphs(t *testing.T) {
	d := parsed(t, "a.xyz", "", "begin\n  one\n\n  two\n\nbegin\n  three\n")
	var got []string
	for _, n := range d.Root.Children {
		got = append(got, string(d.Source[n.Span.Start:n.Span.End]))
	}
	want := []string{"begin\n  one\n\n  two\n\n", "begin\n  three\n"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFenceOffsets(t *testing.T) {
	text := "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
	nodes := Fence("py", []byte(text))
	at := 0
	for _, n := range nodes {
		if n.Span.Start != at {
			t.Fatalf("a node begins at %d, want %d", n.Span.Start, at)
		}
		at = n.Span.End
	}
	if len(nodes) != 2 || at != len(text) || nodes[1].Name != "g" {
		t.Errorf("%d nodes up to %d, want f and g up to %d", len(nodes), at, len(text))
	}
}

// What declares several names is a block of them, each with its name, however
// short it is; several types in one declaration are definitions each.
func TestGroupsOfNames(t *testing.T) {
	d := parsed(t, "a.go", "", "package a\n\nconst (\n\tA = 1\n\tB = 2\n)\n\ntype (\n\t// T is long.\n\tT struct {\n\t\tnumber int // of the beast\n\t}\n\tS struct {\n\t\tsize int\n\t}\n)\n")
	var got []string
	for n := range d.Root.All() {
		if n.Name != "" {
			got = append(got, n.Kind.String()+" "+n.Name)
		}
	}
	if want := "block A, block B, decl T, decl S"; strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
	if types := d.Root.Children[len(d.Root.Children)-1]; types.Kind != ast.Block || !types.IsScope() {
		t.Errorf("the types are in a %v, which is a scope: %v", types.Kind, types.IsScope())
	}
}

// Where one branch of a conditional has definitions the others are scopes too,
// and say of what they are the others.
func TestBranchesWithoutDefinitions(t *testing.T) {
	branches := func(body string) (names []string) {
		d := parsed(t, "a.c", "", "#ifdef HAVE_NET\n"+body+"#elif defined(HAVE_FILE)\n#define net_open(host) file_open(host)\n#else\n/* nothing */\n#endif\nint n;\n")
		for _, n := range d.Root.Children {
			if n.IsScope() {
				names = append(names, n.Name)
			}
		}
		return names
	}
	want := []string{"#ifdef HAVE_NET", "#elif defined(HAVE_FILE) of #ifdef HAVE_NET", "#else of #ifdef HAVE_NET"}
	if got := branches("int net_open(const char *host) {\n\treturn 1;\n}\n"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := branches("#define net_open(host) 1\n"); got != nil {
		t.Errorf("without definitions: got %q", got)
	}
}

// Expressions between braces are no markup.
func TestExpressionsInMarkup(t *testing.T) {
	for name, src := range map[string]string{
		"if.svelte":    "{#if n > 3 && m < 2}\n  <p on:click={() => add('a', \"b\")}>many</p>\n{:else}\n  <p>few</p>\n{/if}\n",
		"lines.svelte": "<p class={\n  n > 3\n}>many</p>\n",
		"text.vue":     "<template>\n  <p>{{ n < 3 ? \"few\" : 'many' }}</p>\n</template>\n",
	} {
		if d := parsed(t, name, "", src); len(d.Problems) > 0 && !hasNoGrammar(d) {
			t.Errorf("%s: problems %v", name, d.Problems)
		}
	}
	for _, src := range []string{"", "{", "}", "}{", "{{", "<p title=\"{\">a</p><p title=\"}\">", "{a}"} {
		if got := string(maskExpressions([]byte(src))); got != src {
			t.Errorf("%q became %q", src, got)
		}
	}
}

// Where a part of a component has definitions, each is a scope with what stands above it.
func TestPartsAreScopes(t *testing.T) {
	d := tree{t, parsed(t, "a.vue", "", "<!-- A counter. -->\n<script>\nfunction more() {\n  n++;\n}\n</script>\n\n<!-- What it shows. -->\n<template>\n  <p>a</p>\n</template>\n")}
	var names, firsts []string
	for _, n := range d.Root.Children {
		names = append(names, n.Name)
		firsts = append(firsts, d.text(n.Head))
		if !n.IsScope() {
			t.Errorf("%s is no scope", n.Name)
		}
	}
	if want := []string{"script", "template"}; !slices.Equal(names, want) {
		t.Errorf("parts %q, want %q", names, want)
	}
	if want := []string{"<!-- A counter. -->\n<script>\n", "<!-- What it shows. -->\n<template>\n"}; !slices.Equal(firsts, want) {
		t.Errorf("heads %q, want %q", firsts, want)
	}
}

// The signatures of a function that has several are one definition with it.
func TestOverloads(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		want []string
	}{
		"a.ts":   {"/** Docs. */\nexport function f(a: string): string;\nexport function f(a: number): number;\nexport function f(a: any): any {\n  return a;\n}\nfunction g(a: any): any {\n  return a;\n}\n", []string{"f", "g"}},
		"b.ts":   {"declare function f(a: string): string;\n// More.\ndeclare function f(a: number): number;\ndeclare function g(a: number): number;\n", []string{"f", "g"}},
		"c.py":   {"@overload\ndef f(a: str) -> str: ...\n@typing.overload\ndef f(a: int) -> int: ...\ndef f(a):\n    return a\n@x.setter\ndef g(a):\n    return a\n", []string{"f", "g"}},
		"d.java": {"class A {\n  void f(int a) {\n    b();\n  }\n  void f(long a) {\n    b();\n  }\n}\n", []string{"A"}},
	} {
		var names []string
		for _, n := range parsed(t, name, "", c.src).Root.Children {
			names = append(names, n.Name)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%s: definitions %q, want %q", name, names, c.want)
		}
	}
	d := tree{t, parsed(t, "a.ts", "", "class A {\n  /** Docs. */\n  get(a: string): string;\n  get(a: number): number;\n  get(a: any): any {\n    return a;\n  }\n}\n")}
	get := d.find("A", "get")[0]
	if got := d.text(get.Lead); got != "  /** Docs. */\n" {
		t.Errorf("lead %q", got)
	}
	d.holds(get, "get(a: string)", "get(a: number)", "return a;")
}
