package verify

import (
	"strings"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/records"
)

// A run is a part of a chunk's text and where it stands in the document.
type run struct {
	span
	role  chunker.Role
	label string // what the text says before it: the label of a cell's column
}

// A placed is a chunk and where its text stands.
type placed struct {
	rec     *records.Record
	text    string // blanks left out
	runs    []run
	foreign string // the first line that stands nowhere
	size    int    // context included
}

// own returns where the chunk's own text begins and ends.
func (p *placed) own() (s span, ok bool) {
	for _, r := range p.runs {
		if r.role != chunker.RoleBody {
			continue
		}
		if !ok {
			s, ok = r.span, true
		}
		s.start, s.end = min(s.start, r.start), max(s.end, r.end)
	}
	return s, ok
}

// The search for a text looks near before it looks far, and reads of the whole
// document at most farReads times its length, so that chunks of another
// document do not take time quadratic in this one.
const (
	near     = 1 << 16
	farReads = 500
)

// A placer finds where chunks stand.
type placer struct {
	reading *reading
	cursor  int      // behind the own text of the chunk before
	last    int      // where that began
	budget  int      // bytes that may be read far away
	labels  []string // of the columns of the document's tables, each with ":"
}

func newPlacer(d *ast.Document, r *reading) *placer {
	p := &placer{reading: r, budget: farReads * len(r.text)}
	known := map[string]bool{}
	for n := range d.Root.All() {
		if n.Kind == ast.Cell && n.Name != "" && !known[n.Name] {
			known[n.Name] = true
			p.labels = append(p.labels, squeeze(n.Name)+":")
		}
	}
	return p
}

// place finds where a chunk stands by its text.
func (p *placer) place(c *placed) {
	if c.text == "" {
		return
	}
	if at := p.find(c.text); at >= 0 {
		c.runs = []run{{span{at, at + len(c.text)}, chunker.RoleBody, ""}}
		return
	}
	p.lines(c)
}

// lines places a chunk line by line: what is repeated before or behind its own
// text, or was written by the chunker, stands elsewhere or nowhere.
func (p *placer) lines(c *placed) {
	end := -1 // of the run before
	for line := range strings.SplitSeq(c.rec.Text, "\n") {
		s := squeeze(line)
		if s == "" {
			continue
		}
		at := -1
		if end >= 0 && strings.HasPrefix(p.reading.text[end:], s) {
			at = end
		} else {
			at = p.find(s)
		}
		if at < 0 {
			if c.foreign == "" && hasWord(s) {
				c.foreign = strings.TrimSpace(line)
			}
			continue
		}
		end = at + len(s)
		if k := len(c.runs); k > 0 && c.runs[k-1].end == at {
			c.runs[k-1].end = end
			continue
		}
		c.runs = append(c.runs, run{span{at, end}, chunker.RoleBody, ""})
	}
	c.roles()
}

// roles tells own text from what is repeated, among the runs of a chunk that
// was placed line by line: own is the longest run and what stands close to it
// in the same order.
func (c *placed) roles() {
	main := 0
	for i, r := range c.runs {
		if r.len() > c.runs[main].len() {
			main = i
		}
	}
	room := max(len(c.text), 256)
	for i, at := main-1, main; i >= 0; i-- {
		if gap := c.runs[at].start - c.runs[i].end; gap >= 0 && gap <= room {
			at = i
			continue
		}
		c.runs[i].role = chunker.RoleHead
	}
	for i, at := main+1, main; i < len(c.runs); i++ {
		if gap := c.runs[i].start - c.runs[at].end; gap >= 0 && gap <= room {
			at = i
			continue
		}
		c.runs[i].role = chunker.RoleTail
	}
}

// find returns where s stands, or -1: right behind the chunk before, then
// across its end, then as near as can be.
func (p *placer) find(s string) int {
	q := p.reading.text
	if strings.HasPrefix(q[p.cursor:], s) {
		return p.cursor
	}
	if to := min(len(q), p.cursor+len(s)-1); to > p.last {
		if i := strings.Index(q[p.last:to], s); i >= 0 && p.last+i+len(s) > p.cursor {
			return p.last + i
		}
	}
	ahead := strings.Index(q[p.cursor:min(len(q), p.cursor+len(s)+near)], s)
	from := max(0, p.cursor-near)
	behind := strings.LastIndex(q[from:p.cursor], s)
	switch {
	case ahead >= 0 && (behind < 0 || ahead <= p.cursor-(from+behind+len(s))):
		return p.cursor + ahead
	case behind >= 0:
		return from + behind
	case p.budget < len(q):
		return -1
	}
	p.budget -= len(q)
	if i := strings.Index(q[p.cursor:], s); i >= 0 {
		return p.cursor + i
	}
	return strings.Index(q, s)
}

// advance moves on behind a chunk.
func (p *placer) advance(c *placed) {
	if own, ok := c.own(); ok {
		p.last, p.cursor = own.start, own.end
	}
}

// byParts places a chunk by the parts that its record names. It reports false
// where they do not give the text.
func (p *placer) byParts(c *placed) bool {
	rest := c.text
	var runs []run
	for _, part := range c.rec.Parts {
		s := p.reading.of(ast.Span{Start: part.Start, End: part.End})
		if s.start > s.end {
			return false
		}
		label, ok := p.begins(rest, p.reading.text[s.start:s.end])
		if !ok {
			return false
		}
		rest = rest[len(label)+s.len():]
		if s.len() > 0 {
			runs = append(runs, run{s, part.Role, label})
		}
	}
	if rest != "" {
		return false
	}
	c.runs = runs
	return true
}

// begins reports whether text begins with want, or with a label and want.
func (p *placer) begins(text, want string) (label string, ok bool) {
	if strings.HasPrefix(text, want) {
		return "", true
	}
	for _, l := range p.labels {
		if rest, ok := strings.CutPrefix(text, l); ok && strings.HasPrefix(rest, want) {
			return l, true
		}
	}
	return "", false
}

// byOffsets places a chunk at the bytes start to end of the source. It
// reports false where its text is not there.
func (p *placer) byOffsets(c *placed, start, end int) bool {
	s := p.reading.of(ast.Span{Start: start, End: end})
	if s.start > s.end || p.reading.text[s.start:s.end] != c.text {
		return false
	}
	c.runs = []run{{s, chunker.RoleBody, ""}}
	return true
}
