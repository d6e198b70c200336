package verify

import (
	"fmt"
	"slices"
)

// A Kind of fault.
type Kind string

// The kinds, in the order of reports.
const (
	Lost          Kind = "lost"           // text of the document that is in no chunk
	Doubled       Kind = "doubled"        // text in several chunks that is neither overlap nor a repeated head
	Foreign       Kind = "foreign"        // text that is not in the document
	Blanks        Kind = "blanks"         // blanks changed: indentation, line ends
	Empty         Kind = "empty"          // a chunk of nothing but blanks
	Replacement   Kind = "replacement"    // U+FFFD where the document has none
	Order         Kind = "order"          // not in the order of the document, or numbered wrongly
	Offsets       Kind = "offsets"        // offsets, lines or parts that do not give the text
	ID            Kind = "id"             // the id of another chunk
	Size          Kind = "size"           // counted otherwise than the record says
	Over          Kind = "over"           // larger than the limit
	HeadingAlone  Kind = "heading-alone"  // nothing but headings, though text stands below them
	HeadingParted Kind = "heading-parted" // a heading at the end of a chunk, its text in another
	Path          Kind = "path"           // neither text nor path nor context names the section
	FenceCut      Kind = "fence-cut"      // a fence of code that would fit
	FunctionCut   Kind = "function-cut"   // a definition that would fit
	DocParted     Kind = "doc-parted"     // a doc comment apart from its definition, though both fit
	TableCut      Kind = "table-cut"      // a row that would fit
	Headless      Kind = "headless"       // rows without the header, caption or unit of their table
	NotesParted   Kind = "notes-parted"   // rows without the notes of their table
	SentenceCut   Kind = "sentence-cut"   // a sentence that would fit
)

// Kinds lists the kinds of fault, in the order of reports.
func Kinds() []Kind {
	return []Kind{Lost, Doubled, Foreign, Blanks, Empty, Replacement, Order, Offsets, ID, Size, Over, HeadingAlone, HeadingParted, Path,
		FenceCut, FunctionCut, DocParted, TableCut, Headless, NotesParted, SentenceCut}
}

// A Fault is one thing that is wrong.
type Fault struct {
	Kind    Kind   `json:"kind"`
	Doc     string `json:"doc"`
	Line    int    `json:"line,omitempty"`     // of the document, from 1; 0 where not known
	EndLine int    `json:"end_line,omitempty"` // the last line
	Record  int    `json:"record,omitempty"`   // line of the JSON lines, from 1; 0 where it is of no one chunk
	Detail  string `json:"detail"`
	Excerpt string `json:"excerpt,omitempty"` // the first words
}

func (f Fault) String() string {
	where := f.Doc
	switch {
	case f.EndLine > f.Line:
		where = fmt.Sprintf("%s:%d-%d", f.Doc, f.Line, f.EndLine)
	case f.Line > 0:
		where = fmt.Sprintf("%s:%d", f.Doc, f.Line)
	}
	s := fmt.Sprintf("%s: %s: %s", where, f.Kind, f.Detail)
	if f.Excerpt != "" {
		s += ": " + f.Excerpt
	}
	if f.Record > 0 {
		s += fmt.Sprintf(" [record %d]", f.Record)
	}
	return s
}

// A Report is what was found. Sizes are in bytes of text, blanks and what no
// reader sees left out.
type Report struct {
	Documents int          `json:"documents"`
	Chunks    int          `json:"chunks"`
	Text      int64        `json:"text"`     // in the documents
	Covered   int64        `json:"covered"`  // of that, in a chunk
	Doubled   int64        `json:"doubled"`  // in several, overlap and repeated heads apart
	Overlap   int64        `json:"overlap"`  // repeated at the border of neighbours
	Repeated  int64        `json:"repeated"` // heads and tails
	Largest   int          `json:"largest"`  // size of the largest chunk, context included
	Verbatim  int          `json:"verbatim"` // chunks that are the document's own bytes
	Counts    map[Kind]int `json:"counts"`
	Faults    []Fault      `json:"faults"` // the first of each kind, Options.Keep of them
}

// Coverage returns the share of the text that is in a chunk.
func (r *Report) Coverage() float64 {
	if r.Text == 0 {
		return 1
	}
	return float64(r.Covered) / float64(r.Text)
}

// Total returns the number of faults.
func (r *Report) Total() int {
	n := 0
	for _, k := range r.Counts {
		n += k
	}
	return n
}

// Merge adds what was found in other documents, at most keep faults of a kind.
func (r *Report) Merge(other *Report, keep int) {
	r.Documents += other.Documents
	r.Chunks += other.Chunks
	r.Text += other.Text
	r.Covered += other.Covered
	r.Doubled += other.Doubled
	r.Overlap += other.Overlap
	r.Repeated += other.Repeated
	r.Largest = max(r.Largest, other.Largest)
	r.Verbatim += other.Verbatim
	for _, f := range other.Faults {
		if r.kept(f.Kind) < keep {
			r.Faults = append(r.Faults, f)
		}
	}
	if r.Counts == nil {
		r.Counts = map[Kind]int{}
	}
	for k, n := range other.Counts {
		r.Counts[k] += n
	}
}

func (r *Report) kept(k Kind) int {
	n := 0
	for i := range r.Faults {
		if r.Faults[i].Kind == k {
			n++
		}
	}
	return n
}

// sort puts the faults in the order of their kinds, and within a kind leaves
// them as they were found.
func (r *Report) sort() {
	order := map[Kind]int{}
	for i, k := range Kinds() {
		order[k] = i
	}
	slices.SortStableFunc(r.Faults, func(a, b Fault) int { return order[a.Kind] - order[b.Kind] })
}
