package chunker

import (
	"strings"

	"github.com/cantle/cantle/ast"
)

// collect fills p.atoms from the tree.
func (p *planner) collect() {
	d := p.doc
	p.glued, p.frame = -1, -1
	p.reserve()
	p.scopes = append(p.scopes, scope{node: d.Root, parent: -1})
	p.openScope(d.Root)
	p.leaveElsewhere()
	// Text that goes with what follows is under what follows is under.
	for i := len(p.atoms) - 2; i >= 0; i-- {
		if p.atoms[i].role == lead && p.atoms[i+1].bond == held {
			p.atoms[i].scope = p.atoms[i+1].scope
		}
	}
}

// reserve makes room for what there is at least of each: an atom for each block,
// a scope for each section and class. Of large slices that grow, four times as
// much is thrown away.
func (p *planner) reserve() {
	atoms, scopes := 0, 1
	var count func(n *ast.Node)
	count = func(n *ast.Node) {
		for _, c := range n.Children {
			if c.IsScope() {
				scopes++
				count(c)
			} else {
				atoms++
			}
		}
	}
	count(p.doc.Root)
	p.atoms, p.scopes = make([]atom, 0, atoms+atoms/8), make([]scope, 0, scopes)
}

// leaveElsewhere takes away the atoms that another extract of the document has.
func (p *planner) leaveElsewhere() {
	k := 0
	for k < len(p.atoms)-1 && p.atoms[k].end <= p.elsewhere {
		k++
	}
	if k > 0 {
		p.atoms = p.atoms[k:]
		p.atoms[0].bond = apart
	}
}

// openScope adds what is below a section, a class or the document: its own
// text and the scopes below it, with a compulsory cut wherever the scope
// changes. Text that is Head only goes on to what follows it.
func (p *planner) openScope(n *ast.Node) {
	here := p.scope
	for _, c := range n.Children {
		switch {
		case p.hidden(c):
		case n.Head.Contains(c.Span):
			p.addLead(c, n)
		case n.Tail.Contains(c.Span) && !n.Tail.IsEmpty():
			p.addTail(c)
		case c.IsScope() && !p.small(c):
			p.enter(c, here)
			p.openScope(c)
			p.leave(here)
		case c.Kind == ast.Decl:
			p.cut()
			p.add(c, atBlock)
			p.compel()
		case p.opt.Isolate && (c.Kind == ast.Table || c.Kind == ast.Code):
			if !p.takeIntro(c) {
				p.cut()
			}
			p.add(c, atBlock)
			p.compel()
		default:
			p.add(c, atBlock)
		}
	}
}

// enter makes c the scope of the atoms to come.
func (p *planner) enter(c *ast.Node, parent int32) {
	path := p.scopes[parent].path
	if c.Name != "" {
		path = append(path[:len(path):len(path)], c.Name)
	}
	p.scopes = append(p.scopes, scope{node: c, parent: parent, path: path})
	p.scope = int32(len(p.scopes) - 1)
	p.cut()
}

// leave makes the scope around it the scope again. A heading with nothing
// below it does not go with what follows.
func (p *planner) leave(outer int32) {
	p.scope = outer
	p.glued = -1
	p.compel()
}

// compel makes a cut compulsory before the next atom, unless the structure of
// the document is to be no reason for cuts.
func (p *planner) compel() { p.barrier = p.barrier || !p.across }

// cut makes a cut compulsory before the next atom, unless a head is waiting
// for it: that goes along.
func (p *planner) cut() {
	if p.glued < 0 {
		p.compel()
	}
}

func (p *planner) hidden(n *ast.Node) bool {
	start, end := p.view.span(n.Span)
	return start >= end
}

// small reports whether a class is too short to be opened.
func (p *planner) small(n *ast.Node) bool {
	if n.Kind != ast.Decl {
		return false
	}
	start, end := p.view.span(n.Span)
	return p.sizes.size(p.view.trim(start, end)) <= p.opt.Min
}

// takeIntro has the line that introduces n go with it, where both fit and the
// line is of the same scope.
func (p *planner) takeIntro(n *ast.Node) bool {
	k := len(p.atoms) - 1
	if k < 0 || p.barrier || p.atoms[k].scope != p.scope || !p.introduces(k) {
		return false
	}
	start := p.chain(k)
	if _, end := p.view.span(n.Span); !p.fits(start, end) {
		return false
	}
	if p.atoms[k].bond == free {
		p.atoms[k].bond = apart
	}
	p.glued = start
	return true
}

// addLead adds a heading or a class line. One that does not fit is cut like
// any other text, and then nothing goes with it.
func (p *planner) addLead(c, parent *ast.Node) {
	start, end := p.view.span(c.Span)
	if p.glued >= 0 && !p.fits(p.glued, end) {
		p.glued, p.barrier = -1, true
	}
	p.soft = isCode(parent)
	if p.soft {
		p.content = source
	}
	if p.fits(start, end) {
		p.emit(start, end, c, atBlock, lead)
	} else {
		p.breakUp(c, start, end)
	}
	if from, to := p.view.trim(start, end); p.soft && p.sizes.size(from, to) >= p.opt.Min && strings.Contains(p.view.text[from:to], "\n") {
		p.glued = -1 // a class line with its documentation stands for itself
	}
	p.content = prose
}

func (p *planner) addTail(c *ast.Node) {
	start, end := p.view.span(c.Span)
	// The closing line of a class goes with its last member, whatever that is.
	if k := len(p.atoms); k > 0 {
		p.frame = p.atoms[k-1].frame
	}
	p.barrier, p.content = false, source
	p.emit(start, end, c, atItem, tail)
	p.frame, p.content, p.barrier = -1, prose, true
}
