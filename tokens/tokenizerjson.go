package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// openFile reads a Hugging Face tokenizer.json. An error names the part of it
// that is not understood: no count is better than a wrong one.
//
// Truncation and padding are left aside, as they are no business of a count. The
// tokens that the post-processor puts around a text are told by Frame. Added
// tokens in the text, special ones too, are found as the tokenizers library
// finds them.
func openFile(path string) (Encoding, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, err := parseTokenizer(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p.name = path
	return p, nil
}

// part is a normaliser, pre-tokenizer, post-processor or model, whose type says
// what else is in it.
type part struct {
	kind string
	data json.RawMessage
}

func (p *part) UnmarshalJSON(data []byte) error {
	var head struct {
		Type string `json:"type"`
	}
	if string(data) == "null" {
		return nil
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	p.kind, p.data = head.Type, append(json.RawMessage(nil), data...)
	return nil
}

// read fills v with what is in p.
func (p part) read(v any) error {
	if err := json.Unmarshal(p.data, v); err != nil {
		return fmt.Errorf("%s: %w", p.kind, err)
	}
	return nil
}

func (p part) unknown(what string) error {
	return fmt.Errorf("%s %q is not supported", what, p.kind)
}

func parseTokenizer(data []byte) (*pipeline, error) {
	var file struct {
		AddedTokens   []addedToken `json:"added_tokens"`
		Normalizer    part         `json:"normalizer"`
		PreTokenizer  part         `json:"pre_tokenizer"`
		PostProcessor part         `json:"post_processor"`
		Model         part         `json:"model"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("not a tokenizer.json: %w", err)
	}
	if file.Model.data == nil {
		return nil, errors.New("not a tokenizer.json: it has no model")
	}
	p := new(pipeline)
	var err error
	if p.normalise, err = parseNormaliser(file.Normalizer); err != nil {
		return nil, err
	}
	var pre preTokenizer
	if pre, err = parsePreTokenizer(file.PreTokenizer); err != nil {
		return nil, err
	}
	p.split = pre.split
	if p.frame, err = parsePostProcessor(file.PostProcessor); err != nil {
		return nil, err
	}
	if p.model, err = parseModel(file.Model, pre.bytes); err != nil {
		return nil, err
	}
	if m, ok := p.model.(*merges); ok && m.joins != nil {
		p.split = p.split.then(beforeSpaces(m.joins))
	}
	p.added, p.addedNorm = parseAdded(file.AddedTokens, p.normalise)
	return p, nil
}

// parseAdded returns the added tokens that are looked for in the text as it is,
// and those that are in the normalised text, normalised themselves.
func parseAdded(tokens []addedToken, normalise []normaliser) (raw, normal *addedTokens) {
	var a, b []addedToken
	for _, t := range tokens {
		if !t.Normalized {
			a = append(a, t)
			continue
		}
		var text aligned
		text.load(t.Content)
		for _, n := range normalise {
			var out aligned
			n(text, &out)
			text = out
		}
		t.Content = string(text.text)
		b = append(b, t)
	}
	return newAddedTokens(a), newAddedTokens(b)
}

// parsePostProcessor returns the number of tokens put around one text.
func parsePostProcessor(p part) (int, error) {
	switch p.kind {
	case "", "ByteLevel":
		return 0, nil
	case "BertProcessing", "RobertaProcessing":
		return 2, nil
	case "Sequence":
		var v struct {
			Processors []part `json:"processors"`
		}
		if err := p.read(&v); err != nil {
			return 0, err
		}
		sum := 0
		for _, q := range v.Processors {
			n, err := parsePostProcessor(q)
			if err != nil {
				return 0, err
			}
			sum += n
		}
		return sum, nil
	case "TemplateProcessing":
		var v struct {
			Single []struct {
				SpecialToken *struct {
					ID string `json:"id"`
				}
			} `json:"single"`
			SpecialTokens map[string]struct {
				IDs []uint32 `json:"ids"`
			} `json:"special_tokens"`
		}
		if err := p.read(&v); err != nil {
			return 0, err
		}
		sum := 0
		for _, piece := range v.Single {
			if piece.SpecialToken != nil {
				sum += len(v.SpecialTokens[piece.SpecialToken.ID].IDs)
			}
		}
		return sum, nil
	}
	return 0, p.unknown("post_processor")
}
