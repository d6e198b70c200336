// Package cantle cuts documents and source code into chunks for retrieval.
//
// A document is parsed into a tree of headings, definitions, tables and text,
// and the tree is cut where it is cheapest: between sections, functions, rows,
// sentences. Each chunk is complete in itself: it carries its section path,
// and what it needs to be read alone, the header of its table, the signature
// of its function, the fence around its code. No chunk is over the limit,
// counted exactly in the tokens of the embedding model; no text is lost; and
// every chunk names the bytes that it comes from.
//
//	chunks, err := cantle.Chunk(ctx, "guide.md", src, cantle.Options{})
//
// The way is always the same:
//
//	bytes -> ast.Document -> []chunker.Chunk
//
// [Parse] goes the first half, [Chunk] the whole; package ast has the tree,
// package chunker the rules of cutting and the record that comes out. Nothing
// needs the network.
package cantle
