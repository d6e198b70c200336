package chunker

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
)

// A piece is a part of the document that becomes one chunk, in spans only.
type piece struct {
	first, last int     // atoms, both included
	scope       int32   // what all of it is under
	own         subject // what all of it is of
	start, end  int     // own text in the view; the pieces of a document tile it
	overlap     int     // where the text begins that is repeated from before; start for none
	titles      int     // titles of the context that are left out, outermost first
	heads       []int32 // frames whose heads are repeated, in the order in which they are left out
	bare        bool    // repeated tails are left out
	beside      string  // lines of the context below the path; see codeContext
	size        int     // of context and text, counted exactly
}

// plan returns the pieces of the document, each with its text.
func (p *planner) plan(ctx context.Context) ([]piece, []string, error) {
	about := len(p.scopes) + p.sizes.size(0, len(p.view.text))/p.opt.Want
	pieces, texts := make([]piece, 0, about), make([]string, 0, about)
	for first := 0; first < len(p.atoms); {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		last := first + 1
		for last < len(p.atoms) && p.atoms[last].bond != apart {
			last++
		}
		pieces, texts = p.planRun(pieces, texts, first, last)
		first = pieces[len(pieces)-1].last + 1
	}
	return pieces, texts, nil
}

// planRun plans the atoms from first to before last. A plan of which a piece
// comes out over the limit, counted exactly, is made again with less room, or
// with smaller atoms.
func (p *planner) planRun(pieces []piece, texts []string, first, last int) ([]piece, []string) {
	n := len(pieces)
	for limit := p.opt.Max; ; {
		pieces, texts = p.run(pieces[:n], first, last, limit), texts[:n]
		over, added, refined := 0, 0, false
		for i := n; i < len(pieces); i++ {
			pc := &pieces[i]
			pc.first, pc.last = pc.first+added, pc.last+added
			p.place(pc, i > n)
			texts = append(texts, p.fill(pc))
			if pc.size > p.opt.Max {
				over = max(over, pc.size-p.opt.Max)
				if p.joined(pc) {
					more, ok := p.refine(pc)
					added, refined = added+more, refined || ok
				}
			}
		}
		switch {
		case refined:
			last += added
		case over == 0:
			if p.opt.Explain {
				p.explain(pieces[n:], limit)
			}
			return pieces, texts
		case limit <= p.opt.Max/4 || limit == 1:
			return p.recount(pieces, texts, n)
		default:
			limit = max(1, min(limit-over, limit*7/8))
		}
	}
}

// recount makes pieces over the limit, from the n-th on, anew from as many of
// their atoms as fit, counting each time: where the sizes of parts say too
// little about that of the whole, no plan on them holds.
func (p *planner) recount(pieces []piece, texts []string, n int) ([]piece, []string) {
	planned, rendered := slices.Clone(pieces[n:]), slices.Clone(texts[n:])
	pieces, texts = pieces[:n], texts[:n]
	for k, whole := range planned {
		if whole.size <= p.opt.Max {
			pieces, texts = append(pieces, whole), append(texts, rendered[k])
			continue
		}
		for i := whole.first; i <= whole.last; {
			pc, text := p.render(i, i, len(pieces) > n)
			for pc.last < whole.last {
				longer, more := p.render(i, pc.last+1, len(pieces) > n)
				if longer.size > p.opt.Max {
					break
				}
				pc, text = longer, more
			}
			pieces, texts = append(pieces, pc), append(texts, text)
			i = pc.last + 1
		}
	}
	return pieces, texts
}

// render returns the piece of the atoms from first to last, and its text.
func (p *planner) render(first, last int, overlaps bool) (piece, string) {
	pc := piece{first: first, last: last}
	p.place(&pc, overlaps)
	return pc, p.fill(&pc)
}

// refine makes it possible to cut a piece that is over the limit although no
// cut may fall within it: a head lets go, or an atom is cut further. That
// happens where the size of a part is more than its share of the whole. It
// returns how many atoms there are more, and whether anything was changed.
func (p *planner) refine(pc *piece) (added int, ok bool) {
	if pc.first < pc.last {
		p.atoms[pc.last].bond = free
		return 0, true
	}
	a := p.atoms[pc.first]
	if start, end := p.view.trim(a.start, a.end); utf8.RuneCountInString(p.view.text[start:end]) <= 1 {
		return 0, false
	}
	max, rest := p.max, slices.Clone(p.atoms[pc.first+1:])
	p.atoms = p.atoms[:pc.first]
	p.scope, p.frame, p.content, p.glued, p.barrier = a.scope, a.frame, a.content, -1, a.bond == apart
	p.max = p.max * 3 / 4
	p.divide(a.start, a.end, a.node, []level{atSentence, atClause, atWord, atGrapheme, atRune})
	p.max = max
	added = len(p.atoms) - pc.first - 1
	p.atoms[pc.first].bond = a.bond
	p.atoms = append(p.atoms, rest...)
	return added, added > 0
}

