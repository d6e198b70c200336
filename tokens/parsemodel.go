package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// parseModel returns the model. bytes says that its symbols stand for bytes.
func parseModel(p part, bytes bool) (model, error) {
	if p.kind == "" { // old files do not say
		p.kind = guessModel(p.data)
	}
	if bytes && p.kind != "BPE" {
		return nil, fmt.Errorf("model %q after pre_tokenizer \"ByteLevel\" is not supported", p.kind)
	}
	switch p.kind {
	case "WordPiece":
		return parseWordPiece(p)
	case "Unigram":
		return parseUnigram(p)
	case "BPE":
		return parseMerges(p, bytes)
	}
	return nil, p.unknown("model")
}

func guessModel(data json.RawMessage) string {
	var has struct {
		Merges *json.RawMessage `json:"merges"`
		Prefix *string          `json:"continuing_subword_prefix"`
		UnkID  *int             `json:"unk_id"`
	}
	_ = json.Unmarshal(data, &has) // its type is read again and checked
	switch {
	case has.Merges != nil:
		return "BPE"
	case has.Prefix != nil:
		return "WordPiece"
	case has.UnkID != nil:
		return "Unigram"
	}
	return ""
}

func parseWordPiece(p part) (model, error) {
	v := struct {
		Unknown  string            `json:"unk_token"`
		Prefix   string            `json:"continuing_subword_prefix"`
		MaxRunes int               `json:"max_input_chars_per_word"`
		Vocab    map[string]uint32 `json:"vocab"`
	}{Unknown: "[UNK]", Prefix: "##", MaxRunes: 100}
	if err := p.read(&v); err != nil {
		return nil, err
	}
	if err := checkNumbers(v.Vocab); err != nil {
		return nil, err
	}
	unknown, ok := v.Vocab[v.Unknown]
	if !ok {
		return nil, fmt.Errorf("model WordPiece: its unknown token %q is not in the vocabulary", v.Unknown)
	}
	var starts, continues []numbered
	for text, id := range v.Vocab {
		starts = append(starts, numbered{text, id})
		if rest, ok := strings.CutPrefix(text, v.Prefix); ok {
			continues = append(continues, numbered{rest, id})
		}
	}
	return &wordPiece{trieOf(starts), trieOf(continues), unknown, v.MaxRunes}, nil
}

// checkNumbers checks that the tokens' numbers can be held.
func checkNumbers(vocab map[string]uint32) error {
	for text, id := range vocab {
		if id >= maxTokens {
			return fmt.Errorf("model: token %q has number %d, over %d", text, id, maxTokens-1)
		}
	}
	return nil
}

func parseUnigram(p part) (model, error) {
	v := struct {
		Unknown      *uint32              `json:"unk_id"`
		ByteFallback bool                 `json:"byte_fallback"`
		FuseUnk      bool                 `json:"fuse_unk"`
		Vocab        [][2]json.RawMessage `json:"vocab"`
	}{FuseUnk: true}
	if err := p.read(&v); err != nil {
		return nil, err
	}
	m := &unigram{unknown: none, fuse: v.FuseUnk}
	words := make([]numbered, len(v.Vocab))
	ids := make(map[string]uint32, len(v.Vocab))
	m.scores = make([]float64, len(v.Vocab))
	lowest := 0.0
	for i, entry := range v.Vocab {
		if err := errors.Join(json.Unmarshal(entry[0], &words[i].text), json.Unmarshal(entry[1], &m.scores[i])); err != nil {
			return nil, fmt.Errorf("model Unigram: token %d: %w", i, err)
		}
		words[i].number = uint32(i)
		ids[words[i].text] = uint32(i)
		lowest = min(lowest, m.scores[i])
	}
	if v.Unknown == nil || int(*v.Unknown) >= len(words) {
		return nil, errors.New("model Unigram: without unknown token it is not supported")
	}
	if len(words) > maxTokens {
		return nil, fmt.Errorf("model Unigram: %d tokens, at most %d can be held", len(words), maxTokens)
	}
	const penalty = 10
	m.unknown, m.unknownScore = *v.Unknown, lowest-penalty
	if v.ByteFallback {
		m.bytes = fallbackBytes(ids)
	}
	m.trie = trieOf(words)
	return m, nil
}

// fallbackBytes returns the tokens "<0x00>" to "<0xFF>", nil if one is missing.
func fallbackBytes(vocab map[string]uint32) *[256]uint32 {
	var list [256]uint32
	for i := range list {
		id, ok := vocab[fmt.Sprintf("<0x%02X>", i)]
		if !ok {
			return nil
		}
		list[i] = id
	}
	return &list
}

