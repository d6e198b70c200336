package code

import "regexp"

var c = &Language{
	Name:       "c",
	Extensions: []string{".c", ".h"},

	defs:   []string{"function_definition", "struct_specifier", "union_specifier", "enum_specifier", "type_definition"},
	values: []string{"declaration", "preproc_def", "preproc_function_def", "init_declarator"},
	opens:  []string{"linkage_specification", "declaration_list"},
	conds:  []string{"preproc_ifdef", "preproc_if"},
	isDoc:  isBlockDoc,
	mask:   maskMacros,
	name:   nameFunction,
}

var cpp = &Language{
	Name:       "cpp",
	Aliases:    []string{"c++", "cplusplus", "cxx"},
	Extensions: []string{".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".tpp", ".inl", ".cu", ".cuh", ".ino"},

	scopes: []string{"namespace_definition", "class_specifier", "struct_specifier", "union_specifier", "concept_definition"},
	defs:   []string{"function_definition", "enum_specifier", "type_definition"},
	wraps:  []string{"template_declaration"},
	values: []string{"declaration", "preproc_def", "preproc_function_def", "init_declarator", "alias_declaration", "field_declaration"},
	opens:  []string{"linkage_specification"},
	attrs:  []string{"access_specifier"},
	names:  []string{"function_declarator"}, // below a reference, which has no field for it
	conds:  []string{"preproc_ifdef", "preproc_if"},
	isDoc:  isBlockDoc,
	mask:   maskMacros,
	name:   nameFunction,

	imports:  []string{"using_declaration"},
	imported: importPaths,
}

// nameFunction names a function that a macro makes with the macro's arguments,
// and the member of a template without those of the template.
func nameFunction(c cursor) string {
	declarator := c.field(c.fields().declarator)
	if c.kind() != "function_definition" || !declarator.ok() {
		return ""
	}
	text := declarator.text()
	if !c.field(c.fields().typ).ok() && isMacroLine([]byte(text)) {
		return text
	}
	for ; declarator.ok(); declarator = declarator.field(c.fields().declarator) {
		if declarator.kind() == "qualified_identifier" {
			return templateArguments.ReplaceAllString(declarator.text(), "::")
		}
	}
	return ""
}

// templateArguments are those of a scope.
var templateArguments = regexp.MustCompile(`<[^()]*>::`)
