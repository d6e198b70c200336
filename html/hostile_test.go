package html

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/tables"
)

// TestHostile holds that no page takes more than a few seconds, and that its
// text is kept.
func TestHostile(t *testing.T) {
	n := 20000
	if os.Getenv("CANTLE_LONG") != "" {
		n = 100000
	}
	rows := func(row string, n int) string { return "<table>" + strings.Repeat(row, n) + "</table>word" }
	for name, src := range map[string]string{
		"nested divs":         strings.Repeat("<div>", n) + "word",
		"nested quotes":       strings.Repeat("<blockquote>", n) + "word",
		"nested lists":        strings.Repeat("<ul><li>", n) + "word",
		"nested definitions":  strings.Repeat("<dl><dd>", n) + "word",
		"nested details":      strings.Repeat("<details>", n) + "word",
		"nested code":         strings.Repeat("<code>", n) + "word",
		"nested unknown":      strings.Repeat("<x-y>", n) + "word" + strings.Repeat("</x-y>", n),
		"open bold":           strings.Repeat("<b><i>", n) + "word",
		"open links":          strings.Repeat("<a href=x>", n) + "word",
		"nested tables":       strings.Repeat("<table><tr><td>", n) + "word",
		"open tables":         strings.Repeat("<table>", n) + "word",
		"open paragraphs":     strings.Repeat("<p>", n) + "word",
		"end tags":            "word" + strings.Repeat("</b></div></x>", n),
		"headings":            strings.Repeat("<h1>", n) + "word",
		"ranks":               strings.Repeat("<h1>a<h2>a<h3>a", n/3) + "<p>word",
		"breaks":              strings.Repeat("<br>", n) + "word",
		"colspan":             "<table><tr><td colspan=1000000000>a<td>b<tr><td>word<td>1<td>2</table>",
		"rowspan":             "<table><tr><td rowspan=1000000000>a<td>b<tr><td>word<td>1<td>2</table>",
		"wide spans":          rows("<tr>"+strings.Repeat("<td colspan=1000 rowspan=60000>ab", 50)+"</tr>", 200),
		"high spans":          rows("<tr>"+strings.Repeat("<td rowspan=60000>ab", 20)+"</tr>", n/50),
		"spans over nothing":  "<table><tr>" + strings.Repeat("<td rowspan=60000>ab", 3000) + strings.Repeat("<tr>", 3000) + "</table>word",
		"ragged spans":        rows("<tr><td colspan=7>a<td colspan=3>1<td>2<tr><td colspan=2>word<td colspan=5>4<td>5", n/20),
		"empty rows":          rows("<tr><td></td></tr>", n),
		"one wide row":        "<table><tr>" + strings.Repeat("<td>1", n) + "<tr>" + strings.Repeat("<td>2", n) + "<td>word</table>",
		"wide and high":       "<table><tr>" + strings.Repeat("<td>1", n/5) + strings.Repeat("<tr><td>word", n/5) + "</table>",
		"wide and banded":     "<table><tr>" + strings.Repeat("<td>1", n/5) + strings.Repeat("<tr><td><td><b>word</b><td><b>b</b><tr><td>x<td>1<td>2", n/10) + "</table>",
		"wide label":          "<table><tr><th colspan=1000>" + strings.Repeat("word ", n/5) + "<th>b<tr>" + strings.Repeat("<td>1", 1001) + "</table>",
		"many rows":           rows("<tr><td>a<td>1<td>2", n/2),
		"many tables":         strings.Repeat("<table><tr><td>a<td>1<tr><td>b<td>2</table>", n/20) + "word",
		"label rows":          rows("<tr><td>Label:<td><tr><td>a<td>1", n/5),
		"indents":             indents() + "word",
		"entities":            strings.Repeat("&am&#x&#99999999999;&#0;&notit;", n/10) + "word",
		"NUL":                 strings.Repeat("\x00", n) + "word\x00",
		"open tag":            "word<div " + strings.Repeat("a=b ", n),
		"attributes":          "<p " + strings.Repeat("style=color:red ", n) + ">word",
		"open comment":        "word<!--" + strings.Repeat("-", n),
		"open script":         "word<script>" + strings.Repeat("<", n),
		"less than":           strings.Repeat("<", n) + " word",
		"one word":            strings.Repeat("word", 1<<20),
		"unit":                strings.Repeat("<p>(in ", n/10) + "<p>word",
		"parentheses":         "<p>" + strings.Repeat("(", n) + " word",
		"pages":               strings.Repeat("<hr style='page-break-after:always'><p>word 1", n/10) + "<p>the last word of it all",
		"bullets":             strings.Repeat("<p>• word", n/10),
		"invalid UTF-8":       strings.Repeat("\xfd\xff\xfe", n/10) + " word",
		"preformatted tables": "<pre>" + strings.Repeat("<table><tr><td>a", n/10) + "word</pre>",
		"inline code":         strings.Repeat("<code>`</code>", n/10) + "word",
		"superscripts":        "1" + strings.Repeat("<sup>2</sup>", n/10) + " word",
	} {
		t.Run(name, func(t *testing.T) {
			for _, opts := range []Options{{}, {WholePage: true, Headings: "auto", Tables: tables.Records}} {
				start := time.Now()
				doc := Parse(name, []byte(src), opts)
				took := time.Since(start)
				if err := ast.Check(doc); err != nil {
					t.Error(err)
				}
				if took > 5*time.Second {
					t.Errorf("took %v", took)
				}
				if !holds(doc, "word") {
					t.Error("the text is lost")
				}
				if size := written(doc); len(size) > 100*len(src)+1<<20 {
					t.Errorf("%d bytes give %d", len(src), len(size))
				}
			}
		})
	}
}

func holds(doc *ast.Document, word string) bool {
	for n := range doc.Root.All() {
		if n.Kind != ast.Markup && strings.Contains(n.Text, word) {
			return true
		}
	}
	return false
}

// indents is a table of labels each further in than the one before.
func indents() string {
	var b strings.Builder
	b.WriteString("<table>")
	for i := range 2000 {
		fmt.Fprintf(&b, "<tr><td style='padding-left:%dpt'>Label %d<td><tr><td>a<td>1", 3*i, i)
	}
	b.WriteString("</table>")
	return b.String()
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/golden/*.html")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	for _, s := range []string{
		"<p>a<b>b<p>c</b>d", "<ul><li>a<ol start=3><li>b</ol><li>c</ul>", "<dl><dt>a<dd>b</dl>", "<pre><code class=language-go>x\n&lt;</code></pre>",
		"<details><summary>q</summary>a</details>", "<table><tr><th>a<th>b<tr><td>1<td>2</table><p>(1) note", "<blockquote>a<p>b</blockquote>",
		"<hr style='page-break-after:always'><p>b", "<p style='font-weight:700'>PART I</p><p>• a</p>", "<main><nav>x</nav>y</main>",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, opts := range []Options{{}, {WholePage: true, Headings: "auto", Tables: tables.HTML, Links: true}, {Tables: tables.Records}} {
			doc := Parse("f", src, opts)
			if err := ast.Check(doc); err != nil {
				t.Fatal(err)
			}
		}
	})
}
