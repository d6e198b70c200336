package cantle_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/internal/laws"
	"github.com/cantle/cantle/internal/walk"
)

// shared returns a folder of the material that tests read where it is there.
func shared(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("CANTLE_SHARED")
	if root == "" {
		root = filepath.Join("..", "shared")
	}
	dir := filepath.Join(root, name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not there", dir)
	}
	return dir
}

func long() bool { return os.Getenv("CANTLE_LONG") != "" }

var limits = []int{24, 64, 400, 2000}

// checkLaws cuts src at every limit, without and with overlap.
func checkLaws(t *testing.T, name string, src []byte, opt cantle.ParseOptions) {
	t.Helper()
	doc, err := cantle.Parse(name, src, opt)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	whole := expanded(doc)
	if err := ast.Check(whole); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, limit := range limits {
		for _, overlap := range []int{0, limit / 10} {
			checkCut(t, doc, whole, chunker.Options{Max: limit, Overlap: overlap})
		}
	}
}

// expanded returns doc with what is found on demand found at once.
func expanded(doc *ast.Document) *ast.Document {
	whole := *doc
	whole.Root = clone(doc.Root)
	whole.Expand()
	return &whole
}

func clone(n *ast.Node) *ast.Node {
	c := *n
	c.Children = make([]*ast.Node, len(n.Children))
	for i := range n.Children {
		c.Children[i] = clone(n.Children[i])
	}
	return &c
}

func checkCut(t *testing.T, doc, whole *ast.Document, cut chunker.Options) {
	t.Helper()
	opt, err := cantle.Options{Cut: cut}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := cantle.Cut(context.Background(), doc, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range laws.Check(whole, opt.Cut, chunks) {
		t.Errorf("%s at %d, overlap %d: %v", doc.Name, cut.Max, cut.Overlap, err)
	}
	again, _ := cantle.Cut(context.Background(), doc, opt)
	if !reflect.DeepEqual(chunks, again) {
		t.Errorf("%s at %d: cut twice, not the same", doc.Name, cut.Max)
	}
}

// moduleDir returns the folder of a module in the module cache.
func moduleDir(t *testing.T, module string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Skip(err)
	}
	return strings.TrimSpace(string(out))
}

func TestLawsOnTheCommonMarkSpec(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(moduleDir(t, "github.com/yuin/goldmark"), "_test", "spec.json"))
	if err != nil {
		t.Skip(err)
	}
	var examples []struct {
		Markdown string `json:"markdown"`
	}
	if err := json.Unmarshal(data, &examples); err != nil {
		t.Fatal(err)
	}
	if len(examples) < 600 {
		t.Fatalf("only %d examples", len(examples))
	}
	for i, e := range examples {
		checkLaws(t, "spec"+string(rune('0'+i%10))+".md", []byte(e.Markdown), cantle.ParseOptions{})
	}
}

// TestLawsOnATableOfManyRows has more rows than are tiled by their cells.
func TestLawsOnATableOfManyRows(t *testing.T) {
	var page strings.Builder
	page.WriteString("<table><caption>Boats</caption><tr><th>Name<th>Built<th>Sold")
	for i := range 10050 {
		fmt.Fprintf(&page, "\n<tr><td>a|b &amp; %d<td>$<td>%d<td>(%d)", i, i*7, i*3)
		if i%1000 == 0 {
			page.WriteString(" of which " + strings.Repeat("some were lent, ", 20))
		}
	}
	checkLaws(t, "boats.html", []byte(page.String()+"</table>"), cantle.ParseOptions{})
}

// checkFolder checks the files below dir, one in every so many.
func checkFolder(t *testing.T, dir string, every int) {
	n := 0
	err := walk.Walk(context.Background(), []string{dir}, walk.Options{}, func(f walk.File) error {
		if n++; n%every != 0 {
			return nil
		}
		src, err := os.ReadFile(f.Path)
		if err != nil {
			return err
		}
		checkLaws(t, f.ID, src, cantle.ParseOptions{})
		return nil
	}, func(path string, err error) { t.Errorf("%s: %v", path, err) })
	if err != nil {
		t.Fatal(err)
	}
}

func TestLawsOnMarkdownCorpora(t *testing.T) {
	every := 50
	if long() {
		every = 1
	}
	for _, name := range []string{"markdown", "markdown-zh"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkFolder(t, shared(t, filepath.Join("corpora", name)), every)
		})
	}
}