func parseMerges(p part, bytes bool) (model, error) {
	var v struct {
		Dropout      *float64          `json:"dropout"`
		Unknown      *string           `json:"unk_token"`
		Prefix       *string           `json:"continuing_subword_prefix"`
		Suffix       *string           `json:"end_of_word_suffix"`
		FuseUnk      bool              `json:"fuse_unk"`
		ByteFallback bool              `json:"byte_fallback"`
		IgnoreMerges bool              `json:"ignore_merges"`
		Vocab        map[string]uint32 `json:"vocab"`
		Merges       []mergeText       `json:"merges"`
	}
	if err := p.read(&v); err != nil {
		return nil, err
	}
	switch {
	case v.Dropout != nil && *v.Dropout != 0:
		return nil, errors.New("model BPE: dropout is not supported")
	case v.Prefix != nil && *v.Prefix != "":
		return nil, fmt.Errorf("model BPE: continuing_subword_prefix %q is not supported", *v.Prefix)
	case v.Suffix != nil && *v.Suffix != "":
		return nil, fmt.Errorf("model BPE: end_of_word_suffix %q is not supported", *v.Suffix)
	}
	if err := checkNumbers(v.Vocab); err != nil {
		return nil, err
	}
	m := &merges{pairs: newPairTable(len(v.Merges)), unknown: none, fuse: v.FuseUnk}
	if v.Unknown != nil {
		id, ok := v.Vocab[*v.Unknown]
		if !ok {
			return nil, fmt.Errorf("model BPE: its unknown token %q is not in the vocabulary", *v.Unknown)
		}
		m.unknown = id
	}
	if bytes {
		if m.unknown != none {
			return nil, errors.New("model BPE: an unknown token after ByteLevel is not supported")
		}
		m.byBytes = new([256]uint32)
		for i := range m.byBytes {
			m.byBytes[i] = none
			if id, ok := v.Vocab[string(byteRunes[i])]; ok {
				m.byBytes[i] = id
			}
		}
	} else {
		m.byRune = map[string]uint32{}
		for text, id := range v.Vocab {
			if utf8.RuneCountInString(text) == 1 {
				m.byRune[text] = id
			}
		}
		if v.ByteFallback {
			m.bytes = fallbackBytes(v.Vocab)
		}
	}
	if _, ok := v.Vocab[spaceMark]; ok && !bytes {
		m.joins = new([256]bool)
	}
	for rank, pair := range v.Merges {
		left, ok1 := v.Vocab[pair[0]]
		right, ok2 := v.Vocab[pair[1]]
		merged, ok3 := v.Vocab[pair[0]+pair[1]]
		if !ok1 || !ok2 || !ok3 {
			return nil, fmt.Errorf("model BPE: merge %d, %q, is not of the vocabulary's tokens", rank, pair)
		}
		m.pairs.put(left, right, mergeRule{uint32(rank), merged})
		if m.joins != nil && pair[0] != "" && strings.HasPrefix(pair[1], spaceMark) && !strings.HasSuffix(pair[0], spaceMark) {
			m.joins[pair[0][len(pair[0])-1]] = true
		}
	}
	if v.IgnoreMerges {
		m.whole = v.Vocab
		if bytes {
			m.whole = make(map[string]uint32, len(v.Vocab))
			for text, id := range v.Vocab {
				if raw, ok := bytesOf(text); ok {
					m.whole[raw] = id
				}
			}
		}
	}
	return m, nil
}

// A mergeText is a pair of tokens, in the file a list of two or a string with a
// space between them.
type mergeText [2]string

func (m *mergeText) UnmarshalJSON(data []byte) error {
	var s string
	if len(data) > 0 && data[0] == '"' {
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		left, right, ok := strings.Cut(s, " ")
		if !ok {
			return fmt.Errorf("merge %q is not of two tokens", s)
		}
		*m = mergeText{left, right}
		return nil
	}
	var pair []string
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	if len(pair) != 2 {
		return fmt.Errorf("merge %q is not of two tokens", pair)
	}
	*m = mergeText{pair[0], pair[1]}
	return nil
}

// byteRunes are the runes that GPT-2's vocabulary writes for bytes: themselves
// where they can be seen, else the next of those from U+0100 on.
var byteRunes = func() (runes [256]rune) {
	next := rune(256)
	for i := range rune(256) {
		if '!' <= i && i <= '~' || '¡' <= i && i <= '¬' || '®' <= i && i <= 'ÿ' {
			runes[i] = i
			continue
		}
		runes[i] = next
		next++
	}
	return runes
}()

// runeBytes is the way back.
var runeBytes = func() map[rune]byte {
	bytes := make(map[rune]byte, 256)
	for b, r := range byteRunes {
		bytes[r] = byte(b)
	}
	return bytes
}()

// bytesOf returns what a token of such runes stands for.
func bytesOf(text string) (string, bool) {
	raw := make([]byte, 0, len(text))
	for _, r := range text {
		b, ok := runeBytes[r]
		if !ok {
			return "", false
		}
		raw = append(raw, b)
	}
	return string(raw), true
}
