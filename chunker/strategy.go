package chunker

import (
	"context"
	"fmt"
	"regexp"
)

// A Strategy is a way of cutting.
type Strategy string

// The strategies. All keep the limit, lose nothing and give the same record;
// only Structure also keeps sections apart, and Semantic does unless told not to.
const (
	Structure Strategy = "structure" // along the tree, at the cheapest places; the default
	Fixed     Strategy = "fixed"     // as much as the limit allows, whatever it is
	Sentence  Strategy = "sentence"  // whole sentences, as many as the limit allows
	Separator Strategy = "separator" // at one separator
	Recursive Strategy = "recursive" // at a list of separators, the next one where the one before leaves too much
	Semantic  Strategy = "semantic"  // where the meaning changes
)

// Strategies returns the names of all strategies.
func Strategies() []Strategy {
	return []Strategy{Structure, Recursive, Sentence, Fixed, Separator, Semantic}
}

// A Keep says what becomes of a separator.
type Keep string

const (
	KeepEnd   Keep = "end"   // it ends the text before it; the default
	KeepStart Keep = "start" // it starts the text after it
	KeepNone  Keep = "none"  // it is left out where a cut falls on it
)

// ProseSeparators are what Recursive cuts at by default, as regular
// expressions: paragraphs, lines, sentences with the quotes and brackets that
// close them, clauses, words, and at last anywhere.
var ProseSeparators = []string{
	`\n[ \t]*\n`,
	`\n`,
	`[。！？…]+[”’」』）】》]*|[.!?]+["'”’)\]]*[ \t]+`,
	`[；：]|[;:][ \t]+`,
	`[，、]|,[ \t]+`,
	`[ \t\x{3000}]+`,
	``,
}

// strategyOptions checks the options that only some strategies have.
func (o *Options) strategyOptions() error {
	switch o.Keep {
	case "":
		o.Keep = KeepEnd
	case KeepEnd, KeepStart, KeepNone:
	default:
		return &OptionError{"Keep", o.Keep, "is none of end, start, none"}
	}
	if !(o.TopicThreshold >= 0 && o.TopicThreshold <= 1) {
		return &OptionError{"TopicThreshold", o.TopicThreshold, "must be from 0 to 1"}
	}
	if err := o.Semantic.check(); err != nil {
		return err
	}
	switch o.Strategy {
	case "":
		o.Strategy = Structure
	case Structure, Fixed, Sentence:
	case Separator:
		if len(o.Separators) != 1 {
			return &OptionError{"Separators", o.Separators, "strategy separator takes exactly one"}
		}
	case Recursive:
		if len(o.Separators) == 0 {
			o.Separators, o.Regexp = ProseSeparators, true
		}
	case Semantic:
		if o.Semantic.Embedder == nil {
			return &OptionError{"Embedder", nil, "strategy semantic needs one"}
		}
	default:
		return &OptionError{"Strategy", o.Strategy, fmt.Sprintf("is none of %v", Strategies())}
	}
	o.separators = make([]*separator, len(o.Separators))
	for i, s := range o.Separators {
		if s == "" && (i < len(o.Separators)-1 || o.Strategy == Separator) {
			return &OptionError{"Separators", "", "an empty one cuts anywhere and must be the last"}
		}
		expr := s
		if !o.Regexp {
			expr = regexp.QuoteMeta(s)
		}
		var err error
		if o.separators[i], err = compiled(expr); err != nil {
			return &OptionError{"Separators", s, err.Error()}
		}
	}
	if o.TopicThreshold != 0 && o.Semantic.Embedder == nil {
		return &OptionError{"TopicThreshold", o.TopicThreshold, "needs an embedder"}
	}
	return nil
}

// pieces plans the document by the strategy of its options.
func (p *planner) pieces(ctx context.Context) ([]piece, []string, error) {
	var err error
	if blank(p.view.text) { // nothing that shows: front matter only
		return nil, nil, nil
	}
	switch p.opt.Strategy {
	case Fixed:
		p.flat()
		p.addFixed(0, len(p.view.text))
	case Separator, Recursive:
		p.flat()
		err = p.separate(ctx)
	case Sentence:
		p.fine, p.across = true, true
		p.collect()
	case Semantic:
		p.fine, p.across = true, p.opt.Semantic.AcrossHeadings
		p.collect()
		err = p.semantic(ctx)
	default:
		p.collect()
		return p.plan(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	return p.pack(ctx)
}

// pack makes pieces of as many atoms as fit, one after the other.
func (p *planner) pack(ctx context.Context) (pieces []piece, texts []string, err error) {
	for first, begin := 0, 0; first < len(p.atoms); {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if p.atoms[first].bond == apart {
			begin = first
		}
		pc := piece{first: first, last: first}
		p.place(&pc, first > begin)
		if pc.overlap < pc.start {
			p.fill(&pc) // leaves of it what fits beside the first atom
		}
		m := p.measure(first, p.opt.Max)
		start, _ := p.view.trim(pc.overlap, pc.end)
		for pc.last+1 < len(p.atoms) && p.atoms[pc.last+1].bond != apart {
			_, end := p.view.trim(p.atoms[pc.last+1].start, p.atoms[pc.last+1].end)
			if m.before+p.sizes.size(start, end)+p.tails(pc.last+1) > p.opt.Max {
				break
			}
			pc.last++
		}
		p.letGo(&pc)
		overlap := pc.overlap
		p.place(&pc, false)
		pc.overlap = overlap
		text := p.fill(&pc)
		for pc.size > p.opt.Max && pc.last > pc.first {
			pc.last--
			p.letGo(&pc)
			p.place(&pc, first > begin)
			text = p.fill(&pc)
		}
		if pc.size > p.opt.Max {
			if _, ok := p.refine(&pc); ok {
				continue
			}
		}
		pieces, texts = append(pieces, pc), append(texts, text)
		first = pc.last + 1
	}
	return pieces, texts, nil
}

// letGo leaves the heads at the end of a piece to the next one, where
// something else is left.
func (p *planner) letGo(pc *piece) {
	last := pc.last
	for last > pc.first && last+1 < len(p.atoms) && p.atoms[last+1].bond == held && p.atoms[last].role == lead {
		last--
	}
	if p.atoms[last].role != lead {
		pc.last = last
	}
}
