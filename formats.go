package cantle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/code"
	"github.com/cantle/cantle/html"
	"github.com/cantle/cantle/markdown"
	"github.com/cantle/cantle/tables"
	"github.com/cantle/cantle/text"
)

// A Format is a kind of file that can be parsed.
type Format struct {
	Name       string   // as in Document.Format and the record's source_type
	Extensions []string // with the dot, in lower case
	parse      func(name string, src []byte, opt ParseOptions) *ast.Document
	binary     func(name string, src []byte, opt ParseOptions) (*ast.Document, error) // in place of parse where the bytes are no text
}

// ParseOptions say how to read a file.
type ParseOptions struct {
	Format    string // by name; "" for the one that Detect finds
	Headings  string // HTML: "tags", or "auto" for bold and numbered lines too; "" for auto where a page has no heading tags
	WholePage bool   // HTML: navigation, banners and footers are taken too
	Outputs   bool   // notebooks: what cells of code have printed is taken too
	Clauses   bool   // numbered clauses of any format become sections; in plain text they do anyway
	Questions bool   // so do questions with their answers
	Tables    string // how the rows of tables are written, as tables.ParseFormat knows it; "" for what the format does by itself
}

// formats is the list of formats but for the programming languages, which
// package code lists.
var formats = []Format{
	{Name: "markdown", Extensions: []string{".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd"}, parse: func(name string, src []byte, _ ParseOptions) *ast.Document {
		return markdown.Parse(name, src, markdown.Options{MDX: strings.EqualFold(path.Ext(name), ".mdx"), Code: code.Fence})
	}},
	{Name: "html", Extensions: []string{".html", ".htm", ".xhtml"}, parse: func(name string, src []byte, opt ParseOptions) *ast.Document {
		rows, _ := tables.ParseFormat(opt.Tables)
		return html.Parse(name, src, html.Options{Headings: opt.Headings, WholePage: opt.WholePage, Tables: rows, Code: code.Fence})
	}},
	{Name: "csv", Extensions: []string{".csv"}, parse: parseSeparated},
	{Name: "tsv", Extensions: []string{".tsv", ".tab"}, parse: parseSeparated},
	{Name: "xlsx", Extensions: []string{".xlsx", ".xlsm"}, binary: func(name string, src []byte, opt ParseOptions) (*ast.Document, error) {
		return tables.ParseXLSX(name, src, tables.Options{Rows: opt.Tables})
	}},
	{Name: "notebook", Extensions: []string{".ipynb"}, parse: func(name string, src []byte, opt ParseOptions) *ast.Document {
		return code.ParseNotebook(name, src, code.NotebookOptions{Outputs: opt.Outputs, Markdown: func(name string, src []byte) *ast.Document {
			return markdown.Parse(name, src, markdown.Options{Code: code.Fence})
		}})
	}},
	{Name: "text", Extensions: []string{".txt", ".text", ".log"}, parse: func(name string, src []byte, _ ParseOptions) *ast.Document {
		return text.Parse(name, src, text.Options{})
	}},
}

func parseSeparated(name string, src []byte, opt ParseOptions) *ast.Document {
	return tables.ParseCSV(name, src, tables.Options{Rows: opt.Tables})
}

// Formats returns all formats, the programming languages included.
func Formats() []Format { return slices.Clone(allFormats()) }

var allFormats = sync.OnceValue(func() []Format {
	all := slices.Clone(formats)
	for _, l := range code.Languages() {
		all = append(all, Format{Name: l.Name, Extensions: l.Extensions, parse: parseCode(l.Name)})
	}
	return all
})

func parseCode(language string) func(string, []byte, ParseOptions) *ast.Document {
	return func(name string, src []byte, _ ParseOptions) *ast.Document {
		return code.Parse(name, language, src, code.Options{})
	}
}

// unread are the formats that files are recognised in and not read.
var unread = []Format{
	unreadFormat("pdf", "PDF is not read: convert it to Markdown or HTML first", ".pdf"),
	unreadFormat("docx", "Word documents are not read: convert them to Markdown or HTML first", ".docx"),
	unreadFormat("pptx", "PowerPoint slides are not read: convert them to Markdown or HTML first", ".pptx"),
	unreadFormat("image", "images are not read: convert what they show to Markdown or HTML first", ".png", ".jpg", ".jpeg", ".gif"),
}

func unreadFormat(name, message string, extensions ...string) Format {
	return Format{Name: name, Extensions: extensions, binary: func(string, []byte, ParseOptions) (*ast.Document, error) {
		return nil, unreadError(message)
	}}
}

// An unreadError is an ErrBinary that says what the file is.
type unreadError string

func (e unreadError) Error() string        { return string(e) }
func (e unreadError) Is(target error) bool { return target == ErrBinary }

