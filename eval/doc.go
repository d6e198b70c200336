// Package eval says how well chunks answer questions.
//
// A [Set] is documents and questions, each question with the spans of a
// document that answer it. A chunking of the documents is a list of [Chunk];
// [Evaluate] searches it with every question by a [Retriever] and measures how
// much of the evidence a reader gets:
//
//	recall@1000t   share of the evidence in the first 1,000 tokens of the ranking
//	auc_t          mean of recall at 500, 1,000, 2,000 and 4,000 tokens
//	recall@5       share of the evidence in the first 5 chunks
//
// Recall at equal tokens is the measure to compare by. At an equal number of
// chunks large chunks win whatever they hold, because the reader gets more text.
// Context and repeated heads are paid for like any other token.
//
// Evidence is counted in bytes of the source, so a chunk may say it in other
// words than the source does: rendered HTML, a table with its header repeated.
//
// The package knows chunks and spans, not how chunks are made: those of another
// program can be read from a file and measured beside cantle's.
package eval
