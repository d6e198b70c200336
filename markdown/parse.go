package markdown

import (
	"bytes"

	"github.com/cantle/cantle/ast"
)

// Options says how to parse. The zero value works.
type Options struct {
	MDX  bool           // read modules, comments and components of MDX
	Code ast.CodeParser // finds the parts of fences, where they are asked for; nil leaves fences whole
}

// Parse returns the tree of src. It takes any bytes, and time linear in them.
// name is kept as Document.Name; src is not modified, and the document refers
// to it. Parse may be called from many goroutines at once.
func Parse(name string, src []byte, opts Options) *ast.Document {
	d := &ast.Document{
		Name: name, Format: "markdown", Source: src, Code: opts.Code,
		Root: &ast.Node{Kind: ast.Root, Span: ast.Span{Start: 0, End: len(src)}},
	}
	at := 0
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		at = len("\ufeff")
		d.Root.Children = append(d.Root.Children, &ast.Node{Kind: ast.Markup, Span: ast.Span{Start: 0, End: at}})
	}
	meta, size, err := frontMatter(src[at:])
	if size > 0 {
		n := &ast.Node{Kind: ast.Meta, Span: ast.Span{Start: at, End: at + size}}
		if err != nil {
			n.Kind = ast.Paragraph
			d.Problem(at, err.Error())
		}
		d.Meta = meta
		d.Root.Children = append(d.Root.Children, n)
		at += size
	}

	text := lineFeeds(src[at:])
	parser := blockParser
	if opts.MDX {
		parser = mdxParser
	}
	b := build(parser, text, partSize)
	nodes := b.nodes
	if at > 0 {
		ast.Shift(nodes, at)
	}
	d.Root.Children = append(d.Root.Children, nodes...)
	for _, p := range b.problems {
		d.Problem(at+p.Offset, p.Message)
	}
	return d
}

// lineFeeds returns src with the line ends that goldmark understands: it takes
// "\r" for text. Offsets stay: "\r\n" becomes a blank and "\n", which is the
// same to every block, and a lone "\r" becomes "\n".
func lineFeeds(src []byte) []byte {
	at := bytes.IndexByte(src, '\r')
	if at < 0 {
		return src
	}
	text := bytes.Clone(src)
	for i := at; i < len(text); i++ {
		if text[i] == '\r' {
			text[i] = '\n'
			if i+1 < len(text) && text[i+1] == '\n' {
				text[i] = ' '
			}
		}
	}
	return text
}
