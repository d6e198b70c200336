package code

var java = &Language{
	Name:       "java",
	Extensions: []string{".java"},

	scopes: []string{"class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration"},
	defs:   []string{"method_declaration", "constructor_declaration", "compact_constructor_declaration", "annotation_type_element_declaration"},
	values: []string{"field_declaration", "constant_declaration", "enum_constant", "static_initializer", "package_declaration"},
	opens:  []string{"enum_body_declarations"},
	isDoc:  isBlockDoc,

	imports:  []string{"import_declaration"},
	imported: importPaths,
}
