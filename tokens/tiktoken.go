package tokens

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"sync"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// tiktokenFile says how an encoding of OpenAI's tiktoken is made: of the ranks in
// a file, the pattern that splits, and the special tokens.
type tiktokenFile struct {
	ranks   string
	split   splitter
	lines   bool // see bytePair
	special map[int]string
}

const endOfText = "<|endoftext|>"

var tiktokenFiles = map[string]tiktokenFile{
	"cl100k_base": {"cl100k_base", splitGPT4(3), true, map[int]string{
		100257: endOfText, 100258: "<|fim_prefix|>", 100259: "<|fim_middle|>", 100260: "<|fim_suffix|>", 100276: "<|endofprompt|>",
	}},
	"o200k_base":    {"o200k_base", splitO200k, true, map[int]string{199999: endOfText, 200018: "<|endofprompt|>"}},
	"o200k_harmony": {"o200k_base", splitO200k, true, harmony()},
	"p50k_base":     {"p50k_base", splitGPT2, false, map[int]string{50256: endOfText}},
	"p50k_edit": {"p50k_base", splitGPT2, false, map[int]string{
		50256: endOfText, 50281: "<|fim_prefix|>", 50282: "<|fim_middle|>", 50283: "<|fim_suffix|>",
	}},
	"r50k_base": {"r50k_base", splitGPT2, false, map[int]string{50256: endOfText}},
	"gpt2":      {"r50k_base", splitGPT2, false, map[int]string{50256: endOfText}},
}

// harmony returns the special tokens of o200k_harmony: those of a conversation,
// the other numbers of the range reserved.
func harmony() map[int]string {
	special := map[int]string{
		199998: "<|startoftext|>",
		199999: endOfText,
		200002: "<|return|>",
		200003: "<|constrain|>",
		200005: "<|channel|>",
		200006: "<|start|>",
		200007: "<|end|>",
		200008: "<|message|>",
		200012: "<|call|>",
	}
	for i := 200000; i < 201088; i++ {
		if _, ok := special[i]; !ok {
			special[i] = "<|reserved_" + strconv.Itoa(i) + "|>"
		}
	}
	return special
}

// tiktoken returns the function that makes the encoding of that name. Its ranks
// are loaded when something is first counted, so that who finds that there is
// nothing to do has not waited for them; being part of the program, they load.
func tiktoken(name string) func() (Encoding, error) {
	return func() (Encoding, error) {
		f := tiktokenFiles[name]
		vocab := sync.OnceValue(func() *vocabulary {
			v, err := ranks(f.ranks)
			if err != nil {
				panic("tokens: " + err.Error())
			}
			return v
		})
		return &bytePair{name: name, split: f.split, lines: f.lines, vocab: vocab, special: f.special}, nil
	}
}

// vocabularies holds the loaded ones: encodings that differ in their special
// tokens only share one.
var vocabularies sync.Map // name -> func() (*vocabulary, error)

func ranks(name string) (*vocabulary, error) {
	load, _ := vocabularies.LoadOrStore(name, sync.OnceValues(func() (*vocabulary, error) {
		data, err := assets.Assets.ReadFile(name + ".tiktoken")
		if err != nil {
			return nil, err
		}
		v, err := parseRanks(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return v, nil
	}))
	return load.(func() (*vocabulary, error))()
}

// parseRanks reads a file of ranks: a line a token, its bytes in base64, a space,
// its rank. The ranks rise; those that are left out stay without a token. The
// first 256 are the bytes.
func parseRanks(data []byte) (*vocabulary, error) {
	text := make([]byte, 0, len(data)/2)
	starts := make([]uint32, 0, len(data)/16)
	var err error
	for line := 1; len(data) > 0; line++ {
		var row []byte
		row, data, _ = bytes.Cut(data, []byte("\n"))
		token, number, ok := bytes.Cut(row, []byte(" "))
		rank := 0
		for _, c := range number {
			rank = 10*rank + int(c-'0')
		}
		if !ok || rank < len(starts) || rank >= maxTokens {
			return nil, fmt.Errorf("line %d: %q is not a token and its rank", line, row)
		}
		for len(starts) <= rank {
			starts = append(starts, uint32(len(text)))
		}
		if text, err = base64.StdEncoding.AppendDecode(text, token); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	starts = append(starts, uint32(len(text)))
	return newVocabulary(string(text), starts, 256)
}
