package ast

import "strings"

// An Import is a statement by which a source file takes names from elsewhere,
// in parts, so that it can be said for some of its names only:
//
//	from typing import Any, Optional   "from typing import ", "Any" and "Optional", ""
//	import { a, b as c } from "./d"    "import { ", "a" and "b as c", " } from \"./d\""
type Import struct {
	Span          Span // of the statement
	Within        Span // where its names are known, a function or a module; empty for all of the file
	Before, After string
	Items         []ImportItem
}

// An ImportItem is one of the things that an import lists.
type ImportItem struct {
	Text string // on one line
	// Names are what it makes known in the file. One that ends with a "."
	// stands for what is written behind it: a package.
	Names []string
}

// Line returns the statement on one line with those of its items that keep
// says by their index; "" where there is none.
func (m *Import) Line(keep func(item int) bool) string {
	var items []string
	for i := range m.Items {
		if keep(i) {
			items = append(items, m.Items[i].Text)
		}
	}
	if len(items) == 0 {
		return ""
	}
	return m.Before + strings.Join(items, ", ") + m.After
}
