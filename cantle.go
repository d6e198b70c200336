package cantle

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/charset"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/tables"
	texts "github.com/cantle/cantle/text"
	"github.com/cantle/cantle/tokens"
)

// DefaultEncoding counts where no other is named.
const DefaultEncoding = "cl100k_base"

// Options say how to read and cut a document. The zero value is ready to use.
type Options struct {
	// Encoding names what the limits count, as tokens.Get knows it: an
	// encoding, a model, "chars", "words" or the path of a Hugging Face
	// tokenizer.json. "" means DefaultEncoding. Cut.Sizer overrides it. What a
	// model puts around each text, such as [CLS] and [SEP], is within the limit.
	Encoding string
	Parse    ParseOptions
	Cut      chunker.Options
}

// ErrBinary is the error for input that is not text, or that of another format
// which is not read, such as PDF; compare with errors.Is.
var ErrBinary = errors.New("not text: the first bytes hold a NUL")

// Parse parses a document. Any text has a tree: what a parser cannot place is
// in the tree's Problems. The error is a [*FormatError] for a format that is
// not known, [ErrBinary], or says why a file is no workbook. The tree and what
// is cut of it share memory with src, which must not be modified.
//
// A parse cannot be cancelled; its time is bounded: it is linear in the size of
// the source, and grammars of source code are stopped at a limit that grows with it.
func Parse(name string, src []byte, opt ParseOptions) (*ast.Document, error) {
	if opt.Format == "" {
		opt.Format = Detect(name, src)
	}
	f, err := format(opt.Format)
	if err != nil {
		return nil, err
	}
	if f.binary != nil {
		return f.binary(name, src, opt)
	}
	text, encoding := charset.Decode(src, f.Name == "html")
	if bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
		return nil, ErrBinary
	}
	doc := f.parse(name, text, opt)
	if opt.Questions {
		texts.Questions(doc)
	}
	if opt.Clauses {
		texts.Clauses(doc)
	}
	if encoding != "" {
		if doc.Meta == nil {
			doc.Meta = map[string]any{}
		}
		doc.Meta["charset"] = encoding // offsets are those of the text decoded from it
	}
	return doc, nil
}

// Chunk parses a document and cuts it. name says what it is called in the
// records and, by its extension, what format it has. Besides those of [Parse],
// errors are a [*chunker.OptionError], that of an encoding that is not known,
// and the context's, which is looked at before the parse and while cutting.
func Chunk(ctx context.Context, name string, src []byte, opt Options) ([]chunker.Chunk, error) {
	opt, err := opt.Resolve()
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc, err := Parse(name, src, opt.Parse)
	if err != nil {
		return nil, err
	}
	return Cut(ctx, doc, opt)
}

// Cut cuts a parsed document. See [Chunk].
func Cut(ctx context.Context, doc *ast.Document, opt Options) ([]chunker.Chunk, error) {
	opt, err := opt.Resolve()
	if err != nil {
		return nil, err
	}
	if opt.Cut.Title == "" {
		opt.Cut.Title = title(doc, opt.Cut.DocID)
	}
	if opt.Cut.Strategy == chunker.Recursive && len(opt.Cut.Separators) == 0 {
		if s := separators(doc.Format); s != nil {
			opt.Cut.Separators, opt.Cut.Regexp = s, true
		}
	}
	chunks, err := chunker.Split(ctx, doc, opt.Cut)
	if err != nil {
		return nil, err
	}
	nameLanguages(chunks)
	return chunks, nil
}

// Resolve returns o with its sizer loaded, or the error of the first option
// that cannot be used. A caller with many documents does it once.
func (o Options) Resolve() (Options, error) {
	if o.Parse.Format != "" {
		if _, err := format(o.Parse.Format); err != nil {
			return o, err
		}
	}
	switch o.Parse.Headings {
	case "", "tags", "auto":
	default:
		return o, &chunker.OptionError{Option: "Headings", Value: o.Parse.Headings, Reason: "is neither tags nor auto"}
	}
	if _, ok := tables.ParseFormat(o.Parse.Tables); !ok {
		return o, &chunker.OptionError{Option: "Tables", Value: o.Parse.Tables, Reason: "is none of markdown, html, csv, records"}
	}
	if o.Cut.Sizer == nil {
		name := o.Encoding
		if name == "" {
			name = DefaultEncoding
		}
		sizer, err := tokens.Get(name)
		if err != nil {
			return o, err
		}
		o.Cut.Sizer = sizer
		if f, ok := sizer.(tokens.Framer); ok && f.Frame() > 0 {
			// The model puts tokens of its own around each text.
			if o.Cut.Max == 0 {
				o.Cut.Max = chunker.DefaultMax
			}
			if o.Cut.Max > 0 && o.Cut.Max <= f.Frame() {
				return o, &chunker.OptionError{Option: "Max", Value: o.Cut.Max, Reason: fmt.Sprintf("the model needs %d for tokens of its own", f.Frame())}
			}
			o.Cut.Max -= f.Frame()
		}
	}
	return o, o.Cut.Check()
}

// title returns what stands first in the context of a document's chunks: its
// own title, or the name of a source file.
func title(doc *ast.Document, id string) string {
	if t, ok := doc.Meta["title"].(string); ok {
		return t
	}
	if isCode(doc.Format) {
		if id == "" {
			id = doc.Name
		}
		return id
	}
	return ""
}

func isCode(name string) bool {
	for _, f := range formats {
		if f.Name == name {
			return false
		}
	}
	return true
}
