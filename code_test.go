package cantle_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/typescript/typescript"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
)

// codeLimits are what source code is cut at in practice, and a tight one.
var codeLimits = []int{128, 400, 1000}

func TestLawsOnCodeGoldens(t *testing.T) {
	files, err := filepath.Glob("code/testdata/golden/*")
	if err != nil {
		t.Fatal(err)
	}
	languages := 0
	for _, file := range files {
		if filepath.Ext(file) == ".ast" {
			continue
		}
		languages++
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkLaws(t, filepath.Base(file), src, cantle.ParseOptions{})
		checkCodeLaws(t, filepath.Base(file), "", src)
	}
	if languages < 20 {
		t.Errorf("only %d goldens", languages)
	}
}

// checkCodeLaws cuts a source file at every limit of code.
func checkCodeLaws(t *testing.T, name, language string, src []byte) {
	t.Helper()
	doc, err := cantle.Parse(name, src, cantle.ParseOptions{Format: language})
	if err != nil {
		return // not text
	}
	for _, limit := range codeLimits {
		checkCut(t, doc, doc, chunker.Options{Max: limit})
	}
	checkCut(t, doc, doc, chunker.Options{Max: 128, Overlap: 24})
	checkCodeContext(t, doc, 128)
	checkCodeContext(t, doc, 400)
}

// A codeTree is real source code, where the machine has it.
type codeTree struct {
	language   string
	root       string
	extensions []string
	every      int     // how many files there are to one that the short test takes
	comments   float64 // share of definitions that are to be with their comment
}

// codeTrees returns Go's and Python's standard libraries, the system's headers
// of C and C++, and what CANTLE_CORPORA names: a folder with one of source
// files for each language, as the shared peers' setup.sh makes it. In Python's
// library two comments are indented deeper than what they are about; in C++'s
// a macro stands on a line between the two.
func codeTrees() []codeTree {
	corpora := os.Getenv("CANTLE_CORPORA")
	peer := func(name string) string {
		if corpora == "" {
			return ""
		}
		return filepath.Join(corpora, name)
	}
	return []codeTree{
		{"go", filepath.Join(firstLine("go", "env", "GOROOT"), "src"), []string{".go"}, 400, 1},
		{"python", firstLine("python3", "-c", "import os; print(os.path.dirname(os.__file__))"), []string{".py"}, 60, 0.997},
		{"rust", peer("rust"), []string{".rs"}, 50, 1},
		{"typescript", peer("typescript"), []string{".ts"}, 100, 1},
		{"java", peer("java"), []string{".java"}, 50, 1},
		{"c", "/usr/include/linux", []string{".h"}, 60, 1},
		{"cpp", "/usr/include/c++", []string{".h", ".hpp"}, 60, 0.7},
	}
}

