package tables

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A value says what the text of a cell is, as far as the layout of a table
// depends on it.
type value uint8

const (
	blank  value = iota
	prose        // words, dates, anything else
	year         // a bare year: a label of a column as often as a number
	amount       // a number with what belongs to it: "$ (1,234)", "12.5 %"
	dash         // a sign in place of a number: "—", "n/a"
	prefix       // belongs to the number after it: "$", "("
	suffix       // belongs to the number before it: ")", "%"
)

// isNumber reports whether the cell holds a number or stands for one.
func (v value) isNumber() bool { return v == amount || v == dash || v == year }

var signs = map[string]value{
	"-": dash, "–": dash, "—": dash, "−": dash, "--": dash, "---": dash, "*": dash, "**": dash,
	"n/a": dash, "N/A": dash, "NA": dash, "n.a.": dash, "N/M": dash, "n/m": dash, "NM": dash, "nm": dash, "—%": dash, "$—": dash, "-%": dash, "–%": dash,
	"$": prefix, "€": prefix, "£": prefix, "¥": prefix, "(": prefix, "$(": prefix, "($": prefix, "US$": prefix, "-$": prefix, "(€": prefix, "€(": prefix,
	")": suffix, "%": suffix, ")%": suffix, "%)": suffix, "pts": suffix, "pts.": suffix, "pt": suffix, "pp": suffix, "bps": suffix, ")pts": suffix, "x": suffix,
	") %": suffix, "% )": suffix, ") pts": suffix, "]": suffix, "million": suffix, "billion": suffix, "ppt": suffix, "ppts": suffix,
}

// classify returns what text, without blanks at its ends, is.
func classify(text string) value {
	if text == "" {
		return blank
	}
	if len(text) <= len("billion") {
		if v, ok := signs[text]; ok {
			return v
		}
	}
	if len(text) > 40 {
		return prose
	}
	rest, opened := text, false
	for rest != "" {
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case r == '(':
			opened = true
		case strings.ContainsRune("$€£¥+-−–<>~≈ ", r):
		case strings.HasPrefix(rest, "US$"):
			size = len("US$")
		default:
			size = 0
		}
		if size == 0 {
			break
		}
		rest = rest[size:]
	}
	digits, end := 0, 0
	for ; end < len(rest) && (isDigit(rest[end]) || rest[end] == ',' || rest[end] == '.'); end++ {
		if isDigit(rest[end]) {
			digits++
		}
	}
	number := rest[:end]
	if digits == 0 || number[0] == ',' {
		return prose
	}
	if isYear(number) && (number == text || isMark(strings.TrimLeft(text[len(number):], " ^")) && strings.HasPrefix(text, number)) {
		return year
	}
	return tailOf(rest[end:], opened)
}

// tailOf returns amount where rest is what may follow the digits of a number.
func tailOf(rest string, opened bool) value {
	rest = strings.TrimLeft(rest, " ")
	if opened || strings.HasPrefix(rest, ")") {
		rest = strings.TrimLeft(strings.TrimPrefix(rest, ")"), " ")
	}
	if i := strings.IndexByte(rest, '^'); i >= 0 { // a raised mark of a note
		rest = rest[:i]
	}
	if i := strings.IndexByte(rest, '('); i >= 0 && len(rest)-i <= 5 { // a mark of a note: "(1)"
		rest = strings.TrimRight(rest[:i], " ")
	}
	switch rest {
	case "", ")", "%", "%)", "x", "*", "pts", "pts)", "pt", "pp", "bps", "M", "B", "K", "million", "billion", "¢", "†", "‡":
		return amount
	}
	return prose
}

