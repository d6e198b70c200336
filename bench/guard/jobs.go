package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/tokens"
)

// A job works on the files of testdata/docs that match a pattern, joined.
type job struct {
	files string
	work  int // bytes to go over, the input again and again: enough for what differs from process to process to be lost
	open  func(src []byte) (func() error, error)
}

var jobs = map[string]job{
	"markdown, cut": {"*.md", 200_000, cut("a.md")},
	"html, cut":     {"*.html", 200_000, cut("a.html")},
	"code, cut":     {"src/*.go", 200_000, cut("a.go")},
	"tokens, count": {"*.md", 2_000_000, func(src []byte) (func() error, error) {
		enc, err := tokens.Get(cantle.DefaultEncoding)
		if err != nil {
			return nil, err
		}
		enc.Count("ready") // its ranks are loaded now
		text := string(src)
		return func() error {
			enc.Count(text)
			return nil
		}, nil
	}},
}

// cut parses and cuts with the default options.
func cut(name string) func([]byte) (func() error, error) {
	return func(src []byte) (func() error, error) {
		opt, err := cantle.Options{}.Resolve()
		if err != nil {
			return nil, err
		}
		opt.Cut.Sizer.Count("ready") // its ranks are loaded now
		return func() error {
			_, err := cantle.Chunk(context.Background(), name, src, opt)
			return err
		}, nil
	}
}

func (j job) source() ([]byte, error) {
	paths, err := filepath.Glob(filepath.Join("..", "testdata", "docs", j.files))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no files %s: run it in the folder bench", j.files)
	}
	var all bytes.Buffer
	for _, p := range paths {
		src, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		all.Write(src)
		all.WriteString("\n")
	}
	return all.Bytes(), nil
}

func (j job) size() (int, error) {
	src, err := j.source()
	return len(src), err
}

func runJob(name string, times int) error {
	j, ok := jobs[name]
	if !ok {
		return fmt.Errorf("no job %q", name)
	}
	src, err := j.source()
	if err != nil {
		return err
	}
	run, err := j.open(src)
	for range times {
		if err != nil {
			return err
		}
		err = run()
	}
	return err
}
