// Package grammars links tree-sitter grammars and nothing else. Each file is
// a group that a build tag leaves out; see package code for the tags.
package grammars

/*
typedef struct TSLanguage TSLanguage;
const TSLanguage *tree_sitter_bash(void);
const TSLanguage *tree_sitter_c(void);
const TSLanguage *tree_sitter_cpp(void);
const TSLanguage *tree_sitter_go(void);
const TSLanguage *tree_sitter_java(void);
const TSLanguage *tree_sitter_javascript(void);
const TSLanguage *tree_sitter_python(void);
const TSLanguage *tree_sitter_rust(void);
const TSLanguage *tree_sitter_tsx(void);
const TSLanguage *tree_sitter_typescript(void);
*/
import "C"

import (
	"unsafe"

	_ "github.com/smacker/go-tree-sitter/bash"
	_ "github.com/smacker/go-tree-sitter/c"
	_ "github.com/smacker/go-tree-sitter/cpp"
	_ "github.com/smacker/go-tree-sitter/golang"
	_ "github.com/smacker/go-tree-sitter/java"
	_ "github.com/smacker/go-tree-sitter/javascript"
	_ "github.com/smacker/go-tree-sitter/python"
	_ "github.com/smacker/go-tree-sitter/rust"
	_ "github.com/smacker/go-tree-sitter/typescript/tsx"
	_ "github.com/smacker/go-tree-sitter/typescript/typescript"
)

// linked holds the grammars that are in the binary, by name.
var linked = map[string]unsafe.Pointer{
	"bash":       unsafe.Pointer(C.tree_sitter_bash()),
	"c":          unsafe.Pointer(C.tree_sitter_c()),
	"cpp":        unsafe.Pointer(C.tree_sitter_cpp()),
	"go":         unsafe.Pointer(C.tree_sitter_go()),
	"java":       unsafe.Pointer(C.tree_sitter_java()),
	"javascript": unsafe.Pointer(C.tree_sitter_javascript()),
	"python":     unsafe.Pointer(C.tree_sitter_python()),
	"rust":       unsafe.Pointer(C.tree_sitter_rust()),
	"tsx":        unsafe.Pointer(C.tree_sitter_tsx()),
	"typescript": unsafe.Pointer(C.tree_sitter_typescript()),
}

// Grammar returns the TSLanguage of that name, nil where it is not in the binary.
func Grammar(name string) unsafe.Pointer { return linked[name] }
