package code

var css = &Language{
	Name:       "css",
	Extensions: []string{".css"},

	values: []string{"rule_set", "keyframes_statement"},
	opens:  []string{"block"},
	names:  []string{"selectors", "keyframes_name"},
}
