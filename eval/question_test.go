package eval

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

var pages = map[string][]byte{
	"a.md": []byte("# Ports\n\nThe port is\n  8080 here. Twice. Twice.\n"),
	"b.md": []byte("端口是 8080。"),
}

func TestReadQuestions(t *testing.T) {
	for _, c := range []struct {
		name, in string
		csv      bool
		want     string // the questions, or a part of the error
	}{
		{"spans", `{"id":"x","question":"Which?","doc_id":"a.md","spans":[[9,20],[2,7]]}`, false, "x a.md [{2 7} {9 20}]"},
		{"an answer", `{"question":"Which?","doc_id":"a.md","answer":"8080 here."}`, false, "q1 a.md [{23 33}]"},
		{"an answer over lines", `{"question":"Which?","doc_id":"a.md","answer":"port is 8080"}`, false, "q1 a.md [{13 27}]"},
		{"an answer in Chinese", `{"question":"哪个?","doc_id":"b.md","answer":"是 8080"}`, false, "q1 b.md [{6 14}]"},
		{"blank lines, no line end", "\n{\"question\":\"Which?\",\"doc_id\":\"a.md\",\"spans\":[[0,2]]}\n\n{\"question\":\"What?\",\"doc_id\":\"a.md\",\"spans\":[[1,2]]}", false, "q1 a.md [{0 2}] q2 a.md [{1 2}]"},
		{"CSV", "\ufeffid,question,doc_id,answer,type,spans\nx,Which?,a.md,,fact,0-2; 3-4\n,What?,a.md,8080 here,fact,\n", true, "x a.md [{0 2} {3 4}] q2 a.md [{23 32}]"},
		{"nothing", "", false, ""},
		{"an empty CSV", "", true, ""},
		{"an answer that is twice", `{"id":"x","question":"Which?","doc_id":"a.md","answer":"Twice."}`, false, "line 1: question x: its answer is more than once"},
		{"an answer that is missing", `{"id":"x","question":"Which?","doc_id":"a.md","answer":"8081"}`, false, "line 1: question x: its answer is missing in document a.md"},
		{"an answer of blanks", `{"id":"x","question":"Which?","doc_id":"a.md","answer":" \t "}`, false, "its answer is missing"},
		{"no document", `{"id":"x","question":"Which?","doc_id":"c.md","spans":[[0,1]]}`, false, "question x: document c.md is not among those searched"},
		{"no doc_id", `{"id":"x","question":"Which?","spans":[[0,1]]}`, false, "question x: it has no doc_id"},
		{"no evidence", `{"id":"x","question":"Which?","doc_id":"a.md"}`, false, "question x: it has neither spans nor an answer"},
		{"no question", `{"id":"x","doc_id":"a.md","spans":[[0,1]]}`, false, "question x: there is no question"},
		{"spans past the end", `{"id":"x","question":"Which?","doc_id":"b.md","spans":[[0,99]]}`, false, "question x: its spans end at byte 99, document b.md at 17"},
		{"empty spans", `{"id":"x","question":"Which?","doc_id":"a.md","spans":[[3,3]]}`, false, "question x: its spans are empty"},
		{"an id twice", "{\"id\":\"x\",\"question\":\"A?\",\"doc_id\":\"a.md\",\"spans\":[[0,1]]}\n{\"id\":\"x\",\"question\":\"B?\",\"doc_id\":\"a.md\",\"spans\":[[0,1]]}", false, "line 2: question x: there is another"},
		{"no JSON", "what?", false, "line 1: "},
		{"a column that is not known", "id,frage\nx,y\n", true, `line 2: question x: column "frage"`},
		{"spans that are none", "id,spans\nx,7\n", true, `line 2: question x: span "7"`},
	} {
		questions, err := ReadQuestions(strings.NewReader(c.in), c.csv, pages)
		got := ""
		for _, q := range questions {
			got += fmt.Sprintf(" %s %s %v", q.ID, q.DocID, q.Spans)
		}
		got = strings.TrimSpace(got)
		if err != nil {
			var bad *QuestionError
			if !errors.As(err, &bad) {
				t.Errorf("%s: %v is not a QuestionError", c.name, err)
			}
			got = err.Error()
			if strings.Contains(got, c.want) && c.want != "" {
				got = c.want
			}
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestReadChunks(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"start and end", `{"doc_id":"a.md","start":2,"end":7}`, `[{2 7}] "" "Ports"`},
		{"spans, no text", `{"doc_id":"a.md","spans":[[0,2],[2,7],[9,12]],"context":"C"}`, `[{0 7} {9 12}] "C" "# PortsThe"`},
		{"cantle's own", `{"doc_id":"a.md","start":9,"end":12,"text":"H\nThe","parts":[{"role":"head","start":0,"end":7},{"role":"overlap","start":7,"end":9},{"role":"body","start":9,"end":12}]}`, `[{7 12}] "" "H\nThe"`},
		{"a blank one", `{"doc_id":"a.md","start":7,"end":9}`, ``},
		{"a parent", `{"doc_id":"a.md","type":"parent","start":0,"end":9}`, ``},
		{"no document", `{"doc_id":"c.md","start":0,"end":1}`, `line 1: there is no document "c.md"`},
		{"past the end", `{"doc_id":"b.md","start":0,"end":99}`, `line 1: the chunk ends at byte 99, document b.md at 17`},
		{"no place", `{"doc_id":"b.md","text":"x"}`, `line 1: chunk of b.md: it has no spans, nor start and end`},
	} {
		chunks, err := ReadChunks(strings.NewReader(c.in), pages)
		got := ""
		for _, c := range chunks {
			got += fmt.Sprintf("%v %q %q", c.Spans, c.Context, c.Text)
		}
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
