package code

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
)

// longImport is the length in bytes up to which a statement that is an import
// only by what it says, such as an assignment, is looked at.
const longImport = 1000

// An importing statement is one that takes names from elsewhere.
type importing struct {
	lang   *Language
	span   ast.Span
	within ast.Span // the innermost definition around it; empty for none
}

// imports returns those of the source. An assignment is one at the top only.
func (b *builder) imports() []importing {
	if b.lang.imported == nil {
		return nil
	}
	var list []importing
	var around []cursor // the definitions around the node at hand
	top := 1            // the next child of the root
	for c := (cursor{b, 1}); c.i < len(b.nodes); c.i++ {
		isTop := c.i == top
		if isTop {
			top = int(c.node().Next)
		}
		s := int(c.node().Symbol)
		if s >= len(b.lang.roles) {
			continue
		}
		for n := len(around); n > 0 && int(around[n-1].node().Next) <= c.i; n-- {
			around = around[:n-1]
		}
		if b.lang.isImport[s] {
			if c.role() == none || isTop && c.end()-c.start() <= longImport {
				m := importing{lang: b.lang.Language, span: ast.Span{Start: c.start(), End: c.end()}}
				if n := len(around); n > 0 {
					m.within = ast.Span{Start: around[n-1].start(), End: around[n-1].end()}
				}
				list = append(list, m)
			}
		}
		switch b.lang.roles[s] {
		case scope, def, lambda:
			around = append(around, c)
		}
	}
	return list
}

// importsOf returns what statements of src import. Few ask for it, so it is
// found when they do.
func importsOf(src []byte, statements []importing) []ast.Import {
	var list []ast.Import
	for _, s := range statements {
		for _, m := range s.lang.imported(statement(string(src[s.span.Start:s.span.End]))) {
			m.Span, m.Within = s.span, s.within
			list = append(list, m)
		}
	}
	return list
}

// listComments are those between the items of a statement of several lines.
var listComments = regexp.MustCompile(`(?m)(^|\s)(//|#).*$|/\*[^*]*\*/`)

// statement puts a statement on one line, without the comments in it.
func statement(s string) string {
	if strings.Contains(s, "\n") {
		s = listComments.ReplaceAllString(s, "")
	}
	return strings.Join(strings.Fields(s), " ")
}

// importPaths reads the imports of most languages. What is imported is listed
// between braces, or is the statement itself; each is called by the last word
// of its path, or by the word behind "as".
func importPaths(s string) []ast.Import {
	before, list, after, ok := braces(s)
	if !ok || strings.Contains(before, ",") { // import a, { b } from "c"
		what, _, _ := strings.Cut(s, " from ")
		what, _, _ = strings.Cut(what, " = ")
		item := ast.ImportItem{Text: s}
		for _, path := range listed(what) {
			item.Names = append(item.Names, bound(path, "")...)
		}
		return oneImport(item)
	}
	pad := ""
	if strings.HasPrefix(list, " ") {
		pad = " "
	}
	m := ast.Import{Before: before + "{" + pad, After: pad + "}" + after}
	for _, path := range listed(list) {
		m.Items = append(m.Items, ast.ImportItem{Text: path, Names: bound(path, before)})
	}
	return []ast.Import{m}
}

// oneImport returns an import that is used as a whole or not at all; none
// where it makes no name known.
func oneImport(item ast.ImportItem) []ast.Import {
	if len(item.Names) == 0 {
		return nil
	}
	return []ast.Import{{Items: []ast.ImportItem{item}}}
}

// braces cuts s around its outermost braces.
func braces(s string) (before, list, after string, ok bool) {
	open, end := strings.IndexByte(s, '{'), strings.LastIndexByte(s, '}')
	if open < 0 || end < open {
		return s, "", "", false
	}
	return s[:open], s[open+1 : end], s[end+1:], true
}

// listed returns the parts of s between the commas that are outside braces.
func listed(s string) []string {
	var parts []string
	depth, from := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || s[i] == ',' && depth == 0:
			if part := strings.TrimSpace(s[from:i]); part != "" {
				parts = append(parts, part)
			}
			from = i + 1
		case s[i] == '{':
			depth++
		case s[i] == '}':
			depth--
		}
	}
	return parts
}

// bound returns the names that a path makes known below prefix, the path that
// it is listed under.
func bound(path, prefix string) []string {
	if before, list, _, ok := braces(path); ok {
		var names []string
		for _, p := range listed(list) {
			// A list in a list in a list is rare, and its depth no one's to bound.
			if strings.Contains(p, "{") {
				_, p, _, _ = braces(p)
			}
			names = append(names, bound(lastWord(p), before)...)
		}
		return names
	}
	name := lastWord(path)
	switch {
	case name == "self":
		name = lastWord(strings.TrimRight(prefix, "{ :"))
	case strings.HasPrefix(path, "using namespace "): // makes all names in it known, not its own
		return nil
	}
	if name == "" || name == "_" {
		return nil
	}
	return []string{name}
}

// lastWord returns the word that s ends with, semicolons aside; "" where it
// ends with something else, such as an asterisk or a quote.
func lastWord(s string) string {
	s = strings.TrimRight(s, "; ")
	i := strings.LastIndexFunc(s, func(r rune) bool { return !isWordRune(r) && r != '$' })
	if i >= 0 {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	} else {
		i = 0
	}
	return s[i:]
}

// importAliases reads imports of whole namespaces, which make a name known only
// where they give it: using Rows = System.Data.DataRowCollection.
func importAliases(s string) []ast.Import {
	name, _, ok := strings.Cut(s, " = ")
	if !ok {
		return nil
	}
	return oneImport(ast.ImportItem{Text: s, Names: bound(name, "")})
}

// importAssigned reads assignments of what a call brings in, by a pattern of the
// whole statement.
func importAssigned(pattern *regexp.Regexp) func(string) []ast.Import {
	return func(s string) []ast.Import {
		if !pattern.MatchString(s) {
			return nil
		}
		return importPaths(s)
	}
}
