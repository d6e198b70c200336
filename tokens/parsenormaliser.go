package tokens

import (
	"fmt"

	"golang.org/x/text/unicode/norm"
)

// A pattern is a string or a regular expression; one of them is set.
type pattern struct {
	String *string
	Regex  *string
}

func parseNormaliser(p part) ([]normaliser, error) {
	switch p.kind {
	case "":
		return nil, nil
	case "Sequence":
		var v struct {
			Normalizers []part `json:"normalizers"`
		}
		if err := p.read(&v); err != nil {
			return nil, err
		}
		var all []normaliser
		for _, q := range v.Normalizers {
			n, err := parseNormaliser(q)
			if err != nil {
				return nil, err
			}
			all = append(all, n...)
		}
		return all, nil
	case "BertNormalizer":
		v := struct {
			CleanText  bool  `json:"clean_text"`
			HanApart   bool  `json:"handle_chinese_chars"`
			StripMarks *bool `json:"strip_accents"`
			Lowercase  bool  `json:"lowercase"`
		}{CleanText: true, HanApart: true, Lowercase: true}
		if err := p.read(&v); err != nil {
			return nil, err
		}
		var all []normaliser
		if v.CleanText || v.HanApart {
			all = append(all, bertClean(v.CleanText, v.HanApart))
		}
		if v.StripMarks == nil && v.Lowercase || v.StripMarks != nil && *v.StripMarks {
			all = append(all, unicodeForm(norm.NFD), without(isNonspacingMark))
		}
		if v.Lowercase {
			all = append(all, lowercase)
		}
		return all, nil
	case "NFC":
		return []normaliser{unicodeForm(norm.NFC)}, nil
	case "NFD":
		return []normaliser{unicodeForm(norm.NFD)}, nil
	case "NFKC":
		return []normaliser{unicodeForm(norm.NFKC)}, nil
	case "NFKD":
		return []normaliser{unicodeForm(norm.NFKD)}, nil
	case "Lowercase":
		return []normaliser{lowercase}, nil
	case "StripAccents":
		return []normaliser{without(isMark)}, nil
	case "Nmt":
		return []normaliser{nmt}, nil
	case "Strip":
		var v struct {
			Left  bool `json:"strip_left"`
			Right bool `json:"strip_right"`
		}
		err := p.read(&v)
		return []normaliser{strip(v.Left, v.Right)}, err
	case "Prepend":
		var v struct {
			Prepend string `json:"prepend"`
		}
		err := p.read(&v)
		return []normaliser{prepend(v.Prepend)}, err
	case "Replace":
		var v struct {
			Pattern pattern `json:"pattern"`
			Content string  `json:"content"`
		}
		if err := p.read(&v); err != nil {
			return nil, err
		}
		switch {
		case v.Pattern.String != nil && *v.Pattern.String != "":
			return []normaliser{replace(*v.Pattern.String, v.Content)}, nil
		case v.Pattern.Regex != nil && *v.Pattern.Regex == " {2,}":
			return []normaliser{replaceSpaces(v.Content)}, nil
		case v.Pattern.Regex != nil:
			return nil, fmt.Errorf("normalizer %q: pattern %q is not supported", p.kind, *v.Pattern.Regex)
		}
		return nil, fmt.Errorf("normalizer %q has no pattern", p.kind)
	case "Precompiled":
		var v struct {
			Map []byte `json:"precompiled_charsmap"`
		}
		if err := p.read(&v); err != nil {
			return nil, err
		}
		if len(v.Map) == 0 {
			return nil, nil
		}
		m, err := newCharsMap(v.Map)
		if err != nil {
			return nil, fmt.Errorf("normalizer %q: %w", p.kind, err)
		}
		return []normaliser{m.normalise}, nil
	}
	return nil, p.unknown("normalizer")
}
