// Package chunker cuts a parsed document into chunks that fit.
//
//	ast.Document -> atoms -> []Piece (spans only) -> []Chunk (text, size, path, id)
//
// [Split] plans in spans and only then renders text, so every chunk can be
// traced to its bytes and no strategy touches a format. A document is tokenised
// once, to plan; each piece is then counted exactly on its final text, because
// token counts do not add up.
//
// # Words
//
//   - Size: what the [Sizer] counts, tokens as a rule. The limit, Max, holds for
//     the context, a blank line and the text together.
//   - Atom: a part of the document that is not cut further: a node that fits,
//     or a sentence, clause, word or rune of one that does not.
//   - Frame: a node that was opened because it does not fit. Its Head goes
//     before, its Tail behind each piece of it.
//   - Run: atoms between two places where a cut is compulsory.
//   - Piece: atoms that follow one another, and become one chunk.
//   - Own text: what a chunk says that no other says; the rest is repeated.
//
// The package knows no format: what must stay together, what must be repeated
// and what a reader sees is written in the tree. It does not parse, embed or
// store.
package chunker
