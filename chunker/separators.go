package chunker

import (
	"context"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// A separator is one of Options.Separators, compiled.
type separator struct {
	expr    *regexp.Regexp
	literal string // all that it matches, where that is one text; "" where it is not
	next    int    // number of the group named next; 0 for none
}

// compilations keeps separators from one document to the next: to compile the
// default ones takes longer than to cut a short text.
var compilations struct {
	sync.Mutex
	byExpr map[string]*separator
}

// maxCompilations bounds them. A program that makes expressions up all the time
// gains nothing from keeping them.
const maxCompilations = 1000

func compiled(expr string) (*separator, error) {
	compilations.Lock()
	defer compilations.Unlock()
	if s, ok := compilations.byExpr[expr]; ok {
		return s, nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	s := &separator{expr: re, next: max(0, re.SubexpIndex("next"))}
	if tree, err := syntax.Parse(expr, syntax.Perl); err == nil && tree.Op == syntax.OpLiteral && tree.Flags&syntax.FoldCase == 0 {
		s.literal = string(tree.Rune)
	}
	if len(compilations.byExpr) >= maxCompilations || compilations.byExpr == nil {
		compilations.byExpr = map[string]*separator{}
	}
	compilations.byExpr[expr] = s
	return s, nil
}

// anywhere reports whether s is the empty one, which says that text may be cut
// between any two runes.
func (s *separator) anywhere() bool { return s.expr.String() == "" }

// each calls use for each match of s in text that is not empty, with where it
// starts and ends. next is where its group of that name begins, or -1.
func (s *separator) each(text string, use func(start, end, next int)) {
	if s.literal != "" {
		for at := 0; ; {
			i := strings.Index(text[at:], s.literal)
			if i < 0 {
				return
			}
			start := at + i
			at = start + len(s.literal)
			use(start, at, -1)
		}
	}
	if s.next == 0 {
		for _, m := range s.expr.FindAllStringIndex(text, -1) {
			if m[0] < m[1] {
				use(m[0], m[1], -1)
			}
		}
		return
	}
	for _, m := range s.expr.FindAllStringSubmatchIndex(text, -1) {
		if m[0] < m[1] {
			use(m[0], m[1], m[2*s.next])
		}
	}
}

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

func (p *planner) separateRange(start, end int, separators []*separator, first bond) {
	var parts []int // start and end of each, in turn
	for len(separators) > 0 && len(parts) <= 2 {
		if separators[0].anywhere() {
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
func (p *planner) cutAt(parts []int, start, end int, sep *separator) []int {
	text, at := p.view.text[start:end], 0
	sep.each(text, func(from, to, mark int) {
		stop, next := to, to
		switch {
		case mark >= 0:
			stop, next = mark, mark
		case p.opt.Keep == KeepStart:
			stop, next = from, from
		case p.opt.Keep == KeepNone:
			stop = from
		}
		if stop > at {
			parts = append(parts, start+at, start+stop)
		}
		at = next
	})
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
