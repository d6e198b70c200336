package code

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cantle/cantle/ast"
)

// TestHostile gives each grammar inputs that are bad in one way, and asks for
// a lawful tree well within the time limit of the parser and some for the rest.
func TestHostile(t *testing.T) {
	n := 3_000
	if long() {
		n = 1_000_000
	}
	noise := make([]byte, n)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(random.IntN(256))
	}
	lines := func(i int) string { return strings.Repeat(" ", i%400) + "x\n\n" }
	var stairs strings.Builder
	for i := 0; stairs.Len() < n; i++ {
		stairs.WriteString(lines(i))
	}
	inputs := map[string][]byte{
		"open brackets":   bytes.Repeat([]byte("("), n),
		"nested brackets": append(bytes.Repeat([]byte("("), n/2), bytes.Repeat([]byte(")"), n/2)...),
		"nested braces":   append(bytes.Repeat([]byte("{\n"), n/2), bytes.Repeat([]byte("}\n"), n/2)...),
		"quotes":          bytes.Repeat([]byte("\"'`"), n/3),
		"one line":        bytes.Repeat([]byte("a = b + c; "), n/11),
		"one word":        bytes.Repeat([]byte("a"), n),
		"sums":            bytes.Repeat([]byte("1+"), n/2),
		"less than":       bytes.Repeat([]byte("a<"), n/2),
		"blank lines":     bytes.Repeat([]byte("\n"), n),
		"blanks":          bytes.Repeat([]byte(" "), n),
		"stairs":          []byte(stairs.String()),
		"comments":        bytes.Repeat([]byte("// a\n# b\n-- c\n\n"), n/15),
		"conditionals":    bytes.Repeat([]byte("#if a\n#else\n"), n/12),
		"branches":        append([]byte("#if a\n"), bytes.Repeat([]byte("#elif b\nint x;\n"), n/15)...),
		"ifs":             bytes.Repeat([]byte("if (a) {\n"), n/9),
		"else ifs":        append([]byte("if (a) {}\n"), bytes.Repeat([]byte("else if (b) { c(); }\n"), n/21)...),
		"classes":         bytes.Repeat([]byte("class A {\n"), n/10),
		"noise":           noise,
		"carriage":        bytes.Repeat([]byte("a = 1\r"), n/6),
	}
	for _, lang := range []string{"go", "python", "javascript", "typescript", "java", "rust", "c", "cpp", "bash", "yaml", "ruby", "json", "xml", "vue", ""} {
		for name, src := range inputs {
			limit := 2 * Options{}.timeout(len(src))
			start := time.Now()
			d := Parse("", lang, src, Options{})
			if took := time.Since(start); took > limit {
				t.Errorf("%s in %q: took %v, want less than %v", name, lang, took, limit)
			} else if testing.Verbose() && took > time.Second {
				t.Logf("%s in %q: %v", name, lang, took)
			}
			if err := ast.Check(d); err != nil {
				t.Errorf("%s in %q: %v", name, lang, err)
			}
		}
	}
}

// TestCutOff ends each golden's source where it should go on, and takes a part
// of it away: scanners of grammars that look for the end of something come to
// that of the source.
func TestCutOff(t *testing.T) {
	sources, err := filepath.Glob("testdata/golden/*")
	if err != nil || len(sources) < 30 {
		t.Fatalf("%d sources, %v", len(sources), err)
	}
	step := 31
	if long() {
		step = 3
	}
	for _, path := range sources {
		if strings.HasSuffix(path, ".ast") {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(src); i += step {
			without := slices.Concat(src[:i/2], src[i:])
			for _, src := range [][]byte{src[:i], without} {
				limit := 2 * Options{}.timeout(len(src))
				start := time.Now()
				d := Parse(filepath.Base(path), "", src, Options{})
				if took := time.Since(start); took > limit {
					t.Errorf("%s cut at %d: took %v, want less than %v", path, i, took, limit)
				}
				if err := ast.Check(d); err != nil {
					t.Errorf("%s cut at %d: %v", path, i, err)
				}
			}
		}
	}
}

// A scanner that runs on at the end of the source must come to an end: nobody
// can stop it.
func TestScannerEnds(t *testing.T) {
	src := "const val LIMIT = 10\n\n@Serializable<T>"
	d := Parse("", "kotlin", []byte(src), Options{})
	if err := ast.Check(d); err != nil {
		t.Fatal(err)
	}
}

// A parser that was stopped must not go on with the old text.
func TestTimeout(t *testing.T) {
	src := bytes.Repeat([]byte("func f() { g(1, 2, 3) }\n"), 50_000)
	for range 2 {
		d := Parse("", "go", src, Options{Timeout: time.Millisecond})
		if len(d.Problems) == 0 || !strings.Contains(d.Problems[0].Message, "time limit") {
			t.Fatalf("problems %v, want one of the time limit", d.Problems)
		}
		if err := ast.Check(d); err != nil {
			t.Fatal(err)
		}
	}
	d := Parse("", "go", []byte("func f() {}\n"), Options{})
	if len(d.Root.Children) != 1 || d.Root.Children[0].Name != "f" {
		t.Errorf("after a stopped parse: %v children, want f", len(d.Root.Children))
	}
}

func FuzzParse(f *testing.F) {
	for _, lang := range languages {
		f.Add(lang.Name, []byte("x"))
	}
	f.Add("go", []byte("// F is.\nfunc (t *T[K]) F() {\n\treturn\n}\n"))
	f.Add("python", []byte("class A:\n    # c\n    @d\n    def f(self):\n        'doc'\n        return 1\n"))
	f.Add("c", []byte("#ifdef A\nFOO(x)\n\nint f(void)\n{\n}\n#else\nint g;\n#endif\n"))
	f.Add("rust", []byte("/// d\n#[a]\nimpl A for B {\n    fn f() {}\n}\n"))
	f.Add("yaml", []byte("a: 1\n---\nkind: B\nmetadata:\n  name: c\n"))
	f.Fuzz(func(t *testing.T, lang string, src []byte) {
		d := Parse("", lang, src, Options{})
		if err := ast.Check(d); err != nil {
			t.Fatal(err)
		}
	})
}