// firstLine returns what a program prints, "" where it cannot be run.
func firstLine(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// files calls use with the tree's files, all of them in the long test.
func (c codeTree) files(t testing.TB, use func(name string, src []byte)) {
	t.Helper()
	if _, err := os.Stat(c.root); c.root == "" || err != nil {
		t.Skipf("no source of %s", c.language)
	}
	n := 0
	err := filepath.WalkDir(c.root, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !slices.Contains(c.extensions, filepath.Ext(file)) || strings.Contains(file, "site-packages") {
			return err
		}
		if n++; n%c.every != 0 && !long() {
			return nil
		}
		src, err := os.ReadFile(file)
		if err == nil {
			name, _ := filepath.Rel(c.root, file)
			use(name, src)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLawsOnRealCode(t *testing.T) {
	for _, c := range codeTrees() {
		t.Run(c.language, func(t *testing.T) {
			t.Parallel()
			c.files(t, func(name string, src []byte) { checkCodeLaws(t, name, c.language, src) })
		})
	}
}

// A codeCount says how the chunks of a tree of source code keep its
// definitions together. A definition is one that holds no other: a function, a
// method, a type. It fits when its source, doc comment included, is within the
// limit.
type codeCount struct {
	chunks int
	fit    ratio // definitions that fit, and those of them that are in one chunk
	doc    ratio // definitions that fit with the comment right above, and those of them that are in one chunk with it
	signed ratio // pieces of longer definitions whose signature takes up to half the limit, and those that carry it
	bare   int   // pieces that fit only without their signature; what fits is not cut for its sake
	inside int   // cuts inside a statement that fits
	closed int   // chunks of closing brackets alone
}

// A ratio counts things, and those that are as they should be.
type ratio struct{ good, all int }

func (r *ratio) add(good bool) {
	r.all++
	if good {
		r.good++
	}
}

func (r ratio) share() float64 {
	if r.all == 0 {
		return 1
	}
	return float64(r.good) / float64(r.all)
}

func (r ratio) String() string {
	if r.all == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d (%.2f %%)", r.good, r.all, 100*r.share())
}

// A codeCheck counts in one document.
type codeCheck struct {
	*codeCount
	source *ast.Document
	opt    chunker.Options
	chunks []chunker.Chunk
	failf  func(at int, format string, args ...any)
}

// trimmed is s without blank lines at either end, as chunks have it.
func (c *codeCheck) trimmed(s ast.Span) ast.Span {
	text := string(c.source.Source[s.Start:s.End])
	end := s.Start + len(strings.TrimRight(text, " \t\r\n\f\v"))
	indented := strings.TrimLeft(text, " \t\r\n\f\v")
	start := s.End - len(indented)
	if start >= end {
		return ast.Span{}
	}
	return ast.Span{Start: start, End: end}
}

// lines returns the source of s from the start of its first line.
func (c *codeCheck) lines(s ast.Span) string {
	line := bytes.LastIndexByte(c.source.Source[:s.Start], '\n') + 1
	return string(c.source.Source[line:s.End])
}

func (c *codeCheck) size(s ast.Span) int { return c.opt.Sizer.Count(c.lines(s)) }

// pieces returns the chunks with own text of s, which is trimmed.
func (c *codeCheck) pieces(s ast.Span) []chunker.Chunk {
	first := sort.Search(len(c.chunks), func(i int) bool { return c.chunks[i].End > s.Start })
	last := first
	for last < len(c.chunks) && c.chunks[last].Start < s.End {
		last++
	}
	return c.chunks[first:last]
}

func (c *codeCheck) count() {
	c.codeCount.chunks += len(c.chunks)
	for n := range c.source.Root.All() {
		switch {
		case n.Kind == ast.Decl && !n.IsScope():
			c.definition(n)
		case n.Kind == ast.Block && n.IsLeaf():
			c.statement(n)
		}
	}
	for i := range c.chunks {
		if own := c.chunks[i].Own(); strings.Trim(own, ")]}>;, \t\r\n\f\v") == "" {
			c.closed++
			c.failf(c.chunks[i].Start, "only closing brackets: %q", own)
		}
	}
}

func (c *codeCheck) definition(n *ast.Node) {
	span := c.trimmed(n.Span)
	if above := c.above(n); above.Start < span.Start || !n.Lead.IsEmpty() {
		if all := (ast.Span{Start: above.Start, End: span.End}); c.size(all) <= c.opt.Max {
			together := len(c.pieces(all)) == 1
			c.doc.add(together)
			if !together {
				c.failf(span.Start, "%s is parted from its comment", n.Name)
			}
		}
	}
	pieces := c.pieces(span)
	if c.size(span) <= c.opt.Max {
		c.fit.add(len(pieces) == 1)
		if len(pieces) != 1 {
			c.failf(span.Start, "%s fits but is cut", n.Name)
		}
		return
	}
	signature := c.trimmed(ast.Span{Start: n.Span.Start + n.Lead.Len(), End: max(n.Head.End, n.Span.Start)})
	if signature.IsEmpty() || c.size(signature) > c.opt.Max/2 {
		return
	}
	for i := range pieces {
		if pieces[i].End <= signature.Start {
			continue // doc comment alone
		}
		carries := false
		for _, p := range pieces[i].Parts {
			carries = carries || (p.Role == chunker.RoleHead || p.Role == chunker.RoleBody) && p.Start <= signature.Start && p.End >= signature.End
		}
		closing := strings.TrimRight(string(c.source.Source[n.Tail.Start:n.Tail.End]), " \n")
		// Sizes of parts are off by a unit or two where the parts meet.
		if !carries && c.opt.Sizer.Count(c.lines(signature)+"\n"+pieces[i].Own()+closing) > c.opt.Max-2 {
			c.bare++
			continue
		}
		c.signed.add(carries)
		if !carries {
			c.failf(pieces[i].Start, "a piece of %s without its signature", n.Name)
		}
	}
}

// above returns the lines of comment right above n, which may be in it, and
// what of n stands before them. It goes by the look of lines alone.
func (c *codeCheck) above(n *ast.Node) ast.Span {
	at := n.Span.Start
	for at > 0 {
		start := bytes.LastIndexByte(c.source.Source[:at-1], '\n') + 1
		if !commentLine.Match(c.source.Source[start:at]) {
			break
		}
		at = start
	}
	return c.trimmed(ast.Span{Start: at, End: n.Span.End})
}

// commentLine matches a line that is nothing but comment, in most languages,
// and not about what it stands in, as Rust's //! is.
var commentLine = regexp.MustCompile(`^[ \t]*(//[^!]|/\*|\*/|\* |\*$|# )`)

func (c *codeCheck) statement(n *ast.Node) {
	span := c.trimmed(n.Span)
	if span.IsEmpty() || c.size(span) > c.opt.Max {
		return
	}
	if cuts := len(c.pieces(span)) - 1; cuts > 0 {
		c.inside += cuts
		c.failf(span.Start, "a statement is cut: %s", ast.Excerpt(string(c.source.Source[span.Start:span.End]), 60))
	}
}

// TestCodeIsKeptTogether says how much of real code is cut as an engineer
// would have it.
func TestCodeIsKeptTogether(t *testing.T) {
	for _, c := range codeTrees() {
		t.Run(c.language, func(t *testing.T) {
			t.Parallel()
			counts := make([]codeCount, len(codeLimits))
			said := 0
			c.files(t, func(name string, src []byte) {
				doc, err := cantle.Parse(name, src, cantle.ParseOptions{Format: c.language})
				if err != nil {
					return // not text
				}
				for i, limit := range codeLimits {
					opt, err := cantle.Options{Cut: chunker.Options{Max: limit}}.Resolve()
					if err != nil {
						t.Fatal(err)
					}
					chunks, err := cantle.Cut(context.Background(), doc, opt)
					if err != nil {
						t.Fatal(err)
					}
					check := codeCheck{&counts[i], doc, opt.Cut, chunks, func(at int, format string, args ...any) {
						if said++; said <= 20 {
							t.Logf("%s:%d at %d: %s", name, 1+bytes.Count(src[:at], []byte{'\n'}), limit, fmt.Sprintf(format, args...))
						}
					}}
					check.count()
				}
			})
			for i, limit := range codeLimits {
				counts[i].hold(t, limit, c.comments)
			}
		})
	}
}

// hold says what was counted at a limit, and fails where it is not enough.
// comments is the share of definitions that are to be with their comment.
func (n *codeCount) hold(t *testing.T, limit int, comments float64) {
	t.Helper()
	t.Logf("at %4d: %d chunks; whole %v; with comment %v; pieces with signature %v, without for want of room %d; cuts inside %d; closing alone %d",
		limit, n.chunks, n.fit, n.doc, n.signed, n.bare, n.inside, n.closed)
	if n.fit.share() < 1 || n.inside > 0 {
		t.Errorf("at %d: what fits is cut", limit)
	}
	if n.doc.share() < comments {
		t.Errorf("at %d: %v with their comments, want %g", limit, n.doc, comments)
	}
	if n.signed.share() < 1 {
		t.Errorf("at %d: %v pieces with their signature", limit, n.signed)
	}
	// A long statement that fits to the token leaves no room for a signature,
	// or for the closing line behind it.
	if n.bare > (n.bare+n.signed.all)/8 {
		t.Errorf("at %d: %d pieces without room for their signature", limit, n.bare)
	}
	if n.closed > max(2, n.chunks/1000) {
		t.Errorf("at %d: %d chunks of closing brackets", limit, n.closed)
	}
}

// longComment has paragraphs of two lines that are short each, and too long for
// a small limit together.
func longComment(mark string) string {
	var b strings.Builder
	for _, word := range strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu") {
		fmt.Fprintf(&b, "%[1]s The %[2]s paragraph says what it has to say about %[2]s\n%[1]s and ends on a second line of its own.\n%[1]s\n", mark, word)
	}
	return b.String()
}

// A comment that does not fit is cut between its paragraphs, the last of which
// goes with the signature.
func TestLongCommentIsCutBetweenParagraphs(t *testing.T) {
	src := "package p\n\n" + longComment("//") + "// Last.\nfunc f() {\n\tg()\n}\n"
	doc, err := cantle.Parse("a.go", []byte(src), cantle.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	checkCut(t, doc, doc, chunker.Options{Max: 100})
	chunks := chunkCode(t, "a.go", src, chunker.Options{Max: 100})
	for i, c := range chunks[1:] {
		if own := strings.TrimSpace(c.Own()); !strings.HasPrefix(own, "// The ") {
			t.Errorf("chunk %d begins inside a paragraph: %q", i+1, own)
		}
	}
	if last := chunks[len(chunks)-1].Text; !strings.Contains(last, "// Last.\nfunc f() {") {
		t.Errorf("the last chunk is %q", last)
	}
}

// What is repeated before a class line that goes with an inner class is not of
// that inner class.
func TestOverlapEndsWhereAClassBegins(t *testing.T) {
	src := "/**\n" + longComment(" *") + " */\npublic class Outer {\n\n  /** Runs" + strings.Repeat(" and runs", 35) + ". */\n  public interface Inner {\n    /** Runs it. */\n    void run();\n" +
		"\n    /** Stops it, and waits until it has stopped. */\n    void stop();\n  }\n}\n"
	doc, err := cantle.Parse("Outer.java", []byte(src), cantle.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	checkCut(t, doc, doc, chunker.Options{Max: 100, Overlap: 30})
}

// Each piece of a constant that is cut says which one it is.
func TestLongConstantIsNamed(t *testing.T) {
	src := "export const settings = make(\n" + strings.Repeat("  { name: \"one\", size: 1, parts: [\"a\", \"b\", \"c\"] },\n", 40) + ")\n"
	chunks := chunkCode(t, "a.ts", src, chunker.Options{Max: 200})
	if len(chunks) < 3 {
		t.Fatalf("only %d chunks", len(chunks))
	}
	for i, c := range chunks {
		if !slices.Equal(c.Symbols, []string{"settings"}) {
			t.Errorf("chunk %d has the symbols %q", i, c.Symbols)
		}
	}
}

// The names in a group are the symbols of the chunk that it is in.
func TestGroupsOfNamesAreSymbols(t *testing.T) {
	src := "package a\n\n// Limits.\nconst (\n\tSmall = 1\n\tLarge = 2\n)\n\nvar ErrLarge = errors.New(\"too large\")\n"
	chunks := chunkCode(t, "a.go", src, chunker.Options{Max: 200})
	if want := []string{"Small", "Large", "ErrLarge"}; len(chunks) != 1 || !slices.Equal(chunks[0].Symbols, want) {
		t.Errorf("got %d chunks, the first with the symbols %q, want %q", len(chunks), chunks[0].Symbols, want)
	}
}

// What a list in a cut constant is made of names nothing.
func TestPartsOfAConstantAreNoSymbols(t *testing.T) {
	src := "export const abi = [\n" + strings.Repeat("  {\n    inputs: [{ name: \"owner\", type: \"address\" }],\n    outputs: [{ name: \"balance\", type: \"uint256\" }],\n  },\n", 12) + "]\n"
	for i, c := range chunkCode(t, "a.ts", src, chunker.Options{Max: 120}) {
		if !slices.Equal(c.Symbols, []string{"abi"}) {
			t.Errorf("chunk %d has the symbols %q", i, c.Symbols)
		}
	}
}

func chunkCode(t *testing.T, name, src string, cut chunker.Options) []chunker.Chunk {
	t.Helper()
	chunks, err := cantle.Chunk(context.Background(), name, []byte(src), cantle.Options{Cut: cut})
	if err != nil {
		t.Fatal(err)
	}
	return chunks
}

// What opens something goes with what it opens, where that is cut anyway.
func TestOpeningLinesGoOn(t *testing.T) {
	for name, src := range map[string]string{
		"a.json": `{
  "a": {
    "b": {
      "c": {
        "k1": "some words here",
        "k2": "some words here and there",
        "k3": "some words here and there too"
      }
    }
  }
}
`,
		"a.go": "package a\n\nfunc f() {\n\tfor {\n\t\tswitch {\n" + strings.Repeat("\t\tcase x == 1 && y == 2:\n\t\t\treturn 1\n", 6) + "\t\t}\n\t}\n}\n",
	} {
		for _, c := range chunkCode(t, name, src, chunker.Options{Max: 32, Context: chunker.ContextNone}) {
			if lines := strings.Split(strings.TrimSpace(c.Text), "\n"); strings.HasSuffix(lines[len(lines)-1], "{") {
				t.Errorf("%s: a chunk ends with what it opens: %q", name, c.Text)
			}
		}
	}
}

// BenchmarkChunkCode compares chunking with tree-sitter's parse alone, of the
// same files through the same binding: "share" is that of its speed. MB/s is
// that of both together, chunk-MB/s that of chunking.
func BenchmarkChunkCode(b *testing.B) {
	grammars := map[string]*sitter.Language{
		"go": golang.GetLanguage(), "python": python.GetLanguage(), "rust": rust.GetLanguage(),
		"typescript": typescript.GetLanguage(), "java": java.GetLanguage(), "cpp": cpp.GetLanguage(),
	}
	opt, err := cantle.Options{Cut: chunker.Options{Max: 512}}.Resolve()
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range codeTrees() {
		if grammars[c.language] == nil {
			continue
		}
		b.Run("language="+c.language, func(b *testing.B) {
			var names []string
			var files [][]byte
			size := 0
			c.files(b, func(name string, src []byte) {
				if size < 4<<20 {
					names, files, size = append(names, name), append(files, src), size+len(src)
				}
			})
			opt := opt
			opt.Parse.Format = c.language
			parser := sitter.NewParser()
			defer parser.Close()
			parser.SetLanguage(grammars[c.language])
			b.SetBytes(int64(size))
			var alone, whole time.Duration
			for b.Loop() {
				// By turns, so that what else the machine does hits both.
				for i, src := range files {
					start := time.Now()
					tree, err := parser.ParseCtx(context.Background(), nil, src)
					if err != nil {
						b.Fatal(err)
					}
					tree.Close()
					between := time.Now()
					if _, err := cantle.Chunk(context.Background(), names[i], src, opt); err != nil {
						b.Fatal(err)
					}
					alone += between.Sub(start)
					whole += time.Since(between)
				}
			}
			b.ReportMetric(alone.Seconds()/whole.Seconds(), "share")
			b.ReportMetric(float64(size)*float64(b.N)/1e6/whole.Seconds(), "chunk-MB/s")
		})
	}
}
