package code

var groovy = &Language{
	Name:       "groovy",
	Aliases:    []string{"gradle", "jenkinsfile"},
	Extensions: []string{".groovy", ".gradle", ".gvy"},
	Files:      []string{"Jenkinsfile"},
	Shebangs:   []string{"groovy"},

	scopes:  []string{"class_definition"},
	defs:    []string{"function_definition"},
	values:  []string{"declaration", "juxt_function_call"},
	comment: []string{"groovy_doc"},
	names:   []string{"function"},
	isDoc:   isBlockDoc,

	imports:  []string{"groovy_import"},
	imported: importPaths,
}
