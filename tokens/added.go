package tokens

import (
	"unicode"
	"unicode/utf8"
)

// addedTokens are the tokens that a tokenizer.json adds to its model's: they are
// cut out of the text before the model sees it, special ones too.
type addedTokens struct {
	trie   *trie
	tokens []addedToken
}

type addedToken struct {
	ID         uint32 `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
}

// newAddedTokens returns nil for no tokens.
func newAddedTokens(tokens []addedToken) *addedTokens {
	if len(tokens) == 0 {
		return nil
	}
	words := make([]numbered, len(tokens))
	for i, t := range tokens {
		words[i] = numbered{t.Content, uint32(i)}
	}
	return &addedTokens{trieOf(words), tokens}
}

// cut calls token for each added token in text and rest for what lies between
// them, until one returns false; it returns false then, else true. A nil receiver
// has no tokens.
func (a *addedTokens) cut(text aligned, token func(aligned, uint32) bool, rest func(aligned) bool) bool {
	if a == nil {
		return rest(text)
	}
	s := text.view()
	done := 0
	for i := 0; i < len(s); {
		if a.trie.first[s[i]] == none {
			i++
			continue
		}
		number, size := a.trie.longest(s[i:])
		if number == none {
			i++
			continue
		}
		t := &a.tokens[number]
		start, end := i, i+size
		i = end
		if t.SingleWord && (endsWithWord(s[:start]) || startsWithWord(s[end:])) {
			continue
		}
		if t.LStrip {
			start = max(spaceBefore(s, start), done)
		}
		if t.RStrip {
			end = spaceAfter(s, end)
		}
		if start < done { // white space that the token before has taken in
			continue
		}
		if done < start && !rest(text.slice(done, start)) {
			return false
		}
		if !token(text.slice(start, end), t.ID) {
			return false
		}
		done, i = end, max(i, end)
	}
	if done < len(s) {
		return rest(text.slice(done, len(s)))
	}
	return true
}

// isWord reports whether r is a word character, \w.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIIAlnum(r) || r == '_'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control) || isNew(r)
}

func endsWithWord(s string) bool {
	r, n := utf8.DecodeLastRuneInString(s)
	return n > 0 && isWord(r)
}

func startsWithWord(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n > 0 && isWord(r)
}

func spaceBefore(s string, i int) int {
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if !unicode.IsSpace(r) {
			break
		}
		i -= n
	}
	return i
}

func spaceAfter(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsSpace(r) {
			break
		}
		i += n
	}
	return i
}
