// Package ast holds the one tree that every format parses into.
//
// A [Document] is the bytes of a file and a tree of [Node] over them. The
// children of a node tile it: they follow one another without gap or overlap,
// so the leaves joined in order are the source, byte for byte. [Check] states
// this and the other laws of the tree.
//
// # Words
//
//   - Offset: bytes from 0 into Document.Source. Line and column: from 1.
//   - Span: a half-open range of offsets.
//   - Block: a node that a reader sees as one thing: a paragraph, a list, a
//     table, a fence of code, a statement.
//   - Section: a heading and everything below it, up to the next heading of
//     the same or a higher rank.
//   - Head: the prefix of a node that must go before any part of it when it is
//     cut: heading, caption and header rows, signature, opening fence.
//   - Lead: the prefix of Head that goes before the first part only: a
//     section's heading, a doc comment.
//   - Tail: the suffix that must follow any part: closing fence, closing brace,
//     notes of a table.
//   - Signature: what a definition says of itself before its body: its name,
//     parameters, types.
//   - Scope: a node that is always opened, whatever its size: a document, a
//     section, a class.
//
// The package uses the standard library only, knows no format, and never
// modifies a Source.
package ast
