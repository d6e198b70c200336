package cantle

import (
	"bytes"
	"fmt"
	"path"
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
	{Name: "notebook", Extensions: []string{".ipynb"}, parse: func(name string, src []byte, _ ParseOptions) *ast.Document {
		return code.ParseNotebook(name, src, code.NotebookOptions{Markdown: func(name string, src []byte) *ast.Document {
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

// Detect returns the name of the format of a file: by its name, then by its
// first bytes. What is nothing else is "text".
func Detect(name string, src []byte) string {
	ext := strings.ToLower(path.Ext(strings.ReplaceAll(name, `\`, "/")))
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
	return "text"
}

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
	for _, f := range allFormats() {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, &FormatError{name}
}
