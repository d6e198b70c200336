//go:build !nolang_apps && !cantle_small

package grammars

/*
typedef struct TSLanguage TSLanguage;
const TSLanguage *tree_sitter_c_sharp(void);
const TSLanguage *tree_sitter_php(void);
const TSLanguage *tree_sitter_ruby(void);
const TSLanguage *tree_sitter_swift(void);
const TSLanguage *tree_sitter_lua(void);
const TSLanguage *tree_sitter_zig(void);
*/
import "C"

import (
	"unsafe"

	_ "github.com/smacker/go-tree-sitter/csharp"
	_ "github.com/smacker/go-tree-sitter/php"
	_ "github.com/smacker/go-tree-sitter/ruby"
	_ "github.com/smacker/go-tree-sitter/swift"
	_ "github.com/tree-sitter-grammars/tree-sitter-lua/bindings/go"
	_ "github.com/tree-sitter-grammars/tree-sitter-zig/bindings/go"
)

func init() {
	linked["csharp"] = unsafe.Pointer(C.tree_sitter_c_sharp())
	linked["php"] = unsafe.Pointer(C.tree_sitter_php())
	linked["ruby"] = unsafe.Pointer(C.tree_sitter_ruby())
	linked["swift"] = unsafe.Pointer(C.tree_sitter_swift())
	linked["lua"] = unsafe.Pointer(C.tree_sitter_lua())
	linked["zig"] = unsafe.Pointer(C.tree_sitter_zig())
}
