package view

import (
	"strings"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
)

// Settings are what a person can change on the page.
type Settings struct {
	Max      int    `json:"max"`
	Min      int    `json:"min"`
	Overlap  int    `json:"overlap"`
	Encoding string `json:"encoding"`
	Context  bool   `json:"context"`
	Isolate  bool   `json:"isolate"`
}

// A Document is a parsed file as the page is given it. Offsets are UTF-16 code
// units of Source, since those are what a script counts.
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
	u := newUnits(d.Source)
	doc := &Document{ID: d.Name, Format: d.Format, Source: string(d.Source), Sets: sets}
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
		if name == "" {
			name = n.Lang
		}
		if name == "" && n.IsLeaf() {
			text := n.Text
			if text == "" {
				text = string(d.Source[n.Span.Start:min(n.Span.End, n.Span.Start+160)])
			}
			name = ast.Excerpt(strings.TrimSpace(strings.ToValidUTF8(text, "")), 40)
		}
		doc.Tree = append(doc.Tree, node{n.Kind.String(), depth - 1, u.at(n.Span.Start), u.at(n.Span.End), name})
	}
	return doc
}

// NewSet returns chunks of d as the page is given them.
func NewSet(d *ast.Document, s Settings, chunks []chunker.Chunk) Set {
	u := newUnits(d.Source)
	set := Set{Settings: s, Chunks: make([]chunk, 0, len(chunks))}
	for i := range chunks {
		c := &chunks[i]
		if c.Type == chunker.TypeParent {
			continue
		}
		out := chunk{
			ID: c.ID, Type: c.Type, Tokens: c.Tokens, Start: u.at(c.Start), End: u.at(c.End), Lines: [2]int{c.StartLine, c.EndLine},
			Path: chunker.JoinPath(c.SectionPath), Context: c.Context, Reason: c.Reason, Flags: c.Flags, Text: roles(d.Source, c),
		}
		for _, p := range c.Parts {
			out.Parts = append(out.Parts, part{p.Role, u.at(p.Start), u.at(p.End)})
		}
		set.Chunks = append(set.Chunks, out)
	}
	return set
}

// written is the role of what the chunker wrote: the label of a cell.
const written = "written"

// roles returns the text of a chunk in parts. Where the text shows otherwise
// than it stands in the source, a part that is not found is taken together
// with the next.
func roles(src []byte, c *chunker.Chunk) [][2]any {
	var out [][2]any
	add := func(role any, text string) {
		if text != "" {
			out = append(out, [2]any{role, text})
		}
	}
	rest := c.Text
	for i, p := range c.Parts {
		if i == len(c.Parts)-1 && p.Role != chunker.RoleTail {
			add(p.Role, rest)
			return out
		}
		text := strings.TrimRight(string(src[p.Start:p.End]), " \t\r\n")
		at := strings.Index(rest, text)
		if at < 0 || text == "" {
			continue
		}
		if strings.TrimSpace(rest[:at]) != "" {
			add(written, rest[:at])
		} else if at > 0 {
			add(p.Role, rest[:at])
		}
		end := at + len(text)
		for end < len(rest) && strings.IndexByte(" \t\r\n", rest[end]) >= 0 && i < len(c.Parts)-1 {
			end++
		}
		add(p.Role, rest[at:end])
		rest = rest[end:]
	}
	add(chunker.RoleBody, rest)
	return out
}

// units counts UTF-16 code units before each byte, as JSON hands a text to a
// script: a broken byte is one.
type units []int32

func newUnits(src []byte) units {
	u := make(units, len(src)+1)
	n := int32(0)
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		for j := range size {
			u[i+j] = n
		}
		n++
		if r > 0xffff {
			n++
		}
		i += size
	}
	u[len(src)] = n
	return u
}

func (u units) at(offset int) int { return int(u[offset]) }
