package html

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	xhtml "golang.org/x/net/html"

	"github.com/cantle/cantle/ast"
)

// letters returns what counts of a text when texts are compared: letters and
// digits, without what light Markdown adds.
func letters(s string) string {
	s = strings.NewReplacer("<br>", "").Replace(s)
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(bullets, r) && r != 'o' {
			return -1
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSymbol(r) && r != '^' && r != '|' && r != '`' && r != '<' && r != '>' && r != '=' {
			return r
		}
		return -1
	}, s)
}

// visible returns the text of a page as its tokens give it, and what of it
// stands in hidden elements is left out.
func visible(src []byte) string {
	var out strings.Builder
	z := xhtml.NewTokenizer(bytes.NewReader(src))
	hidden, depth := 0, 0 // hidden: the depth at which hiding began
	void := map[string]bool{"br": true, "hr": true, "img": true, "meta": true, "link": true, "input": true, "col": true, "wbr": true}
	for {
		switch z.Next() {
		case xhtml.ErrorToken:
			return out.String()
		case xhtml.TextToken:
			if hidden == 0 {
				out.WriteString(xhtml.UnescapeString(string(z.Raw())))
			}
		case xhtml.StartTagToken:
			t := z.Token()
			if void[t.Data] {
				continue
			}
			depth++
			style := ""
			for _, a := range t.Attr {
				if a.Key == "style" {
					style = strings.ReplaceAll(strings.ToLower(a.Val), " ", "")
				}
			}
			if hidden == 0 && (t.Data == "head" || t.Data == "script" || t.Data == "style" || t.Data == "title" || strings.Contains(style, "display:none")) {
				hidden = depth
			}
		case xhtml.EndTagToken:
			t := z.Token()
			if void[t.Data] {
				continue
			}
			if hidden == depth {
				hidden = 0
			}
			depth--
		}
	}
}

// written returns the text of the leaves of a document, without what the
// parser put before it: bullets, numbers, fences.
func written(doc *ast.Document) string {
	var out strings.Builder
	for n := range doc.Root.All() {
		if n.IsLeaf() && n.Kind != ast.Markup && len(n.Marks) > 0 {
			out.WriteString(n.Text[n.Marks[0].Text:])
			out.WriteByte(' ')
		}
	}
	return out.String()
}

// TestWords holds every visible letter of the filings, as the tokens of the page
// give it, against the leaves: the same letters in the same order. Running
// lines are kept for it; TestRunningLines counts them.
func TestWords(t *testing.T) {
	for _, file := range filings(t) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc := Parse(file, src, Options{WholePage: true, keepRunning: true})
		want, got := letters(visible(src)), letters(written(doc))
		missing, added := compare(want, got)
		t.Logf("%s: %d letters, %d missing, %d added", filepath.Base(file), len(want), missing.n, added.n)
		if missing.n > 0 {
			t.Errorf("%s: missing %q", file, missing.samples)
		}
		if limit := len(want) / 300; added.n > limit { // the cells that span rows are repeated in them
			t.Errorf("%s: added %q", file, added.samples)
		}
	}
}

// TestRunningLines holds that what is left out of the filings as running lines
// is no more than a few words a page.
func TestRunningLines(t *testing.T) {
	for _, file := range filings(t) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc := Parse(file, src, Options{WholePage: true})
		left, _ := doc.Meta["left_out"].(map[string]int)
		words := left["running lines"]
		t.Logf("%s: %d words on %d pages", filepath.Base(file), words, len(doc.Pages))
		if words == 0 || words > 16*len(doc.Pages) {
			t.Errorf("%s: %d words of running lines on %d pages", file, words, len(doc.Pages))
		}
	}
}

type difference struct {
	n       int
	samples []string
}

// compare returns what a has that b has not, and the reverse: a greedy line
// by line comparison that looks for the nearest place where both agree again.
func compare(a, b string) (onlyA, onlyB difference) {
	const agree, window = 24, 6000
	for a != "" && b != "" {
		i := 0
		for i < len(a) && i < len(b) && a[i] == b[i] {
			i++
		}
		a, b = a[i:], b[i:]
		if a == "" || b == "" {
			break
		}
		found := false
		for skip := 1; skip < window && !found; skip++ {
			for _, in := range []int{0, 1} {
				if in == 0 && skip <= len(a) && strings.HasPrefix(a[skip:], b[:min(agree, len(b))]) {
					onlyA.add(a[:skip])
					a = a[skip:]
					found = true
				} else if in == 1 && skip <= len(b) && strings.HasPrefix(b[skip:], a[:min(agree, len(a))]) {
					onlyB.add(b[:skip])
					b = b[skip:]
					found = true
				}
				if found {
					break
				}
			}
		}
		if !found {
			onlyA.add(a[:1])
			onlyB.add(b[:1])
			a, b = a[1:], b[1:]
		}
	}
	onlyA.add(a)
	onlyB.add(b)
	return onlyA, onlyB
}

func (d *difference) add(s string) {
	d.n += len(s)
	if s != "" && len(d.samples) < 400 {
		d.samples = append(d.samples, s[:min(len(s), 80)])
	}
}
