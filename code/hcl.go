package code

import "strings"

var hcl = &Language{
	Name:       "hcl",
	Aliases:    []string{"terraform", "tf", "tfvars"},
	Extensions: []string{".tf", ".hcl", ".tfvars", ".nomad"},

	defs:   []string{"block"},
	values: []string{"attribute"},
	bodies: []string{"body"},
	names:  []string{"identifier"},

	// A block is named with its labels, as its users refer to it.
	name: func(c cursor) string {
		if c.kind() != "block" {
			return ""
		}
		var words []string
		for child := c.first(); child.ok(); child = child.next(c) {
			if kind := child.kind(); kind == "identifier" || kind == "string_lit" {
				words = append(words, strings.Trim(child.text(), `"`))
			}
		}
		return strings.Join(words, ".")
	},
}
