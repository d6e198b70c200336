package code

var protobuf = &Language{
	Name:       "protobuf",
	Aliases:    []string{"proto"},
	Extensions: []string{".proto"},

	scopes: []string{"message", "service"},
	defs:   []string{"enum", "rpc", "extend"},
	values: []string{"field", "map_field", "enum_field", "oneof"},
	bodies: []string{"message_body", "enum_body"},
	names:  []string{"message_name", "enum_name", "service_name", "rpc_name", "identifier"},
}
