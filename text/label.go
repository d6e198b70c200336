package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A style is how a number is written: "第条", "article", "(a)", "1.1". Clauses of
// one rank have one style.
type style string

// A class orders styles: none stands within one of a later class.
type class uint8

const (
	outer   class = iota // parts of a document: 编, Part, Schedule, 附件
	chapter              // 章, Chapter
	section              // 节
	clause               // 条, Article, Section, Clause, §
	plain                // numbers and letters by themselves
)

// words are those that a numbered clause begins with, in lower case.
var words = map[string]class{
	"part": outer, "book": outer, "title": outer, "schedule": outer, "annex": outer, "appendix": outer, "exhibit": outer,
	"chapter": chapter, "article": clause, "section": clause, "sec.": clause, "clause": clause, "§": clause,
}

// units are the Chinese ones, which follow the number.
var units = map[rune]class{
	'编': outer, '編': outer, '篇': outer, '部': outer, '章': chapter, '节': section, '節': section, '条': clause, '條': clause,
	'款': plain, '项': plain, '項': plain,
}

// A reading is what a label may stand for.
type reading struct {
	style  style
	class  class
	prefix string // of a number of several parts, what goes before the last: "3.1."
	value  int
}

func (r reading) is(other reading) bool { return r.style == other.style && r.prefix == other.prefix }

// A label is the number that a line begins with.
type label struct {
	readings [2]reading // (i) is a letter or a Roman number; the second may be empty
	size     int        // bytes, with the mark behind the number
	word     bool       // it says what it is: "Article 5", 第五条
	named    bool       // it is a title, and has no number: 附则
	bare     bool       // nothing but a blank is behind the number
	again    bool       // it was put in behind the clause of the same number: 第五条之一
}

// maxParts bounds the parts of a number: 1.2.3 has three.
const maxParts = 6

// parseLabel reads the label that s begins with. The size is 0 for none.
func parseLabel(s string) label {
	r, n := utf8.DecodeRuneInString(s)
	var l label
	switch {
	case r == '第':
		l = ordinal(s)
	case r == '附':
		l = attachment(s)
	case r == '(' || r == '（':
		l = bracketed(s, n)
	case '①' <= r && r <= '⑳':
		l = label{readings: [2]reading{{style: "①", class: plain, value: int(r-'①') + 1}}, size: n}
	case '0' <= r && r <= '9' || '０' <= r && r <= '９':
		l = numbered(s)
	case r == '§' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z':
		if l = worded(s); l.size == 0 {
			l = lettered(s)
		}
	default:
		if value, size := hanNumber(s); size > 0 {
			if m, n := utf8.DecodeRuneInString(s[size:]); m == '、' || m == '．' {
				l = label{readings: [2]reading{{style: "一、", class: plain, value: value}}, size: size + n}
			}
		}
	}
	return l
}

// ordinal reads 第三条. What goes on as a reference does is none: 第三条规定.
func ordinal(s string) label {
	at := len("第")
	value, n := hanNumber(s[at:])
	if n == 0 {
		value, n = digits(strings.TrimLeft(s[at:], " "))
		n += len(s[at:]) - len(strings.TrimLeft(s[at:], " "))
	}
	if value == 0 {
		return label{}
	}
	at += n
	at += len(s[at:]) - len(strings.TrimLeft(s[at:], " "))
	unit, n := utf8.DecodeRuneInString(s[at:])
	class, ok := units[unit]
	if !ok || unit == '部' && !strings.HasPrefix(s[at:], "部分") {
		return label{}
	}
	if at += n; unit == '部' {
		at += len("分")
	}
	again := false
	if rest, ok := strings.CutPrefix(s[at:], "之"); ok {
		if _, n := hanNumber(rest); n > 0 {
			at, again = at+len("之")+n, true
		}
	}
	for _, after := range [...]string{"规定", "規定", "约定", "約定", "所", "的", "、", "，", ",", "和", "及", "或", "与", "與", "至", "第", "中", "之", "以", "要求", "款", "项", "项下"} {
		if strings.HasPrefix(s[at:], after) {
			return label{}
		}
	}
	return label{readings: [2]reading{{style: style("第" + string(unit)), class: class, value: value}}, size: at, word: true, again: again}
}

