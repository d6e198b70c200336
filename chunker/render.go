package chunker

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"maps"
	"sort"
	"strconv"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
)

// A renderer turns pieces into records.
type renderer struct {
	p      *planner
	doc    *ast.Document
	lines  *ast.Lines
	tables map[*ast.Node]*tableRows
	seen   map[[sha256.Size]byte]uint64
	meta   map[string]any
	buf    []byte // what an id is made of, reused
}

// tableRows is what the records of a table's pieces need.
type tableRows struct {
	id     string
	starts []int // where each body row starts, bytes of the source
}

func newRenderer(d *ast.Document, p *planner) *renderer {
	r := &renderer{p: p, doc: d, lines: ast.NewLines(d.Source), meta: d.Meta}
	if len(p.opt.Meta) > 0 {
		r.meta = make(map[string]any, len(d.Meta)+len(p.opt.Meta))
		for k, v := range d.Meta {
			r.meta[k] = v
		}
		for k, v := range p.opt.Meta {
			r.meta[k] = v
		}
	}
	return r
}

// chunk returns the record of a piece, which is to be within limit.
func (r *renderer) chunk(pc *piece, text string, limit int) Chunk {
	p := r.p
	path := p.scopes[pc.scope].path
	c := Chunk{
		DocID: p.opt.DocID, Source: p.opt.Source, SourceType: r.doc.Format,
		SectionPath: path, Text: text, Context: p.context(pc), Size: utf8.RuneCountInString(text),
		Tokens: pc.size, Meta: r.meta, Reason: r.reason(pc),
	}
	if c.DocID == "" {
		c.DocID = r.doc.Name
	}
	if c.Source == "" {
		c.Source = r.doc.Name
	}
	if path == nil {
		c.SectionPath = []string{}
	} else {
		c.Heading = path[len(path)-1]
	}
	if n := p.scopes[pc.scope].node; n.Level == ast.QuestionLevel {
		c.Meta = maps.Clone(r.meta)
		if c.Meta == nil {
			c.Meta = map[string]any{}
		}
		c.Meta["question"] = n.Name
	}
	if why, ok := p.why[pc.last]; ok {
		if why.Next != nil {
			why.Next.Line = r.lines.Line(why.Next.Start)
		}
		c.Explain = &why
	}
	r.place(&c, pc)
	r.classify(&c, pc)
	r.flag(&c, pc, limit)
	c.ID = r.id(&c)
	return c
}

// place fills in where the text comes from.
func (r *renderer) place(c *Chunk, pc *piece) {
	var spans []ast.Span
	for _, pt := range r.p.parts(pc) {
		if pt.role == RoleBody {
			c.own += r.p.view.text[pt.start:pt.end]
		}
		spans = r.p.view.spans(spans[:0], pt.start, pt.end)
		for _, s := range spans {
			if s.IsEmpty() {
				continue // a label that the parser wrote: no byte stands for it
			}
			c.Parts = append(c.Parts, Part{pt.role, s.Start, s.End})
		}
	}
	start, end := r.p.view.trim(pc.start, pc.end)
	c.Start, c.End = r.p.view.start(start), r.p.view.end(end)
	c.StartLine, c.EndLine = r.lines.Line(c.Start), r.lines.Line(max(c.Start, c.End-1))
	if pages := r.doc.Pages; len(pages) > 0 {
		c.PageStart, c.PageEnd = page(pages, c.Start), page(pages, max(c.Start, c.End-1))
	}
}

// page returns the page of an offset, from 1.
func page(pages []int, offset int) int { return max(1, sort.SearchInts(pages, offset+1)) }

// classify fills in what the chunk holds.
func (r *renderer) classify(c *Chunk, pc *piece) {
	var held [len(contentNames)]int
	for i := pc.first; i <= pc.last; i++ {
		a := &r.p.atoms[i]
		held[a.content] += a.end - a.start
	}
	most := prose
	for k := range held {
		if held[k] > held[most] {
			most = content(k)
		}
	}
	c.Type = contentNames[most]
	for k, n := range held {
		if n > 0 {
			c.Types = append(c.Types, contentNames[k])
		}
	}
	if most == source {
		c.Language = r.p.language(pc)
	}
	c.Symbols = r.p.symbols(pc)
	r.table(c, pc)
}

