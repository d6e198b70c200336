package code

var toml = &Language{
	Name:       "toml",
	Extensions: []string{".toml"},
	Files:      []string{"Cargo.lock", "Pipfile", "poetry.lock", "uv.lock"},

	defs:   []string{"table", "table_array_element"},
	values: []string{"pair"},
	names:  []string{"bare_key", "dotted_key", "quoted_key"},
	strays: true,
}
