package tokens

import (
	"strings"

	oracle "github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

type bpe struct {
	name string
	tk   *oracle.Tiktoken
}

func tiktoken(name string) func() (Encoding, error) {
	return func() (Encoding, error) {
		oracle.SetBpeLoader(loader.NewOfflineLoader())
		base := name
		switch name {
		case "gpt2":
			base = "r50k_base"
		case "o200k_harmony":
			base = "o200k_base"
		}
		tk, err := oracle.GetEncoding(base)
		if err != nil {
			return nil, err
		}
		return &bpe{name, tk}, nil
	}
}

func (e *bpe) Name() string             { return e.name }
func (e *bpe) Count(text string) int    { return len(e.Encode(text)) }
func (e *bpe) Encode(text string) []int { return e.tk.EncodeOrdinary(text) }
func (e *bpe) Decode(ids []int) string  { return e.tk.Decode(ids) }

func (e *bpe) CountUntil(text string, limit int) int {
	return min(e.Count(text), max(limit, 0)+1)
}

func (e *bpe) Mark(text string, bits []uint64) {
	at := 0
	for _, id := range e.Encode(strings.ToValidUTF8(text, "?")) {
		if at < len(text) {
			bits[at/64] |= 1 << (at % 64)
		}
		at += len(e.tk.Decode([]int{id}))
	}
}
