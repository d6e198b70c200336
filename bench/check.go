package main

import (
	"context"
	"fmt"
	"os"

	"github.com/cantle/cantle/records"
	"github.com/cantle/cantle/verify"
)

// An Output says what is right and wrong with chunks, as cantle verify sees it.
type Output struct {
	Text    int64               `json:"text"`    // bytes of text in the documents, blanks left out
	Covered int64               `json:"covered"` // of that, in a chunk
	Largest int                 `json:"largest"` // size of the largest chunk, context included
	Faults  map[verify.Kind]int `json:"faults"`
}

// Lost returns the share of the text that is in no chunk.
func (o *Output) Lost() float64 { return 1 - float64(o.Covered)/float64(max(o.Text, 1)) }

// check holds the chunks in a file against their documents.
func check(j job, docs []document, path string) (*Output, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	index, err := records.NewIndex(f, info.Size(), nil)
	if err != nil {
		return nil, err
	}
	var sources []verify.Source
	for _, d := range docs {
		sources = append(sources, verify.Source{Doc: d.path, Open: func() ([]byte, error) { return os.ReadFile(d.path) }})
	}
	var failed error
	report, err := verify.Run(context.Background(), index, sources, 1, verify.Options{Max: j.max, Encoding: j.encoding, Keep: -1}, func(doc string, err error) {
		failed = fmt.Errorf("%s: %w", doc, err)
	})
	if err == nil {
		err = failed
	}
	return &Output{report.Text, report.Covered, report.Largest, report.Counts}, err
}
