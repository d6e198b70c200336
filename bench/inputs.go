package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// A document is a file to cut.
type document struct {
	path string
	size int64
}

func total(docs []document) (n int64) {
	for _, d := range docs {
		n += d.size
	}
	return n
}

// every returns each k-th document.
func every(docs []document, k int) (some []document) {
	for i := 0; i < len(docs); i += k {
		some = append(some, docs[i])
	}
	return some
}

// documents returns the files of a job in a fixed order. All adapters must be
// able to read them, so files that are empty or not UTF-8 are left out.
func (j job) documents(work string) ([]document, error) {
	var docs []document
	var all bytes.Buffer
	err := filepath.WalkDir(j.corpus, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, j.extension) || strings.Contains(p, "\n") {
			return err
		}
		src, err := os.ReadFile(p)
		if err != nil || len(src) == 0 || !utf8.Valid(src) {
			return err
		}
		if all.Len() < j.document*1e6 {
			all.Write(src)
			all.WriteString("\n\n")
		}
		docs = append(docs, document{p, int64(len(src))})
		return nil
	})
	if err != nil || j.document == 0 {
		return docs, err
	}
	// The corpus over and over, each time under a heading of its own, so that
	// no two parts of the document are alike.
	for i, once := 1, all.Bytes(); all.Len() < j.document*1e6; i++ {
		text := bytes.ReplaceAll(once, []byte("the "), fmt.Appendf(nil, "the %d. ", i))
		fmt.Fprintf(&all, "# Volume %d\n\n", i)
		all.Write(text)
	}
	src := bytes.ToValidUTF8(all.Bytes()[:j.document*1e6], nil) // the last rune may be cut
	p := filepath.Join(work, fmt.Sprintf("document-%dMB.md", j.document))
	return []document{{p, int64(len(src))}}, os.WriteFile(p, src, 0o644)
}

// writeList writes the paths of documents to a file for an adapter.
func writeList(path string, docs []document) error {
	var b strings.Builder
	for _, d := range docs {
		b.WriteString(d.path + "\n")
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
