package code

var scala = &Language{
	Name:       "scala",
	Aliases:    []string{"sbt"},
	Extensions: []string{".scala", ".sc", ".sbt"},
	Shebangs:   []string{"scala"},

	scopes: []string{"class_definition", "object_definition", "trait_definition", "enum_definition", "given_definition",
		"extension_definition", "package_object"},
	defs:   []string{"function_definition", "function_declaration"},
	values: []string{"val_definition", "var_definition", "type_definition", "val_declaration", "var_declaration"},
	isDoc:  isBlockDoc,

	imports:  []string{"import_declaration"},
	imported: importPaths,
}
