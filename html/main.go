package html

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// findMain marks the parts of the page that are not its content: what stands
// outside <main>, where the page has one, and navigation, headers, footers,
// asides and notices about cookies that the page marks as such. Nothing is
// left out where less than a quarter of the words would remain: then the marks
// are wrong. A heading of the first rank is never left out.
func (f *flow) findMain() {
	if !f.hasMarks() {
		return
	}
	c := f.count()
	total := c[0].words
	if total == 0 {
		return
	}
	out := map[int32]string{}
	main := f.mainElement(c)
	left := int32(0)
	var walk func(n int32, inContent bool)
	walk = func(n int32, inContent bool) {
		for i := f.elements[n].first; i != 0; i = f.elements[i].next {
			e := &f.elements[i]
			if e.tag == text || isHidden(e.tag) || c[i].words == 0 {
				continue
			}
			kind := f.boilerplate(i, inContent, c[i], total)
			if kind == "" && main != 0 && !f.contains(i, main) && !f.contains(main, i) {
				kind = "outside main"
			}
			if kind != "" && !c[i].title {
				out[i] = kind
				left += c[i].words
				continue
			}
			walk(i, inContent || e.tag == atom.Article || e.tag == atom.Main || i == main)
		}
	}
	walk(0, false)
	if (total-left)*4 < total {
		return
	}
	f.out = out
	for n, kind := range out {
		f.leave(kind, int(c[n].words))
	}
}

// hasMarks reports whether the page has tags that can mark its main content.
// Pages printed by programs for filings have none, and are spared the count.
func (f *flow) hasMarks() bool {
	for i := range f.elements {
		switch e := &f.elements[i]; e.tag {
		case atom.Main, atom.Article, atom.Nav, atom.Header, atom.Footer, atom.Aside, atom.Ul:
			return true
		default:
			if e.role != "" || e.class != "" {
				return true
			}
		}
	}
	return false
}

// A count is what an element holds, itself and below.
type count struct {
	words  int32
	linked int32 // words that are links
	links  int32
	title  bool // has an <h1>
}

func (f *flow) count() []count {
	counts := make([]count, len(f.elements))
	for i := len(f.elements) - 1; i > 0; i-- {
		e := &f.elements[i]
		c := &counts[i]
		switch {
		case e.tag == text:
			c.words = countWords(f.src[e.start:e.end])
		case isHidden(e.tag) || e.hidden || e.style.hidden:
			continue
		case e.tag == atom.Img:
			c.words = countWords(f.src[e.alt.Start:e.alt.End])
		case e.tag == atom.A:
			c.linked = c.words
			c.links++
		case e.tag == atom.H1:
			c.title = true
		}
		p := &counts[e.parent]
		p.words += c.words
		p.linked += c.linked
		p.links += c.links
		p.title = p.title || c.title
	}
	return counts
}

// contains reports whether element a holds element b.
func (f *flow) contains(a, b int32) bool {
	return f.elements[a].start <= f.elements[b].start && f.elements[b].end <= f.elements[a].end
}

// countWords counts runs of characters between blanks. An ideograph is a word,
// and so are four letters of a script that sets no blanks between words.
func countWords(b []byte) int32 {
	n, letters := int32(0), 0 // of the word at hand
	for i := 0; i < len(b); {
		if c := b[i]; c < utf8.RuneSelf {
			i++
			if isBlank(c) {
				letters = 0
			} else if letters == 0 {
				n++
				letters = 1
			}
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		i += size
		switch {
		case unicode.IsSpace(r):
			letters = 0
		case !unicode.In(r, unspaced...):
			if letters == 0 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
				n++
				letters = 1
			}
		case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			if letters%4 == 0 {
				n++
			}
			letters++
		default:
			n++
			letters = 0
		}
	}
	return n
}

// unspaced are the scripts that set no blanks between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// mainElement returns the <main>, or the only <article>, that holds a fair
// part of the words, 0 where there is none.
func (f *flow) mainElement(c []count) int32 {
	var main, article int32
	articles := 0
	for i := range f.elements {
		e := &f.elements[i]
		switch {
		case e.tag == atom.Main || e.role == "main":
			if main == 0 {
				main = int32(i)
			}
		case e.tag == atom.Article:
			articles++
			article = int32(i)
		}
	}
	if main == 0 && articles == 1 {
		main = article
	}
	if main != 0 && c[main].words*4 >= c[0].words {
		return main
	}
	return 0
}

// boilerplate names the kind of an element that is not content, "" for others.
func (f *flow) boilerplate(n int32, inContent bool, c count, total int32) string {
	e := &f.elements[n]
	switch e.role {
	case "navigation", "search", "menu", "menubar", "toolbar":
		return "navigation"
	case "banner":
		return "header"
	case "contentinfo":
		return "footer"
	case "complementary":
		return "aside"
	}
	switch e.tag {
	case atom.Nav:
		return "navigation"
	case atom.Header:
		if !inContent {
			return "header"
		}
	case atom.Footer:
		if !inContent {
			return "footer"
		}
	case atom.Aside:
		if !inContent || c.linked*2 > c.words {
			return "aside"
		}
	case atom.Div, atom.Section, atom.Ul, atom.Dialog:
		names := strings.ToLower(e.class + " " + e.id)
		for _, mark := range [...]struct{ word, kind string }{
			{"cookie", "notice"}, {"consent", "notice"}, {"gdpr", "notice"},
			{"breadcrumb", "navigation"}, {"navbar", "navigation"}, {"sidebar", "navigation"}, {"skip-link", "navigation"},
			{"site-footer", "footer"}, {"page-footer", "footer"}, {"site-header", "header"}, {"newsletter", "notice"},
		} {
			if hasName(names, mark.word) && c.words*3 < total {
				return mark.kind
			}
		}
		if c.links >= 8 && c.words*3 < total && c.linked*10 > c.words*9 && !inContent {
			return "navigation"
		}
	}
	return ""
}

// hasName reports whether word begins one of names, or a part of one.
func hasName(names, word string) bool {
	i := strings.Index(names, word)
	return i == 0 || i > 0 && !isAlphanumeric(names[i-1])
}

// leftOut reports whether element n is left out.
func (f *flow) leftOut(n int32) bool {
	_, ok := f.out[n]
	return ok
}
