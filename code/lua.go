package code

import (
	"regexp"
	"strings"
)

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

	imports:  []string{"variable_declaration"},
	imported: importAssigned(regexp.MustCompile(`^local \w+ = require[ ("']+[^()"']+["')]+$`)),
	isDoc:    func(comment string) bool { return strings.HasPrefix(comment, "---") },
}
