package code

import (
	"math"
	"strings"

	"github.com/cantle/cantle/code/internal/syntax"
)

// A cursor is a place in a parsed tree, a node's index. The zero index is the
// root; an index below zero is no node.
type cursor struct {
	b *builder
	i int
}

func (c cursor) ok() bool           { return c.i >= 0 }
func (c cursor) node() *syntax.Node { return &c.b.nodes[c.i] }
func (c cursor) fields() *fieldIDs  { return &c.b.lang.fields }

// start is where the node starts, behind white space.
func (c cursor) start() int {
	start, end := int(c.node().Start), int(c.node().End)
	for start < end && isSpace(c.b.src[start]) {
		start++
	}
	return start
}

// end is where the node ends, less white space: some grammars count the line
// end to a comment. A node of white space ends where it starts.
func (c cursor) end() int {
	start, end := c.start(), int(c.node().End)
	for end > start && isSpace(c.b.src[end-1]) {
		end--
	}
	return max(start, end)
}

// kind returns the node's type; "ERROR" for what the grammar could not place.
func (c cursor) kind() string {
	if s := c.node().Symbol; s != math.MaxUint16 {
		return c.b.lang.syntax.Symbols[s]
	}
	return "ERROR"
}

func (c cursor) isError() bool { return c.node().Flags&syntax.Error != 0 }

func (c cursor) role() role {
	r := none
	if s := c.node().Symbol; s != math.MaxUint16 {
		r = c.b.lang.roles[s]
	}
	if r == maybe {
		return c.b.lang.classify(c)
	}
	return r
}

// first returns the node's first child, next its next sibling below parent.
func (c cursor) first() cursor {
	if int(c.node().Next) == c.i+1 {
		return cursor{c.b, -1}
	}
	return cursor{c.b, c.i + 1}
}

func (c cursor) next(parent cursor) cursor {
	if c.node().Next == parent.node().Next {
		return cursor{c.b, -1}
	}
	return cursor{c.b, int(c.node().Next)}
}

// field returns the node's first child in that field.
func (c cursor) field(id uint16) cursor {
	if !c.ok() {
		return c
	}
	for child := c.first(); child.ok(); child = child.next(c) {
		if child.node().Field == id {
			return child
		}
	}
	return cursor{c.b, -1}
}

// child returns the node's first child of that type.
func (c cursor) child(kind string) cursor {
	if !c.ok() {
		return c
	}
	for child := c.first(); child.ok(); child = child.next(c) {
		if child.kind() == kind {
			return child
		}
	}
	return cursor{c.b, -1}
}

// source returns the node's source.
func (c cursor) source() []byte { return c.b.src[c.start():c.end()] }

// text returns the node's source on one line; "" for no node.
func (c cursor) text() string {
	if !c.ok() {
		return ""
	}
	return strings.Join(strings.Fields(string(c.b.src[c.start():c.end()])), " ")
}
