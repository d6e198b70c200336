// Package code parses source code into definitions and statements.
//
// [Parse] gives every function, method, class and type a node of its own. Its
// head is its comment, its decorators and its signature; its lead is what is
// not repeated of it, the comment, and for a class the whole head; its tail is
// the closing line. Statements are blocks below it, as deep as a cut can be of
// use, so that a long function is cut between statements. Nodes take whole
// lines. What lies between two nodes of the grammar belongs to the one before,
// or, where it opens something, to the one behind: nothing is ever lost.
//
//	document 0:56
//	  block 0:16 go | package ledger\n\n
//	  decl 16:56 go head 16:32 lead 16:32 sign 32:55 "Ledger.Close" | // Close is short.\nfunc (l *Led
//
// A name is that of the definition alone ("reconcile"), with the type that it
// is written with ("Ledger.Reconcile" in Go, "Ledger::reconcile" in C++,
// "Display for Ledger" for an implementation in Rust). The names of the
// definitions around it are in their nodes. Document.Imports says what the file
// takes from elsewhere, by which names, and where in it they are known.
//
// The grammars are tree-sitter's, see package internal/syntax for how they are
// run. Where one stumbles, what it does recognise is used, the rest is cut at
// blank lines by indentation, as are languages that are not known, and the
// document has a Problem there. A parse is stopped at a time limit and at a
// memory limit that grow with the file.
//
// # Languages
//
// A language is a [Language] value in a file of its own, which says by node
// types what defines, what wraps, what names; a line in the list languages; and
// a golden. A grammar is a line in internal/grammars.
//
// All grammars make 43 MB of a binary. Build tags leave groups out: nolang_apps
// (C#, Lua, PHP, Ruby, Swift, Zig), nolang_jvm (Groovy, Kotlin, Scala),
// nolang_functional (Elixir, Elm, OCaml), nolang_data (CSS, CUE, Dockerfile,
// HCL, HTML, JSON, Protobuf, SQL, TOML, XML, YAML), and cantle_small all of
// these. What is left out is cut at blank lines.
//
// The package does not read HTML documents or Markdown; it serves the fences
// and scripts in them through [Fence].
package code

import (
	"bytes"
	"fmt"
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

// maxProblems bounds the errors of a file that are reported one by one.
const maxProblems = 100

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
	problems := 0
	nodes, imports := parse(l, src, opts, func(offset int, message string) {
		if problems++; problems <= maxProblems {
			d.Problem(offset, message)
		}
	})
	if problems > maxProblems {
		d.Problem(len(src), fmt.Sprintf("%d more syntax errors", problems-maxProblems))
	}
	d.Root.Children = nodes
	if len(imports) > 0 {
		d.Imports = func() []ast.Import { return importsOf(src, imports) }
	}
	return d
}

// Fence returns the nodes that tile a piece of code in a document, nil where
// the language is not known. It is an [ast.CodeParser].
func Fence(lang string, text []byte) []*ast.Node {
	l := lookup(lang)
	if l == nil || len(text) == 0 {
		return nil
	}
	nodes, _ := parse(l, text, Options{}, func(int, string) {})
	return nodes
}

// parse returns the nodes that tile src, which is not empty, and the statements
// in it that import.
func parse(l *Language, src []byte, opts Options, problem func(int, string)) (nodes []*ast.Node, imports []importing) {
	span := ast.Span{Start: 0, End: len(src)}
	if l == nil {
		problem(0, "unknown language: cut by blank lines")
		return paragraphs(src, span, ""), nil
	}
	if l.parts {
		return parseParts(src, opts, problem)
	}
	compiled := l.compile()
	if compiled == nil {
		problem(0, "no grammar for "+l.Name+" in this binary: cut by blank lines")
		return paragraphs(src, span, l.Name), nil
	}
	if bytes.IndexByte(src, 0) >= 0 {
		problem(bytes.IndexByte(src, 0), "binary: cut by blank lines")
		return paragraphs(src, span, l.Name), nil
	}
	text := src
	if l.mask != nil {
		text = l.mask(src)
	}
	err := compiled.syntax.Parse(text, &compiled.prune, opts.timeout(len(src)), func(tree []syntax.Node) {
		b := &builder{lang: compiled, src: src, nodes: tree}
		b.problems(problem)
		nodes, imports = b.build(), b.imports()
	})
	if err != nil {
		problem(0, err.Error()+": cut by blank lines")
		return paragraphs(src, span, l.Name), nil
	}
	return nodes, imports
}

// problems reports what the grammar could not place: the outermost of it, or
// the innermost node that has some of it where that is too small to be listed.
// What follows with no word between is part of the same problem.
func (b *builder) problems(problem func(int, string)) {
	end := -1 // of what was reported last
	for i := 0; i < len(b.nodes); {
		n := &b.nodes[i]
		switch {
		case n.Flags&syntax.Broken == 0:
			i = int(n.Next)
		case n.Flags&syntax.Error != 0 && i > 0 || n.Flags&syntax.Missing != 0 || !b.hasBroken(cursor{b, i}):
			if start := int(n.Start); end < 0 || end < start && bytes.IndexFunc(b.src[end:start], isWordRune) >= 0 {
				problem(b.runeStart(start), "syntax error")
			}
			end = max(end, int(n.End))
			i = int(n.Next)
		default:
			i++
		}
	}
}

// hasBroken reports whether a listed child of c is broken.
func (b *builder) hasBroken(c cursor) bool {
	for child := c.first(); child.ok(); child = child.next(c) {
		if child.node().Flags&syntax.Broken != 0 {
			return true
		}
	}
	return false
}

func (b *builder) runeStart(offset int) int {
	for offset > 0 && offset < len(b.src) && !utf8.RuneStart(b.src[offset]) {
		offset--
	}
	return offset
}
