package code

var vue = &Language{
	Name:       "vue",
	Extensions: []string{".vue"},
	parts:      true,
}

var svelte = &Language{
	Name:       "svelte",
	Extensions: []string{".svelte"},
	parts:      true,
}

// markup is for what stands between the parts of such a file, and for fences.
// Documents of HTML are read by package html.
var markup = &Language{
	Name:    "html",
	Aliases: []string{"htm", "xhtml", "vue-html", "handlebars", "hbs"},

	values: []string{"element"},
	names:  []string{"tag_name", "start_tag"},
}

// template is markup with expressions between braces in it, as components have.
var template = func() *Language {
	l := *markup
	l.mask = maskExpressions
	return &l
}()