// place fills in what follows from the atoms of a piece: its span and what it
// leaves out.
func (p *planner) place(pc *piece, overlaps bool) {
	pc.start, pc.end = p.atoms[pc.first].start, p.atoms[pc.last].end
	pc.scope, pc.own = p.atoms[pc.first].scope, p.subjectOf(pc)
	m := p.measure(pc.first, p.opt.Max)
	tails, own := p.tails(pc.last), m.own(pc.last)
	titles, heads, before := p.shed(pc.first, pc.own, min(p.opt.Max/2, p.opt.Max-own-tails))
	pc.titles, pc.heads = titles, slices.Clone(heads)
	pc.bare = own+tails > p.opt.Max
	pc.overlap = pc.start
	if overlaps && p.opt.Overlap > 0 {
		pc.overlap = p.overlapStart(pc, min(p.opt.Overlap, p.opt.Max-own-tails-before))
	}
}

// fill renders a piece and counts it. What is over the limit lets go of its
// overlap, then of its context and repeated heads and tails.
func (p *planner) fill(pc *piece) (text string) {
	room := p.sizes.size(pc.overlap, pc.start)
	for {
		text, pc.size = p.count(pc)
		if pc.size <= p.opt.Max {
			return text
		}
		switch {
		case pc.overlap < pc.start:
			room -= pc.size - p.opt.Max
			pc.overlap = p.overlapStart(pc, room)
		case pc.first < pc.last && !p.joined(pc):
			return text // fewer atoms will do
		case pc.titles < len(p.contexts(pc.scope, pc.own).titles):
			pc.titles++
		case len(pc.heads) > 0:
			pc.heads = pc.heads[1:]
		case !pc.bare:
			pc.bare = true
		default:
			return text
		}
	}
}

// count renders a piece and returns the exact size of context and text.
func (p *planner) count(pc *piece) (text string, size int) {
	parts := p.parts(pc)
	text = p.say(parts)
	if len(parts) == 1 && parts[0].before == "" && text != "" && text[0] != '/' {
		if size, ok := p.sizes.exact(p.opt.Sizer, p.view.text, parts[0].start, parts[0].end); ok {
			return text, p.contexts(pc.scope, pc.own).size(pc.titles) + size
		}
	}
	return text, p.opt.Sizer.Count(embedded(p.context(pc), text))
}

// joined reports whether no cut may fall within a piece.
func (p *planner) joined(pc *piece) bool {
	for i := pc.first + 1; i <= pc.last; i++ {
		if p.atoms[i].bond != held {
			return false
		}
	}
	return true
}

// sheds reports whether a piece leaves out titles or heads.
func (p *planner) sheds(pc *piece) bool {
	p.heads = p.repeatedHeads(p.heads[:0], pc.first)
	return pc.titles > 0 || len(pc.heads) < len(p.heads)
}

func (p *planner) context(pc *piece) string {
	path := JoinPath(p.contexts(pc.scope, pc.own).titles[pc.titles:])
	if path != "" && pc.beside != "" {
		path += "\n"
	}
	return path + pc.beside
}

// embedded returns what an embedding model is given where it is given all.
func embedded(context, text string) string {
	if context == "" {
		return text
	}
	return context + "\n\n" + text
}

// A part is where a part of a text comes from, in the view, and what the text
// says around it.
type part struct {
	role          Role
	start, end    int
	before, after string
}

