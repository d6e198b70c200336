package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cantle/cantle/chunker"
)

// An Expansion says what a model is handed for a hit.
type Expansion string

const (
	ExpandNone       Expansion = ""           // the chunk
	ExpandParent     Expansion = "parent"     // its parent, which documents have that were cut with parents
	ExpandNeighbours Expansion = "neighbours" // the chunks before and behind it too
	ExpandSection    Expansion = "section"    // all chunks of its section
)

// A Passage is a run of a document to hand on: chunks that follow one another,
// or one parent.
type Passage struct {
	Chunks []chunker.Chunk // in the order of the document
	Hits   []Hit           // that it is for, the best first
}

// Text returns the passage in one piece: of later chunks only the own text, for
// the others hold what they repeat.
func (p *Passage) Text() string {
	var b strings.Builder
	for i := range p.Chunks {
		text := p.Chunks[i].Text
		if i > 0 {
			n := repeated(&p.Chunks[i-1], &p.Chunks[i])
			if text = text[n:]; n == 0 {
				b.WriteString("\n") // a row or a sentence goes on, all else begins anew
			}
		}
		b.WriteString(text)
		if !strings.HasSuffix(text, "\n") {
			b.WriteString("\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// repeated returns how many bytes of c's text the chunk before ends with, or
// begins with: the overlap, a table's header, a fence.
func repeated(before, c *chunker.Chunk) int {
	n := 0
	for _, p := range c.Parts {
		if p.Role == chunker.RoleBody {
			break
		}
		n += p.End - p.Start
	}
	if n > len(c.Text) || n == 0 || !strings.Contains(before.Text, strings.TrimSpace(c.Text[:n])) {
		return 0 // what is rendered has other lengths than its source
	}
	return n
}

// Tokens is the size of all its chunks.
func (p *Passage) Tokens() int {
	n := 0
	for i := range p.Chunks {
		n += p.Chunks[i].Tokens
	}
	return n
}

// Expand turns hits into passages, that of the best hit first. Hits that share
// a parent or whose chunks meet become one passage, so nothing stands twice.
// budget bounds the tokens of all together; 0 does not. Where a passage does not
// fit, its hits alone are taken, as many as do.
func Expand(ctx context.Context, s Store, hits []Hit, how Expansion, budget int) ([]Passage, error) {
	var all []Passage
	var err error
	switch how {
	case ExpandNone:
		for _, h := range hits {
			all = append(all, Passage{Chunks: []chunker.Chunk{h.Chunk}, Hits: []Hit{h}})
		}
	case ExpandParent:
		all, err = parents(ctx, s, hits)
	case ExpandNeighbours:
		all, err = around(ctx, s, hits, func(chunks []chunker.Chunk, i int) (lo, hi int) {
			return max(0, i-1), min(len(chunks), i+2)
		})
	case ExpandSection:
		all, err = around(ctx, s, hits, section)
	default:
		err = fmt.Errorf("expansion %q is none of parent, neighbours, section", how)
	}
	if err != nil || budget <= 0 {
		return all, err
	}
	var fit []Passage
	for _, p := range all {
		if p.Tokens() > budget {
			p = p.shrunk(budget)
		}
		if len(p.Chunks) > 0 {
			budget -= p.Tokens()
			fit = append(fit, p)
		}
	}
	return fit, nil
}

// shrunk returns a passage of the best hits that fit.
func (p *Passage) shrunk(budget int) Passage {
	var q Passage
	for _, h := range p.Hits {
		if h.Tokens <= budget {
			budget -= h.Tokens
			q.Hits = append(q.Hits, h)
			q.Chunks = append(q.Chunks, h.Chunk)
		}
	}
	slices.SortFunc(q.Chunks, func(a, b chunker.Chunk) int { return a.Index - b.Index })
	return q
}

// parents returns a passage for each parent of hits; a chunk without one stands
// for itself.
func parents(ctx context.Context, s Store, hits []Hit) ([]Passage, error) {
	var ids []string
	for _, h := range hits {
		if h.ParentID != "" && !slices.Contains(ids, h.ParentID) {
			ids = append(ids, h.ParentID)
		}
	}
	found, err := s.Get(ctx, ids...)
	if err != nil {
		return nil, err
	}
	var all []Passage
	at := map[string]int{} // the passage of a parent
	for _, h := range hits {
		if i, ok := at[h.ParentID]; ok {
			all[i].Hits = append(all[i].Hits, h)
			continue
		}
		p := Passage{Chunks: []chunker.Chunk{h.Chunk}, Hits: []Hit{h}}
		if i := slices.IndexFunc(found, func(c chunker.Chunk) bool { return c.ID == h.ParentID }); i >= 0 {
			at[h.ParentID] = len(all)
			p.Chunks[0] = found[i]
		}
		all = append(all, p)
	}
	return all, nil
}

// around returns passages of the chunks that wide names for each hit, from lo
// to before hi.
func around(ctx context.Context, s Store, hits []Hit, wide func(chunks []chunker.Chunk, i int) (lo, hi int)) ([]Passage, error) {
	byDocument := map[string][]Hit{}
	var order []string // of documents, by their best hit
	for _, h := range hits {
		if _, ok := byDocument[h.DocID]; !ok {
			order = append(order, h.DocID)
		}
		byDocument[h.DocID] = append(byDocument[h.DocID], h)
	}
	var all []Passage
	for _, doc := range order {
		chunks, err := s.Document(ctx, doc)
		if err != nil {
			return nil, err
		}
		chunks = slices.DeleteFunc(chunks, func(c chunker.Chunk) bool { return c.Type == chunker.TypeParent })
		taken := make([]bool, len(chunks))
		hitAt := make([]*Hit, len(chunks))
		for _, h := range byDocument[doc] {
			i := slices.IndexFunc(chunks, func(c chunker.Chunk) bool { return c.ID == h.ID })
			if i < 0 { // the document has changed since
				all = append(all, Passage{Chunks: []chunker.Chunk{h.Chunk}, Hits: []Hit{h}})
				continue
			}
			hitAt[i] = &h
			for j, hi := wide(chunks, i); j < hi; j++ {
				taken[j] = true
			}
		}
		for i := 0; i < len(chunks); i++ {
			if !taken[i] {
				continue
			}
			var p Passage
			for ; i < len(chunks) && taken[i]; i++ {
				p.Chunks = append(p.Chunks, chunks[i])
				if hitAt[i] != nil {
					p.Hits = append(p.Hits, *hitAt[i])
				}
			}
			slices.SortStableFunc(p.Hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b Passage) int { return cmp.Compare(b.Hits[0].Score, a.Hits[0].Score) })
	return all, nil
}

// section returns the run of chunks around number i that are in its section or
// below it.
func section(chunks []chunker.Chunk, i int) (lo, hi int) {
	path := chunks[i].SectionPath
	isIn := func(c *chunker.Chunk) bool {
		if len(path) == 0 {
			return len(c.SectionPath) == 0
		}
		return len(c.SectionPath) >= len(path) && slices.Equal(c.SectionPath[:len(path)], path)
	}
	for lo = i; lo > 0 && isIn(&chunks[lo-1]); lo-- {
	}
	for hi = i + 1; hi < len(chunks) && isIn(&chunks[hi]); hi++ {
	}
	return lo, hi
}
