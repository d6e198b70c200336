package markdown

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cantle/cantle/ast"
)

// goldmarkFile reads a file of the goldmark module in the module cache.
func goldmarkFile(t *testing.T, name string) []byte {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Skip("no go command to find goldmark with: ", err)
	}
	src, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), name))
	if err != nil {
		t.Skip(err)
	}
	return src
}

type specExample struct {
	Markdown string
	Example  int
}

func specExamples(t *testing.T) (examples []specExample) {
	t.Helper()
	if err := json.Unmarshal(goldmarkFile(t, "_test/spec.json"), &examples); err != nil {
		t.Fatal(err)
	}
	if len(examples) < 600 {
		t.Fatalf("only %d examples in the specification", len(examples))
	}
	return examples
}

func TestSpecKeepsTheLaws(t *testing.T) {
	for _, e := range specExamples(t) {
		for _, src := range []string{
			e.Markdown,
			strings.ReplaceAll(e.Markdown, "\n", "\r\n"),
			strings.ReplaceAll(e.Markdown, "\n", "\r"),
			"> " + strings.ReplaceAll(e.Markdown, "\n", "\n> "),
			"1.  " + strings.ReplaceAll(e.Markdown, "\n", "\n    "),
			":::note\n" + e.Markdown + ":::\n",
		} {
			if err := ast.Check(expanded("spec.md", []byte(src))); err != nil {
				t.Errorf("example %d: %v\n%s", e.Example, err, src)
			}
		}
	}
}

// expanded parses src with all that is found on demand.
func expanded(name string, src []byte) *ast.Document {
	d := Parse(name, src, testOptions)
	d.Expand()
	return d
}

// testOptions gives fences lines as their structure.
var testOptions = Options{Code: func(_ string, text []byte) (nodes []*ast.Node) {
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		nodes = append(nodes, &ast.Node{Kind: ast.Block, Span: ast.Span{Start: at, End: end}})
		at = end
	}
	return nodes
}}

// corpus calls f for the Markdown files of a folder of the shared corpora: all
// of them where CANTLE_LONG is set, every twentieth otherwise.
func corpus(t testing.TB, name string, f func(path string, src []byte)) {
	shared := os.Getenv("CANTLE_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "shared")
	}
	root := filepath.Join(shared, "corpora", name)
	if _, err := os.Stat(root); err != nil {
		t.Skip(err)
	}
	step, count := 20, 0
	if os.Getenv("CANTLE_LONG") == "1" {
		step = 1
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".md") {
			return err
		}
		if count++; count%step != 0 {
			return nil
		}
		src, err := os.ReadFile(path)
		if err == nil {
			f(path, src)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestCorpusKeepsTheLaws(t *testing.T) {
	for _, name := range []string{"markdown", "markdown-zh"} {
		t.Run(name, func(t *testing.T) {
			corpus(t, name, func(path string, src []byte) {
				d := expanded(path, src)
				if err := ast.Check(d); err != nil {
					t.Errorf("%s: %v", path, err)
				}
				for _, p := range d.Problems {
					t.Logf("%s:%d: %s", path, ast.NewLines(src).Line(p.Offset), p.Message)
				}
			})
		})
	}
}
