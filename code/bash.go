package code

var bash = &Language{
	Name:       "bash",
	Aliases:    []string{"sh", "shell", "zsh", "ksh", "shellscript"},
	Extensions: []string{".sh", ".bash", ".zsh", ".ksh", ".bats"},
	Files:      []string{".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", "PKGBUILD"},
	Shebangs:   []string{"sh", "bash", "zsh", "ksh", "dash", "ash"},

	defs:   []string{"function_definition"},
	values: []string{"variable_assignment"},
	opens:  []string{"do_group"},
}
