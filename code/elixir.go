package code

import "strings"

var elixir = &Language{
	Name:       "elixir",
	Aliases:    []string{"ex", "exs"},
	Extensions: []string{".ex", ".exs"},
	Files:      []string{"mix.lock"},
	Shebangs:   []string{"elixir"},

	bodies: []string{"do_block"},
	maybes: []string{"call", "unary_operator"},

	// Definitions are calls of macros, their documentation is an attribute.
	classify: func(c cursor) role {
		if c.kind() == "unary_operator" {
			switch c.child("call").child("identifier").text() {
			case "doc", "typedoc":
				return comment
			case "spec", "impl", "deprecated", "since":
				return attr
			}
			return none
		}
		switch c.child("identifier").text() {
		case "defmodule", "defprotocol", "defimpl", "describe":
			return scope
		case "def", "defp", "defmacro", "defmacrop", "defguard", "defguardp", "defdelegate", "test":
			return def
		}
		return none
	},

	// The name is in the first argument: add in def add(a, b) when a > b.
	name: func(c cursor) string {
		if c.kind() != "call" {
			return ""
		}
		name, _, _ := strings.Cut(firstArgument(c), " when ")
		name, _, _ = strings.Cut(name, "(")
		if c.child("identifier").text() == "defimpl" {
			if _, target, ok := strings.Cut(c.child("arguments").text(), "for: "); ok {
				name += " for " + target
			}
		}
		return name
	},
}
