package store

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseFilter reads a filter:
//
//	category = "after_sales" and section_path ^= "Chapter 3"
//	type in ("code", "table") and not tokens < 50
//	is_reviewed = true or (version >= 2 and author exists)
//
// A field is one of [Fields] or a key of meta, where a dot steps into an
// object; meta.KEY is always a key of meta. The comparisons are = != < <= > >=,
// ^= begins, $= ends, *= contains, in (one of), exists. A value is a string in
// double or single quotes (\" and \\ are understood), a number, true or false.
// "not" binds closest, then "and", then "or". See [Compare] for what it means.
func ParseFilter(text string) (Filter, error) {
	p := &filterParser{text: text}
	f := p.or(0)
	if p.err == nil && p.peek() != "" {
		p.fail("%s is not expected", p.next())
	}
	if p.err != nil {
		return nil, p.err
	}
	return f, nil
}

// A FilterError says where a filter cannot be read.
type FilterError struct {
	Filter string
	Offset int // bytes
	Reason string
}

func (e *FilterError) Error() string {
	return fmt.Sprintf("filter %s: at %d: %s", e.Filter, e.Offset+1, e.Reason)
}

// maxNesting bounds the recursion of a filter.
const maxNesting = 100

type filterParser struct {
	text  string
	at    int // of the next token, blanks before it included
	start int // of the last token
	err   error
}

func (p *filterParser) fail(format string, args ...any) Filter {
	if p.err == nil {
		p.err = &FilterError{p.text, p.start, fmt.Sprintf(format, args...)}
	}
	return nil
}

func (p *filterParser) or(depth int) Filter  { return p.list(depth, "or", p.and) }
func (p *filterParser) and(depth int) Filter { return p.list(depth, "and", p.not) }

// list reads what word joins.
func (p *filterParser) list(depth int, word string, item func(int) Filter) Filter {
	all := []Filter{item(depth)}
	for p.err == nil && strings.EqualFold(p.peek(), word) {
		p.next()
		all = append(all, item(depth))
	}
	switch {
	case len(all) == 1:
		return all[0]
	case word == "or":
		return Or(all)
	}
	return And(all)
}

func (p *filterParser) not(depth int) Filter {
	token := p.next()
	switch {
	case depth > maxNesting:
		return p.fail("nested too deep")
	case strings.EqualFold(token, "not"):
		return Not{p.not(depth + 1)}
	case token == "(":
		f := p.or(depth + 1)
		if token := p.next(); p.err == nil && token != ")" {
			return p.fail("a ) is missing")
		}
		return f
	case token == "":
		return p.fail("a field is missing")
	case !isName(token):
		return p.fail("%s is no field", token)
	}
	return p.compare(token)
}

func (p *filterParser) compare(field string) Filter {
	if key, ok := strings.CutPrefix(field, "meta."); ok {
		if _, known := FieldOf(key); !known {
			field = key // the shorter way to say it
		}
	}
	op := p.next()
	switch strings.ToLower(op) {
	case "exists":
		return Compare{Field: field, Op: Exists}
	case "in":
		return p.in(field)
	case "!=":
		return Not{Compare{field, Equal, p.value(field, Equal)}}
	case "==":
		op = string(Equal)
	case "=", "<", "<=", ">", ">=", "^=", "$=", "*=":
	case "":
		return p.fail("a comparison is missing after %s", field)
	default:
		return p.fail("%s is no comparison: want one of = != < <= > >= ^= $= *= in exists", op)
	}
	return Compare{field, Op(op), p.value(field, Op(op))}
}

func (p *filterParser) in(field string) Filter {
	if p.next() != "(" {
		return p.fail(`in wants a list: ("a", "b")`)
	}
	var any Or
	for p.err == nil {
		any = append(any, Compare{field, Equal, p.value(field, Equal)})
		if token := p.next(); token == ")" {
			break
		} else if token != "," {
			return p.fail("a ) is missing")
		}
	}
	return any
}

// value reads a value that field can be compared with.
func (p *filterParser) value(field string, op Op) any {
	token := p.next()
	var v any
	switch {
	case token == "":
		p.fail("a value is missing")
	case token[0] == '"' || token[0] == '\'':
		v = unquote(token)
	case token == "true" || token == "false":
		v = token == "true"
	default:
		x, err := strconv.ParseFloat(token, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			p.fail("%s is no value: want a string in quotes, a number, true or false", token)
		}
		v = x
	}
	f, known := FieldOf(field)
	_, isText := v.(string)
	_, isNumber := v.(float64)
	switch {
	case known && f.Kind == Number && !isNumber:
		p.fail("%s is a number, %s is not", field, token)
	case known && f.Kind != Number && !isText:
		p.fail("%s is text, %s is not: put it in quotes", field, token)
	case (op == Begins || op == Ends || op == Contains) && !isText:
		p.fail("%s wants a string, %s is none: put it in quotes", op, token)
	}
	return v
}

func (p *filterParser) peek() string {
	start, at, err := p.start, p.at, p.err
	token := p.next()
	p.start, p.at, p.err = start, at, err
	return token
}

// next returns the next token, "" at the end. A string keeps its quotes.
func (p *filterParser) next() string {
	rest := strings.TrimLeftFunc(p.text[p.at:], unicode.IsSpace)
	p.start = len(p.text) - len(rest)
	n := 0
	switch {
	case rest == "":
	case rest[0] == '"' || rest[0] == '\'':
		n = quoted(rest)
		if n == 0 {
			p.fail("the string has no end")
			n = len(rest)
		}
	case strings.ContainsRune("(),", rune(rest[0])):
		n = 1
	case strings.IndexByte("=!<>^$*", rest[0]) >= 0:
		n = 1
		if len(rest) > 1 && rest[1] == '=' {
			n = 2
		}
	default:
		for n < len(rest) {
			r, size := utf8.DecodeRuneInString(rest[n:])
			if !isNameRune(r) && !(r == '+' && n > 0) {
				break
			}
			n += size
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(rest)
		}
	}
	p.at = p.start + n
	return rest[:n]
}

// quoted returns the bytes of the string that s begins with, 0 where it has no
// end.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return 0
}

func unquote(s string) string {
	if len(s) < 2 {
		return ""
	}
	var out strings.Builder
	for i := 1; i < len(s)-1; i++ {
		if s[i] == '\\' && i+1 < len(s)-1 && (s[i+1] == '\\' || s[i+1] == '"' || s[i+1] == '\'') {
			i++
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func isName(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '_' || unicode.IsLetter(r)
}

func isNameRune(r rune) bool {
	return r == '_' || r == '-' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
