package code

import "regexp"

var zig = &Language{
	Name:       "zig",
	Extensions: []string{".zig", ".zon"},

	defs:   []string{"function_declaration", "test_declaration"},
	values: []string{"container_field"},
	maybes: []string{"variable_declaration"},
	bodies: []string{"struct_declaration", "enum_declaration", "union_declaration", "opaque_declaration"},
	names:  []string{"identifier", "string"},
	isDoc:  isLineDoc,

	imports:  []string{"variable_declaration"},
	imported: importAssigned(regexp.MustCompile(`^(pub )?const \w+ = @import\([^()]*\)[\w.]*;$`)),

	// A type is a constant whose value is a struct and its like.
	classify: func(c cursor) role {
		for child := c.first(); child.ok(); child = child.next(c) {
			if child.role() == body {
				return scope
			}
		}
		return value
	},
}
