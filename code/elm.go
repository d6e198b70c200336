package code

import "strings"

var elm = &Language{
	Name:       "elm",
	Extensions: []string{".elm"},

	defs:  []string{"value_declaration", "type_declaration", "type_alias_declaration"},
	attrs: []string{"type_annotation"},
	names: []string{"function_declaration_left"},
	name: func(c cursor) string {
		return c.child("function_declaration_left").child("lower_case_identifier").text()
	},
	isDoc: func(comment string) bool { return strings.HasPrefix(comment, "{-|") },
}
