package html

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/charset"
	"github.com/cantle/cantle/tables"
)

// Options say how to read a page. The zero value is what most pages want.
type Options struct {
	Headings  string         // "tags": h1 to h6; "auto": also bold and numbered lines; "": auto where the page has no heading tags
	WholePage bool           // keep navigation, page header and footer, asides, notices
	Tables    tables.Format  // how rows are written
	Links     bool           // list the links of the page in Meta["links"]
	Code      ast.CodeParser // finds the structure of <pre>; may be nil

	keepRunning bool // for tests: no Markup of running lines
}

// A Link is a link of a page, in Meta["links"].
type Link struct {
	Text   string `json:"text"`
	Target string `json:"target"` // as written
}

// Parse returns the tree of a page. Source is src, or what charset.Decode made
// of it, and Meta["charset"] the name of its encoding where it is not UTF-8.
//
// Meta holds title, lang, description, links where asked for, and left_out:
// the number of words of each kind that were left out. A filing with inline
// XBRL says its company, form, fiscal_year, fiscal_period and period_end too; they make its
// title, because what <title> says is the name of a file.
func Parse(name string, src []byte, opts Options) *ast.Document {
	decoded, encoding := charset.Decode(src, true)
	doc := &ast.Document{Name: name, Format: "html", Source: decoded, Meta: map[string]any{}}
	if encoding != "" {
		doc.Meta["charset"] = encoding
	}
	f := &flow{builder: build(decoded), opts: opts, doc: doc, titles: map[*ast.Node]string{}}
	f.w.src, f.cell.src = decoded, decoded
	f.w.reset()
	f.cell.reset()
	f.readHead()
	f.titleFiling()
	if !opts.WholePage {
		f.findMain()
	}
	f.walk(0, face{})
	f.flush()
	if f.skipped > 0 {
		doc.Problem(0, "elements nested too deep: the innermost tags are passed over")
	}
	if f.links != nil {
		doc.Meta["links"] = f.links
	}
	f.finish()
	return doc
}

// readHead fills Meta from <html lang>, <title>, <meta> and the facts of a
// filing about itself.
func (f *flow) readHead() {
	for i := range f.elements {
		e := &f.elements[i]
		switch e.tag {
		case atom.Html:
			f.setMeta("lang", e.lang)
		case atom.Title:
			if f.elements[e.parent].tag != atom.Svg {
				f.setMeta("title", f.plain(int32(i)))
			}
		case atom.Meta:
			switch e.meta {
			case "description", "og:description":
				f.setMeta("description", strings.TrimSpace(e.content))
			case "og:title":
				f.setMeta("title", strings.TrimSpace(e.content))
			}
		case 0:
			if key := filingFacts[e.meta]; key != "" {
				f.setMeta(key, f.plain(int32(i)))
			}
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			f.headingTags++
		}
	}
}

// filingFacts are the facts about the filing itself that go to Meta.
var filingFacts = map[string]string{
	"dei:entityregistrantname":      "company",
	"dei:documenttype":              "form",
	"dei:documentfiscalyearfocus":   "fiscal_year",
	"dei:documentfiscalperiodfocus": "fiscal_period", // Q1 to Q3, FY
	"dei:documentperiodenddate":     "period_end",
}

// titleFiling makes the title of a filing: "Oar Company 10-Q 2024 Q2".
func (f *flow) titleFiling() {
	company, ok := f.doc.Meta["company"].(string)
	if !ok {
		return
	}
	title := company
	for _, key := range [...]string{"form", "fiscal_year", "fiscal_period"} {
		if value, ok := f.doc.Meta[key].(string); ok && value != "FY" {
			title += " " + value
		}
	}
	f.doc.Meta["title"] = title
}

// setMeta sets a value that is not set yet.
func (f *flow) setMeta(key, value string) {
	if _, ok := f.doc.Meta[key]; !ok && value != "" {
		f.doc.Meta[key] = strings.ToValidUTF8(value, "")
	}
}
