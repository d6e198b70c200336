package code

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/cantle/cantle/ast"
)

var javascript = &Language{
	Name:       "javascript",
	Aliases:    []string{"js", "jsx", "node", "ecmascript"},
	Extensions: []string{".js", ".mjs", ".cjs", ".jsx", ".es6"},
	Files:      []string{"Jakefile"},
	Shebangs:   []string{"node", "nodejs", "bun", "deno"},

	scopes:  []string{"class_declaration", "class"},
	defs:    []string{"function_declaration", "generator_function_declaration", "method_definition"},
	lambdas: []string{"arrow_function", "function_expression", "function", "generator_function"},
	wraps:   []string{"export_statement", "lexical_declaration", "variable_declaration", "expression_statement"},
	binds:   []string{"variable_declarator", "assignment_expression", "pair", "field_definition"},
	attrs:   []string{"decorator"},
	maybes:  []string{"call_expression"},
	isDoc:   isBlockDoc,

	imports:  []string{"import_statement", "lexical_declaration", "variable_declaration"},
	imported: importScript,

	classify: classifyTest,
	name: func(c cursor) string {
		if c.kind() != "call_expression" {
			return ""
		}
		return firstArgument(c)
	},
}

// classifyTest takes a call that gives a name to a function for a definition,
// if it is one of those that all test frameworks have.
func classifyTest(c cursor) role {
	arguments := c.child("arguments")
	if !arguments.ok() || c.end()-c.start() < small {
		return none
	}
	hasFunction := false
	for child := arguments.first(); child.ok(); child = child.next(arguments) {
		hasFunction = hasFunction || child.role() == lambda
	}
	callee, _, _ := strings.Cut(c.first().text(), ".")
	switch {
	case !hasFunction:
		return none
	case callee == "describe" || callee == "suite" || callee == "context":
		return scope
	case callee == "it" || callee == "test" || callee == "specify":
		return def
	}
	return none
}

// required matches the statement that imports a module of Node.
var required = regexp.MustCompile(`^(const|let|var) ([\w$]+|\{[^{}]*\}) = require\([^()]*\);?$`)

// importScript reads an import statement or such a one.
func importScript(s string) []ast.Import {
	if !strings.HasPrefix(s, "import") && !required.MatchString(s) {
		return nil
	}
	return importPaths(s)
}

var typescript = &Language{
	Name:       "typescript",
	Aliases:    []string{"ts", "mts", "cts"},
	Extensions: []string{".ts", ".mts", ".cts"},
	Shebangs:   []string{"ts-node", "tsx"},

	scopes: slices.Concat(javascript.scopes, []string{"abstract_class_declaration", "module", "internal_module"}),
	defs: slices.Concat(javascript.defs, []string{"interface_declaration", "enum_declaration", "function_signature",
		"abstract_method_signature", "type_alias_declaration"}),
	lambdas: javascript.lambdas,
	wraps:   slices.Concat(javascript.wraps, []string{"ambient_declaration"}),
	binds:   []string{"variable_declarator", "assignment_expression", "pair", "public_field_definition"},
	attrs:   javascript.attrs,
	maybes:  javascript.maybes,
	bodies:  []string{"object_type"},
	isDoc:   isBlockDoc,

	imports:  slices.Concat(javascript.imports, []string{"import_alias"}),
	imported: javascript.imported,

	classify: javascript.classify,
	name:     javascript.name,
	overload: overloadSignature,
}

// overloadSignature goes by the text: short signatures of methods have no nodes below them.
func overloadSignature(c cursor) string {
	if !c.ok() {
		return ""
	}
	switch c.kind() {
	case "export_statement", "ambient_declaration":
		return overloadSignature(c.child("function_signature"))
	case "function_signature", "method_signature":
		text := c.source()
		if i := bytes.IndexAny(text, "(<"); i >= 0 {
			text = text[:i]
		}
		return lastWord(string(text))
	}
	return ""
}

var tsx = func() *Language {
	l := *typescript
	l.Name, l.Aliases, l.Extensions, l.Shebangs = "tsx", nil, []string{".tsx"}, nil
	return &l
}()
