package code

var dockerfile = &Language{
	Name:       "dockerfile",
	Aliases:    []string{"docker", "containerfile"},
	Extensions: []string{".dockerfile"},
	Files:      []string{"Dockerfile", "Containerfile"},

	values: []string{"from_instruction", "arg_instruction"},
	names:  []string{"as"},
}
