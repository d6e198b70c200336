package text

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/internal/golden"
	"github.com/cantle/cantle/internal/laws"
	"github.com/cantle/cantle/tokens"
)

// transformed returns the documents that src gives in three formats, with
// clauses and questions found in them in either order.
func transformed(src []byte) (docs []*ast.Document) {
	for _, name := range []string{"a.txt", "a.md", "a.html"} {
		d := parse(name, src)
		if ast.Check(d) != nil {
			continue // not the fault of this package
		}
		Clauses(d)
		Questions(d)
		e := parse(name, src)
		Questions(e)
		Clauses(e)
		docs = append(docs, d, e)
	}
	return append(docs, Parse("a.txt", src, Options{}))
}

func checkAll(t *testing.T, src []byte) {
	t.Helper()
	for _, d := range transformed(src) {
		check(t, d)
		if got, want := seen(d), seen(parse(d.Name+"."+d.Format, src)); d.Format == "text" && got != want {
			t.Errorf("text changed: got %q, want %q", got, want)
		}
	}
}

func TestTransformsKeepTheLaws(t *testing.T) {
	for _, src := range golden.Sources(t, "testdata/*.txt") {
		checkAll(t, src)
		checkAll(t, []byte(strings.ReplaceAll(string(src), "\n", "\r\n")))
		checkAll(t, []byte(strings.ReplaceAll(string(src), "\n", "\r")))
		checkAll(t, []byte(strings.ReplaceAll(string(src), "\n\n", "\n\n1\n\f")))
		checkAll(t, []byte(strings.ReplaceAll(string(src), "\n", "\f\n")))
		checkAll(t, []byte("<p>"+strings.ReplaceAll(string(src), "\n", "<br>")))
		checkAll(t, src[:len(src)/2])
	}
}

func TestChunksKeepTheLaws(t *testing.T) {
	sizer, err := tokens.Get("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range golden.Sources(t, "testdata/*.txt") {
		paged := []byte(strings.ReplaceAll(string(src), "\n\n", "\n\n1\n\f"))
		for _, limit := range []int{8, 30, 400} {
			for _, d := range append(transformed(src), Parse("a.txt", paged, Options{})) {
				opt := chunker.Options{Max: limit, Sizer: sizer}
				chunks, err := chunker.Split(t.Context(), d, opt)
				if err != nil {
					t.Fatal(err)
				}
				for _, err := range laws.Check(d, opt, chunks) {
					t.Errorf("%s, limit %d: %v\n%s", d.Format, limit, err, src)
				}
			}
		}
	}
}

// A clause that fits is one chunk, with its number in text and path; one that
// does not is cut by what is numbered within it.
func TestClausesAreChunks(t *testing.T) {
	sizer, err := tokens.Get("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	goods := "（一）按时交付全部货物，并附上每一件货物的说明书、合格证和装箱单；"
	bills := "（二）按时开具发票，并在开具之日起三日内寄给甲方指定的收件人。"
	d := Parse("a.txt", []byte("第一条 甲方付款。\n第二条 乙方应当：\n"+goods+"\n"+bills+"\n"), Options{})
	for _, c := range []struct {
		limit int
		want  []string
	}{
		{400, []string{"第一条 甲方付款。", "第二条 乙方应当：\n" + goods + "\n" + bills}},
		{64, []string{"第一条 甲方付款。", "第二条 乙方应当：\n" + goods, "乙方应当：\n" + bills}},
	} {
		chunks, err := chunker.Split(t.Context(), d, chunker.Options{Max: c.limit, Sizer: sizer})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range chunks {
			got = append(got, k.Text)
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("limit %d: got %q, want %q", c.limit, got, c.want)
		}
	}
}

// Hostile texts take time linear in their length.
func TestHostile(t *testing.T) {
	for _, line := range []string{
		"1. \n", "1. a\n2. b\n", "1. a\n\n2. b\n\n", "(a) x\n(i) y\n", "第一条\n", "1.1.1.1.1.1.1.1 a\n", "Q: a\n", "Q: a\nA: b\n", "why?\n", "**why?** b\n",
		"***\n", "- a\n", "\f", "1\n\f", "a\n\f\n", "A\n\nb\n\n", "a\n===\n\n", "Article 1\nArticle 2\n", "〇", "0", "*", "IIII", "(", "<details><summary>a?</summary>b</details>\n\n", "<p>1. a<br>", "1. a\n   1. b\n",
	} {
		took := func(size int) time.Duration {
			src := []byte(strings.Repeat(line, size/len(line)))
			start := time.Now()
			check(t, Parse("a.txt", src, Options{}))
			d := Parse("a.txt", src, Options{Plain: true})
			Clauses(d)
			Questions(d)
			check(t, d)
			return time.Since(start)
		}
		const size = 1 << 16
		if once, four := took(size), took(4*size); four > 30*once && four > 2*time.Second {
			t.Errorf("%q: %v for 64 KB, %v for 256 KB", line, once, four)
		}
	}
	check(t, Parse("a.txt", []byte(strings.Repeat("1. \n", 1<<18)), Options{})) // 1 MB
	for _, line := range []string{"<p>1. a<br>2. b<br>3. c", "<br>Q: a<br>A: b", "<br>第一条 甲方。"} {
		src := []byte(strings.Repeat(line, (1<<17)/len(line)))
		start := time.Now()
		checkFormats(t, src)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%q: %v", line, took)
		}
	}
}

func checkFormats(t *testing.T, src []byte) {
	t.Helper()
	d := parse("a.html", src)
	Clauses(d)
	Questions(d)
	check(t, d)
}

// The documents of the corpora are no contracts: hardly any has clauses.
func TestCorpus(t *testing.T) {
	if os.Getenv("CANTLE_LONG") == "" {
		t.Skip("set CANTLE_LONG=1")
	}
	root := os.Getenv("CANTLE_SHARED")
	if root == "" {
		root = "../../shared"
	}
	files, _ := filepath.Glob(filepath.Join(root, "eval/data/docs-*/corpus/*/*.md"))
	if len(files) == 0 {
		t.Skip("no corpus")
	}
	clausal, asking := 0, 0
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d := parse(name, src)
		if Questions(d) {
			asking++
			t.Logf("questions: %s", name)
		}
		if Clauses(d) {
			clausal++
			t.Logf("clauses: %s", name)
		}
		check(t, d)
	}
	t.Logf("of %d files %d have clauses, %d questions", len(files), clausal, asking)
	if clausal*20 > len(files) || asking*5 > len(files) {
		t.Error("these are too many")
	}
}

func FuzzTransforms(f *testing.F) {
	for _, src := range golden.Sources(f, "testdata/*.txt") {
		f.Add(src)
	}
	f.Add([]byte("The quick brown fox jumps over the lazy dog\n\n1\n\f\nand (a) runs.\n2\n\f1. a\n\f2. b\n"))
	f.Add([]byte("1. a\r2. b?\r\nQ: \xff\nA: \n第一条\n"))
	f.Fuzz(func(t *testing.T, src []byte) { checkAll(t, src) })
}

func BenchmarkParse(b *testing.B) {
	contract := ""
	for _, src := range golden.Sources(b, "testdata/*.txt") {
		contract += string(src) + "\n\n"
	}
	for name, text := range map[string]string{
		"text=clauses": contract,
		"text=prose":   "The lamp is new. It is made of wood, and it gives light.\nIt is also warm.\n\n它是新的，用木头做的。\n\n",
	} {
		src := []byte(strings.Repeat(text, 400_000/len(text)))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				Parse("a.txt", src, Options{})
			}
		})
	}
}
