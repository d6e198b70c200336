package chunker

import (
	"slices"
	"strings"

	"github.com/cantle/cantle/ast"
)

// JoinPath joins the titles of a section path to a line: "A > B > C". A ">"
// or "\" inside a title is escaped with "\", so that the titles can be had back.
func JoinPath(path []string) string {
	return strings.Join(escapeTitles(path), " > ")
}

var titleEscapes = strings.NewReplacer(`\`, `\\`, `>`, `\>`)

func escapeTitles(path []string) []string {
	for i, title := range path {
		if strings.ContainsAny(title, `\>`) {
			escaped := append([]string(nil), path...)
			for j := i; j < len(escaped); j++ {
				escaped[j] = titleEscapes.Replace(escaped[j])
			}
			return escaped
		}
	}
	return path
}

// SplitPath undoes [JoinPath].
func SplitPath(line string) []string {
	if line == "" {
		return nil
	}
	var path []string
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line):
			i++
			b.WriteByte(line[i])
		case strings.HasPrefix(line[i:], " > "):
			path = append(path, b.String())
			b.Reset()
			i += 2
		default:
			b.WriteByte(line[i])
		}
	}
	return append(path, b.String())
}

// A subject is what a piece is of, below its scope. The zero value is nothing in
// particular: several things, or what has no name.
type subject struct {
	opened int32     // 1 + the frame of the innermost opened node with a name around all of it: a function, a key; 0 for none
	decl   *ast.Node // the definition in that that all of it is; nil for none
}

// names appends the names of a subject, outermost first.
func (p *planner) names(dst []string, own subject) []string {
	first := len(dst)
	for f := own.opened - 1; f >= 0; f = p.frames[f].parent {
		if p.hasName(f) {
			dst = append(dst, p.frames[f].node.Name)
		}
	}
	slices.Reverse(dst[first:])
	if own.decl != nil {
		dst = append(dst, own.decl.Name)
	}
	return dst
}

// titles returns what the context of what is under a scope is made of, outermost
// first: the titles of its path and the names of what it is of.
func (p *planner) titles(s int32, own subject) []string {
	if p.opt.Context == ContextNone {
		return nil
	}
	titles := p.scopes[s].path
	if p.opt.Title != "" && (len(titles) == 0 || titles[0] != p.opt.Title) {
		titles = append([]string{p.opt.Title}, titles...)
	}
	return p.names(titles[:len(titles):len(titles)], own)
}

// contexts are what the context can be of what is under a scope, and of a
// subject: with no, one, two, ... titles left out.
type contexts struct {
	scope  int32
	own    subject
	titles []string
	sizes  []int // each with the blank line behind it; 0 where it was not counted yet
	sizer  Sizer
}

// contexts returns those of a scope, or those of a subject in it. They are
// kept: those of a scope for good, of subjects the last, since the pieces of
// one are planned in a row.
func (p *planner) contexts(s int32, own subject) *contexts {
	c := &p.scopes[s].contexts
	if own != (subject{}) {
		if c = &p.last; c.own != own || c.scope != s {
			*c = contexts{}
		}
	}
	if c.sizes == nil {
		titles := p.titles(s, own)
		*c = contexts{scope: s, own: own, titles: titles, sizes: make([]int, len(titles)+1), sizer: p.opt.Sizer}
	}
	return c
}

// size returns the size with that many titles left out.
func (c *contexts) size(left int) int {
	if c.sizes[left] == 0 && left < len(c.titles) {
		c.sizes[left] = c.sizer.Count(JoinPath(c.titles[left:]) + "\n\n")
	}
	return c.sizes[left]
}

// hasName reports whether a frame is one of code that has a name.
func (p *planner) hasName(f int32) bool {
	n := p.frames[f].node
	return isCode(n) && n.Name != ""
}

// named returns n if it is a definition with a name, else nil.
func named(n *ast.Node) *ast.Node {
	if n.Kind != ast.Decl || n.Name == "" {
		return nil
	}
	return n
}

// subject returns what atom i is of: nothing that ends before it, as an atom
// does that was not cut along the tree.
func (p *planner) subject(i int) subject {
	a := &p.atoms[i]
	_, end := p.view.trim(a.start, a.end)
	f := a.frame
	for f >= 0 && p.frames[f].end < end {
		f = p.frames[f].parent
	}
	own := subject{opened: p.innermost(f)}
	if (f < 0 || a.node != p.frames[f].node) && end <= p.view.at(a.node.Span.End) {
		own.decl = named(a.node)
	}
	return own
}

// innermost returns 1 + the innermost frame with a name, from f outwards; 0 for none.
func (p *planner) innermost(f int32) int32 {
	for f >= 0 && !p.hasName(f) {
		f = p.frames[f].parent
	}
	return f + 1
}

// subjectFrom returns what a piece is of that begins at atom i. A lead is of
// what it goes with.
func (p *planner) subjectFrom(i int) subject {
	for p.atoms[i].role == lead && i+1 < len(p.atoms) && p.atoms[i+1].bond == held {
		i++
	}
	return p.subject(i)
}

// subjectOf returns what all of a piece is of, whatever leads to it or closes it.
func (p *planner) subjectOf(pc *piece) subject {
	own, aside := subject{}, true // nothing but what leads to something so far
	for i := pc.first; i <= pc.last; i++ {
		switch s, leads := p.subject(i), p.atoms[i].role != body; {
		case leads && !aside:
		case leads || aside:
			own, aside = s, leads
		default:
			own = p.both(own, s)
		}
	}
	return own
}

// both returns what two parts of a piece are of that are of a and b.
func (p *planner) both(a, b subject) subject {
	if a == b {
		return a
	}
	for a.opened != b.opened { // a frame has a higher index than what is around it
		if a.opened < b.opened {
			a, b = b, a
		}
		a.opened = p.innermost(p.frames[a.opened-1].parent)
	}
	return subject{opened: a.opened}
}
