package code

import (
	"bufio"
	"bytes"
	"fmt"
	goast "go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/cantle/cantle/ast"
)

// long reports whether tests may take minutes.
func long() bool { return os.Getenv("CANTLE_LONG") == "1" }

// corpus calls use with the files of a language below root: with all of them
// if CANTLE_LONG=1, else with one in fifty.
func corpus(t *testing.T, root, ext string, use func(file string, src []byte)) {
	t.Helper()
	if _, err := os.Stat(root); err != nil || root == "" {
		t.Skip("no source")
	}
	count := 0
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(file) != ext || strings.Contains(file, "site-packages") {
			return err
		}
		if count++; count%50 != 0 && !long() {
			return nil
		}
		src, err := os.ReadFile(file)
		if err == nil {
			use(file, src)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// goSource is the standard library's source.
func goSource() string { return filepath.Join(output("go", "env", "GOROOT"), "src") }

// pythonSource is the standard library's source, "" where there is no Python.
func pythonSource() string {
	return output("python3", "-c", "import os; print(os.path.dirname(os.__file__))")
}

// output returns what a program prints, "" where it cannot be run.
func output(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// peerSource is where the peers' programs gather their corpora; see
// ../../shared/peers/setup.sh. CANTLE_CORPORA names the folder.
func peerSource(lang string) string {
	return filepath.Join(os.Getenv("CANTLE_CORPORA"), lang)
}

func TestLawsOnRealSource(t *testing.T) {
	for _, c := range []struct{ name, root, ext string }{
		{"go", goSource(), ".go"},
		{"python", pythonSource(), ".py"},
		{"rust", peerSource("rust"), ".rs"},
		{"typescript", peerSource("typescript"), ".ts"},
		{"java", peerSource("java"), ".java"},
		{"c", "/usr/include/linux", ".h"},
	} {
		t.Run(c.name, func(t *testing.T) {
			corpus(t, c.root, c.ext, func(file string, src []byte) {
				if err := ast.Check(Parse(file, c.name, src, Options{})); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			})
		})
	}
}

// Trees and parsers are C memory, which Go does not see: a leak shows only in
// the size of the process.
func TestMemoryIsFlat(t *testing.T) {
	if !long() {
		t.Skip("CANTLE_LONG is not set")
	}
	const pages = "/proc/self/statm"
	if _, err := os.Stat(pages); err != nil {
		t.Skip(err)
	}
	resident := func() (mb int) {
		debug.FreeOSMemory()
		text, err := os.ReadFile(pages)
		if err != nil {
			t.Fatal(err)
		}
		var total, resident int
		if _, err := fmt.Sscan(string(text), &total, &resident); err != nil {
			t.Fatal(err)
		}
		return resident * os.Getpagesize() >> 20
	}
	count, before := 0, 0
	for range 2 {
		corpus(t, goSource(), ".go", func(file string, src []byte) {
			Parse(file, "go", src, Options{})
			if count++; count == 1000 {
				before = resident()
			}
		})
	}
	after := resident()
	t.Logf("%d MB after 1,000 files, %d MB after %d", before, after, count)
	if after > before+40 {
		t.Errorf("%d MB after 1,000 files, %d MB after %d", before, after, count)
	}
}

// A function as another program finds it.
type function struct {
	start, end int // offsets of what must be in the definition: from the comment or decorator to the last byte
	name       string
}

// TestFunctions compares with what go/parser, Python's ast and plain patterns
// find: each function is a definition of its name, whole, its doc comment in
// its head.
func TestFunctions(t *testing.T) {
	for _, c := range []struct {
		name, root, ext string
		find            func(t *testing.T, file string, src []byte) []function
		share           float64 // at least
	}{
		{"go", goSource(), ".go", goFunctions, 0.9999},
		{"python", pythonSource(), ".py", pythonFunctions, 0.999},
		{"rust", peerSource("rust"), ".rs", rustFunctions, 0.97},                   // the rest stand in functions, comments and macros
		{"typescript", peerSource("typescript"), ".ts", typescriptFunctions, 0.98}, // the rest is in two files that the grammar cannot read
		{"java", peerSource("java"), ".java", javaFunctions, 0.99},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, total := 0, 0
			corpus(t, c.root, c.ext, func(file string, src []byte) {
				d := Parse(file, c.name, src, Options{})
				var decls []*ast.Node
				for n := range d.Root.All() {
					if n.Kind == ast.Decl {
						decls = append(decls, n)
					}
				}
				for _, f := range c.find(t, file, src) {
					total++
					if isAmong(decls, f) {
						found++
					} else if total-found <= 20 {
						t.Logf("%s: %s at %d is no definition", file, f.name, f.start)
					}
				}
			})
			t.Logf("%d of %d functions", found, total)
			if float64(found) < c.share*float64(total) {
				t.Errorf("%d of %d functions are definitions, want %g", found, total, c.share)
			}
		})
	}
}

// isAmong reports whether a definition of f's name holds f and begins with it.
func isAmong(decls []*ast.Node, f function) bool {
	for _, n := range decls {
		if n.Span.Start > f.start || n.Span.End < f.end {
			continue
		}
		name := n.Name[strings.LastIndexAny(n.Name, ".:")+1:]
		if name == f.name && (f.start <= n.Head.End || n.IsLeaf()) {
			return true
		}
	}
	return false
}

func goFunctions(t *testing.T, file string, src []byte) []function {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var list []function
	for _, decl := range parsed.Decls {
		f, ok := decl.(*goast.FuncDecl)
		if !ok || f.Body == nil && f.Doc == nil {
			continue
		}
		first := f.Pos()
		if f.Doc != nil {
			first = f.Doc.Pos()
		}
		offset := func(p token.Pos) int { return files.PositionFor(p, false).Offset }
		list = append(list, function{offset(first), offset(f.End()), f.Name.Name})
	}
	return list
}

// pythonAST is Python's own parser, in a process that reads the names of files.
// A function within a function is none of ours.
var pythonAST = sync.OnceValues(func() (io.Writer, *bufio.Scanner) {
	const program = `
import ast, sys
def walk(node):
    for n in ast.iter_child_nodes(node):
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)):
            print(min([n.lineno] + [d.lineno for d in n.decorator_list]), n.end_lineno, n.name)
        else:
            walk(n)
for name in sys.stdin:
    try:
        walk(ast.parse(open(name.rstrip("\n"), "rb").read()))
    except (SyntaxError, ValueError):
        pass
    print("", flush=True)`
	command := exec.Command("python3", "-c", program)
	in, err := command.StdinPipe()
	if err != nil {
		panic(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := command.Start(); err != nil {
		panic(err)
	}
	return in, bufio.NewScanner(out)
})

func pythonFunctions(t *testing.T, file string, src []byte) []function {
	in, out := pythonAST()
	if _, err := fmt.Fprintln(in, file); err != nil {
		t.Fatal(err)
	}
	starts := []int{0, 0}
	for i, b := range src {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	starts = append(starts, len(src))
	var list []function
	for out.Scan() && out.Text() != "" {
		var f function
		if n, _ := fmt.Sscan(out.Text(), &f.start, &f.end, &f.name); n == 3 && f.end+1 < len(starts) {
			f.start, f.end = starts[f.start], starts[f.end]+1
			list = append(list, f)
		}
	}
	return list
}

// byPattern finds functions by their first line, and takes the comment and
// attribute lines right above. The end is not known.
func byPattern(src []byte, pattern *regexp.Regexp, above *regexp.Regexp) []function {
	var list []function
	for _, m := range pattern.FindAllSubmatchIndex(src, -1) {
		start := m[0]
		for start > 0 {
			line := bytes.LastIndexByte(src[:start-1], '\n') + 1
			if !above.Match(src[line:start]) {
				break
			}
			start = line
		}
		list = append(list, function{start, m[3], string(src[m[2]:m[3]])})
	}
	return list
}

var (
	rustPattern = regexp.MustCompile(`(?m)^(?: {4})?(?:pub(?:\([a-z]+\))? )?(?:async |const |unsafe )*fn (\w+)[^;{]*\{$`)
	rustAbove   = regexp.MustCompile(`^\s*(///|#\[.*\]$)`)
	tsPattern   = regexp.MustCompile(`(?m)^(?:export )?(?:default )?(?:async )?function (\w+)[^;{]*\{$`)
	tsAbove     = regexp.MustCompile(`^\s*(/\*\*| \*)`)
	javaPattern = regexp.MustCompile(`(?m)^  (?:public |protected |private )(?:static |final |abstract )*[\w<>\[\], ?]+ (\w+)\([^;{}]*\{$`)
	javaAbove   = regexp.MustCompile(`^  (/\*\*| \*|@\w+)`)
)

func rustFunctions(_ *testing.T, _ string, src []byte) []function {
	return byPattern(src, rustPattern, rustAbove)
}

func typescriptFunctions(_ *testing.T, _ string, src []byte) []function {
	return byPattern(src, tsPattern, tsAbove)
}

func javaFunctions(_ *testing.T, _ string, src []byte) []function {
	return byPattern(src, javaPattern, javaAbove)
}
