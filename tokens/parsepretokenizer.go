package tokens

import (
	"errors"
	"fmt"
	"unicode"
)

// spaceMark is what SentencePiece writes for a space.
const spaceMark = "▁"

// A preTokenizer is a pretokenizer with what else is to be known of it.
type preTokenizer struct {
	split    pretokenizer
	bytes    bool // the model's symbols stand for bytes
	rewrites int  // how many stages write to the worker's one buffer for that
}

// splitPatterns are the regular expressions that tokenizers split by, each with
// the splitter that does the same.
var splitPatterns = map[string]splitter{
	`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`: splitGPT2,

	`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`: splitGPT4(3),
	`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`:      splitGPT4(1),

	`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`: splitO200k,
}

func parsePreTokenizer(p part) (preTokenizer, error) {
	pre, err := parsePreTokenizerPart(p)
	if err == nil && pre.rewrites > 1 {
		err = errors.New("pre_tokenizer: more than one part that adds spaces is not supported")
	}
	return pre, err
}

func parsePreTokenizerPart(p part) (preTokenizer, error) {
	switch p.kind {
	case "":
		return preTokenizer{split: identity}, nil
	case "Sequence":
		var v struct {
			PreTokenizers []part `json:"pretokenizers"`
		}
		if err := p.read(&v); err != nil {
			return preTokenizer{}, err
		}
		all := preTokenizer{split: identity}
		for i, q := range v.PreTokenizers {
			next, err := parsePreTokenizerPart(q)
			if err != nil {
				return preTokenizer{}, err
			}
			if all.bytes { // text is no text any more after it
				return preTokenizer{}, fmt.Errorf("pre_tokenizer %q after %q is not supported", q.kind, v.PreTokenizers[i-1].kind)
			}
			all.split = all.split.then(next.split)
			all.bytes = next.bytes
			all.rewrites += next.rewrites
		}
		return all, nil
	case "BertPreTokenizer":
		return preTokenizer{split: bertWords}, nil
	case "Whitespace":
		return preTokenizer{split: wordsAndSymbols}, nil
	case "WhitespaceSplit":
		return preTokenizer{split: separate(runeSeparator(unicode.IsSpace), removed)}, nil
	case "Punctuation":
		v := struct {
			Behavior behaviour `json:"behavior"`
		}{isolated}
		if err := p.read(&v); err != nil {
			return preTokenizer{}, err
		}
		return separated(p, runeSeparator(isPunctuation), v.Behavior)
	case "Digits":
		var v struct {
			Individual bool `json:"individual_digits"`
		}
		if err := p.read(&v); err != nil {
			return preTokenizer{}, err
		}
		b := contiguous
		if v.Individual {
			b = isolated
		}
		return separated(p, runeSeparator(isNumber), b)
	case "Split":
		return parseSplit(p)
	case "ByteLevel":
		v := struct {
			AddPrefixSpace bool `json:"add_prefix_space"`
			UseRegex       bool `json:"use_regex"`
		}{AddPrefixSpace: true, UseRegex: true}
		if err := p.read(&v); err != nil {
			return preTokenizer{}, err
		}
		pre := preTokenizer{split: identity, bytes: true}
		if v.AddPrefixSpace {
			pre.split, pre.rewrites = spacePrefix, 1
		}
		if v.UseRegex {
			pre.split = pre.split.then(splitBy(splitGPT2))
		}
		return pre, nil
	case "Metaspace":
		v := struct {
			Replacement    string `json:"replacement"`
			PrependScheme  string `json:"prepend_scheme"`
			AddPrefixSpace *bool  `json:"add_prefix_space"`
			Split          *bool  `json:"split"`
		}{Replacement: spaceMark, PrependScheme: "always"}
		if err := p.read(&v); err != nil {
			return preTokenizer{}, err
		}
		if v.AddPrefixSpace != nil && !*v.AddPrefixSpace {
			v.PrependScheme = "never"
		}
		switch v.PrependScheme {
		case "always", "first", "never":
		default:
			return preTokenizer{}, fmt.Errorf("pre_tokenizer %q: prepend_scheme %q is not supported", p.kind, v.PrependScheme)
		}
		return preTokenizer{split: metaspace(v.Replacement, v.PrependScheme, v.Split == nil || *v.Split), rewrites: 1}, nil
	}
	return preTokenizer{}, p.unknown("pre_tokenizer")
}

func separated(p part, size func(string) int, b behaviour) (preTokenizer, error) {
	switch b {
	case removed, isolated, contiguous, mergedWithPrevious, mergedWithNext:
		return preTokenizer{split: separate(size, b)}, nil
	}
	return preTokenizer{}, fmt.Errorf("pre_tokenizer %q: behavior %q is not supported", p.kind, b)
}

func parseSplit(p part) (preTokenizer, error) {
	var v struct {
		Pattern  pattern   `json:"pattern"`
		Behavior behaviour `json:"behavior"`
		Invert   bool      `json:"invert"`
	}
	if err := p.read(&v); err != nil {
		return preTokenizer{}, err
	}
	switch {
	case v.Pattern.String != nil && *v.Pattern.String != "" && !v.Invert:
		return separated(p, stringSeparator(*v.Pattern.String), v.Behavior)
	case v.Pattern.Regex == nil:
		return preTokenizer{}, fmt.Errorf("pre_tokenizer %q: pattern %s is not supported", p.kind, p.data)
	}
	split := splitPatterns[*v.Pattern.Regex]
	// All of these patterns match every rune, so that there is nothing between the
	// matches, which makes these two the same.
	if split == nil || !(v.Behavior == isolated || v.Behavior == removed && v.Invert) {
		return preTokenizer{}, fmt.Errorf("pre_tokenizer %q: pattern %q with behavior %q is not supported", p.kind, *v.Pattern.Regex, v.Behavior)
	}
	return preTokenizer{split: splitBy(split)}, nil
}