// attachment reads 附件一, 附录2, and 附则 on a line of its own.
func attachment(s string) label {
	switch line := strings.TrimRight(s, blanks+"*_"); line {
	case "附则", "附則", "附 则", "附　则", "附 則", "附　則":
		return label{readings: [2]reading{{style: "附则", class: outer, value: 1}}, size: len(line), word: true, named: true}
	}
	for _, w := range [...]string{"附件", "附录", "附錄", "附表"} {
		if rest, ok := strings.CutPrefix(s, w); ok {
			value, n := hanNumber(rest)
			if n == 0 {
				value, n = digits(rest)
			}
			if r, _ := utf8.DecodeRuneInString(rest[n:]); n > 0 && (n == len(rest) || isBlankRune(r) || r == '：' || r == ':' || r == '\n' || r == '\r') {
				return label{readings: [2]reading{{style: style(w), class: outer, value: value}}, size: len(w) + n, word: true}
			}
		}
	}
	return label{}
}

// bracketed reads (a), (iv), (3), （三）. open is the size of the bracket.
func bracketed(s string, open int) label {
	const longest = 12
	end, mark := -1, 0
	for i, r := range s[open:min(len(s), open+longest+3)] {
		if r == ')' || r == '）' {
			end, mark = open+i, utf8.RuneLen(r)
			break
		}
	}
	if end < 0 {
		return label{}
	}
	l := inner(strings.TrimSpace(s[open:end]), "(", ")")
	if l.readings[0].value > 0 {
		l.size = end + mark
	}
	return l
}

// inner reads a number all of which is in between marks.
func inner(s, before, after string) (l label) {
	if s == "" {
		return label{}
	}
	add := func(form string, value int) {
		if value > 0 {
			r := reading{style: style(before + form + after), class: plain, value: value}
			if l.readings[0].value == 0 {
				l.readings[0] = r
			} else {
				l.readings[1] = r
			}
		}
	}
	if value, n := digits(s); n == len(s) {
		add("1", value)
	} else if value, n := hanNumber(s); n == len(s) {
		add("一", value)
	} else if lower := strings.ToLower(s); lower == s {
		add("a", letters(s))
		add("i", roman(s))
	} else if strings.ToUpper(s) == s {
		add("A", letters(s))
		add("I", roman(lower))
	}
	return l
}

// numbered reads 3., 3、, 3), 3.1, 3.1.2 and 3 before a blank.
func numbered(s string) label {
	value, at := digits(s)
	if at == 0 || value == 0 {
		return label{}
	}
	start, parts := 0, 1
	for parts < maxParts && at+1 < len(s) && s[at] == '.' {
		next, n := digits(s[at+1:])
		if n == 0 {
			break
		}
		if next == 0 && n > 1 {
			return label{}
		}
		start, value = at+1, next
		at += 1 + n
		parts++
	}
	if parts > 1 {
		if value == 0 && parts > 2 || start > 24 {
			return label{}
		}
		l := label{readings: [2]reading{{style: style("1" + strings.Repeat(".1", parts-1)), class: plain, prefix: s[:start], value: value}}, size: at}
		switch mark, n := utf8.DecodeRuneInString(s[at:]); {
		case mark == '.' || mark == '．' || mark == '、' || mark == ')' || mark == '）' || mark == ':' || mark == '：':
			l.size += n
			if rest, _ := utf8.DecodeRuneInString(s[l.size:]); mark < utf8.RuneSelf && !endsWord(rest) {
				return label{}
			}
		case !endsWord(mark):
			return label{}
		}
		return l
	}
	at += escape(s[at:])
	mark, n := utf8.DecodeRuneInString(s[at:])
	after, _ := utf8.DecodeRuneInString(s[at+n:])
	l := label{size: at + n}
	switch {
	case mark == '、':
		l.readings[0].style = "1、"
	case (mark == '.' || mark == '．') && (endsWord(after) || unicode.IsUpper(after)):
		l.readings[0].style = "1."
	case (mark == ')' || mark == '）') && (endsWord(after) || unicode.IsLetter(after)):
		l.readings[0].style = "1)"
	case isBlankRune(mark) && unicode.IsUpper(afterBlanks(s[at:])):
		l.readings[0].style, l.size, l.bare = "1", at, true
	default:
		return label{}
	}
	l.readings[0].class, l.readings[0].value = plain, value
	return l
}

