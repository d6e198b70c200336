package code

var kotlin = &Language{
	Name:       "kotlin",
	Aliases:    []string{"kt"},
	Extensions: []string{".kt", ".kts"},

	scopes: []string{"class_declaration", "object_declaration", "companion_object"},
	defs:   []string{"function_declaration", "secondary_constructor"},
	values: []string{"property_declaration", "type_alias", "enum_entry"},
	bodies: []string{"class_body", "enum_class_body", "function_body"},
	names:  []string{"variable_declaration", "identifier"},
	isDoc:  isBlockDoc,

	imports:  []string{"import"},
	imported: importPaths,
	name: func(c cursor) string {
		switch c.kind() {
		case "companion_object":
			return "Companion"
		case "secondary_constructor":
			return "constructor"
		}
		return ""
	},
}
