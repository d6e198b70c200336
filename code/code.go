// Package code parses source code into definitions and statements.
//
// Parse gives every function, method, class and type a node of its own, with
// its comment, its decorators and its signature as the head, and the statements
// of long bodies below it. The grammars are tree-sitter's.
package code

import (
	"bytes"
	"time"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/code/internal/syntax"
)

// Options are how to parse. The zero value is fine.
type Options struct {
	// Timeout stops the parser of a file; 0 for one that grows with the file.
	Timeout time.Duration
}

// timeout returns the time limit for n bytes: an order above what a slow
// grammar needs on a slow machine.
func (o Options) timeout(n int) time.Duration {
	if o.Timeout > 0 {
		return o.Timeout
	}
	return 2*time.Second + time.Duration(n)*4*time.Microsecond
}

// Parse parses a file. The language is its name, one of its other names, or ""
// to go by the file's name and its first line. It never fails: what a grammar
// cannot place, and a language that is not known, is cut at blank lines by
// indentation.
func Parse(name, lang string, src []byte, opts Options) *ast.Document {
	if lang == "" {
		lang = Detect(name, src)
	}
	d := &ast.Document{Name: name, Format: lang, Source: src}
	d.Root = &ast.Node{Kind: ast.Root, Span: ast.Span{Start: 0, End: len(src)}}
	l := lookup(lang)
	if l != nil {
		d.Format = l.Name
	}
	if len(src) == 0 {
		return d
	}
	d.Root.Children = parse(l, src, opts, d.Problem)
	return d
}

// Fence returns the nodes that tile a piece of code in a document, nil where
// the language is not known. It is an [ast.CodeParser].
func Fence(lang string, text []byte) []*ast.Node {
	l := lookup(lang)
	if l == nil || len(text) == 0 {
		return nil
	}
	return parse(l, text, Options{}, func(int, string) {})
}

// parse returns the nodes that tile src, which is not empty.
func parse(l *Language, src []byte, opts Options, problem func(int, string)) (nodes []*ast.Node) {
	span := ast.Span{Start: 0, End: len(src)}
	if l == nil {
		problem(0, "unknown language: cut by blank lines")
		return paragraphs(src, span, "")
	}
	if l.parts {
		return parseParts(l, src, opts, problem)
	}
	compiled := l.compile()
	if compiled == nil {
		problem(0, "no grammar for "+l.Name+" in this binary: cut by blank lines")
		return paragraphs(src, span, l.Name)
	}
	if bytes.IndexByte(src, 0) >= 0 {
		problem(bytes.IndexByte(src, 0), "binary: cut by blank lines")
		return paragraphs(src, span, l.Name)
	}
	text := src
	if l.mask != nil {
		text = l.mask(src)
	}
	err := compiled.syntax.Parse(text, &compiled.prune, opts.timeout(len(src)), func(tree []syntax.Node) {
		b := &builder{lang: compiled, src: src, nodes: tree}
		b.problems(problem)
		nodes = b.build()
	})
	if err != nil {
		problem(0, err.Error()+": cut by blank lines")
		return paragraphs(src, span, l.Name)
	}
	return nodes
}

// problems reports what the grammar could not place, the outermost only.
func (b *builder) problems(problem func(int, string)) {
	if b.nodes[0].Flags&(syntax.Broken|syntax.Error) == 0 {
		return
	}
	for i := 0; i < len(b.nodes); {
		n := &b.nodes[i]
		switch {
		case n.Flags&syntax.Error != 0 && i > 0:
			problem(b.runeStart(int(n.Start)), "syntax error")
			i = int(n.Next)
			continue
		case n.Flags&syntax.Missing != 0:
			problem(b.runeStart(int(n.Start)), "syntax error: something is missing")
		}
		i++
	}
}

func (b *builder) runeStart(offset int) int {
	for offset > 0 && offset < len(b.src) && !utf8.RuneStart(b.src[offset]) {
		offset--
	}
	return offset
}
