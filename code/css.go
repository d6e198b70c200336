package code

import (
	"bytes"
	"strings"
)

var css = &Language{
	Name:       "css",
	Extensions: []string{".css"},

	values: []string{"rule_set", "keyframes_statement", "media_statement", "supports_statement", "at_rule"},
	opens:  []string{"block"},
	names:  []string{"selectors", "keyframes_name"},

	// A rule is named after its first selector, one for rules or of a kind of its
	// own after its condition: "@media (max-width: 600px)".
	name: func(c cursor) string {
		text := c.source()
		if i := bytes.IndexAny(text, "{;"); i >= 0 {
			text = text[:i]
		}
		name := strings.Join(strings.Fields(string(text)), " ")
		if c.kind() == "rule_set" {
			name, _, _ = strings.Cut(name, ",")
		}
		if c.kind() == "keyframes_statement" || len(name) > 100 {
			return ""
		}
		return name
	},
}
