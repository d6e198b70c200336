package code

import (
	"slices"
	"strings"
)

var yaml = &Language{
	Name:       "yaml",
	Aliases:    []string{"yml"},
	Extensions: []string{".yaml", ".yml"},
	Files:      []string{".clang-format", ".clang-tidy"},

	values: []string{"block_mapping_pair"},
	opens:  []string{"block_node", "block_mapping", "block_sequence"},
	maybes: []string{"document"},

	// One of several documents is a definition, the only one is the file.
	classify: func(c cursor) role {
		root := cursor{c.b, 0}
		documents := 0
		for child := root.first(); child.ok() && documents < 2; child = child.next(root) {
			if child.kind() == "document" {
				documents++
			}
		}
		if documents < 2 {
			return open
		}
		return def
	},

	// A document that describes an object of Kubernetes is named after it.
	name: func(c cursor) string {
		if c.kind() != "document" {
			return ""
		}
		mapping := c.child("block_node").child("block_mapping")
		kind, metadata := yamlValue(mapping, "kind"), yamlValue(mapping, "metadata")
		if !kind.ok() {
			return ""
		}
		words := strings.Fields(metadata.text())
		if i := slices.Index(words, "name:"); i >= 0 && i+1 < len(words) {
			return kind.text() + "/" + words[i+1]
		}
		return kind.text()
	},
}

// yamlValue returns the value of a key.
func yamlValue(mapping cursor, key string) cursor {
	if !mapping.ok() {
		return mapping
	}
	for pair := mapping.first(); pair.ok(); pair = pair.next(mapping) {
		if name := mapping.b.nameField(pair); name.ok() && name.text() == key {
			return pair.field(pair.fields().value)
		}
	}
	return cursor{mapping.b, -1}
}
