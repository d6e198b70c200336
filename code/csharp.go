package code

import "strings"

var csharp = &Language{
	Name:       "csharp",
	Aliases:    []string{"c#", "cs", "dotnet"},
	Extensions: []string{".cs", ".csx"},

	scopes: []string{"namespace_declaration", "class_declaration", "struct_declaration", "interface_declaration", "record_declaration", "record_struct_declaration"},
	defs: []string{"method_declaration", "constructor_declaration", "destructor_declaration", "operator_declaration",
		"conversion_operator_declaration", "property_declaration", "indexer_declaration", "event_declaration",
		"enum_declaration", "delegate_declaration", "local_function_statement"},
	values: []string{"field_declaration", "event_field_declaration", "enum_member_declaration"},
	bodies: []string{"accessor_list"},
	names:  []string{"variable_declaration", "variable_declarator"},
	isDoc:  isLineDoc,

	imports:  []string{"using_directive"},
	imported: importAliases,
}

// isLineDoc reports whether a comment is a doc comment of three slashes.
func isLineDoc(comment string) bool { return strings.HasPrefix(comment, "///") }
