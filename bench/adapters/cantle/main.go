// The adapter of cantle: structure and recursive, or parse for parsing alone.
package main

import (
	"context"
	"errors"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/bench/protocol"
	"github.com/cantle/cantle/chunker"
)

func main() {
	protocol.Serve(open, func(_ string, c chunker.Chunk) any { return c },
		"github.com/yuin/goldmark", "github.com/smacker/go-tree-sitter", "golang.org/x/net")
}

func open(r protocol.Request) (func(string, []byte) ([]chunker.Chunk, error), error) {
	if r.Tool == "parse" {
		return func(path string, src []byte) ([]chunker.Chunk, error) {
			_, err := cantle.Parse(path, src, cantle.ParseOptions{})
			return nil, err
		}, nil
	}
	opt, err := cantle.Options{Encoding: r.Encoding, Cut: chunker.Options{Strategy: chunker.Strategy(r.Tool), Max: r.Max}}.Resolve()
	if err != nil {
		return nil, err
	}
	opt.Cut.Sizer.Count("ready") // its ranks are loaded now
	return func(path string, src []byte) ([]chunker.Chunk, error) {
		chunks, err := cantle.Chunk(context.Background(), path, src, opt)
		if errors.Is(err, cantle.ErrBinary) {
			return nil, nil
		}
		return chunks, err
	}, nil
}