// table names the rows of a piece that holds one table or a part of one.
func (r *renderer) table(c *Chunk, pc *piece) {
	var table *ast.Node
	for i := pc.first; i <= pc.last; i++ {
		a := &r.p.atoms[i]
		n := a.node
		if n.Kind != ast.Table {
			n = nil
			for f := a.frame; f >= 0 && n == nil; f = r.p.frames[f].parent {
				if r.p.frames[f].node.Kind == ast.Table {
					n = r.p.frames[f].node
				}
			}
		}
		switch {
		case n == nil && a.role == lead:
		case n == nil || table != nil && table != n:
			return
		default:
			table = n
		}
	}
	if table == nil {
		return
	}
	rows := r.rows(table)
	t := &Table{ID: rows.id, Rows: len(rows.starts), Columns: table.Columns}
	// From the row that the piece begins in, or the first one, to the last that
	// begins before its end.
	start, end := r.p.view.start(pc.start), r.p.view.end(pc.end)
	t.RowEnd = sort.SearchInts(rows.starts, end)
	t.RowStart = min(max(0, sort.SearchInts(rows.starts, start+1)-1), t.RowEnd)
	c.Table = t
}

// rows returns the body rows of a table of the document.
func (r *renderer) rows(table *ast.Node) *tableRows {
	if r.tables == nil {
		r.tables = map[*ast.Node]*tableRows{}
		var current *tableRows
		var node *ast.Node
		for n := range r.doc.Root.All() {
			switch n.Kind {
			case ast.Table:
				node = n
				current = &tableRows{id: "t" + strconv.Itoa(len(r.tables)+1)}
				r.tables[n] = current
			case ast.Row:
				if current != nil && !(node.Head.Contains(n.Span) && !node.Head.IsEmpty()) {
					current.starts = append(current.starts, n.Span.Start)
				}
			}
		}
	}
	return r.tables[table]
}

func (r *renderer) flag(c *Chunk, pc *piece, limit int) {
	heads := true
	for i := pc.first; i <= pc.last; i++ {
		a := &r.p.atoms[i]
		_, end := r.p.view.trim(a.start, a.end)
		heads = heads && a.node.Kind == ast.Heading && end <= r.p.view.at(a.node.Span.End)
	}
	if heads {
		c.Flags = append(c.Flags, FlagHeadingOnly)
	}
	if r.p.forced(pc) {
		c.Flags = append(c.Flags, FlagForcedCut)
	}
	if c.Tokens > limit {
		c.Flags = append(c.Flags, FlagOversize)
	}
	problems := r.doc.Problems
	if i := sort.Search(len(problems), func(i int) bool { return problems[i].Offset >= c.Start }); i < len(problems) && problems[i].Offset < c.End {
		c.Flags = append(c.Flags, FlagParseError)
	}
}

// reason says why a piece ends where it does.
func (r *renderer) reason(pc *piece) string {
	next := pc.last + 1
	if next == len(r.p.atoms) {
		return "end of document"
	}
	a, b := &r.p.atoms[pc.last], &r.p.atoms[next]
	if b.bond != apart {
		return b.level.String() + ": limit reached"
	}
	switch {
	case b.cause == byMeaning:
		return "change of meaning"
	case b.cause == bySeparator:
		return "separator"
	case a.scope != b.scope:
		if r.p.scopes[a.scope].node.Kind == ast.Section || r.p.scopes[b.scope].node.Kind == ast.Section {
			return "end of section"
		}
		return "definition boundary"
	case a.node.Kind == ast.Decl || b.node.Kind == ast.Decl:
		return "definition boundary"
	case a.content == tabular || b.content == tabular:
		return "table boundary"
	}
	return "code boundary"
}

var encoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// id derives a chunk's id from its document, path and text, and its number
// among those that are alike in all three; offsets have no part in it.
func (r *renderer) id(c *Chunk) string {
	all := r.buf[:0]
	field := func(s string) {
		all = append(binary.LittleEndian.AppendUint64(all, uint64(len(s))), s...)
	}
	field(c.DocID)
	for _, title := range c.SectionPath {
		field(title)
	}
	field(c.Text)
	r.buf = all
	sum := sha256.Sum256(all)
	n := r.seen[sum]
	r.seen[sum] = n + 1
	if n > 0 {
		sum = sha256.Sum256(binary.LittleEndian.AppendUint64(sum[:], n))
	}
	return encoding.EncodeToString(sum[:8])[:12]
}

// link numbers the chunks of a document and names their neighbours.
func (r *renderer) link(chunks []Chunk) {
	for i := range chunks {
		chunks[i].Index, chunks[i].Total = i, len(chunks)
		if i > 0 {
			chunks[i].PrevID = chunks[i-1].ID
			chunks[i-1].NextID = chunks[i].ID
		}
	}
}
