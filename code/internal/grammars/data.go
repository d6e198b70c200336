//go:build !nolang_data && !cantle_small

package grammars

/*
typedef struct TSLanguage TSLanguage;
const TSLanguage *tree_sitter_css(void);
const TSLanguage *tree_sitter_cue(void);
const TSLanguage *tree_sitter_dockerfile(void);
const TSLanguage *tree_sitter_hcl(void);
const TSLanguage *tree_sitter_html(void);
const TSLanguage *tree_sitter_json(void);
const TSLanguage *tree_sitter_proto(void);
const TSLanguage *tree_sitter_sql(void);
const TSLanguage *tree_sitter_toml(void);
const TSLanguage *tree_sitter_xml(void);
const TSLanguage *tree_sitter_yaml(void);
*/
import "C"

import (
	"unsafe"

	_ "github.com/smacker/go-tree-sitter/css"
	_ "github.com/smacker/go-tree-sitter/cue"
	_ "github.com/smacker/go-tree-sitter/dockerfile"
	_ "github.com/smacker/go-tree-sitter/hcl"
	_ "github.com/smacker/go-tree-sitter/html"
	_ "github.com/smacker/go-tree-sitter/protobuf"
	_ "github.com/smacker/go-tree-sitter/sql"
	_ "github.com/tree-sitter-grammars/tree-sitter-toml/bindings/go"
	_ "github.com/tree-sitter-grammars/tree-sitter-xml/bindings/go"
	_ "github.com/tree-sitter-grammars/tree-sitter-yaml/bindings/go"
	_ "github.com/tree-sitter/tree-sitter-json/bindings/go"
)

func init() {
	linked["css"] = unsafe.Pointer(C.tree_sitter_css())
	linked["cue"] = unsafe.Pointer(C.tree_sitter_cue())
	linked["dockerfile"] = unsafe.Pointer(C.tree_sitter_dockerfile())
	linked["hcl"] = unsafe.Pointer(C.tree_sitter_hcl())
	linked["html"] = unsafe.Pointer(C.tree_sitter_html())
	linked["json"] = unsafe.Pointer(C.tree_sitter_json())
	linked["protobuf"] = unsafe.Pointer(C.tree_sitter_proto())
	linked["sql"] = unsafe.Pointer(C.tree_sitter_sql())
	linked["toml"] = unsafe.Pointer(C.tree_sitter_toml())
	linked["xml"] = unsafe.Pointer(C.tree_sitter_xml())
	linked["yaml"] = unsafe.Pointer(C.tree_sitter_yaml())
}
