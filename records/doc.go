// Package records reads the chunks that a chunker wrote as JSON lines, one
// object a line: its own, and those of other chunkers whose fields go by other
// names.
//
// A [Shape] says where the fields of a record are found. [Detect] knows those
// of cantle, LangChain, LlamaIndex, Haystack, Docling, Unstructured and
// Chonkie; [Shape.Map] changes single fields, as --map does on the command line.
//
// [Read] goes through a stream once and keeps nothing. An [Index] gathers the
// records of each document, wherever in a file they stand, and keeps 16 bytes a
// record.
package records
