package chunker

// An Explanation says why a chunk ends where it does, where the limit made a
// cut necessary.
type Explanation struct {
	Level string       `json:"level"`          // what the cut falls between: block, item, line, sentence, ...
	Cost  float64      `json:"cost"`           // of all cuts between two compulsory ones
	Next  *Alternative `json:"next,omitempty"` // the best plan without this cut; nil where there is none
}

// An Alternative is a cut that was not made.
type Alternative struct {
	Start int     `json:"start"` // where the next chunk would begin, bytes of the source
	Line  int     `json:"line"`  // from 1
	Level string  `json:"level"`
	Cost  float64 `json:"cost"` // of the plan with this cut in place of the one that was made
}

// explain finds for each cut of a plan the best plan without it, and in that
// the cut that is nearest.
func (p *planner) explain(pieces []piece, limit int) {
	if len(pieces) < 2 {
		return
	}
	if p.why == nil {
		p.why = map[int]Explanation{}
	}
	first, last := pieces[0].first, pieces[len(pieces)-1].last+1
	_, cost := p.cheapest(nil, first, last, limit, -1)
	for i := range pieces[1:] {
		cut := pieces[i+1].first
		why := Explanation{Level: p.atoms[cut].level.String(), Cost: cost}
		if other, more := p.cheapest(nil, first, last, limit, cut); len(other) > 0 {
			nearest := -1
			for _, pc := range other {
				if pc.first > first && (nearest < 0 || abs(pc.first-cut) < abs(nearest-cut)) {
					nearest = pc.first
				}
			}
			if nearest >= 0 {
				start, _ := p.view.trim(p.atoms[nearest].start, p.atoms[nearest].end)
				why.Next = &Alternative{Start: p.view.start(start), Level: p.atoms[nearest].level.String(), Cost: more}
			}
		}
		p.why[pieces[i].last] = why
	}
}

func abs(n int) int { return max(n, -n) }
