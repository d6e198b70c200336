package verify

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/records"
	"github.com/cantle/cantle/tokens"
)

// Options say what chunks are held to. The zero value is ready to use.
type Options struct {
	// Max is the limit of a chunk, context included. 0 means that there is
	// none; what would fit is then judged by the largest chunk there is.
	Max int
	// Encoding names what Max and sizes count, as for cantle.Options; "" means
	// cantle.DefaultEncoding.
	Encoding string
	// Sizes compares the sizes that records give with that encoding's.
	Sizes bool
	// Without are kinds that are not looked for.
	Without []Kind
	// Keep is how many faults of a kind a report lists; 0 means 20, -1 none.
	// All are counted.
	Keep int
	// Parse says how to read the documents.
	Parse cantle.ParseOptions
}

const defaultKeep = 20

func (o Options) keep() int {
	switch o.Keep {
	case 0:
		return defaultKeep
	case -1:
		return 0
	}
	return o.Keep
}

// Check checks the chunks that were made of one document. They are taken in
// the order given. Errors are those of [cantle.Parse] and of an encoding that
// is not known; what is wrong with the chunks is in the report.
func Check(name string, src []byte, recs []records.Record, opt Options) (*Report, error) {
	if opt.Encoding == "" {
		opt.Encoding = cantle.DefaultEncoding
	}
	if opt.Max < 0 {
		return nil, errors.New("the limit must not be negative")
	}
	sizer, err := tokens.Get(opt.Encoding)
	if err != nil {
		return nil, err
	}
	doc, err := cantle.Parse(name, src, opt.Parse)
	if err != nil {
		return nil, err
	}
	c := &checker{
		opt: opt, doc: doc, sizer: sizer, reading: read(doc), lines: ast.NewLines(doc.Source), limit: opt.Max,
		report: &Report{Documents: 1, Chunks: len(recs), Counts: map[Kind]int{}},
	}
	c.placer = newPlacer(doc, c.reading)
	c.place(recs)
	c.records()
	c.coverage()
	c.structure()
	c.report.sort()
	return c.report, nil
}

type checker struct {
	opt     Options
	doc     *ast.Document
	sizer   tokens.Encoding
	reading *reading
	lines   *ast.Lines
	placer  *placer
	chunks  []placed
	limit   int // Options.Max, or the largest chunk
	report  *Report

	held    []bool   // the bytes of the reading that are in a chunk
	lost    []span   // ascending
	starts  []extent // the chunks' own texts, by start
	extents []extent // of the chunks' texts, by start
	reach   []int    // for each extent the one among it and those before it that ends last
	runes   []int32  // where in the source each character begins; see character
}

func (c *checker) fault(k Kind, rec *records.Record, where ast.Span, excerpt, format string, args ...any) {
	if slices.Contains(c.opt.Without, k) {
		return
	}
	c.report.Counts[k]++
	if c.report.Counts[k] > c.opt.keep() {
		return
	}
	f := Fault{Kind: k, Doc: c.doc.Name, Detail: fmt.Sprintf(format, args...), Excerpt: ast.Excerpt(strings.TrimSpace(excerpt), 60)}
	if !where.IsEmpty() {
		f.Line, f.EndLine = c.lines.Line(where.Start), c.lines.Line(where.End-1)
	}
	if rec != nil {
		f.Record = rec.Line
	}
	c.report.Faults = append(c.report.Faults, f)
}

// at reports a fault at places of the reading.
func (c *checker) at(k Kind, rec *records.Record, s span, format string, args ...any) {
	where := c.reading.original(s, c.doc.Source)
	excerpt := string(c.doc.Source[where.Start:where.End])
	if !c.reading.exact {
		excerpt = c.reading.text[s.start:s.end]
	}
	c.fault(k, rec, where, excerpt, format, args...)
}

// place finds where each chunk stands.
func (c *checker) place(recs []records.Record) {
	c.chunks = make([]placed, len(recs))
	for i := range recs {
		p := &c.chunks[i]
		p.rec, p.text = &recs[i], squeeze(recs[i].Text)
		p.size = c.sizer.Count(recs[i].Embedded())
		c.report.Largest = max(c.report.Largest, p.size)
		if !c.placeAsSaid(p) {
			c.placer.place(p)
		}
		c.placer.advance(p)
	}
	if c.limit == 0 {
		c.limit = c.report.Largest
	}
}

