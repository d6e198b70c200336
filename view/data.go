package view

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
)

// Settings are what a person can change on the page.
type Settings struct {
	Max      int    `json:"max"`
	Min      int    `json:"min"` // 0 for the default, -1 for none, as in chunker.Options
	Overlap  int    `json:"overlap"`
	Encoding string `json:"encoding"`
	Context  bool   `json:"context"`
	Isolate  bool   `json:"isolate"`
}

// A Document is a parsed file as the page is given it. Source is its source,
// or of a page of HTML and the like the text that a reader sees. Offsets are
// UTF-16 code units of Source, since those are what a script counts.
type Document struct {
	ID     string `json:"id"`
	Format string `json:"format"`
	Source string `json:"source"`
	Tree   []node `json:"tree"`
	Sets   []Set  `json:"sets"` // one, or two to compare
}

// A node of the tree: kind, depth, start, end, name.
type node [5]any

// A Set is the chunks that one setting gives.
type Set struct {
	Settings Settings `json:"settings"`
	Chunks   []chunk  `json:"chunks"`
}

type chunk struct {
	ID      string   `json:"id"`
	Type    string   `json:"type"`
	Tokens  int      `json:"tokens"`
	Start   int      `json:"s"`
	End     int      `json:"e"`
	Lines   [2]int   `json:"lines"`
	Path    string   `json:"path"`
	Context string   `json:"context,omitempty"`
	Reason  string   `json:"reason"`
	Flags   []string `json:"flags,omitempty"`
	Parts   []part   `json:"parts"` // role, start, end
	Text    [][2]any `json:"text"`  // role, text: what the chunk is made of
}

type part [3]any

// New returns what the page shows of a document.
func New(d *ast.Document, sets ...Set) *Document {
	f := newFace(d)
	doc := &Document{ID: d.Name, Format: d.Format, Source: f.text, Sets: sets}
	var section *ast.Node
	for n, depth := range d.Root.All() {
		if n.Kind == ast.Heading && section != nil && n.Span.Start == section.Span.Start {
			continue // the section says it
		}
		if n.Kind == ast.Section {
			section = n
		}
		if n.Kind == ast.Cell || n.Kind == ast.Markup || depth == 0 {
			continue
		}
		name := n.Name
		if name == "" && (n.IsLeaf() || n.Text != "" || n.Kind == ast.Row) {
			start := f.at(n.Span.Start)
			name = ast.Excerpt(strings.TrimSpace(strings.ToValidUTF8(f.text[start:min(f.at(n.Span.End), start+160)], "")), 40)
		}
		if name == "" {
			name = n.Lang
		}
		doc.Tree = append(doc.Tree, node{n.Kind.String(), depth - 1, f.unit(n.Span.Start), f.unit(n.Span.End), name})
	}
	return doc
}

// NewSet returns chunks of d as the page is given them.
func NewSet(d *ast.Document, s Settings, chunks []chunker.Chunk) Set {
	f := newFace(d)
	set := Set{Settings: s, Chunks: make([]chunk, 0, len(chunks))}
	for i := range chunks {
		c := &chunks[i]
		if c.Type == chunker.TypeParent {
			continue
		}
		out := chunk{
			ID: c.ID, Type: c.Type, Tokens: c.Tokens, Start: f.unit(c.Start), End: f.unit(c.End), Lines: [2]int{c.StartLine, c.EndLine},
			Path: chunker.JoinPath(c.SectionPath), Context: c.Context, Reason: c.Reason, Flags: c.Flags, Text: f.roles(c),
		}
		for _, p := range c.Parts {
			out.Parts = append(out.Parts, part{p.Role, f.unit(p.Start), f.unit(p.End)})
		}
		set.Chunks = append(set.Chunks, out)
	}
	return set
}

// written is the role of what the chunker wrote: the label of a cell.
const written = "written"

// roles returns the text of a chunk in parts. What is found in none of them
// was written by the chunker; a part that is not found is taken with the next.
func (f *face) roles(c *chunker.Chunk) [][2]any {
	var out [][2]any
	add := func(role any, text string) {
		if text != "" {
			out = append(out, [2]any{role, text})
		}
	}
	rest := c.Text
	for i, p := range c.Parts {
		if i == len(c.Parts)-1 && p.Role != chunker.RoleTail {
			text := strings.TrimSpace(f.text[f.at(p.Start):f.at(p.End)])
			if at := strings.Index(rest, text); at > 0 && strings.TrimSpace(rest[:at]) != "" {
				add(written, rest[:at])
				rest = rest[at:]
			}
			add(p.Role, rest)
			return out
		}
		text := strings.TrimRight(f.text[f.at(p.Start):f.at(p.End)], " \t\r\n")
		at := strings.Index(rest, text)
		if at < 0 || text == "" {
			continue
		}
		if strings.TrimSpace(rest[:at]) != "" {
			add(written, rest[:at])
			rest, at = rest[at:], 0
		}
		// The line ends behind a part are its own, the indentation is not.
		end := at + len(text)
		blanks := rest[end : len(rest)-len(strings.TrimLeft(rest[end:], " \t\r\n"))]
		end += strings.LastIndexByte(blanks, '\n') + 1
		add(p.Role, rest[:end])
		rest = rest[end:]
	}
	add(chunker.RoleBody, rest)
	return out
}

// A face is the text of a document as the page shows it.
type face struct {
	text  string
	from  []int32 // where in the source each byte of text comes from; nil where text is the source
	units []int32 // UTF-16 code units before each byte of text, as JSON hands it to a script: a broken byte is one
}

func newFace(d *ast.Document) *face {
	f := &face{text: string(d.Source)}
	for n := range d.Root.All() {
		if n.Text != "" {
			var b strings.Builder
			f.add(&b, d.Source, d.Root)
			f.text = b.String()
			break
		}
	}
	f.units = make([]int32, len(f.text)+1)
	n := int32(0)
	for i := 0; i < len(f.text); {
		r, size := utf8.DecodeRuneInString(f.text[i:])
		for j := range size {
			f.units[i+j] = n
		}
		n++
		if r > 0xffff {
			n++
		}
		i += size
	}
	f.units[len(f.text)] = n
	return f
}

// add appends what is seen of n. It recurses at most ast.MaxDepth deep.
func (f *face) add(b *strings.Builder, src []byte, n *ast.Node) {
	write := func(text string, from func(int) int) {
		b.WriteString(text)
		for i := range len(text) {
			at := int32(from(i))
			if k := len(f.from); k > 0 {
				at = max(at, f.from[k-1])
			}
			f.from = append(f.from, at)
		}
	}
	switch {
	case n.Kind == ast.Markup || n.Kind == ast.Meta:
	case n.Text != "":
		from, next := ast.Mark{Source: n.Span.Start}, 0
		write(n.Text, func(i int) int {
			for next < len(n.Marks) && n.Marks[next].Text <= i {
				from = n.Marks[next]
				next++
			}
			return min(n.Span.End-1, from.Source+i-from.Text)
		})
	case n.IsLeaf():
		write(string(src[n.Span.Start:n.Span.End]), func(i int) int { return n.Span.Start + i })
	default:
		for _, c := range n.Children {
			f.add(b, src, c)
		}
	}
}

// at returns where in the text that comes from the source at or behind offset
// begins.
func (f *face) at(offset int) int {
	if f.from == nil {
		return min(offset, len(f.text))
	}
	return sort.Search(len(f.from), func(i int) bool { return int(f.from[i]) >= offset })
}

func (f *face) unit(offset int) int { return int(f.units[f.at(offset)]) }
