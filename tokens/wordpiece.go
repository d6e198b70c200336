package tokens

import "unicode/utf8"

// wordPiece is the model of BERT: the longest token that starts a word, then the
// longest that continues it, and so on; a word for which that fails is one
// unknown token.
type wordPiece struct {
	starts    *trie // the tokens that start a word
	continues *trie // those that continue one, without their prefix
	unknown   uint32
	maxRunes  int // a longer word is unknown
}

func (m *wordPiece) tokenize(piece string, s *modelSearch) {
	kept := len(s.found)
	if len(piece) <= m.maxRunes || utf8.RuneCountInString(piece) <= m.maxRunes {
		t := m.starts
		for i := 0; ; {
			id, size := t.longest(piece[i:])
			if id == none {
				break
			}
			s.found = append(s.found, foundToken{uint32(i), id})
			if i += size; i == len(piece) {
				return
			}
			t = m.continues
		}
	}
	s.found = append(s.found[:kept], foundToken{0, m.unknown})
}
