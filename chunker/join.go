package chunker

// join joins a piece under JoinUnder with the one before it, or one before
// that with it, where both fit into one chunk. What was opened is not joined:
// a part of a table stands for itself. The path of a joined piece is what the
// paths of its parts have in common.
func (p *planner) join(pieces []piece, texts []string) ([]piece, []string) {
	if len(pieces) == 0 {
		return pieces, texts
	}
	small := func(pc *piece) bool {
		return p.sizes.size(p.view.trim(pc.start, pc.end)) < p.opt.JoinUnder
	}
	n := 1
	for i := 1; i < len(pieces); i++ {
		a, b := &pieces[n-1], &pieces[i]
		if p.atoms[a.last].frame < 0 && p.atoms[b.first].frame < 0 && (small(a) || small(b)) {
			joined := *a
			joined.last, joined.end, joined.scope = b.last, b.end, p.common(a.scope, b.scope)
			joined.titles, joined.own = 0, subject{}
			if text := p.fill(&joined); joined.size <= p.opt.Max {
				*a, texts[n-1] = joined, text
				continue
			}
		}
		pieces[n], texts[n] = *b, texts[i]
		n++
	}
	return pieces[:n], texts[:n]
}

// common returns the innermost scope around both a and b.
func (p *planner) common(a, b int32) int32 {
	for a != b {
		if a > b { // a scope has a higher index than what is around it
			a = p.scopes[a].parent
		} else {
			b = p.scopes[b].parent
		}
	}
	return a
}
