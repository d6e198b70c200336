// Package text parses plain text, and finds in any document what is written
// rather than marked up: numbered clauses, and questions with their answers.
//
//	doc := text.Parse("terms.txt", src, text.Options{})
//
//	doc := markdown.Parse("terms.md", src, markdown.Options{})
//	text.Clauses(doc)   // 第三条, Article 5, 3.1: a section each
//	text.Questions(doc) // Q: and A:, headings that ask, <details>: a section each
//
// [Clauses] and [Questions] change a tree in place and know no format: they look
// at the paragraphs that stand directly in the document or in a section, in the
// text that a reader sees. What they do not find convincing stays as it is. A
// number at the start of a line is not a clause: one that follows the clause
// before it is.
package text
