package eval

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/cantle/cantle/ast"
)

// A Question is a question with the evidence that answers it.
type Question struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	DocID    string   `json:"doc_id"`
	Spans    Spans    `json:"spans,omitempty"`        // the evidence, bytes of the document
	Answer   string   `json:"answer,omitempty"`       // the evidence quoted, where there are no spans
	Type     string   `json:"type,omitempty"`         // fact, reasoning, table, ...: figures are split by it
	Needs    []string `json:"needs,omitempty"`        // what a chunk must say too for the evidence to be read: column heads
	Exclude  []string `json:"exclude_docs,omitempty"` // documents that are not searched
}

// A QuestionError says what is wrong with a question.
type QuestionError struct {
	Line int    // of the file, from 1
	ID   string // "" where it has none
	Err  error
}

func (e *QuestionError) Error() string {
	if e.ID == "" {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("line %d: question %s: %v", e.Line, e.ID, e.Err)
}

func (e *QuestionError) Unwrap() error { return e.Err }

// ReadQuestions reads questions as JSON lines or, where csv is set, as CSV with
// a header line that names the fields (spans as "0-80;120-200"). Answers are
// located in documents, by id. An id that is missing is "q" and the question's
// number. The error is a *QuestionError or the reader's.
func ReadQuestions(r io.Reader, csv bool, documents map[string][]byte) ([]Question, error) {
	read := readJSONLines
	if csv {
		read = readCSV
	}
	l := locator{documents: documents, plain: map[string]*plainText{}}
	seen := map[string]bool{}
	var questions []Question
	err := read(r, func(line int, q Question) error {
		if q.ID == "" {
			q.ID = fmt.Sprintf("q%d", len(questions)+1)
		}
		err := l.check(&q)
		if err == nil && seen[q.ID] {
			err = errors.New("there is another question of that id")
		}
		if err != nil {
			return &QuestionError{line, q.ID, err}
		}
		seen[q.ID] = true
		questions = append(questions, q)
		return nil
	})
	return questions, err
}

func readJSONLines(r io.Reader, use func(int, Question) error) error {
	return eachLine(r, func(line int, b []byte) error {
		var q Question
		if err := json.Unmarshal(b, &q); err != nil {
			return &QuestionError{Line: line, Err: err}
		}
		return use(line, q)
	})
}

// eachLine calls use for each line that is not blank; lines count from 1.
func eachLine(r io.Reader, use func(int, []byte) error) error {
	in := bufio.NewReader(r)
	for line := 1; ; line++ {
		b, err := in.ReadBytes('\n')
		if b = bytes.TrimSpace(b); len(b) > 0 {
			if err := use(line, b); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func readCSV(r io.Reader, use func(int, Question) error) error {
	in := csv.NewReader(r)
	head, err := in.Read()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	if len(head) > 0 {
		head[0] = strings.TrimPrefix(head[0], "\ufeff")
	}
	for {
		row, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := in.FieldPos(0)
		var q Question
		for i, name := range head {
			if err := q.set(strings.TrimSpace(name), row[i]); err != nil {
				return &QuestionError{line, q.ID, err}
			}
		}
		if err := use(line, q); err != nil {
			return err
		}
	}
}

// set sets a field from a cell of a CSV file.
func (q *Question) set(field, cell string) (err error) {
	switch field {
	case "id":
		q.ID = cell
	case "question":
		q.Question = cell
	case "doc_id":
		q.DocID = cell
	case "answer":
		q.Answer = cell
	case "type":
		q.Type = cell
	case "spans":
		q.Spans, err = parseSpans(cell)
	default:
		err = fmt.Errorf("column %q is none of id, question, doc_id, spans, answer, type", field)
	}
	return err
}

func parseSpans(s string) (Spans, error) {
	var spans Spans
	for part := range strings.SplitSeq(s, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		from, to, _ := strings.Cut(part, "-")
		start, err := strconv.Atoi(strings.TrimSpace(from))
		end, err2 := strconv.Atoi(strings.TrimSpace(to))
		if err != nil || err2 != nil || start < 0 || end < start {
			return nil, fmt.Errorf("span %q is not of the form start-end", part)
		}
		spans = append(spans, ast.Span{Start: start, End: end})
	}
	return spans, nil
}
