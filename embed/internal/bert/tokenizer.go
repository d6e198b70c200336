package bert

import (
	"fmt"
	"path/filepath"

	"github.com/cantle/cantle/tokens"
)

// A tokenizer gives the numbers of a text's tokens, with those that the model
// was trained to see around every text, such as [CLS] and [SEP].
type tokenizer struct {
	path          string
	encoder       tokens.Encoder
	before, after []int
}

func readTokenizer(folder string) (*tokenizer, error) {
	path := filepath.Join(folder, "tokenizer.json")
	encoding, err := tokens.Get(path)
	if err != nil {
		return nil, err
	}
	encoder, ok := encoding.(tokens.Encoder)
	if !ok {
		return nil, fmt.Errorf("%s: its tokens have no numbers", path)
	}
	t := &tokenizer{path: path, encoder: encoder}
	var file struct {
		Frame frame `json:"post_processor"`
	}
	if err := readJSON(path, &file); err != nil {
		return nil, err
	}
	if t.before, t.after, err = file.Frame.around(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// encode returns at most limit tokens: later ones are left out, but not those
// that go around the text.
func (t *tokenizer) encode(text string, limit int) []int {
	ids := t.encoder.Encode(text)
	ids = ids[:min(len(ids), limit-len(t.before)-len(t.after))]
	all := make([]int, 0, len(t.before)+len(ids)+len(t.after))
	return append(append(append(all, t.before...), ids...), t.after...)
}

// A frame is the post_processor of a tokenizer.json, in the forms that models of
// BERT's kind have it.
type frame struct {
	Type string `json:"type"`

	// BertProcessing and RobertaProcessing: a token and its number.
	CLS, SEP [2]any

	// TemplateProcessing: what comes in which order.
	Single []struct {
		Sequence     *struct{}
		SpecialToken *struct{ ID string }
	} `json:"single"`
	SpecialTokens map[string]struct{ IDs []int } `json:"special_tokens"`
}

// around returns the tokens before and after a text.
func (f *frame) around() (before, after []int, err error) {
	switch f.Type {
	case "BertProcessing", "RobertaProcessing":
		cls, ok := f.CLS[1].(float64)
		sep, also := f.SEP[1].(float64)
		if !ok || !also {
			return nil, nil, fmt.Errorf("post_processor %s without the numbers of cls and sep", f.Type)
		}
		return []int{int(cls)}, []int{int(sep)}, nil
	case "TemplateProcessing":
		at := &before
		for _, piece := range f.Single {
			switch {
			case piece.Sequence != nil:
				at = &after
			case piece.SpecialToken != nil:
				special, ok := f.SpecialTokens[piece.SpecialToken.ID]
				if !ok {
					return nil, nil, fmt.Errorf("post_processor names %q, which is not among its special tokens", piece.SpecialToken.ID)
				}
				*at = append(*at, special.IDs...)
			}
		}
		return before, after, nil
	}
	return nil, nil, fmt.Errorf("post_processor is of type %q, want TemplateProcessing, BertProcessing or RobertaProcessing", f.Type)
}