func isYear(s string) bool {
	return len(s) == 4 && (s[0] == '1' && s[1] == '9' || s[0] == '2' && s[1] == '0') &&
		isDigit(s[2]) && isDigit(s[3])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// namesPeriod reports whether text holds a year, as labels of columns do.
func namesPeriod(text string) bool {
	for i := 0; i+4 <= len(text); i++ {
		if isYear(text[i:i+4]) && (i == 0 || !isDigit(text[i-1]) && text[i-1] != ',' && text[i-1] != '.') &&
			(i+4 == len(text) || !isDigit(text[i+4]) && text[i+4] != ',') {
			return true
		}
	}
	return false
}

// isCapitals reports whether text has letters and none in lower case.
func isCapitals(text string) bool {
	letters := false
	for _, r := range text {
		if unicode.IsLower(r) {
			return false
		}
		letters = letters || unicode.IsUpper(r)
	}
	return letters
}

// IsNote reports whether text begins with the mark of a note: "(1)", "*",
// "1 ", "Note:".
func IsNote(text string) bool {
	switch {
	case strings.HasPrefix(text, "*"), strings.HasPrefix(text, "†"), strings.HasPrefix(text, "‡"),
		strings.HasPrefix(text, "Note:"), strings.HasPrefix(text, "NOTE:"), strings.HasPrefix(text, "Notes:"),
		strings.HasPrefix(text, "注"), strings.HasPrefix(text, "Source:"):
		return true
	case strings.HasPrefix(text, "("):
		i := strings.IndexByte(text, ')')
		return 2 <= i && i <= 4 && len(text) > i+1
	}
	i := 0
	for i < len(text) && i < 3 && isDigit(text[i]) {
		i++
	}
	return i > 0 && i < 3 && i+2 < len(text) && (text[i] == ' ' || text[i] == '.') && len(text) > 20
}

// isMark reports whether text is the mark of a note alone: "(1)", "(a)", "*".
func isMark(text string) bool {
	body := strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	if body == "" || len(body) > 4 {
		return false
	}
	if body == text {
		return strings.Trim(text, "*†‡0123456789,") == "" && len(text) <= 3
	}
	return len(body) <= 2 && isAlphanumeric(body[0]) && isAlphanumeric(body[len(body)-1])
}

func isAlphanumeric(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// isTotal reports whether text is the label of a row of totals.
func isTotal(text string) bool {
	const total = "total"
	return len(text) >= len(total) && strings.EqualFold(text[:len(total)], total) ||
		strings.HasPrefix(text, "合计") || strings.HasPrefix(text, "总计") || strings.HasPrefix(text, "小计")
}

// Unit returns what text says of the unit of a table: "(in millions, except
// per share)", "" where it says nothing.
func Unit(text string) string {
	for start := strings.IndexAny(text, "(（"); start >= 0; {
		rest := text[start:]
		end := strings.IndexAny(rest, ")）")
		if end < 0 {
			return ""
		}
		_, size := utf8.DecodeRuneInString(rest[end:])
		if unit := rest[:end+size]; IsUnit(unit) {
			return unit
		}
		next := strings.IndexAny(rest[1:], "(（")
		if next < 0 {
			return ""
		}
		start += 1 + next
	}
	return ""
}

// IsUnit reports whether text states the unit or the period of a table: "(in
// millions, except per share)", "Dollars in thousands", "单位：万元".
func IsUnit(text string) bool {
	if len(text) > 200 {
		return false
	}
	text = strings.ToLower(text)
	if strings.HasPrefix(text, "单位") || strings.HasPrefix(text, "(单位") || strings.HasPrefix(text, "（单位") {
		return true
	}
	if !strings.Contains(text, "illion") && !strings.Contains(text, "thousand") && !strings.Contains(text, "percent") &&
		!strings.Contains(text, "unaudited") && !strings.Contains(text, "dollars") && !strings.Contains(text, "per share") {
		return false
	}
	return strings.HasPrefix(text, "(") || strings.HasPrefix(text, "in ") || strings.HasPrefix(text, "dollars in") ||
		strings.HasPrefix(text, "amounts in") || strings.HasPrefix(text, "unaudited") || strings.HasPrefix(text, "$ in") ||
		strings.HasPrefix(text, "us$ in") || strings.HasPrefix(text, "u.s. dollars in") || strings.HasPrefix(text, "shares in")
}
