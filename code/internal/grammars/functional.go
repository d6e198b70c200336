//go:build !nolang_functional && !cantle_small

package grammars

/*
typedef struct TSLanguage TSLanguage;
const TSLanguage *tree_sitter_elixir(void);
const TSLanguage *tree_sitter_elm(void);
const TSLanguage *tree_sitter_ocaml(void);
*/
import "C"

import (
	"unsafe"

	_ "github.com/smacker/go-tree-sitter/elixir"
	_ "github.com/smacker/go-tree-sitter/elm"
	_ "github.com/smacker/go-tree-sitter/ocaml"
)

func init() {
	linked["elixir"] = unsafe.Pointer(C.tree_sitter_elixir())
	linked["elm"] = unsafe.Pointer(C.tree_sitter_elm())
	linked["ocaml"] = unsafe.Pointer(C.tree_sitter_ocaml())
}
