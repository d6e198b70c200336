// The adapter of langchaingo: markdown and recursive, with tiktoken-go as it
// ships, or with the faster tiktoken-go/tokenizer as the length function
// ("markdown+tokenizer").
package main

import (
	"fmt"
	"strings"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/tiktoken-go/tokenizer"
	"github.com/tmc/langchaingo/textsplitter"

	"github.com/cantle/cantle/bench/protocol"
)

type chunk struct {
	Doc  string `json:"doc"`
	Text string `json:"text"`
}

func main() {
	protocol.Serve(open, func(path string, text string) any { return chunk{path, text} },
		"github.com/tmc/langchaingo", "github.com/pkoukk/tiktoken-go", "github.com/tiktoken-go/tokenizer")
}

func open(r protocol.Request) (func(string, []byte) ([]string, error), error) {
	tool, counter, _ := strings.Cut(r.Tool, "+")
	opts := []textsplitter.Option{textsplitter.WithChunkSize(r.Max), textsplitter.WithChunkOverlap(0)}
	switch {
	case r.Encoding == "chars":
	case counter == "tokenizer":
		enc, err := tokenizer.Get(tokenizer.Encoding(r.Encoding))
		if err != nil {
			return nil, err
		}
		opts = append(opts, textsplitter.WithLenFunc(func(s string) int {
			n, _ := enc.Count(s)
			return n
		}))
	default:
		tiktoken.SetBpeLoader(loader.NewOfflineLoader())
		enc, err := tiktoken.GetEncoding(r.Encoding)
		if err != nil {
			return nil, err
		}
		opts = append(opts, textsplitter.WithLenFunc(func(s string) int { return len(enc.EncodeOrdinary(s)) }))
	}
	var s textsplitter.TextSplitter
	switch tool {
	case "markdown": // by its defaults it leaves out all code
		opts = append(opts, textsplitter.WithCodeBlocks(true), textsplitter.WithHeadingHierarchy(true))
		s = textsplitter.NewMarkdownTextSplitter(opts...)
	case "recursive":
		s = textsplitter.NewRecursiveCharacter(opts...)
	default:
		return nil, fmt.Errorf("no such tool: %s", r.Tool)
	}
	return func(_ string, src []byte) ([]string, error) { return s.SplitText(string(src)) }, nil
}
