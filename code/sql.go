package code

var sql = &Language{
	Name:       "sql",
	Aliases:    []string{"mysql", "postgresql", "postgres", "psql", "plsql", "sqlite"},
	Extensions: []string{".sql", ".ddl", ".psql"},

	defs: []string{"create_table", "create_view", "create_materialized_view", "create_function", "create_procedure",
		"create_trigger", "create_type"},
	wraps:   []string{"statement"},
	values:  []string{"create_index"},
	bodies:  []string{"column_definitions", "function_body"},
	comment: []string{"marginalia"},
	names:   []string{"object_reference", "column"},
}