// detectUnread returns the name of the format of a file that is not read, ""
// for others.
func detectUnread(ext string, src []byte) string {
	isZip := bytes.HasPrefix(src, []byte("PK\x03\x04"))
	switch {
	case bytes.HasPrefix(src, []byte("%PDF-")):
		return "pdf"
	case isZip && bytes.Contains(src, []byte("word/document")):
		return "docx"
	case isZip && bytes.Contains(src, []byte("ppt/presentation")):
		return "pptx"
	case bytes.HasPrefix(src, []byte("\x89PNG\r\n\x1a\n")), bytes.HasPrefix(src, []byte("\xff\xd8\xff")),
		bytes.HasPrefix(src, []byte("GIF87a")), bytes.HasPrefix(src, []byte("GIF89a")):
		return "image"
	}
	for _, f := range unread {
		if slices.Contains(f.Extensions, ext) {
			return f.Name
		}
	}
	return ""
}

// Detect returns the name of the format of a file: by its name, then by its
// first bytes. What has no name is told by its content alone: HTML, XML, JSON,
// XLSX, Markdown with a heading or a fence, source code with a shebang. What is
// nothing else is "text". A file that [Parse] refuses for what it is, such as a
// PDF, has a format too, which [Formats] does not list.
func Detect(name string, src []byte) string {
	ext := strings.ToLower(path.Ext(strings.ReplaceAll(name, `\`, "/")))
	if f := detectUnread(ext, src); f != "" {
		return f
	}
	for _, f := range formats {
		for _, e := range f.Extensions {
			if e == ext && f.Name != "text" {
				return f.Name
			}
		}
	}
	head := src[:min(len(src), 1024)]
	if l := code.Detect(name, head); l != "" {
		return l
	}
	if ext == "" || ext == ".txt" {
		start := strings.ToLower(string(bytes.TrimLeft(head, "\ufeff \t\r\n")))
		if strings.HasPrefix(start, "<!doctype html") || strings.HasPrefix(start, "<html") {
			return "html"
		}
	}
	if name == "" {
		return detectContent(src)
	}
	return "text"
}

// detectContent returns the format of what has no name and no shebang.
func detectContent(src []byte) string {
	if bytes.HasPrefix(src, []byte("PK\x03\x04")) && bytes.Contains(src, []byte("xl/workbook")) {
		return "xlsx"
	}
	src = bytes.TrimLeft(src, "\ufeff \t\r\n")
	head := src[:min(len(src), 64<<10)]
	switch {
	case bytes.HasPrefix(head, []byte("<?xml")):
		if htmlStart.Match(head[bytes.IndexByte(head, '>')+1:]) {
			return "html"
		}
		return "xml"
	case isJSON(src):
		return "json"
	case hasMarkdown(head):
		return "markdown"
	case htmlStart.Match(head):
		return "html"
	}
	return "text"
}

// htmlStart finds how a page, or a part of one, begins.
var htmlStart = regexp.MustCompile(`(?i)^\s*(<!--|<!doctype html|</?(html|head|body|title|meta|link|style|script|header|nav|main|article|section|aside|div|span|h[1-6]|p|a|b|i|em|strong|img|ul|ol|dl|table|pre|blockquote|form|br|hr)[\s/>])`)

// isJSON reports whether src is one object or array.
func isJSON(src []byte) bool {
	return len(src) > 0 && (src[0] == '{' || src[0] == '[') && json.Valid(src)
}

// hasMarkdown reports whether src has a heading or a fence. Lines with "#" that
// follow one another are a comment.
func hasMarkdown(src []byte) bool {
	var above [2][]byte // the two lines above
	for line := range bytes.Lines(src) {
		line = bytes.TrimRight(line, " \t\r\n")
		if s := string(line); s == "---" || s == "+++" { // the end of front matter, or a rule
			line = nil
		}
		isComment := bytes.HasPrefix(line, []byte("# ")) && len(above[1]) > 0 && above[1][0] == '#'
		isHeading := headingLine.Match(above[1]) && len(above[0]) == 0 && !isComment
		if isHeading || bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~")) {
			return true
		}
		above[0], above[1] = above[1], line
	}
	return headingLine.Match(above[1]) && len(above[0]) == 0
}

var headingLine = regexp.MustCompile(`^#{1,6}[ \t]+\S`)

// A FormatError says that a format is not known.
type FormatError struct{ Format string }

func (e *FormatError) Error() string {
	var names []string
	for _, f := range allFormats() {
		names = append(names, f.Name)
	}
	return fmt.Sprintf("format %q is not known: it is one of %s", e.Format, strings.Join(names, ", "))
}

// format returns the format of that name.
func format(name string) (Format, error) {
	for _, all := range [][]Format{allFormats(), unread} {
		for _, f := range all {
			if f.Name == name {
				return f, nil
			}
		}
	}
	return Format{}, &FormatError{name}
}
