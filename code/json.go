package code

var jsonFormat = &Language{
	Name:       "json",
	Aliases:    []string{"jsonc", "json5"},
	Extensions: []string{".json", ".jsonc", ".geojson", ".webmanifest", ".code-workspace"},
	Files:      []string{".babelrc", ".eslintrc", "composer.lock", "flake.lock", "deno.lock"},

	values: []string{"pair"},
}
