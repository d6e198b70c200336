package eval

import (
	"bytes"
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
)

// A locator finds the evidence of questions in the documents.
type locator struct {
	documents map[string][]byte
	plain     map[string]*plainText // by document, made when asked for
}

// check sets the spans of a question from its answer, where it has none, and
// checks it.
func (l *locator) check(q *Question) error {
	src, ok := l.documents[q.DocID]
	switch {
	case q.Question == "":
		return errors.New("there is no question in it")
	case q.DocID == "":
		return errors.New("it has no doc_id")
	case !ok:
		return fmt.Errorf("document %s is not among those searched", q.DocID)
	case len(q.Spans) == 0 && q.Answer == "":
		return errors.New("it has neither spans nor an answer")
	case len(q.Spans) == 0:
		span, err := l.find(q.DocID, []byte(q.Answer))
		if err != nil {
			return fmt.Errorf("its answer is %w in document %s", err, q.DocID)
		}
		q.Spans = Spans{span}
	}
	q.Spans = q.Spans.union()
	if len(q.Spans) == 0 {
		return errors.New("its spans are empty")
	}
	if end := q.Spans[len(q.Spans)-1].End; end > len(src) {
		return fmt.Errorf("its spans end at byte %d, document %s at %d", end, q.DocID, len(src))
	}
	return nil
}

// find returns where the answer is in the document.
func (l *locator) find(id string, answer []byte) (ast.Span, error) {
	if span, err := only(l.documents[id], answer); err != errAbsent {
		return span, err
	}
	text := l.plain[id]
	if text == nil {
		text = newPlainText(l.documents[id])
		l.plain[id] = text
	}
	return text.find(answer)
}

// Locate returns where a quotation is in a document: as it stands, else with
// all white space taken for one blank. It is an error for it to be missing, or
// there twice.
func Locate(document []byte, quotation string) (ast.Span, error) {
	span, err := only(document, []byte(quotation))
	if err == errAbsent {
		return newPlainText(document).find([]byte(quotation))
	}
	return span, err
}

var (
	errAbsent = errors.New("missing")
	errTwice  = errors.New("more than once, so quote more of it or give spans,")
)

// only returns the one place where answer is in text.
func only(text, answer []byte) (ast.Span, error) {
	at := bytes.Index(text, answer)
	if at < 0 || len(answer) == 0 {
		return ast.Span{}, errAbsent
	}
	if bytes.Contains(text[at+1:], answer) {
		return ast.Span{}, errTwice
	}
	return ast.Span{Start: at, End: at + len(answer)}, nil
}

// A plainText is a text with white space at its ends taken away and other runs
// of white space made one blank.
type plainText struct {
	text []byte
	at   []int // where each byte of text stands in the source
}

func newPlainText(src []byte) *plainText {
	p := &plainText{}
	gap := false
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if unicode.IsSpace(r) {
			gap = true
		} else {
			if gap && len(p.text) > 0 {
				p.text, p.at = append(p.text, ' '), append(p.at, i-1)
			}
			gap = false
			for j := range n {
				p.text, p.at = append(p.text, src[i+j]), append(p.at, i+j)
			}
		}
		i += n
	}
	return p
}

// find returns the one place in the source where answer is, white space aside.
func (p *plainText) find(answer []byte) (ast.Span, error) {
	span, err := only(p.text, newPlainText(answer).text)
	if err != nil {
		return span, err
	}
	return ast.Span{Start: p.at[span.Start], End: p.at[span.End-1] + 1}, nil
}
