package code

var php = &Language{
	Name:       "php",
	Extensions: []string{".php", ".phtml", ".php5", ".php7", ".phps"},
	Shebangs:   []string{"php"},

	scopes: []string{"class_declaration", "interface_declaration", "trait_declaration", "enum_declaration", "namespace_definition"},
	defs:   []string{"function_definition", "method_declaration"},
	values: []string{"const_declaration", "property_declaration", "enum_case"},
	names:  []string{"const_element", "property_element", "variable_name", "name"},
	isDoc:  isBlockDoc,

	imports:  []string{"namespace_use_declaration"},
	imported: importPaths,
}
