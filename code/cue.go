package code

var cue = &Language{
	Name:       "cue",
	Extensions: []string{".cue"},

	values: []string{"field"},
	names:  []string{"label"},
}
