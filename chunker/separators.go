package chunker

import (
	"context"
	"regexp"
)

// separate cuts at the separators of the options, as LangChain's
// RecursiveCharacterTextSplitter does: the text is cut at the first separator
// that occurs in it; parts that fit are put together up to the limit, parts
// that do not are cut at the separators that follow. Parts of different
// separators are not put together.
func (p *planner) separate(ctx context.Context) error {
	p.separateRange(0, len(p.view.text), p.opt.separators, apart)
	if p.opt.TopicThreshold > 0 {
		return p.topics(ctx)
	}
	return nil
}

func (p *planner) separateRange(start, end int, separators []*regexp.Regexp, first bond) {
	var parts []int // start and end of each, in turn
	for len(separators) > 0 && len(parts) <= 2 {
		if separators[0].String() == "" {
			break
		}
		parts = p.cutAt(parts[:0], start, end, separators[0])
		separators = separators[1:]
	}
	if len(parts) <= 2 && !(len(parts) == 2 && p.fits(parts[0], parts[1])) {
		n := len(p.atoms)
		p.divideFlat(start, end, len(separators) > 0)
		if n < len(p.atoms) {
			p.atoms[n].bond, p.atoms[n].cause = max(p.atoms[n].bond, first), bySeparator
		}
		return
	}
	b := first
	for i := 0; i < len(parts); i += 2 {
		if p.fits(parts[i], parts[i+1]) {
			n := len(p.atoms)
			p.addFlat(parts[i], parts[i+1], b, atBlock)
			if n < len(p.atoms) { // it was not blank
				b = free
			}
			continue
		}
		p.separateRange(parts[i], parts[i+1], separators, apart)
		b = apart
	}
}

// cutAt appends the parts of the text from start to end between which sep
// stands, each with the separator at the side that the options name. A regular
// expression with a group of the name next says itself where the cut stands:
// where that group begins. It is for what other engines look ahead or behind.
func (p *planner) cutAt(parts []int, start, end int, sep *regexp.Regexp) []int {
	text := p.view.text[start:end]
	at, group := 0, 2*max(0, sep.SubexpIndex("next"))
	for _, m := range sep.FindAllStringSubmatchIndex(text, -1) {
		if m[0] == m[1] {
			continue
		}
		stop, next := m[1], m[1]
		switch {
		case group > 0 && m[group] >= 0:
			stop, next = m[group], m[group]
		case p.opt.Keep == KeepStart:
			stop, next = m[0], m[0]
		case p.opt.Keep == KeepNone:
			stop = m[0]
		}
		if stop > at {
			parts = append(parts, start+at, start+stop)
		}
		at = next
	}
	if at < len(text) {
		parts = append(parts, start+at, end)
	}
	return parts
}

// divideFlat cuts text in which no separator is left: anywhere, if the empty
// separator says so, else at sentences, clauses, words.
func (p *planner) divideFlat(start, end int, anywhere bool) {
	switch {
	case p.fits(start, end):
		p.addFlat(start, end, free, atWord)
	case anywhere:
		p.addFixed(start, end)
	default:
		r := p.region(start)
		p.scope, p.content, p.frame, p.glued, p.barrier = r.scope, r.content, -1, -1, false
		p.divide(start, end, r.node, []level{atSentence, atClause, atWord, atGrapheme, atRune})
	}
}
