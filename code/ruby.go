package code

import "strings"

var ruby = &Language{
	Name:       "ruby",
	Aliases:    []string{"rb", "jruby"},
	Extensions: []string{".rb", ".rake", ".gemspec", ".ru", ".podspec"},
	Files:      []string{"Rakefile", "Gemfile", "Podfile", "Guardfile", "Vagrantfile", "Brewfile", "Fastfile"},
	Shebangs:   []string{"ruby", "jruby"},

	scopes:   []string{"module", "class", "singleton_class"},
	defs:     []string{"method", "singleton_method"},
	values:   []string{"assignment"},
	opens:    []string{"body_statement"},
	maybes:   []string{"call"},
	classify: classifyRubyCall,
	name: func(c cursor) string {
		if c.kind() != "call" {
			return ""
		}
		return firstArgument(c)
	},
}

// classifyRubyCall takes a call that names a block for a definition, as specs
// and Rakefiles have them.
func classifyRubyCall(c cursor) role {
	if !c.child("do_block").ok() || firstArgument(c) == "" {
		return none
	}
	switch c.child("identifier").text() {
	case "describe", "context", "feature", "namespace", "shared_examples", "shared_context":
		return scope
	case "it", "specify", "scenario", "test", "task":
		return def
	}
	return none
}

// firstArgument returns the first argument of a call, without quotes.
func firstArgument(c cursor) string {
	for _, kind := range [...]string{"argument_list", "arguments"} {
		if list := c.child(kind); list.ok() {
			first, _, _ := strings.Cut(strings.Trim(list.text(), "( "), ",")
			return strings.Trim(first, "\"'`:)")
		}
	}
	return ""
}
