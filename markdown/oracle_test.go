package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/yuin/goldmark"
	gast "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/cantle/cantle/ast"
)

var oracle = goldmark.New(goldmark.WithExtensions(extension.Table))

// goldmarkHeadings returns level and line start of the headings that plain
// goldmark finds in src.
func goldmarkHeadings(src []byte) (headings []string) {
	doc := oracle.Parser().Parse(text.NewReader(src))
	gast.Walk(doc, func(n gast.Node, entering bool) (gast.WalkStatus, error) {
		if h, ok := n.(*gast.Heading); ok && entering {
			headings = append(headings, heading(src, h.Level, h.Pos()))
		}
		return gast.WalkContinue, nil
	})
	slices.Sort(headings)
	return headings
}

func heading(src []byte, level, offset int) string {
	start := bytes.LastIndexByte(src[:offset], '\n') + 1
	return fmt.Sprintf("%06d h%d %.60s", start, level, bytes.TrimSpace(src[start:lineEnd(src, start)]))
}

// ourHeadings returns the same of a tree of ours. Headings in HTML are left
// out: goldmark knows none.
func ourHeadings(d *ast.Document) (headings []string) {
	for n := range d.Root.All() {
		if n.Kind != ast.Heading {
			continue
		}
		blanks := n.Span.Len() - len(bytes.TrimLeft(d.Source[n.Span.Start:n.Span.End], " \t\r\n"))
		line := heading(d.Source, n.Level, n.Span.Start+blanks)
		if !bytes.Contains(d.Source[n.Span.Start:n.Span.End], []byte(fmt.Sprintf("</h%d", n.Level))) {
			headings = append(headings, line)
		}
	}
	slices.Sort(headings)
	return headings
}

func TestHeadingsAreGoldmarks(t *testing.T) {
	for _, e := range specExamples(t) {
		src := []byte(e.Markdown)
		if got, want := ourHeadings(Parse("", src, Options{})), goldmarkHeadings(src); !slices.Equal(got, want) {
			t.Errorf("example %d:\n%s\ngot  %q\nwant %q", e.Example, src, got, want)
		}
	}
	for _, name := range []string{"markdown", "markdown-zh"} {
		corpus(t, name, func(path string, src []byte) {
			src = bytes.TrimPrefix(src, []byte("\ufeff"))
			_, size, _ := frontMatter(src)
			src = src[size:]
			if got, want := ourHeadings(Parse("", src, Options{})), goldmarkHeadings(src); !slices.Equal(got, want) {
				for _, h := range got {
					if !slices.Contains(want, h) {
						t.Errorf("%s: only ours: %s", path, h)
					}
				}
				for _, h := range want {
					if !slices.Contains(got, h) {
						t.Errorf("%s: only goldmark's: %s", path, h)
					}
				}
			}
		})
	}
}
