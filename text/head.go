package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A head is the beginning of a clause: its number, and its title where it has
// one.
type head struct {
	start, end int    // offsets in the text; the blanks behind belong to it
	name       string // number and title, without marks
	titled     bool
	line       bool // it takes its line, or lines
}

const (
	maxTitle   = 120 // bytes of a title
	maxWrapped = 60  // bytes of a Chinese title that stands on a line with others below
)

// headOf returns the head of the clause whose label begins at offset at of
// text, behind marks of emphasis.
func headOf(text string, start, at int, l label) head {
	marks := text[start:at]
	marks = marks[len(marks)-len(strings.TrimLeft(marks, blanks)):]
	h := head{start: start, end: at + l.size}
	line := lineOf(text, at)
	rest := text[h.end : at+len(line)]
	var title string
	switch closing := emphasis(rest, marks); {
	case closing >= 0 && closing <= maxTitle: // **3.1 Payment.** The buyer
		title = rest[:closing]
		h.end += closing + len(marks)
		h.line = strings.TrimRight(rest[closing+len(marks):], blanks+"*_:：.") == ""
	case strings.Trim(rest, blanks+"*_") == "":
		h.line = true
		h.end = at + len(line)
		if !l.named {
			title = titleBelow(text[h.end:], &h)
		}
	default:
		size := titleSize(rest, text[at+len(line):], l)
		title = rest[:size]
		h.end += size
		h.line = size > 0 && strings.TrimRight(rest[size:], blanks) == ""
	}
	if h.line {
		h.end = max(h.end, at+len(line))
	}
	h.end += len(text[h.end:]) - len(strings.TrimLeft(text[h.end:], blanks))
	if h.line {
		h.end += lineBreak(text[h.end:])
	}
	title = strings.Trim(title, blanks+"*_:：.–—-\r\n")
	h.titled = title != "" || l.named
	h.name = name(text[at:at+l.size], title)
	return h
}

// blanks are those within a line.
const blanks = " \t\u00a0\u3000"

