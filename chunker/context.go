package chunker

import (
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

// titles returns what the context of what is under a scope is made of, outermost
// first: the titles of its path and the name of the definition that it is of.
func (p *planner) titles(s int32, own *ast.Node) []string {
	if p.opt.Context == ContextNone {
		return nil
	}
	titles := p.scopes[s].path
	if p.opt.Title != "" && (len(titles) == 0 || titles[0] != p.opt.Title) {
		titles = append([]string{p.opt.Title}, titles...)
	}
	if own != nil {
		titles = append(titles[:len(titles):len(titles)], own.Name)
	}
	return titles
}

// contexts are what the context can be of what is under a scope, and of one
// definition if own is not nil: with no, one, two, ... titles left out.
type contexts struct {
	scope  int32
	own    *ast.Node
	titles []string
	sizes  []int // each with the blank line behind it; 0 where it was not counted yet
	sizer  Sizer
}

// contexts returns those of a scope, or those of a definition in it. They are
// kept: those of a scope for good, of definitions the last, since the pieces of
// one are planned in a row.
func (p *planner) contexts(s int32, own *ast.Node) *contexts {
	c := &p.scopes[s].contexts
	if own != nil {
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

// definition returns the definition right below its scope that atom i is, or is
// a part of; nil for none.
func (p *planner) definition(i int) *ast.Node {
	a := &p.atoms[i]
	n := a.node
	for f := a.frame; f >= 0; f = p.frames[f].parent {
		n = p.frames[f].node
	}
	if _, end := p.view.trim(a.start, a.end); end > p.view.at(n.Span.End) {
		return nil // it goes on behind it: atoms that were not cut along the tree
	}
	return named(n)
}

// named returns n if it is a definition with a name, else nil.
func named(n *ast.Node) *ast.Node {
	if n.Kind != ast.Decl || n.Name == "" {
		return nil
	}
	return n
}

// definitionFrom returns the definition that a piece is of that begins at atom
// i. A lead is of what it goes with.
func (p *planner) definitionFrom(i int) *ast.Node {
	for p.atoms[i].role == lead && i+1 < len(p.atoms) && p.atoms[i+1].bond == held {
		i++
	}
	return p.definition(i)
}

// definitionOf returns the one definition that a piece is of, whatever leads to
// it or closes it; nil where the piece holds several, or something else.
func (p *planner) definitionOf(pc *piece) *ast.Node {
	var own *ast.Node
	for i := pc.first; i <= pc.last; i++ {
		switch n := p.definition(i); {
		case n == nil && p.atoms[i].role != body:
		case n == nil || own != nil && n != own:
			return nil
		default:
			own = n
		}
	}
	return own
}
