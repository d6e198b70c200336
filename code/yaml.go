package code

import (
	"bytes"
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

	// A document is a definition that describes an object of Kubernetes, or is one
	// of several. Another that is the only one is the file.
	classify: func(c cursor) role {
		root := cursor{c.b, 0}
		documents := 0
		for child := root.first(); child.ok() && documents < 2; child = child.next(root) {
			if child.kind() == "document" {
				documents++
			}
		}
		if documents < 2 && kubernetesObject(c.source()) == "" {
			return open
		}
		return document
	},
	name: func(c cursor) string {
		if c.kind() != "document" {
			return ""
		}
		return kubernetesObject(c.source())
	},
}

// kubernetesObject returns the kind and the name of the object that a document
// describes, "Service/web"; its kind where its name is a template's; "" where it
// describes none. It goes by the lines: the nodes of small documents are not listed.
func kubernetesObject(text []byte) string {
	var version, kind, name string
	inMetadata, indent := false, 0 // of the keys in the metadata; 0 before the first
	for line := range bytes.Lines(text) {
		key, value, ok := strings.Cut(string(bytes.TrimSpace(line)), ":")
		depth := indentation(line)
		switch {
		case !ok || key == "" || key[0] == '#':
		case depth == 0:
			inMetadata, indent = key == "metadata", 0
			switch key {
			case "apiVersion":
				version = yamlScalar(value)
			case "kind":
				kind = yamlScalar(value)
			}
		case inMetadata && (indent == 0 || depth == indent):
			indent = depth
			if key == "name" {
				name = yamlScalar(value)
			}
		}
	}
	switch {
	case version == "" || kind == "":
		return ""
	case name == "":
		return kind
	}
	return kind + "/" + name
}

// yamlScalar returns the value behind a key, without quotes and without a comment
// behind it; "" for what is written on other lines or by a template.
func yamlScalar(value string) string {
	value, _, _ = strings.Cut(value, " #")
	value = strings.Trim(value, " \t\"'")
	if strings.ContainsAny(value, "{}[]|>&*") {
		return ""
	}
	return value
}
