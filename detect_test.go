package cantle_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cantle/cantle"
)

// What has no name is told by its content, and what has one by that first.
func TestDetect(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"", "<h1>X</h1><p>hi", "html"},
		{"", "\ufeff\n<!DOCTYPE html><p>hi", "html"},
		{"", "<?xml version='1.0'?>\n<!DOCTYPE html><p>hi", "html"},
		{"", "<?xml version='1.0'?>\n<page/>", "xml"},
		{"", "<key> is typed", "text"},
		{"", `{"a": [1]}`, "json"},
		{"", "[1]\n[2]", "text"},
		{"", "[1] A note.", "text"},
		{"", "# Title", "markdown"},
		{"", "# Title\nText.", "markdown"},
		{"", "Text.\n\n## Title\r\n\r\nText.", "markdown"},
		{"", "# Title\n## Part\n\nText.", "markdown"},
		{"", "---\ntitle: A\n---\n# Title\nText.", "markdown"},
		{"", "<p align=center>\n\n# Title", "markdown"},
		{"", "{\"title\": \"A\"}\n\n# Title", "markdown"},
		{"", "Text.\n```\ncode\n```", "markdown"},
		{"", "# One comment\n# of two lines\nkey: value", "text"},
		{"", "key: value\n# comment", "text"},
		{"", "#hashtag", "text"},
		{"", "#!/bin/sh\n\n# Comment", "bash"},
		{"", "", "text"},
		{"a.txt", "# Title\n\nText.", "text"},
		{"a.txt", "<html><p>hi", "html"},
		{"Makefile", "# Title\n\nall:", cantle.Detect("Makefile", nil)},
		{"", "%PDF-1.7\n", "pdf"},
		{"a.txt", "%PDF-1.7\n", "pdf"},
		{"a.pdf", "", "pdf"},
		{"A.DOCX", "", "docx"},
		{"", "PK\x03\x04....word/document.xml", "docx"},
		{"", "PK\x03\x04....ppt/presentation.xml", "pptx"},
		{"", "PK\x03\x04....xl/workbook.xml", "xlsx"},
		{"", "\x89PNG\r\n\x1a\n", "image"},
		{"", "\xff\xd8\xff\xe0", "image"},
		{"a.gif", "", "image"},
	} {
		if got := cantle.Detect(c.name, []byte(c.src)); got != c.want {
			t.Errorf("%q, %q: %s, want %s", c.name, c.src, got, c.want)
		}
	}
}

// A file of a kind that is not read is said to be one.
func TestUnread(t *testing.T) {
	for name, want := range map[string]string{"a.pdf": "PDF", "a.docx": "Word", "a.pptx": "PowerPoint", "a.png": "images"} {
		_, err := cantle.Parse(name, []byte("no NUL"), cantle.ParseOptions{})
		if !errors.Is(err, cantle.ErrBinary) || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "Markdown or HTML") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