// placeAsSaid places a chunk where its record says that it stands. It reports
// false where the record does not say or the text is not there; the latter is
// a fault, but where a page shows otherwise than it stands, so that offsets
// are those of the text around it.
func (c *checker) placeAsSaid(p *placed) bool {
	rec := p.rec
	if len(rec.Parts) > 0 {
		if c.placer.byParts(p) {
			return true
		}
		if c.reading.exact {
			c.fault(Offsets, rec, ast.Span{}, rec.Text, "the parts do not give the text")
		}
		return false
	}
	if rec.Start < 0 || p.text == "" {
		return false
	}
	start, end := rec.Start, rec.End
	if end < 0 && rec.Chars {
		end = start + utf8.RuneCountInString(rec.Text)
	} else if end < 0 {
		end = start + len(rec.Text)
	}
	bytesStart, bytesEnd := start, end
	if rec.Chars {
		bytesStart, bytesEnd = c.character(start), c.character(end)
	}
	if c.placer.byOffsets(p, bytesStart, bytesEnd) {
		return true
	}
	if c.reading.exact {
		detail := "the text is not at %d:%d"
		switch {
		case !rec.Chars && c.placer.byOffsets(p, c.character(start), c.character(end)):
			detail = "%d:%d counts characters, not bytes"
		case rec.Chars && c.placer.byOffsets(p, start, end):
			detail = "%d:%d counts bytes, not characters"
		}
		c.fault(Offsets, rec, ast.Span{}, rec.Text, detail, start, end)
	}
	return false
}

// character returns the source offset of the n-th character.
func (c *checker) character(n int) int {
	if c.runes == nil {
		c.runes = make([]int32, 0, len(c.doc.Source)+1)
		for i := range string(c.doc.Source) {
			c.runes = append(c.runes, int32(i))
		}
		c.runes = append(c.runes, int32(len(c.doc.Source)))
	}
	return int(c.runes[max(0, min(n, len(c.runes)-1))])
}

// records checks what can be said of each chunk by itself and of its place
// among the others.
func (c *checker) records() {
	replacement := strings.ContainsRune(c.reading.text, utf8.RuneError)
	ids := map[string]int{}
	before := -1 // start of the last chunk that was placed
	for i := range c.chunks {
		p := &c.chunks[i]
		rec := p.rec
		own, placed := p.own()
		where := c.reading.original(own, c.doc.Source)
		if p.text == "" {
			c.fault(Empty, rec, ast.Span{}, "", "nothing but blanks")
			continue
		}
		if !replacement && strings.ContainsRune(rec.Text, utf8.RuneError) {
			c.fault(Replacement, rec, where, rec.Text, "holds U+FFFD, the document does not")
		}
		if first, ok := ids[rec.ID]; ok && rec.ID != "" {
			c.fault(ID, rec, where, rec.ID, "has the id of record %d", first)
		} else {
			ids[rec.ID] = rec.Line
		}
		if c.opt.Max > 0 && p.size > c.opt.Max && utf8.RuneCountInString(rec.Text) > 1 {
			c.fault(Over, rec, where, rec.Text, "%d, the limit is %d", p.size, c.opt.Max)
		}
		if c.opt.Sizes && rec.Size >= 0 && rec.Size != p.size {
			c.fault(Size, rec, where, rec.Text, "the record says %d, it is %d", rec.Size, p.size)
		}
		if rec.Index >= 0 && i > 0 && c.chunks[i-1].rec.Index >= 0 && rec.Index <= c.chunks[i-1].rec.Index {
			c.fault(Order, rec, where, rec.Text, "number %d after %d", rec.Index, c.chunks[i-1].rec.Index)
		}
		if p.foreign != "" || !placed {
			c.fault(Foreign, rec, where, cmp.Or(p.foreign, rec.Text), "text that the document does not have")
		}
		if !placed {
			continue
		}
		if own.start < before {
			c.at(Order, rec, own, "begins before the chunk before it")
		}
		before = own.start
		c.verbatim(p, own)
		if c.reading.exact {
			if line := c.lines.Line(where.Start); rec.StartLine > 0 && rec.StartLine != line {
				c.at(Offsets, rec, own, "the record says line %d", rec.StartLine)
			} else if line := c.lines.Line(where.End - 1); rec.EndLine > 0 && rec.EndLine != line {
				c.at(Offsets, rec, own, "the record says that it ends in line %d, it does in %d", rec.EndLine, line)
			}
		}
	}
}
