package tokens

import "unicode/utf8"

// unigram is the model of SentencePiece's that gives each token a score and takes
// the tokens whose scores sum up highest.
type unigram struct {
	trie         *trie
	scores       []float64
	unknown      uint32 // none if the model has no unknown token
	unknownScore float64
	fuse         bool         // unknown characters in a row are one token
	bytes        *[256]uint32 // tokens for the bytes of an unknown character, nil if it is an unknown token
}

// A latticeNode is the best way to cover the piece up to an offset: its score,
// and its last token.
type latticeNode struct {
	score float64
	start uint32
	id    uint32 // none if the offset was not reached
}

func (m *unigram) tokenize(piece string, s *modelSearch) {
	nodes := s.nodes[:0]
	for range len(piece) + 1 {
		nodes = append(nodes, latticeNode{id: none})
	}
	s.nodes = nodes
	reach := func(end int, n latticeNode) {
		if nodes[end].id == none || n.score > nodes[end].score {
			nodes[end] = n
		}
	}
	for i := 0; i < len(piece); {
		_, size := utf8.DecodeRuneInString(piece[i:])
		score, single := nodes[i].score, false
		for at, n := m.trie.root(piece[i:]); at != none; at, n = m.trie.step(at, piece[i:], n) {
			if at >= m.trie.tokens {
				continue
			}
			reach(i+n, latticeNode{m.scores[at] + score, uint32(i), at})
			single = single || n == size
		}
		if !single {
			reach(i+size, latticeNode{m.unknownScore + score, uint32(i), m.unknown})
		}
		i += size
	}
	// From the end back, then turned round.
	kept := len(s.found)
	unknown := false
	for end := len(piece); end > 0; {
		n := nodes[end]
		if n.id == m.unknown {
			s.found = m.addUnknown(s.found, piece, n.start, uint32(end), unknown)
		} else {
			s.found = append(s.found, foundToken{n.start, n.id})
		}
		unknown = n.id == m.unknown
		end = int(n.start)
	}
	for i, j := kept, len(s.found)-1; i < j; i, j = i+1, j-1 {
		s.found[i], s.found[j] = s.found[j], s.found[i]
	}
}

// addUnknown adds the token or tokens of an unknown character, the last first.
// again says that the one after it is unknown too.
func (m *unigram) addUnknown(found []foundToken, piece string, start, end uint32, again bool) []foundToken {
	switch {
	case m.bytes != nil:
		for i := end; i > start; i-- {
			found = append(found, foundToken{i - 1, m.bytes[piece[i-1]]})
		}
	case again && m.fuse:
		found[len(found)-1].start = start
	default:
		found = append(found, foundToken{start, m.unknown})
	}
	return found
}
