package markdown

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/cantle/cantle/ast"
)

// hostile holds inputs on which a block parser easily takes quadratic time:
// what stands before, and what is repeated.
var hostile = []struct{ name, start, repeat string }{
	{"quotes in one line", "", ">"},
	{"lists in one line", "", "- "},
	{"numbered lists in one line", "", "1) "},
	{"link definitions", "", "[a]: /u\n"},
	{"footnotes", "", "[^a]: b\n"},
	{"footnotes in one line", "", "[^a]: "},
	{"definitions", "term\n", ": d\n"},
	{"definitions in one line", "term\n", ": "},
	{"one line", "", "word "},
	{"one word", "", "w"},
	{"one title", "# ", "[a](*_`<"},
	{"brackets", "", "["},
	{"links", "", "[a]("},
	{"containers", "", ":::a\n"},
	{"call-outs", "", "!!! a\n"},
	{"formulas never closed", "", "$$ a\n"},
	{"formulas in quotes", "", "> $$ a\n"},
	{"elements never closed", "", "<div>\n\n"},
	{"elements never opened", "", "</div>\n\n"},
	{"elements of many names", "", "<a>\n\n<b>\n\n</c>\n\n"},
	{"tags never closed", "<div>", "<a b='"},
	{"headings in HTML never closed", "<div>", "<h1>"},
	{"comments never closed", "<div>", "<!--"},
	{"comments", "", "<!-- a -->\n"},
	{"tables in HTML", "", "<table><tr><td>\n"},
	{"rows in HTML", "<table>\n", "<tr>\n"},
	{"rules of tables", "", "|-|\n"},
	{"rows", "|a|\n|-|\n", "|a|\n"},
	{"cells", "|a|\n|-|\n", "|a"},
	{"captions", "", "Table 1:\n\n|a|\n|-|\n\n"},
	{"lists", "", "- a\n* b\n"},
	{"headings", "", "# a\n###### b\n"},
	{"underlines", "", "a\n=\n"},
	{"fences", "", "```\n"},
	{"fences of growing length", "", "````\n~~~~~\n"},
	{"blank lines", "", "\n"},
	{"blank lines in a list", "- a\n", "\n"},
	{"front matter never closed", "---\n", "a: b\n"},
	{"front matter of braces", "---\na: ", "{a: "},
	{"braces", "", "{"},
	{"tabs", "> ", "\t"},
	{"carriage returns", "", "\r"},
	{"zero bytes", "", "\x00"},
	{"modules never closed", "", "export {\n\n"},
	{"modules of one line", "", "import a from 'a'\n"},
	{"comments of MDX never closed", "", "{/* a\n\n"},
	{"comments of MDX", "", "{/* a */}\n"},
	{"components", "", "<A>\n"},
	{"components never closed", "", "<A\n"},
	{"components with text beside", "", "<A\nb='\n"},
	{"components in one line", "", "<A>"},
	{"components in a paragraph", "<B>a\n", "<A \n"},
	{"instructions never closed", "<div>\n", "<?a\n\n"},
}

// nested indents each line by two more blanks than the one before.
func nested(size int) string {
	var b strings.Builder
	for depth := 0; b.Len() < size; depth++ {
		b.WriteString(strings.Repeat("  ", depth%1000))
		b.WriteString("- a\n")
	}
	return b.String()
}

// TestGrowth guards against quadratic growth: four times the input must not
// take much more than four times the time.
func TestGrowth(t *testing.T) {
	size := 64 << 10
	if os.Getenv("CANTLE_LONG") == "1" {
		size = 1 << 20
	}
	// A heap that is all but empty is collected each time that a slice grows.
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	took := func(src string) time.Duration {
		runtime.GC()
		start := time.Now()
		d := Parse("", []byte(src), testOptions)
		took := time.Since(start)
		start = time.Now()
		mdx := Parse("", []byte(src), Options{MDX: true})
		took = max(took, time.Since(start))
		for _, d := range []*ast.Document{d, mdx} {
			if err := ast.Check(d); err != nil {
				t.Fatalf("%.40q: %v", src, err)
			}
		}
		return took
	}
	test := func(name, small, large string) {
		for range 4 { // the machine may be busy
			a, b := took(small), took(large)
			t.Logf("%-30s %8s %8s  x%.1f", name, a.Round(time.Microsecond), b.Round(time.Microsecond), float64(b)/float64(a))
			if b < 10*a || b < 100*time.Millisecond {
				return
			}
		}
		t.Errorf("%s: four times the bytes take more than ten times the time", name)
	}
	for _, h := range hostile {
		count := size / len(h.repeat)
		test(h.name, h.start+strings.Repeat(h.repeat, count), h.start+strings.Repeat(h.repeat, 4*count))
	}
	test("nested lists", nested(size), nested(4*size))
}

func TestOneLineOfTenMegabytes(t *testing.T) {
	src := bytes.Repeat([]byte("0123456789"), 1<<20)
	start := time.Now()
	if err := ast.Check(Parse("", src, Options{})); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}
