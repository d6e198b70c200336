// Package replay holds no code: its tests measure what edits of documents cost
// an index that is kept by cantle's ids.
package replay
