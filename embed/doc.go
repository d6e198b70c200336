// Package embed turns texts into vectors whose cosine says how alike they are.
//
// Open gives an Embedder by its specification, as the command line takes it:
//
//	lexical                                         words in common; needs nothing
//	minilm:models/all-MiniLM-L6-v2                  a BERT-like encoder, run in this process
//	http://localhost:11434/v1?model=all-minilm      a server with OpenAI's /v1/embeddings
//
// Every vector an Embedder of this package returns has length 1, so the dot
// product of two is their cosine, or length 0 for a text that says nothing.
// Cache keeps vectors on disk by the content of the text, so that the next run
// pays only for what is new.
//
// It does not cut texts: what is longer than a model reads is cut off by the
// model. Sizing chunks for a model is the work of tokens and chunker.
package embed
