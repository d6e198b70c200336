package html

import (
	"bytes"
	"strconv"
	"strings"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/cantle/cantle/ast"
)

// A style is what a style attribute sets. The zero value sets nothing.
type style struct {
	hidden bool
	block  bool    // display: block
	weight int8    // 0 not set, 1 normal, 2 bold
	slant  int8    // 0 not set, 1 normal, 2 italic
	line   bool    // underlined
	center bool    // text-align
	size   float64 // points, 0 where not set
	indent float64 // points: of the first line
	raised bool    // a superscript
	before bool    // page break before
	after  bool    // page break after
	pre    bool    // white space is kept

	own *attributes // of tags with nothing but this style
}

// parseStyle reads a style attribute. What it does not know it passes over.
func parseStyle(s string) *style {
	st := &style{}
	for s != "" {
		var declaration string
		declaration, s, _ = strings.Cut(s, ";")
		name, value, ok := strings.Cut(declaration, ":")
		if !ok {
			continue
		}
		st.set(strings.ToLower(strings.TrimSpace(name)), strings.ToLower(strings.TrimSpace(value)))
	}
	return st
}

func (st *style) set(name, value string) {
	switch name {
	case "display":
		st.hidden = st.hidden || strings.HasPrefix(value, "none")
		st.block = value == "block" || value == "flex" || value == "grid"
	case "visibility":
		st.hidden = st.hidden || strings.HasPrefix(value, "hidden")
	case "font-weight":
		st.weight = 1
		if n, err := strconv.Atoi(value); err == nil && n >= 600 || strings.HasPrefix(value, "bold") {
			st.weight = 2
		}
	case "font-style":
		st.slant = 1
		if strings.HasPrefix(value, "italic") || strings.HasPrefix(value, "oblique") {
			st.slant = 2
		}
	case "font":
		if strings.Contains(value, "bold") {
			st.weight = 2
		}
		if strings.Contains(value, "italic") {
			st.slant = 2
		}
		for part := range strings.FieldsSeq(value) {
			size, _, _ := strings.Cut(part, "/")
			if n := points(size); n > 0 {
				st.size = n
				break
			}
		}
	case "font-size":
		st.size = points(value)
	case "text-decoration", "text-decoration-line":
		st.line = strings.HasPrefix(value, "underline")
	case "text-align":
		st.center = value == "center"
	case "text-indent", "padding-left", "margin-left":
		st.indent += points(value)
	case "padding", "margin":
		sides := strings.Fields(value)
		switch len(sides) {
		case 1, 2, 3:
			st.indent += points(sides[min(1, len(sides)-1)])
		case 4:
			st.indent += points(sides[3])
		}
	case "vertical-align":
		st.raised = st.raised || value == "super"
	case "top":
		st.raised = st.raised || strings.HasPrefix(value, "-")
	case "white-space":
		st.pre = strings.HasPrefix(value, "pre") && value != "pre-line"
	case "page-break-before", "break-before":
		st.before = value == "always" || value == "page" || value == "left" || value == "right"
	case "page-break-after", "break-after":
		st.after = value == "always" || value == "page" || value == "left" || value == "right"
	}
}

// points returns a length in points, 0 for what is not one.
func points(s string) float64 {
	unit := strings.TrimLeft(s, "+-.0123456789")
	n, err := strconv.ParseFloat(s[:len(s)-len(unit)], 64)
	if err != nil || n != n || n > 1e4 || n < -1e4 {
		return 0
	}
	switch strings.TrimSpace(unit) {
	case "pt":
		return n
	case "px":
		return n * 0.75
	case "em", "rem":
		return n * 10
	case "in":
		return n * 72
	case "cm":
		return n * 28.3
	case "mm":
		return n * 2.83
	case "%":
		return n
	}
	return 0
}

// readAttributes reads the attributes of the tag that z is at, which is at span.
func (b *builder) readAttributes(tag atom.Atom, z *xhtml.Tokenizer, span ast.Span) *attributes {
	var a attributes
	a.style = noAttributes.style
	set := false
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "style":
			st := b.styles[string(value)]
			if st == nil {
				st = parseStyle(string(value))
				b.styles[string(value)] = st
			}
			a.style = st
		case "colspan":
			a.cols = spanOf(value)
		case "rowspan":
			a.rows = spanOf(value)
			a.rowsToEnd = string(value) == "0"
		case "hidden":
			a.hidden = string(value) != "until-found"
		case "aria-hidden":
			a.hidden = a.hidden || string(value) == "true" && !isBlock(tag)
		case "role":
			a.role = string(value)
		case "class":
			a.class = string(value)
		case "id":
			if tag == atom.Td || tag == atom.Tr || tag == 0 {
				continue
			}
			a.id = string(value)
		case "lang", "xml:lang":
			a.lang = string(value)
		case "href":
			a.href = string(value)
		case "name", "property", "http-equiv":
			if tag != atom.Meta && (tag != 0 || !bytes.HasPrefix(value, []byte("dei:"))) {
				continue
			}
			a.meta = strings.ToLower(string(value))
		case "content":
			a.content = string(value)
		case "start":
			a.from = string(value)
		case "alt":
			if tag != atom.Img || !saysAlt(string(value)) {
				continue
			}
			a.alt = attribute(b.src, span, "alt")
		case "align":
			if strings.EqualFold(string(value), "center") {
				st := *a.style
				st.center = true
				a.style = &st
			}
		default:
			continue
		}
		set = true
	}
	if !set {
		return noAttributes
	}
	if only := (attributes{style: a.style}); a == only {
		if a.style.own == nil {
			a.style.own = &only
		}
		return a.style.own
	}
	return &a
}

// spanOf returns the number of a colspan or rowspan. What is larger than any
// table is cut, what is no number is 1.
func spanOf(value []byte) int {
	n := 0
	for i, c := range value {
		if c < '0' || c > '9' {
			if i == 0 {
				return 1
			}
			break
		}
		n = min(n*10+int(c-'0'), 1<<20)
	}
	return n
}
