package cantle_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
)

// eachWord calls use for each run of letters, and of digits, in text.
func eachWord(text string, use func(word string)) {
	kind := func(r rune) int {
		switch {
		case unicode.IsLetter(r):
			return 1
		case unicode.IsDigit(r):
			return 2
		}
		return 0
	}
	start, in := 0, 0
	for i, r := range text + " " {
		if k := kind(r); k != in {
			if in != 0 {
				use(text[start:i])
			}
			start, in = i, k
		}
	}
}

// pageText returns the text of an XHTML page that is not hidden, as
// encoding/xml gives it: blanks stand for the tags between blocks.
func pageText(t *testing.T, src []byte) string {
	var b strings.Builder
	d := xml.NewDecoder(bytes.NewReader(src))
	d.Strict, d.Entity, d.AutoClose = false, xml.HTMLEntity, xml.HTMLAutoClose
	inline := map[string]bool{"span": true, "a": true, "b": true, "i": true, "u": true, "font": true, "sup": true, "sub": true,
		"nonFraction": true, "nonNumeric": true, "continuation": true, "footnote": true, "em": true, "strong": true}
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	depth, hidden := 0, 0
	for {
		token, err := d.Token()
		if token == nil {
			if err != nil && err.Error() != "EOF" {
				t.Fatal(err)
			}
			return b.String()
		}
		switch token := token.(type) {
		case xml.StartElement:
			depth++
			style := ""
			for _, a := range token.Attr {
				if a.Name.Local == "style" {
					style = strings.ReplaceAll(a.Value, " ", "")
				}
			}
			if name := token.Name.Local; hidden == 0 && (name == "head" || strings.Contains(style, "display:none")) {
				hidden = depth
			}
			if !inline[token.Name.Local] {
				b.WriteByte(' ')
			}
		case xml.EndElement:
			if hidden == depth {
				hidden = 0
			}
			depth--
			if !inline[token.Name.Local] {
				b.WriteByte(' ')
			}
		case xml.CharData:
			if hidden == 0 {
				b.Write(token)
			}
		}
	}
}

// TestEachWordIsInOneChunk holds the words of the filings, as another parser
// gives them, against the chunks' own text: none is missing but those of
// running page headers and numbers, and few are there twice: those of cells
// that span rows, the numbers of lists. The labels of columns that span several
// are in the label of each, and not counted.
func TestEachWordIsInOneChunk(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join(shared(t, "corpora/filings"), "*.html"))
	if !long() {
		names = names[:2]
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := cantle.Parse(name, src, cantle.ParseOptions{WholePage: true})
		if err != nil {
			t.Fatal(err)
		}
		chunks, err := cantle.Cut(context.Background(), doc, cantle.Options{})
		if err != nil {
			t.Fatal(err)
		}
		missing, total := map[string]int{}, 0
		eachWord(pageText(t, src), func(w string) { missing[w]++; total++ })
		for i := range chunks {
			eachWord(strings.ReplaceAll(chunks[i].Own(), "<br>", " "), func(w string) { missing[w]-- })
		}
		joined := map[string]int{}
		for n := range doc.Root.All() {
			if n.Kind == ast.Row && strings.Contains(n.Text, "\n|---") {
				eachWord(n.Text, func(w string) { joined[w]++ })
			}
		}
		lost, twice := 0, 0
		for w, n := range missing {
			lost += max(0, n)
			twice += max(0, -n-joined[w])
		}
		left, _ := doc.Meta["left_out"].(map[string]int)
		running := left["running lines"]
		t.Logf("%s: %d words in %d chunks; %d not in the chunks, %d in running lines; %d twice",
			filepath.Base(name), total, len(chunks), lost, running, twice)
		if lost > running+running/5 {
			t.Errorf("%s: %d words are in no chunk, %d in running lines", filepath.Base(name), lost, running)
		}
		if twice > total/200 {
			t.Errorf("%s: %d of %d words are in more than one chunk", filepath.Base(name), twice, total)
		}
	}
}
