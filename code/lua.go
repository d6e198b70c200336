package code

import "strings"

var lua = &Language{
	Name:       "lua",
	Extensions: []string{".lua", ".rockspec"},
	Shebangs:   []string{"lua", "luajit"},

	defs:    []string{"function_declaration"},
	lambdas: []string{"function_definition"},
	wraps:   []string{"variable_declaration"},
	binds:   []string{"assignment_statement"},
	values:  []string{"expression_list"},
	names:   []string{"variable_list"},
	isDoc:   func(comment string) bool { return strings.HasPrefix(comment, "---") },
}