// escape returns the length of the backslash before a mark that Markdown would
// take for a list's.
func escape(s string) int {
	if len(s) > 1 && s[0] == '\\' && (s[1] == '.' || s[1] == ')') {
		return 1
	}
	return 0
}

// lettered reads a., B), iv.
func lettered(s string) label {
	size := 0
	for size < len(s) && size < 6 && isLetter(s[size]) {
		size++
	}
	at := size + escape(s[size:])
	if at == len(s) || s[at] != '.' && s[at] != ')' {
		return label{}
	}
	if after, _ := utf8.DecodeRuneInString(s[at+1:]); !isBlankRune(after) || at+1 == len(s) {
		return label{}
	}
	l := inner(s[:size], "", s[at:at+1])
	if l.readings[0].value > 0 {
		l.size = at + 1
	}
	return l
}

// worded reads "Article 5", "SECTION 3.2", "§ 7". What goes on as a reference
// does is none: "Article 3 applies", "Section 5(b)", "Clause 7, the".
func worded(s string) label {
	at := 0
	if strings.HasPrefix(s, "§") {
		at = len("§")
	} else {
		for at < len(s) && at < 10 && isLetter(s[at]) {
			at++
		}
		if strings.HasPrefix(s[at:], ".") && at == 3 {
			at++
		}
	}
	name := strings.ToLower(s[:at])
	class, ok := words[name]
	if !ok || s[0]|0x20 == s[0] && name != "§" { // "article 5" in lower case is a reference
		return label{}
	}
	if name == "sec." {
		name = "section"
	}
	blanks := len(s[at:]) - len(strings.TrimLeft(s[at:], " \t\u00a0\u3000"))
	if blanks == 0 && name != "§" {
		return label{}
	}
	at += blanks
	l := numberAfter(s[at:], style(name))
	if l.size == 0 {
		return label{}
	}
	l.size += at
	for i := range l.readings {
		l.readings[i].class = class
	}
	l.word = true
	switch mark, n := utf8.DecodeRuneInString(s[l.size:]); {
	case l.size == len(s) || mark == '\n' || mark == '\r' || mark == '*' || mark == '_':
	case mark == '.' || mark == ':' || mark == '：':
		l.size += n
	case isBlankRune(mark):
		next := afterBlanks(s[l.size:])
		if unicode.IsLower(next) || next == ',' || next == ';' {
			return label{}
		}
	case mark == '–' || mark == '—' || mark == '-':
	default:
		return label{}
	}
	return l
}

// numberAfter reads what follows a word: 5, 3.2, IV, A, Five.
func numberAfter(s string, name style) label {
	if value, at := digits(s); at > 0 && value > 0 {
		start, parts := 0, 1
		for parts < maxParts && at+1 < len(s) && s[at] == '.' {
			next, n := digits(s[at+1:])
			if n == 0 {
				break
			}
			start, value, parts = at+1, next, parts+1
			at += 1 + n
		}
		return label{readings: [2]reading{{style: name + style(strings.Repeat(".1", parts-1)), prefix: s[:start], value: value}}, size: at}
	}
	size := 0
	for size < len(s) && size < 10 && isLetter(s[size]) {
		size++
	}
	if size == 0 {
		return label{}
	}
	lower := strings.ToLower(s[:size])
	l := label{size: size}
	if value := word(lower); value > 0 {
		l.readings[0] = reading{style: name, value: value}
		return l
	}
	if strings.ToUpper(s[:size]) != s[:size] {
		return label{}
	}
	at := 0
	if value := roman(lower); value > 0 {
		l.readings[at] = reading{style: name, value: value}
		at++
	}
	if value := letters(s[:size]); value > 0 {
		l.readings[at] = reading{style: name + " A", value: value}
		at++
	}
	if at == 0 {
		return label{}
	}
	return l
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isBlankRune(r rune) bool { return r == ' ' || r == '\t' || r == '\u00a0' || r == '\u3000' }

// endsWord reports whether r may follow a number and its mark.
func endsWord(r rune) bool {
	return r == utf8.RuneError || isBlankRune(r) || r == '\n' || r == '\r' || r == '*' || r == '_' || r == '【' || r == '《' || r == '“' || unicode.Is(unicode.Han, r)
}

// afterBlanks returns the first rune of s that is no blank of a line.
func afterBlanks(s string) rune {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " \t\u00a0\u3000*_\"“"))
	return r
}
