package code

import "strings"

var golang = &Language{
	Name:       "go",
	Aliases:    []string{"golang"},
	Extensions: []string{".go"},

	defs:   []string{"function_declaration", "method_declaration", "type_spec"},
	wraps:  []string{"type_declaration"},
	values: []string{"const_declaration", "var_declaration", "const_spec", "var_spec", "type_alias"},
	bodies: []string{"field_declaration_list", "interface_type"},
	opens:  []string{"type_spec_list", "var_spec_list", "statement_list"},

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
