//go:build !nolang_jvm && !cantle_small

package grammars

/*
typedef struct TSLanguage TSLanguage;
const TSLanguage *tree_sitter_groovy(void);
const TSLanguage *tree_sitter_kotlin(void);
const TSLanguage *tree_sitter_scala(void);
*/
import "C"

import (
	"unsafe"

	_ "github.com/smacker/go-tree-sitter/groovy"
	_ "github.com/smacker/go-tree-sitter/scala"
	_ "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"
)

func init() {
	linked["groovy"] = unsafe.Pointer(C.tree_sitter_groovy())
	linked["kotlin"] = unsafe.Pointer(C.tree_sitter_kotlin())
	linked["scala"] = unsafe.Pointer(C.tree_sitter_scala())
}
