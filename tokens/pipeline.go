package tokens

import (
	"math/bits"
	"sync"
)

// A pipeline is the encoding that a tokenizer.json describes. Added tokens are
// cut out of the text; the rest is normalised, split into pieces, and each piece
// given to the model.
type pipeline struct {
	name      string
	added     *addedTokens // found in the text as it is
	normalise []normaliser
	addedNorm *addedTokens // found in the normalised text
	split     pretokenizer
	model     model
	frame     int
	workers   sync.Pool // *pipelineWorker
}

// A model turns a piece into tokens.
type model interface {
	// tokenize appends to s.found the tokens of piece, which is not empty, by where
	// they start. The starts rise.
	tokenize(piece string, s *modelSearch)
}

type foundToken struct{ start, id uint32 }

// modelSearch is the working memory of a model.
type modelSearch struct {
	found   []foundToken
	symbols []symbol
	queue   []mergeCandidate
	nodes   []latticeNode
}

// A pretokenizer yields the pieces of a text, in order, until yield returns false;
// it returns false then, else true. What it leaves out is in no token.
type pretokenizer func(w *pipelineWorker, text aligned, yield func(aligned) bool) bool

// A normaliser appends to out what becomes of in.
type normaliser func(in aligned, out *aligned)

// A pipelineWorker does one call at a time.
type pipelineWorker struct {
	p       *pipeline
	source  aligned
	normal  [2]aligned // normalisers write to them in turn
	rewrite aligned    // what pre-tokenizers write
	cache   pieceCache
	search  modelSearch
	piece   func(aligned) bool // w.take, made once

	n, limit int
	marks    []uint64 // where to mark, nil if not
	ids      []int    // the tokens, where they are wanted
	wantIDs  bool
}

// keepText is the size in bytes of a text whose working memory a worker keeps.
const keepText = 1 << 20

func (p *pipeline) worker() *pipelineWorker {
	w, ok := p.workers.Get().(*pipelineWorker)
	if !ok {
		w = &pipelineWorker{p: p}
		w.piece = w.take
	}
	w.n, w.limit = 0, int(^uint(0)>>1)
	return w
}

func (p *pipeline) release(w *pipelineWorker) {
	w.marks, w.ids, w.wantIDs = nil, nil, false
	if cap(w.source.text) > keepText {
		w.source, w.normal, w.rewrite, w.search = aligned{}, [2]aligned{}, aligned{}, modelSearch{}
	}
	p.workers.Put(w)
}

// Name is part of Encoding.
func (p *pipeline) Name() string { return p.name }

// Frame is part of Framer.
func (p *pipeline) Frame() int { return p.frame }

// Count is part of Encoding.
func (p *pipeline) Count(text string) int {
	w := p.worker()
	w.run(text)
	n := w.n
	p.release(w)
	return n
}

// CountUntil is part of Encoding.
func (p *pipeline) CountUntil(text string, limit int) int {
	w := p.worker()
	w.limit = max(limit, 0)
	w.run(text)
	n := min(w.n, w.limit+1)
	p.release(w)
	return n
}

// Mark is part of Encoding.
func (p *pipeline) Mark(text string, bits []uint64) {
	w := p.worker()
	w.marks = bits
	w.run(text)
	p.release(w)
}

// Encode is part of Encoder.
func (p *pipeline) Encode(text string) []int {
	w := p.worker()
	w.wantIDs, w.ids = true, make([]int, 0, len(text)/4+1)
	w.run(text)
	ids := w.ids
	p.release(w)
	return ids
}

func (w *pipelineWorker) run(text string) {
	if text == "" {
		return
	}
	w.source.load(text)
	w.p.added.cut(w.source, w.token, w.segment)
}

// segment encodes a part of the source that holds no added token.
func (w *pipelineWorker) segment(text aligned) bool {
	start := text.from[0]
	for i, normalise := range w.p.normalise {
		out := &w.normal[i%2]
		out.reset(len(text.text))
		normalise(text, out)
		text = *out
	}
	if len(text.text) > 0 {
		text.from[0] = start // what was dropped before it belongs to it
	}
	return w.p.addedNorm.cut(text, w.token, w.pieces)
}

func (w *pipelineWorker) pieces(text aligned) bool {
	return w.p.split(w, text, w.piece)
}

// token notes an added token.
func (w *pipelineWorker) token(text aligned, id uint32) bool {
	w.note(text.from[0], id)
	return w.n <= w.limit
}

func (w *pipelineWorker) note(from, id uint32) {
	w.n++
	if w.marks != nil {
		w.marks[from/64] |= 1 << (from % 64)
	}
	if w.wantIDs {
		w.ids = append(w.ids, int(id))
	}
}

// take encodes a piece.
func (w *pipelineWorker) take(piece aligned) bool {
	n := len(piece.text)
	if n == 0 {
		return true
	}
	if remembered(piece.view(), 0, n) {
		p := w.look(piece.view())
		switch {
		case w.marks == nil && !w.wantIDs:
			w.n += p.count()
			return w.n <= w.limit
		case w.marks != nil:
			for starts := p.starts; starts != 0; starts &= starts - 1 {
				w.note(piece.from[bits.TrailingZeros64(starts)], 0)
			}
			return true
		case p.starts == 1:
			w.note(0, p.first)
			return true
		}
	}
	w.search.found = w.search.found[:0]
	w.p.model.tokenize(piece.view(), &w.search)
	for _, t := range w.search.found {
		w.note(piece.from[t.start], t.id)
	}
	return w.n <= w.limit
}

func (w *pipelineWorker) look(piece string) *pieceTokens {
	p, known := w.cache.at(piece, 0, len(piece))
	if known {
		return p
	}
	w.search.found = w.search.found[:0]
	w.p.model.tokenize(piece, &w.search)
	*p = pieceTokens{}
	for i, t := range w.search.found {
		p.starts |= 1 << t.start
		if i == 0 {
			p.first = t.id
		}
	}
	return p
}
