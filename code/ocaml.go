package code

import "strings"

var ocaml = &Language{
	Name:       "ocaml",
	Aliases:    []string{"ml"},
	Extensions: []string{".ml"},
	Shebangs:   []string{"ocaml"},

	scopes: []string{"module_binding", "module_type_definition", "class_binding"},
	defs:   []string{"type_binding", "method_definition"},
	wraps:  []string{"value_definition", "module_definition", "class_definition", "type_definition"},
	values: []string{"exception_definition", "external", "value_specification"},
	bodies: []string{"structure", "signature"},
	maybes: []string{"let_binding"},
	names:  []string{"value_name", "constructor_declaration", "constructor_name"},
	isDoc:  func(comment string) bool { return strings.HasPrefix(comment, "(**") },

	// What has parameters is a function.
	classify: func(c cursor) role {
		body := c.field(c.fields().body)
		if c.child("parameter").ok() || body.ok() && strings.HasPrefix(body.kind(), "fun") {
			return def
		}
		return value
	},
}
