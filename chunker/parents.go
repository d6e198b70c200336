package chunker

import "slices"

// addParents puts the parents of the chunks among them. A parent is the
// outermost section, class or document around a chunk that fits into
// Options.Parents; where not even the innermost does, the longest run of its
// chunks that fits.
func (r *renderer) addParents(pieces []piece, chunks []Chunk) []Chunk {
	f := family{r: r, pieces: pieces, chunks: chunks}
	f.scope(0, len(pieces), 0)
	out := make([]Chunk, 0, len(chunks)+len(f.parents))
	for i, next := 0, 0; i < len(chunks); i++ {
		if next < len(f.parents) && f.first[next] == i {
			out = append(out, f.parents[next])
			next++
		}
		out = append(out, chunks[i])
	}
	return out
}

type family struct {
	r       *renderer
	pieces  []piece
	chunks  []Chunk
	parents []Chunk
	first   []int // of each parent, its first chunk
}

// scope makes the parents of the pieces from lo to before hi, all those under
// a scope.
func (f *family) scope(lo, hi int, scope int32) {
	switch {
	case lo == hi:
	case f.hasSkeleton(scope):
		if !f.skeleton(lo, hi, scope) {
			f.skeletons(lo, hi, scope)
		}
	case !f.parent(lo, hi, scope):
		f.below(lo, hi, scope)
	}
}

// below makes the parents of pieces under a scope that have none in common.
func (f *family) below(lo, hi int, scope int32) {
	for lo < hi {
		child := f.child(f.pieces[lo].scope, scope)
		to := lo + 1
		for to < hi && f.child(f.pieces[to].scope, scope) == child {
			to++
		}
		if child == scope {
			f.runs(lo, to, scope)
		} else {
			f.scope(lo, to, child)
		}
		lo = to
	}
}

// child returns the scope right below outer that s is in, or outer itself.
func (f *family) child(s, outer int32) int32 {
	for s != outer {
		up := f.r.p.scopes[s].parent
		if up == outer {
			return s
		}
		s = up
	}
	return outer
}

// runs makes a parent of as many pieces as fit, and so on.
func (f *family) runs(lo, hi int, scope int32) {
	for lo < hi {
		to := lo + 1
		for to < hi && f.size(lo, to+1) <= f.r.p.opt.Parents {
			to++
		}
		for to > lo+1 && !f.parent(lo, to, scope) {
			to--
		}
		if to == lo+1 {
			f.parent(lo, to, scope)
		}
		lo = to
	}
}

// size returns about how large a parent of some pieces is, context left out.
func (f *family) size(lo, hi int) int {
	p := f.r.p
	return p.sizes.size(p.view.trim(f.pieces[lo].start, f.pieces[hi-1].end))
}

// parent makes one parent of some pieces, if it fits. That of one piece does.
func (f *family) parent(lo, hi int, scope int32) bool {
	p := f.r.p
	if f.size(lo, hi) > p.opt.Parents+p.opt.Parents/16+8 {
		return false
	}
	whole := f.whole(lo, hi, scope)
	text := p.text(&whole)
	if !f.fits(&whole, text) && hi-lo > 1 {
		return false
	}
	f.emit(lo, hi, f.r.chunk(&whole, text, p.opt.Parents))
	return true
}

// whole returns some pieces as one. It repeats nothing, as parents do not.
func (f *family) whole(lo, hi int, scope int32) piece {
	whole := piece{first: f.pieces[lo].first, last: f.pieces[hi-1].last, scope: scope,
		start: f.pieces[lo].start, end: f.pieces[hi-1].end, bare: true}
	whole.overlap = whole.start
	return whole
}

// fits counts a parent and reports whether it is within the limit, with as much
// of its path as there is room for.
func (f *family) fits(whole *piece, text string) bool {
	p := f.r.p
	for {
		whole.size = p.opt.Sizer.Count(embedded(p.context(whole), text))
		if whole.size <= p.opt.Parents {
			return true
		}
		if whole.titles == len(p.contexts(whole.scope, subject{}).titles) {
			return false
		}
		whole.titles++
	}
}

// emit adds the parent of some pieces.
func (f *family) emit(lo, hi int, parent Chunk) {
	parent.Type, parent.Table = TypeParent, nil
	if parent.Tokens <= f.r.p.opt.Parents {
		parent.Flags = slices.DeleteFunc(parent.Flags, func(flag string) bool { return flag == FlagOversize })
	}
	parent.Index, parent.Total = f.chunks[lo].Index, f.chunks[lo].Total
	for i := lo; i < hi; i++ {
		f.chunks[i].ParentID = parent.ID
	}
	f.parents = append(f.parents, parent)
	f.first = append(f.first, lo)
}
