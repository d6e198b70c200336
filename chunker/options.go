package chunker

import (
	"fmt"
	"strings"
)

// A Sizer measures text. It must be safe for use by many goroutines.
type Sizer interface {
	// Count returns the size of text.
	Count(text string) int
	// Mark sets bit i of bits for every offset i of text at which a unit
	// (token, rune, word) starts. bits is zero and holds len(text) bits.
	Mark(text string, bits []uint64)
}

// Defaults of [Options].
const (
	DefaultMax = 512
	// DefaultMinShare is the part of Max below which a piece is avoided.
	DefaultMinShare = 8
	wantAbove       = 400
)

// Options say how to cut. The zero value of a field takes its default; only
// Sizer must be given.
type Options struct {
	Sizer Sizer

	// Strategy is the way of cutting; "" means Structure.
	Strategy Strategy
	// Separators are what Separator (one) and Recursive (any number, the
	// first that occurs is taken; nil means ProseSeparators) cut at. They are
	// regular expressions where Regexp is set; one with a group named "next"
	// is cut where that group begins.
	Separators []string
	Regexp     bool
	// Keep says where a separator stays; "" means KeepEnd.
	Keep Keep
	// TopicThreshold keeps Recursive from joining paragraphs that are less
	// similar than this, from 0 to 1; 0 joins all. It needs Semantic.Embedder.
	TopicThreshold float64
	// Semantic is for the strategy of that name.
	Semantic SemanticOptions

	// Max is the limit of a chunk, context included, in the unit of Sizer.
	Max int
	// Min is the size under which a piece is avoided where a neighbour of the
	// same section can take it; 0 means Max/8, -1 means none.
	Min int
	// Want is the size to cut to. Prose under one heading that fits into Max
	// stays whole; longer prose, and tables, are cut to pieces of at most
	// Want. 0 means Max up to 400, three quarters of it above, at least 400:
	// whole sections are found better than parts of them, long tables and
	// parts of long prose worse than short ones.
	Want int
	// Overlap is how much of the text before it a chunk may repeat.
	Overlap int

	// Context is what goes before a chunk to embed it.
	Context ContextMode
	// CodeContext adds to the context of a piece of code, below the path, the
	// imports that it uses and the signatures of the definitions beside it, as
	// many as there is room for. Cuts, texts and ids stay as they are without.
	CodeContext bool
	// Isolate gives each table and each fence chunks of its own.
	Isolate bool
	// JoinUnder joins a chunk under this size with its neighbour across a
	// heading, where both fit; 0 joins none.
	JoinUnder int
	// Parents is the limit of the parents to emit; 0 emits none.
	Parents int
	// Skeleton makes the parents of code skeletons: the file or class with
	// "..." in place of the bodies of its functions. It needs Parents.
	Skeleton bool

	// Explain has each chunk say why it ends where it does, and what was the
	// next best place. It takes time in the square of the chunks of a section.
	Explain bool

	// DocID and Source name the document in the records; DocID is part of
	// every id. Both default to the document's name.
	DocID, Source string
	// Title stands first in the context where the path does not begin with it.
	Title string
	// Meta is in every record, over the document's own.
	Meta map[string]any

	separators []*separator // compiled
}

// A ContextMode says what the context of a chunk holds.
type ContextMode string

const (
	ContextPath ContextMode = "path" // title, section path, and the name of the definition that a piece of code is of; the default
	ContextNone ContextMode = "none"
)

// An OptionError says which option cannot be used, and why.
type OptionError struct {
	Option string // as in Options: "Max"
	Value  any
	Reason string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("%s %v: %s", strings.ToLower(e.Option), e.Value, e.Reason)
}

// Check returns an *OptionError for the first option that cannot be used.
func (o Options) Check() error {
	_, err := o.resolve()
	return err
}

// resolve returns o with the defaults filled in.
func (o Options) resolve() (Options, error) {
	bad := func(option string, value any, reason string) (Options, error) {
		return o, &OptionError{option, value, reason}
	}
	if o.Sizer == nil {
		return bad("Sizer", nil, "must be given")
	}
	if o.Max == 0 {
		o.Max = DefaultMax
	}
	if o.Max < 0 {
		return bad("Max", o.Max, "must be at least 1")
	}
	if o.Overlap < 0 {
		return bad("Overlap", o.Overlap, "must not be negative")
	}
	if o.Overlap >= o.Max {
		return bad("Overlap", o.Overlap, fmt.Sprintf("must be smaller than the limit of %d", o.Max))
	}
	switch {
	case o.Min == 0:
		o.Min = o.Max / DefaultMinShare
	case o.Min == -1:
		o.Min = 0
	case o.Min < 0:
		return bad("Min", o.Min, "must not be negative")
	case o.Min > o.Max:
		return bad("Min", o.Min, fmt.Sprintf("must not be above the limit of %d", o.Max))
	}
	if o.Want == 0 {
		o.Want = o.Max
		if o.Max > wantAbove {
			o.Want = max(wantAbove, o.Max*3/4)
		}
	}
	if o.Want < 0 || o.Want > o.Max {
		return bad("Want", o.Want, fmt.Sprintf("must be from 1 to the limit of %d", o.Max))
	}
	switch o.Context {
	case "":
		o.Context = ContextPath
	case ContextPath, ContextNone:
	default:
		return bad("Context", o.Context, "is neither path nor none")
	}
	if o.JoinUnder < 0 {
		return bad("JoinUnder", o.JoinUnder, "must not be negative")
	}
	if o.Parents < 0 || o.Parents > 0 && o.Parents < o.Max {
		return bad("Parents", o.Parents, fmt.Sprintf("must not be below the limit of %d", o.Max))
	}
	if o.Skeleton && o.Parents == 0 {
		return bad("Skeleton", o.Skeleton, "needs a limit for parents")
	}
	return o, o.strategyOptions()
}
