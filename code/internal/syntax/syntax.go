// Package syntax runs tree-sitter over a source and returns its tree as an
// array: the named nodes in source order, each with the index at which its
// subtree ends.
//
// The binding of smacker/go-tree-sitter hands out one node a call, and a call
// from Go to C costs more than the step it makes: a walk over all nodes takes
// as long as the parse. Here one call parses the file, walks the tree in C,
// leaves out what nobody will ask for (see [Prune]), and frees the tree. So
// nothing of tree-sitter outlives a call, and a file costs one call.
//
// syntax.h declares the functions of tree-sitter's stable C interface that
// are used. Their definitions come with smacker/go-tree-sitter, which is
// linked for its C code only; no private layout of its Go types is read. Of the
// C types one thing is known that the interface does not say: a parser begins
// with its lexer, see lexer_of in syntax.c.
package syntax

/*
#include <stdlib.h>
#include "syntax.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"
	"unsafe"

	_ "github.com/smacker/go-tree-sitter" // the runtime's C code
)

// A Language is a grammar and the names of its symbols and fields.
type Language struct {
	Symbols []string // by Node.Symbol; ERROR is not in it
	Fields  []string // by Node.Field; Fields[0] is ""
	grammar *C.TSLanguage
}

// NewLanguage wraps a grammar, a pointer to a TSLanguage. It fails where the
// runtime cannot use it: the runtime accepts ABI 13 and 14.
func NewLanguage(grammar unsafe.Pointer) (*Language, error) {
	l := &Language{grammar: (*C.TSLanguage)(grammar)}
	if version := C.ts_language_version(l.grammar); version < 13 || version > 14 {
		return nil, fmt.Errorf("syntax: grammar of ABI %d, want 13 or 14", version)
	}
	for i := range C.ts_language_symbol_count(l.grammar) {
		l.Symbols = append(l.Symbols, C.GoString(C.ts_language_symbol_name(l.grammar, C.uint16_t(i))))
	}
	l.Fields = append(l.Fields, "")
	for i := range C.ts_language_field_count(l.grammar) {
		l.Fields = append(l.Fields, C.GoString(C.ts_language_field_name_for_id(l.grammar, C.uint16_t(i+1))))
	}
	return l, nil
}

// A Prune says which nodes are entered: the root, errors, those of a marked
// symbol, those that stand in a marked field of a node so marked, and any of MinSize
// bytes or more. None deeper than MaxDepth is listed.
type Prune struct {
	Symbols  []byte // 1 at a marked symbol; as long as Language.Symbols
	Fields   []byte // 1 at a marked field; as long as Language.Fields
	MinSize  int    // bytes
	MaxDepth int
}

// The flags of a node.
const (
	Error   = C.FLAG_ERROR   // the node is of the symbol ERROR: what the grammar could not place
	Missing = C.FLAG_MISSING // the node, or a token right below it, was made up by the parser
	Broken  = C.FLAG_BROKEN  // there is an error in it or below
)

// A Node is a named node. Its layout is that of cantle_node in syntax.h.
type Node struct {
	Start, End uint32 // bytes
	Next       uint32 // the index of the node after the last one below this one
	Symbol     uint16 // index of Language.Symbols; math.MaxUint16 for ERROR
	Field      uint16 // index of Language.Fields, the field of the parent it stands in; 0 for none
	Flags      uint32
}

var (
	// ErrTimeout says that the parser was stopped at its time limit.
	ErrTimeout = errors.New("syntax: time limit reached")
	// ErrBudget says that the parser was stopped at its memory limit.
	ErrBudget = errors.New("syntax: memory limit reached")
	// ErrTooLarge says that the source is too large for 32 bit offsets.
	ErrTooLarge = errors.New("syntax: source too large")
	// ErrMemory says that there is no memory for the tree. What the parser held
	// by then is not given back.
	ErrMemory = errors.New("syntax: out of memory")
)

// idle keeps workers between calls. More than it holds are freed.
var idle = make(chan *C.cantle_worker, runtime.GOMAXPROCS(0))

func init() { C.cantle_init() }

// budget returns how many bytes a parse of n bytes may allocate. Sources take
// 14 (Java) to 70 (C++) for each of theirs, the worst of 15,000 files 19 MB for
// 66 kB.
func budget(n int) int { return 96<<20 + 150*n }

// Parse parses src and calls use with its nodes, which are valid during the
// call only. The time limit is on the parser alone, which looks at the clock
// now and then. Parse may be called from several goroutines.
func (l *Language) Parse(src []byte, prune *Prune, limit time.Duration, use func([]Node)) error {
	if len(src) > math.MaxInt32 {
		return ErrTooLarge
	}
	var w *C.cantle_worker
	select {
	case w = <-idle:
	default:
		if w = (*C.cantle_worker)(C.calloc(1, C.sizeof_cantle_worker)); w == nil {
			return ErrMemory
		}
	}
	defer func() {
		select {
		case idle <- w:
		default:
			C.cantle_free(w)
		}
	}()
	rc := C.cantle_parse(w, l.grammar, (*C.char)(unsafe.Pointer(unsafe.SliceData(src))), C.uint32_t(len(src)),
		C.uint64_t(max(limit.Microseconds(), 1)), C.size_t(budget(len(src))),
		(*C.uint8_t)(unsafe.SliceData(prune.Symbols)), C.uint32_t(len(prune.Symbols)),
		(*C.uint8_t)(unsafe.SliceData(prune.Fields)), C.uint32_t(len(prune.Fields)),
		C.uint32_t(prune.MinSize), C.uint32_t(prune.MaxDepth))
	runtime.KeepAlive(src)
	switch rc {
	case C.PARSE_OK:
		use(unsafe.Slice((*Node)(unsafe.Pointer(w.nodes)), int(w.length)))
		return nil
	case C.PARSE_TIMEOUT:
		return ErrTimeout
	case C.PARSE_BUDGET:
		return ErrBudget
	case C.PARSE_MEMORY:
		return ErrMemory
	}
	return errors.New("syntax: grammar refused")
}