// parts returns what the text of a piece is made of, in order.
func (p *planner) parts(pc *piece) []part {
	var parts []part
	cellwise := !pc.bare && p.cellwise(pc.first)
	for _, f := range pc.heads {
		start, end, _ := p.head(f, pc.first)
		head := part{role: RoleHead, start: start, end: end}
		if cellwise && namesRows(p.frames[f].node) {
			head.start, head.end = p.bare(start, end)
			head.after = "\n"
		}
		parts = append(parts, head)
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.start, b.start) })
	if pc.overlap < pc.start {
		parts = append(parts, part{role: RoleOverlap, start: pc.overlap, end: pc.start})
	}
	if cellwise {
		parts = p.cells(parts, pc)
	} else {
		parts = append(parts, part{role: RoleBody, start: pc.start, end: pc.end})
	}
	if !pc.bare {
		p.heads = p.repeatedHeads(p.heads[:0], pc.first)
		for f := p.atoms[pc.last].frame; f >= 0; f = p.frames[f].parent {
			// A fence or function without its head has no tail; the notes of a table stand.
			shed := slices.Contains(p.heads, f) && !slices.Contains(pc.heads, f)
			if p.closes(f, pc.last) && (p.frames[f].node.Kind == ast.Table || !shed) {
				parts = append(parts, part{role: RoleTail, start: p.frames[f].tailStart, end: p.frames[f].tailEnd})
			}
		}
	}
	// Blank lines at either end of the text are nobody's.
	first, last := &parts[0], &parts[len(parts)-1]
	first.start, _ = p.view.trim(first.start, first.end)
	_, last.end = p.view.trim(last.start, last.end)
	last.after = ""
	return parts
}

// text renders a piece.
func (p *planner) text(pc *piece) string { return p.say(p.parts(pc)) }

// say puts parts together. Where a line was cut, a line end parts it from a
// tail that stands on a line of its own.
func (p *planner) say(parts []part) string {
	if len(parts) == 1 && parts[0].before == "" {
		return p.view.text[parts[0].start:parts[0].end]
	}
	var b strings.Builder
	for i, pt := range parts {
		if i > 0 && pt.role == RoleTail && !endsLine(p.view.text[:parts[i-1].end]) && endsLine(p.view.text[:pt.start]) {
			b.WriteByte('\n')
		}
		b.WriteString(pt.before)
		b.WriteString(p.view.text[pt.start:pt.end])
		b.WriteString(pt.after)
	}
	return b.String()
}

func endsLine(s string) bool { return strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\r") }

// overlapStart returns where the overlap before a piece starts that is at most
// room large: at the start of a sentence (or line, row, statement) where one
// fits, else of a clause, word or grapheme. It does not go back over a heading,
// a repeated head or the end of a section. Where it would hold nothing, there is none.
func (p *planner) overlapStart(pc *piece, room int) int {
	var at int
	if p.cutBySize(pc.first) {
		at = p.overlapFixed(pc, room)
	} else {
		at = p.overlapFrom(pc, room)
	}
	if start, end := p.view.trim(at, pc.start); start == end {
		return pc.start
	}
	return at
}

func (p *planner) overlapFrom(pc *piece, room int) int {
	at := pc.start
	if room <= 0 {
		return at
	}
	frame := p.atoms[pc.first].frame
	for i := pc.first - 1; i >= 0; i-- {
		a := &p.atoms[i]
		if p.atoms[i+1].bond == apart || a.role == lead || a.frame != frame || a.scope != pc.scope && !p.across {
			return at
		}
		if p.sizes.size(p.view.trim(a.start, pc.start)) > room {
			return p.overlapWithin(a, pc, at, room)
		}
		at = a.start
	}
	return at
}

// overlapWithin returns where the overlap starts if it may begin within a, an
// atom that is too large for it. at is where it starts without a.
func (p *planner) overlapWithin(a *atom, pc *piece, at, room int) int {
	if a.content == tabular || a.node.Kind == ast.Code && !a.node.Tail.IsEmpty() || p.opt.Strategy == Recursive || p.opt.Strategy == Separator {
		return at // a row is not parted, nor a fence, nor what stands between separators
	}
	for _, l := range ladder(a.node.Kind) {
		if l > atSentence && at < pc.start {
			break // something whole fits
		}
		p.buf = boundaries(p.buf[:0], l, p.view.text[a.start:a.end])
		for k := len(p.buf) - 2; k >= 0; k-- {
			start := a.start + p.buf[k]
			if p.sizes.size(p.view.trim(start, pc.start)) > room {
				break
			}
			at = start
		}
	}
	return at
}

// forced reports whether a cut at either end of a piece falls within a clause,
// or between a head and what it belongs to. To cut anywhere is what Fixed is for.
func (p *planner) forced(pc *piece) bool {
	if p.opt.Strategy == Fixed {
		return false
	}
	cut := func(i int) bool {
		return i > 0 && i < len(p.atoms) && p.atoms[i].bond != apart &&
			(p.atoms[i].level >= atWord || p.atoms[i].bond == held)
	}
	return cut(pc.first) || cut(pc.last+1)
}
