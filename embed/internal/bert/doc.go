// Package bert runs sentence encoders of BERT's kind in this process: BERT itself,
// as all-MiniLM-L6-v2 is one, and RoBERTa, also multilingual.
//
// Load reads a model's folder as sentence-transformers keeps it; Model.Embed
// turns texts into vectors of length 1 by the model's own pooling. Nothing else
// is needed, neither a library nor the network. The arithmetic is in C, in
// 32-bit floats, for the instruction set the machine has, or in plain Go where
// the program is built without cgo.
//
// Vectors agree with those of PyTorch to a cosine of better than 0.99999, but
// not bit for bit, nor from one instruction set to another. On one machine a
// text always gives the same bits, whatever texts are with it.
package bert
