package code

import "strings"

var rust = &Language{
	Name:       "rust",
	Aliases:    []string{"rs"},
	Extensions: []string{".rs"},
	Shebangs:   []string{"rust-script"},

	scopes: []string{"impl_item", "trait_item", "mod_item", "foreign_mod_item"},
	defs:   []string{"function_item", "function_signature_item", "struct_item", "enum_item", "union_item", "macro_definition"},
	values: []string{"const_item", "static_item", "type_item", "associated_type"},
	attrs:  []string{"attribute_item"},

	imports:  []string{"use_declaration", "extern_crate_declaration"},
	imported: importPaths,
	isDoc:    func(comment string) bool { return strings.HasPrefix(comment, "///") || isBlockDoc(comment) },

	// An implementation is named after its type, one of a trait after both.
	name: func(c cursor) string {
		if c.kind() != "impl_item" {
			return ""
		}
		t := withoutGenerics(c.field(c.fields().typ).text())
		if trait := c.field(c.fields().trait); trait.ok() {
			path := withoutGenerics(trait.text())
			return path[strings.LastIndex(path, ":")+1:] + " for " + t
		}
		return t
	},
}

// withoutGenerics cuts off the parameters of a type: "Vec" for "Vec<T>".
func withoutGenerics(t string) string {
	name, _, _ := strings.Cut(t, "<")
	if name == "" {
		return t
	}
	return name
}
