package cantle_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
)

// checkSkeletons cuts to size, with skeletons up to limit. It fails where those change a chunk, where a chunk has no
// parent, where one is over the limit, or holds text that is not the source's
// in that order.
func checkSkeletons(t *testing.T, doc *ast.Document, size, limit int) {
	t.Helper()
	opt, err := cantle.Options{Cut: chunker.Options{Max: size}}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	without, err := cantle.Cut(context.Background(), doc, opt)
	if err != nil {
		t.Fatal(err)
	}
	opt.Cut.Parents, opt.Cut.Skeleton = limit, true
	with, err := cantle.Cut(context.Background(), doc, opt)
	if err != nil {
		t.Fatal(err)
	}
	parents := map[string]chunker.Chunk{}
	k := 0
	for _, c := range with {
		if c.Type == chunker.TypeParent {
			parents[c.ID] = c
			if n := opt.Cut.Sizer.Count(c.Embedded()); n != c.Tokens || n > limit && utf8.RuneCountInString(strings.TrimSpace(c.Text)) > 1 {
				t.Errorf("%s: a parent at line %d says %d, counts %d of %d: %q", doc.Name, c.StartLine, c.Tokens, n, limit, c.Text)
			}
			checkDrawn(t, doc, c)
			continue
		}
		parent, ok := parents[c.ParentID]
		if !ok || c.Start < parent.Start || c.End > parent.End {
			t.Errorf("%s: chunk %d at %d:%d has the parent %q at %d:%d", doc.Name, c.Index, c.Start, c.End, c.ParentID, parent.Start, parent.End)
		}
		c.ParentID = ""
		if k < len(without) && !reflect.DeepEqual(c, without[k]) {
			t.Errorf("%s: chunk %d is %+v, %+v without parents", doc.Name, k, c, without[k])
		}
		k++
	}
	if k != len(without) {
		t.Errorf("%s: %d chunks, %d without parents", doc.Name, k, len(without))
	}
}

// checkDrawn fails where a parent's text is not that of its parts in order,
// with nothing but blanks and "..." between them.
func checkDrawn(t *testing.T, doc *ast.Document, c chunker.Chunk) {
	t.Helper()
	rest, last := c.Text, c.Start
	for _, p := range c.Parts {
		between, behind, ok := strings.Cut(rest, string(doc.Source[p.Start:p.End]))
		if !ok || p.Start < last || strings.Trim(between, " \t\r\n.") != "" {
			t.Errorf("%s: %q stands before the part %d:%d of %q", doc.Name, between, p.Start, p.End, c.Text)
			return
		}
		rest, last = behind, p.End
	}
	if strings.Trim(rest, " \t\r\n.") != "" || last > c.End {
		t.Errorf("%s: %q stands behind all parts of %q", doc.Name, rest, c.Text)
	}
}

func TestSkeletonsOnCodeGoldens(t *testing.T) {
	files, err := filepath.Glob("code/testdata/golden/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if filepath.Ext(file) == ".ast" {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := cantle.Parse(filepath.Base(file), src, cantle.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int{128, 300, 2000} {
			checkSkeletons(t, doc, 128, limit)
		}
	}
}

func TestSkeletonsOnRealCode(t *testing.T) {
	for _, c := range codeTrees() {
		t.Run(c.language, func(t *testing.T) {
			t.Parallel()
			c.files(t, func(name string, src []byte) {
				doc, err := cantle.Parse(name, src, cantle.ParseOptions{Format: c.language})
				if err != nil {
					return // not text
				}
				checkSkeletons(t, doc, 128, 200)
				checkSkeletons(t, doc, 128, 1000)
			})
		})
	}
}

const library = `package library

import "fmt"

// A Shelf holds books, in the order in which they were put there.
type Shelf struct {
	books []string // their titles, with those of the series that they are part of, if any
	limit int      // the number of books that it holds, 0 for any number of books at all
}

// Put puts a book behind those that are there. What is over the limit falls.
func (s *Shelf) Put(book string) error {
	if s.limit > 0 && len(s.books) == s.limit {
		return fmt.Errorf("%s falls", book)
	}
	s.books = append(s.books, book)
	return nil
}

// Len counts.
func (s *Shelf) Len() int { return len(s.books) }
`

// parentTexts returns the texts of a file's parents.
func parentTexts(t *testing.T, name, src string, limit int) []string {
	t.Helper()
	var texts []string
	for _, c := range chunkCode(t, name, src, chunker.Options{Max: min(limit, 100), Min: 40, Parents: limit, Skeleton: true}) {
		if c.Type == chunker.TypeParent {
			texts = append(texts, c.Text)
		}
	}
	return texts
}

// A skeleton has comments, signatures and closing lines; where there is no room
// for the comments it goes without, and then in parts.
func TestSkeleton(t *testing.T) {
	head := "package library\n\nimport \"fmt\"\n\n"
	shelf, put, size := "type Shelf struct {\n\t...\n}\n\n", "func (s *Shelf) Put(book string) error {\n\t...\n}\n\n", "func (s *Shelf) Len() int { return len(s.books) }"
	for _, c := range []struct {
		limit int
		want  []string
	}{
		{400, []string{head + "// A Shelf holds books, in the order in which they were put there.\n" + shelf +
			"// Put puts a book behind those that are there. What is over the limit falls.\n" + put + "// Len counts.\n" + size}},
		{80, []string{head + shelf + put + size}},
		{40, []string{strings.TrimSpace(head + shelf + put), "// Len counts.\n" + size}},
	} {
		if got := parentTexts(t, "library.go", library, c.limit); !reflect.DeepEqual(got, c.want) {
			t.Errorf("at %d: got %q\nwant %q", c.limit, got, c.want)
		}
	}
}

// Inner classes are drawn as their outer ones are. What is short is left, of
// what is long the lines up to the first word, and the one that closes it.
func TestSkeletonOfClasses(t *testing.T) {
	src := "/*\n * " + strings.Repeat("All rights are reserved by all of us. ", 8) + "\n * And more.\n */\n\nclass Outer {\n  int size = 3;\n\n  static class Inner {\n    @Override\n    void run(int n) {\n      for (int i = 0; i < n; i++) {\n        System.out.println(\"one more time\" + i);\n      }\n    }\n  }\n}\n"
	want := []string{"/*\n * " + strings.TrimSpace(strings.Repeat("All rights are reserved by all of us. ", 8)) + "\n ...\n */\n\nclass Outer {\n  int size = 3;\n\n  static class Inner {\n    @Override\n    void run(int n) {\n      ...\n    }\n  }\n}"}
	if got := parentTexts(t, "Outer.java", src, 300); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// Prose has the parents that it has without.
func TestSkeletonOfProse(t *testing.T) {
	src := "# Shelves\n\nBooks stand on them.\n\n```go\nfunc f() {\n\tg()\n}\n```\n"
	if got, want := parentTexts(t, "shelves.md", src, 300), []string{strings.TrimSpace(src)}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSkeletonNeedsParents(t *testing.T) {
	_, err := cantle.Options{Cut: chunker.Options{Skeleton: true}}.Resolve()
	var bad *chunker.OptionError
	if !errors.As(err, &bad) || bad.Option != "Skeleton" {
		t.Errorf("got the error %v", err)
	}
}
