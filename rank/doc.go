// Package rank holds what every keyword index of cantle must agree on: how a
// text falls into terms, what a term weighs (Okapi BM25), and how several
// rankings become one (reciprocal rank fusion).
//
// All sums are float32, each step rounded, in a fixed order: what is a tie on
// one machine is a tie on all, and in every index.
package rank
