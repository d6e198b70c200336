package code

import (
	"regexp"
	"strings"

	"github.com/cantle/cantle/ast"
)

var python = &Language{
	Name:       "python",
	Aliases:    []string{"py", "python3", "py3", "sage"},
	Extensions: []string{".py", ".pyi", ".pyw"},
	Files:      []string{"SConstruct", "SConscript", "wscript"},
	Shebangs:   []string{"python", "pypy"},

	scopes:    []string{"class_definition"},
	defs:      []string{"function_definition"},
	wraps:     []string{"decorated_definition"},
	values:    []string{"expression_statement", "assignment", "type_alias_statement"},
	opens:     []string{"block"},
	docstring: "string",

	imports:   []string{"import_statement", "import_from_statement"},
	importsIn: []string{"try_statement", "if_statement"},
	imported:  importPython,

	overload: func(c cursor) string {
		if c.kind() != "decorated_definition" || !overloadDecorator.Match(c.source()) {
			return ""
		}
		return c.b.nameOf(c.child("function_definition"))
	},
}

// importPython reads a statement that imports modules, or names of a module.
func importPython(s string) []ast.Import {
	m := ast.Import{Before: "import "}
	list, isModules := strings.CutPrefix(s, m.Before)
	if !isModules {
		before, names, ok := strings.Cut(s, " import ")
		if !ok {
			return nil
		}
		m.Before, list = before+" import ", strings.Trim(names, "() ")
	}
	for _, what := range listed(list) {
		item := ast.ImportItem{Text: what}
		path, name, isRenamed := strings.Cut(what, " as ")
		switch {
		case isRenamed && isModules:
			name += "."
		case isRenamed:
		case isModules:
			name, _, _ = strings.Cut(path, ".")
			name += "."
		default:
			name = lastWord(path)
		}
		if name != "" {
			item.Names = []string{name}
		}
		m.Items = append(m.Items, item)
	}
	return []ast.Import{m}
}

// overloadDecorator matches a function that is one signature of several.
var overloadDecorator = regexp.MustCompile(`^@([\w.]+\.)?overload\s*\n`)
