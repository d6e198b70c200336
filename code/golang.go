package code

import (
	"regexp"
	"strings"

	"github.com/cantle/cantle/ast"
)

var golang = &Language{
	Name:       "go",
	Aliases:    []string{"golang"},
	Extensions: []string{".go"},

	defs:   []string{"function_declaration", "method_declaration", "type_spec"},
	wraps:  []string{"type_declaration"},
	values: []string{"const_declaration", "var_declaration", "const_spec", "var_spec", "type_alias"},
	bodies: []string{"field_declaration_list", "interface_type"},
	opens:  []string{"type_spec_list", "var_spec_list", "statement_list"},

	imports:  []string{"import_declaration"},
	imported: importGo,

	// A method is named with the type that it belongs to.
	name: func(c cursor) string {
		receiver := c.field(c.fields().receiver)
		if !receiver.ok() {
			return ""
		}
		t, _, _ := strings.Cut(strings.Trim(receiver.text(), "() \t\n,"), "[")
		if i := strings.LastIndexAny(t, " \t*"); i >= 0 {
			t = t[i+1:]
		}
		return t + "." + c.field(c.fields().name).text()
	},
}

// importGo reads a declaration that imports packages, each an import by itself.
func importGo(s string) []ast.Import {
	var list []ast.Import
	for _, spec := range goSpec.FindAllStringSubmatch(strings.TrimPrefix(s, "import "), -1) {
		name := spec[1]
		if name == "" {
			name = goPackage(strings.Trim(spec[2], "\"`"))
		}
		if name = lastWord(name); name != "" && name != "_" {
			text := strings.TrimSpace(spec[1] + " " + spec[2])
			list = append(list, ast.Import{Before: "import ", Items: []ast.ImportItem{{Text: text, Names: []string{name + "."}}}})
		}
	}
	return list
}

// goSpec finds the packages in a declaration on one line: the name that each is
// given, if any, and its path.
var goSpec = regexp.MustCompile("(?:([\\w.]+) )?(\"[^\"]*\"|`[^`]*`)")

// goPackage returns what a package is most likely called: the last element of
// its path that is not a version, without what says that it is for Go.
func goPackage(path string) string {
	path = goVersion.ReplaceAllString(path, "")
	name := path[strings.LastIndexByte(path, '/')+1:]
	name = strings.TrimPrefix(name, "go-")
	return strings.TrimSuffix(strings.TrimSuffix(name, "-go"), ".go")
}

var goVersion = regexp.MustCompile(`[/.]v[0-9]+$`)
