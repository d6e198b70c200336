package html

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	xhtml "golang.org/x/net/html"

	"github.com/cantle/cantle/ast"
)

// browserText returns the letters of a page as a browser's tree holds them,
// hidden elements aside. The tree is goquery's.
func browserText(t *testing.T, src []byte) string {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	doc.Find("head, script, style, template, noscript, iframe, datalist, video, audio, canvas, object, embed, [hidden]").Remove()
	doc.Find("pre button").Remove()
	doc.Find("[aria-hidden=true]").Remove()
	doc.Find("h1, h2, h3, h4, h5, h6").Find("button").Remove()
	doc.Find("h1, h2, h3, h4, h5, h6").Find("a").FilterFunction(func(_ int, a *goquery.Selection) bool {
		return isAnchor(strings.TrimSpace(a.Text()))
	}).Remove()
	doc.Find("[style]").FilterFunction(func(_ int, s *goquery.Selection) bool {
		style, _ := s.Attr("style")
		return parseStyle(style).hidden
	}).Remove()
	var out strings.Builder
	for _, n := range doc.Nodes {
		for d := range n.Descendants() {
			if d.Type == xhtml.TextNode {
				out.WriteString(d.Data)
			}
		}
	}
	return letters(out.String())
}

// TestOracle holds the text of well formed pages against the tree that a
// browser would build: no letter more, less or elsewhere. CANTLE_PAGES names a
// folder of more pages.
func TestOracle(t *testing.T) {
	pages, _ := filepath.Glob("testdata/golden/*.html")
	if dir := os.Getenv("CANTLE_PAGES"); dir != "" {
		more, _ := filepath.Glob(filepath.Join(dir, "*.html"))
		pages = append(pages, more...)
	}
	for _, page := range pages {
		src, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		got := letters(written(Parse(page, src, Options{WholePage: true, Headings: "tags", keepRunning: true})))
		missing, added := compare(browserText(t, src), got)
		if missing.n > 0 || added.n > 0 && !bytes.Contains(src, []byte("rowspan")) {
			t.Errorf("%s: missing %q, added %q", page, missing.samples, added.samples)
		}
	}
}

// TestHeadEnds holds that a head without an end tag ends where a browser ends
// it, so that nothing of the body is hidden.
func TestHeadEnds(t *testing.T) {
	for _, src := range []string{
		"<html><head><title>T</title><h1>Hello</h1><p>World</p></html>",
		"<html><head><title>T</title>\n<link rel=x href=y><meta name=a content=b>\n<body><p>World",
		"<head><title>T</title> Hello <b>World</b>",
		"<head><style>p {}</style><script>x()</script><template><p>hidden</p></template><noscript>no</noscript><p>World",
		"<head><my-app>Hello</my-app>",
		"<head><title>T</title><span>Hello</span></head><p>World",
		"<head><!-- comment --><table><tr><td>Hello<td>World<tr><td>a<td>b</table>",
		"<head><svg><path d=M0></svg><p>World",
		"<p>Hello<head><p>World",
		"<head></head><p>World",
	} {
		doc := Parse("t", []byte(src), Options{WholePage: true})
		if err := ast.Check(doc); err != nil {
			t.Errorf("%s: %v", src, err)
		}
		if got, want := letters(written(doc)), browserText(t, []byte(src)); got != want {
			t.Errorf("%s: got %q, want %q", src, got, want)
		}
	}
}
