package tokens

import "unicode/utf8"

// splitGPT2 splits as GPT-2 and the encodings r50k and p50k do:
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
func splitGPT2(s string, i int, ends []int) int {
	t := classes()
	for k := range ends {
		if i == len(s) {
			return k
		}
		if j := contraction(s, i, false); j > i {
			i = j
			ends[k] = i
			continue
		}
		start := i
		if s[i] == ' ' {
			start++
		}
		c, n := t.at(s, start)
		switch {
		case n == 0 || c&space != 0:
			i = t.blanks(s, i, false)
		case c&letter != 0:
			i = t.letters(s, start+n)
		case c&number != 0:
			i = t.digits(s, start+n, len(s))
		default:
			i = t.symbols(s, start+n)
		}
		ends[k] = i
	}
	return len(ends)
}

// splitGPT4 returns the splitter of cl100k_base, if maxDigits is 3, and of the
// models whose tokenizers differ from it in that number only:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func splitGPT4(maxDigits int) splitter {
	return func(s string, i int, ends []int) int {
		t := classes()
		for k := range ends {
			if i == len(s) {
				return k
			}
			i = t.endGPT4(s, i, maxDigits)
			ends[k] = i
		}
		return len(ends)
	}
}

func (t *classTable) endGPT4(s string, i, maxDigits int) int {
	c, n := t.at(s, i)
	switch {
	case c&letter != 0:
		return t.letters(s, i+n)
	case c&number != 0:
		return t.digits(s, i+n, maxDigits-1)
	case s[i] == '\'':
		if j := contraction(s, i, true); j > i {
			return j
		}
	}
	if c&newline == 0 { // c may lead a word
		d, m := t.at(s, i+n)
		if d&letter != 0 {
			return t.letters(s, i+n+m)
		}
		if s[i] == ' ' && m > 0 && d&(number|space) == 0 {
			i, n, c = i+n, m, d
		}
	}
	if c&space != 0 {
		return t.blanks(s, i, true)
	}
	i = t.symbols(s, i+n)
	for i < len(s) && (s[i] == '\r' || s[i] == '\n') {
		i++
	}
	return i
}

// splitO200k splits as o200k_base does, where T stands for
// [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}] and u for [\p{Ll}\p{Lm}\p{Lo}\p{M}]:
//
//	[^\r\n\p{L}\p{N}]?T*u+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?T+u*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func splitO200k(s string, i int, ends []int) int {
	t := classes()
	for k := range ends {
		if i == len(s) {
			return k
		}
		i = t.endO200k(s, i)
		ends[k] = i
	}
	return len(ends)
}

func (t *classTable) endO200k(s string, i int) int {
	c, n := t.at(s, i)
	if c&letter != 0 {
		return contractionEnd(s, t.camel(s, i))
	}
	if c&number != 0 {
		return t.digits(s, i+n, 2)
	}
	if c&newline == 0 { // c may lead a word
		d, m := t.at(s, i+n)
		if d&(upper|lower) != 0 {
			j := t.camel(s, i+n)
			// A mark may be the last letter of a word as well as lead one. It leads
			// only a word that has a lower-case letter.
			if c&lower == 0 || t.hasLower(s, i+n, j) {
				return contractionEnd(s, j)
			}
		}
		if c&lower != 0 {
			return contractionEnd(s, t.camel(s, i))
		}
		if s[i] == ' ' && m > 0 && d&(number|space) == 0 {
			i, n, c = i+n, m, d
		}
	}
	if c&space != 0 {
		return t.blanks(s, i, true)
	}
	i = t.symbols(s, i+n)
	for i < len(s) && (s[i] == '\r' || s[i] == '\n' || s[i] == '/') {
		i++
	}
	return i
}

func contractionEnd(s string, i int) int {
	if i < len(s) && s[i] == '\'' {
		return contraction(s, i, true)
	}
	return i
}

// camel returns the end of T*u+|T+u* at i, where a rune of T or u stands. T and u
// share the letters without case. So T* takes all it can, and if no u follows it
// gives back as far as the last rune that is also a u.
func (t *classTable) camel(s string, i int) int {
	shared := 0 // end of the last rune in T* that is also in u
	for i < len(s) {
		c, n := t.at(s, i)
		if c&upper == 0 {
			if c&lower != 0 {
				return t.lowers(s, i+n)
			}
			break
		}
		i += n
		if c&lower != 0 {
			shared = i
		}
	}
	if shared > 0 {
		return shared
	}
	return i
}

// lowers returns the end of the run of u at i.
func (t *classTable) lowers(s string, i int) int {
	for i < len(s) {
		if c := s[i]; c-'a' <= 'z'-'a' {
			i++
			continue
		} else if c < utf8.RuneSelf {
			break
		}
		c, n := t.wide(s, i)
		if c&lower == 0 {
			break
		}
		i += n
	}
	return i
}

// hasLower reports whether a rune of u is in s[i:end].
func (t *classTable) hasLower(s string, i, end int) bool {
	for i < end {
		c, n := t.at(s, i)
		if c&lower != 0 {
			return true
		}
		i += n
	}
	return false
}
