package code

import "strings"

var swift = &Language{
	Name:       "swift",
	Extensions: []string{".swift"},
	Shebangs:   []string{"swift"},

	scopes: []string{"class_declaration", "protocol_declaration"},
	defs: []string{"function_declaration", "init_declaration", "deinit_declaration", "subscript_declaration",
		"protocol_function_declaration"},
	values: []string{"property_declaration", "typealias_declaration", "enum_entry", "protocol_property_declaration"},
	opens:  []string{"statements"},

	imports:  []string{"import_declaration"},
	imported: importPaths,
	isDoc:    func(comment string) bool { return isLineDoc(comment) || isBlockDoc(comment) },

	// An extension is told apart by what it adds to the type.
	name: func(c cursor) string {
		switch c.kind() {
		case "init_declaration":
			return "init"
		case "deinit_declaration":
			return "deinit"
		case "subscript_declaration":
			return "subscript"
		case "class_declaration":
			name := c.field(c.fields().name)
			if name.ok() && name.kind() == "user_type" {
				protocols := []string{}
				for child := c.first(); child.ok(); child = child.next(c) {
					if child.kind() == "inheritance_specifier" {
						protocols = append(protocols, child.text())
					}
				}
				if len(protocols) > 0 {
					return name.text() + ": " + strings.Join(protocols, ", ")
				}
			}
		}
		return ""
	},
}
