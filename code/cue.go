package code

var cue = &Language{
	Name:       "cue",
	Extensions: []string{".cue"},

	imports:  []string{"import_declaration"},
	imported: importGo,

	values: []string{"field"},
	names:  []string{"label"},
}
