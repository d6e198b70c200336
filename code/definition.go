package code

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

// A definition is what a node of the syntax tree defines.
type definition struct {
	is    bool   // it is a definition; if not, only named may be set
	scope bool   // its members may be definitions
	bare  bool   // it has no signature: all lines of it are members
	group bool   // it is none, but holds several names
	node  cursor // the definition, without what is wrapped around it
	named cursor // what carries the name
	body  cursor

	holder cursor // the body's parent
}

// definition looks for what c defines, through what may be wrapped around it.
func (b *builder) definition(c cursor, depth int) definition {
	nowhere := cursor{b, -1}
	d := definition{node: c, named: nowhere, body: nowhere, holder: nowhere}
	if depth > 6 {
		return d
	}
	switch r := c.role(); r {
	case document:
		d.is, d.scope, d.bare = true, true, true
		d.named = c
	case scope, def, lambda:
		d.is, d.scope = true, r == scope
		d.holder, d.body = b.body(c, 0)
		d.named = c
	case bind:
		d.named = c
		v := b.value(c)
		for child := c.first(); !v.ok() && child.ok(); child = child.next(c) {
			v = b.value(child)
		}
		if v.ok() && (v.role() == lambda || v.role() == scope) {
			d = b.definition(v, depth+1)
			d.named = c
		}
	case value:
		d.named = c
		if b.nameField(c).ok() {
			break
		}
		found := 0
		for child := c.first(); child.ok(); child = child.next(c) {
			if r := child.role(); r == value || r == bind {
				d.named = b.definition(child, depth+1).named
				found++
			}
		}
		if found > 1 {
			d.named, d.group = nowhere, true
		}
	case wrap:
		found := 0
		only := definition{}
		for child := c.first(); child.ok(); child = child.next(c) {
			switch child.role() {
			case scope, def, lambda, wrap, bind, value:
				inner := b.definition(child, depth+1)
				if inner.is {
					only = inner
				}
				d.named = inner.named
				found++
			}
		}
		if found == 1 && only.is {
			return only
		}
		if found > 1 {
			d.named, d.group = nowhere, true
		}
	}
	return d
}

// value returns the value that c binds to a name.
func (b *builder) value(c cursor) cursor {
	if v := c.field(b.lang.fields.value); v.ok() {
		return v
	}
	return c.field(b.lang.fields.right)
}

// body returns the body of a definition and the body's parent. It is in the
// field of that name, or the last node of a type that serves as one, not far
// below c.
func (b *builder) body(c cursor, depth int) (holder, found cursor) {
	if f := c.field(b.lang.fields.body); f.ok() {
		return c, f
	}
	found = cursor{b, -1}
	for child := c.first(); child.ok() && depth < 4; child = child.next(c) {
		if child.role() == body {
			holder, found = c, child
		} else if h, f := b.body(child, depth+1); f.ok() {
			holder, found = h, f
		}
	}
	return holder, found
}

// bodyStart returns where the body of a definition begins, with the comments
// that some grammars put in front of it, and the lines of it that a grammar
// could not place: where what stands before them ends.
func (b *builder) bodyStart(d definition) int {
	start := d.node.start()
	for child := d.holder.first(); child.ok() && child.i != d.body.i; child = child.next(d.holder) {
		broken := child.isError() && bytes.IndexByte(b.src[child.start():child.end()], '\n') >= 0
		if child.role() != comment && !broken {
			start = child.end()
		}
	}
	return start
}

// nameField returns the child of c that holds its name.
func (b *builder) nameField(c cursor) cursor {
	for _, id := range b.lang.nameFields {
		if child := c.field(id); child.ok() {
			return child
		}
	}
	if len(b.lang.nameSymbols) > 0 {
		for child := c.first(); child.ok(); child = child.next(c) {
			if slices.Contains(b.lang.nameSymbols, child.node().Symbol) {
				return child
			}
		}
	}
	return cursor{b, -1}
}

// nameOf returns the name that c defines; "" where it has none, or one that
// is no name to search for, such as a pattern.
func (b *builder) nameOf(c cursor) string {
	if !c.ok() {
		return ""
	}
	if b.lang.name != nil {
		if name := b.lang.name(c); name != "" {
			return name
		}
	}
	at := b.nameField(c)
	switch {
	case at.ok():
	case c.role() == lambda:
		return "default"
	default:
		return ""
	}
	for range 10 {
		next := b.nameField(at)
		if !next.ok() || isWholeName(at.kind()) {
			break
		}
		at = next
	}
	name := strings.Trim(at.text(), "\"'`")
	if len(name) > 100 || strings.IndexFunc(name, isWordRune) < 0 || strings.ContainsAny(name, "{}[]\"'`,") && !strings.Contains(name, "operator") {
		return ""
	}
	return name
}

// isWholeName reports whether a node of that type is a name, and not one part
// of a name the next.
func isWholeName(kind string) bool {
	return strings.HasSuffix(kind, "identifier") || strings.HasSuffix(kind, "name")
}

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