// name joins a number and a title as they would be in a table of contents.
func name(number, title string) string {
	number = strings.ReplaceAll(number, `\`, "")
	title = strings.Join(strings.Fields(title), " ")
	if title == "" {
		number = strings.TrimRight(number, ".:：、．")
	} else if !strings.HasSuffix(number, "、") && !strings.HasSuffix(number, "）") && !strings.HasPrefix(title, "【") {
		title = " " + title
	}
	return strings.ToValidUTF8(strings.Join(strings.Fields(number), " ")+title, "")
}

// emphasis returns the offset in rest of the marks that close those that are
// open, -1 for none.
func emphasis(rest, open string) int {
	if open == "" || strings.Trim(open, "*_") != "" {
		return -1
	}
	return strings.Index(rest, open)
}

// titleBelow returns the title on the line below a number that has a line for
// itself, and extends h over it: "ARTICLE V" above "PAYMENT".
func titleBelow(text string, h *head) string {
	size := lineBreak(text)
	line := lineOf(text, size)
	words := strings.Trim(line, blanks+"*_")
	if size == 0 || words == "" || len(words) > maxTitle || parseLabel(words).size > 0 || !isTitle(words) {
		return ""
	}
	if r, _ := utf8.DecodeRuneInString(words); unicode.Is(unicode.Han, r) && len(words) > maxWrapped {
		return ""
	}
	h.end += size + len(line)
	return words
}

// titleSize returns the length of the title that rest, the remainder of a
// line, begins with: all of it, or what a full stop, a colon or brackets set
// apart from the text. after is what follows the line.
func titleSize(rest, after string, l label) int {
	words := strings.TrimLeft(rest, blanks)
	if l.word { // "Schedule 1 - Prices"
		words = strings.TrimLeft(words, blanks+"–—-")
	}
	lead := len(rest) - len(words)
	for _, m := range [...]struct{ open, close string }{{"【", "】"}, {"［", "］"}, {"[", "]"}} {
		if strings.HasPrefix(words, m.open) {
			if i := strings.Index(words, m.close); i > 0 && i < maxTitle {
				return lead + i + len(m.close)
			}
		}
	}
	words = strings.TrimRight(words, blanks)
	if words == "" {
		return 0
	}
	alone := isAlone(after)
	if len(words) <= maxTitle && isTitle(words) && (alone || isCapitalised(words) || hasHan(words) && len(words) <= maxWrapped) {
		return lead + len(words)
	}
	if i := runIn(words); i > 0 {
		return lead + i
	}
	return 0
}

// isAlone reports whether nothing of the same paragraph follows a line, or a
// line with a label.
func isAlone(after string) bool {
	next := strings.TrimLeft(lineOf(after, lineBreak(after)), blanks+"*_")
	return next == "" || parseLabel(next).size > 0
}

// isTitle reports whether a line reads as a title does and not as a sentence.
func isTitle(words string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(words, "*_"))
	if strings.ContainsRune(".;,。；，、!！", last) && !isCapitalised(words) {
		return false
	}
	if strings.ContainsRune(";,；，、", last) || strings.ContainsAny(words, "。；，") {
		return false
	}
	if (last == ':' || last == '：') && !isCapitalised(words) && !hasHan(words) {
		return false // "The buyer shall:"
	}
	if hasHan(words) {
		return !hasHanVerb(words)
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(words, "*_\"“(["))
	return unicode.IsUpper(first) && !strings.Contains(words, ". ") && !hasVerb(words)
}

// hasVerb reports whether words hold one of those that make a sentence of a
// rule.
func hasVerb(words string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(words)) {
		switch w {
		case "shall", "will", "must", "may", "is", "are", "has", "have", "agrees", "means", "agree":
			return true
		}
	}
	return false
}

// hasHanVerb is hasVerb for Chinese.
func hasHanVerb(words string) bool {
	for _, w := range [...]string{"应当", "應當", "不得", "必须", "必須", "可以", "包括", "如下", "下列", "以下", "是指"} {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}

// isCapitalised reports whether every long word begins in upper case.
func isCapitalised(words string) bool {
	count := 0
	for w := range strings.FieldsSeq(words) {
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(w, "*_\"“('’"))
		switch {
		case unicode.IsUpper(r):
			count++
		case len(w) > 4 && unicode.IsLetter(r), count == 0:
			return false
		}
	}
	return count > 0 && !hasHan(words)
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// runIn returns the length of a title that runs into its text: "Payment Terms. The",
// "付款方式：甲方". It is 0 where there is none.
func runIn(words string) int {
	const longest, longestHan = 70, 36 // bytes
	head := words[:min(len(words), longest+4)]
	if i := strings.Index(head, "："); 0 < i && i <= longestHan && !strings.ContainsAny(head[:i], "，。；、") && hasHan(head[:i]) && !hasHanVerb(head[:i]) {
		return i + len("：")
	}
	for i := 0; i+1 < len(head); i++ {
		switch c := head[i]; {
		case c == ',' || c == ';':
			return 0
		case c != '.' && c != ':':
		case head[i+1] != ' ' && head[i+1] != '\t':
			return 0
		case len(strings.Fields(head[:i])) > 8 || !isCapitalised(head[:i]) || hasVerb(head[:i]):
			return 0
		default:
			if r := afterBlanks(words[i+1:]); unicode.IsUpper(r) || r == '(' || r == '[' {
				return i + 1
			}
			return 0
		}
	}
	return 0
}

// lineOf returns the line of text that begins at offset at, without its end.
func lineOf(text string, at int) string {
	end := at
	for end < len(text) && text[end] != '\n' && text[end] != '\r' {
		end++
	}
	return text[at:end]
}

// lineBreak returns the length of the line end that s begins with.
func lineBreak(s string) int {
	switch {
	case strings.HasPrefix(s, "\r\n"):
		return 2
	case strings.HasPrefix(s, "\n"), strings.HasPrefix(s, "\r"):
		return 1
	}
	return 0
}
