package chunker

import (
	"slices"
	"strings"

	"github.com/cantle/cantle/ast"
)

// language returns the language that most of the code of a piece is in.
func (p *planner) language(pc *piece) string {
	type share struct {
		lang string
		size int
	}
	var shares []share
	most := share{}
	for i := pc.first; i <= pc.last; i++ {
		a := &p.atoms[i]
		lang := a.node.Lang
		for f := a.frame; f >= 0 && lang == ""; f = p.frames[f].parent {
			lang = p.frames[f].node.Lang
		}
		if a.content != source || lang == "" {
			continue
		}
		k := slices.IndexFunc(shares, func(s share) bool { return s.lang == lang })
		if k < 0 {
			k, shares = len(shares), append(shares, share{lang: lang})
		}
		if shares[k].size += a.end - a.start; shares[k].size > most.size {
			most = shares[k]
		}
	}
	return most.lang
}

// symbols returns the names of the definitions that a piece holds or is a part
// of, each behind the names of those around it, outermost first. A scope, such
// as a class, is held by the piece that has its head.
func (p *planner) symbols(pc *piece) []string {
	var t symbolTable
	var last *ast.Node
	var around []*ast.Node // the definitions that are scopes around the atom at hand
	for i, scope := pc.first, int32(-1); i <= pc.last; i++ {
		a := &p.atoms[i]
		if a.content != source || a.node == last {
			continue
		}
		last = a.node
		if a.scope != scope {
			scope, around = a.scope, p.definitions(a.scope)
		}
		t.path = t.path[:0]
		for _, d := range around {
			t.path = append(t.path, d.Name)
			if !d.Head.IsEmpty() && d.Head.Contains(a.node.Span) {
				t.add()
			}
		}
		if isPart := t.opened(p, a.frame); !isPart || a.node.Name != "" && a.node != p.frames[a.frame].node {
			t.below(a.node)
		}
	}
	return t.names
}

// definitions returns the definitions around a scope, outermost first; sections
// are none.
func (p *planner) definitions(s int32) []*ast.Node {
	var list []*ast.Node
	for ; s >= 0; s = p.scopes[s].parent {
		if n := named(p.scopes[s].node); n != nil {
			list = append(list, n)
		}
	}
	slices.Reverse(list)
	return list
}

// A symbolTable collects the symbols of a piece.
type symbolTable struct {
	names []string
	path  []string // names of the definitions around what is added next
}

// add adds the definition at the end of the path.
func (t *symbolTable) add() {
	if name := strings.Join(t.path, "."); !slices.Contains(t.names, name) {
		t.names = append(t.names, name)
	}
}

// opened adds what was opened and has a name, from the outermost to frame f. It
// reports whether there is any.
func (t *symbolTable) opened(p *planner, f int32) bool {
	if f < 0 {
		return false
	}
	is := t.opened(p, p.frames[f].parent)
	if p.hasName(f) {
		t.path = append(t.path, p.frames[f].node.Name)
		t.add()
		return true
	}
	return is
}

// below adds the definitions that n holds and that are not within another,
// through what has no name itself, such as a group of constants.
func (t *symbolTable) below(n *ast.Node) {
	depth := len(t.path)
	switch n.Kind {
	case ast.Decl, ast.Block:
		if n.Name != "" {
			t.path = append(t.path, n.Name)
			t.add()
			if !n.IsScope() {
				t.path = t.path[:depth]
				return
			}
		}
	case ast.Code:
	default:
		return
	}
	for _, child := range n.Children {
		t.below(child)
	}
	t.path = t.path[:depth]
}
