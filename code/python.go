package code

var python = &Language{
	Name:       "python",
	Aliases:    []string{"py", "python3", "py3", "sage"},
	Extensions: []string{".py", ".pyi", ".pyw"},
	Files:      []string{"SConstruct", "SConscript", "wscript"},
	Shebangs:   []string{"python", "pypy"},

	scopes:    []string{"class_definition"},
	defs:      []string{"function_definition"},
	wraps:     []string{"decorated_definition"},
	values:    []string{"expression_statement", "assignment", "type_alias_statement"},
	opens:     []string{"block"},
	docstring: "string",
}
