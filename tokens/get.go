package tokens

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
)

// builtin holds every encoding that needs no file.
var builtin = map[string]func() (Encoding, error){
	"chars":         func() (Encoding, error) { return chars{}, nil },
	"words":         func() (Encoding, error) { return words{}, nil },
	"cl100k_base":   tiktoken("cl100k_base"),
	"o200k_base":    tiktoken("o200k_base"),
	"o200k_harmony": tiktoken("o200k_harmony"),
	"p50k_base":     tiktoken("p50k_base"),
	"p50k_edit":     tiktoken("p50k_edit"),
	"r50k_base":     tiktoken("r50k_base"),
	"gpt2":          tiktoken("gpt2"),
}

// loaded holds what Get has returned, by the name or path it loads.
var loaded sync.Map // string -> *load

type load struct {
	once sync.Once
	enc  Encoding
	err  error
}

// Get returns the encoding of that name: one of Names, in any case; the name of an
// OpenAI model, such as "gpt-4o" or "text-embedding-3-small"; or the path of a
// Hugging Face tokenizer.json. A name with a slash or backslash, or that ends in
// ".json", is a path. The first call loads it, later ones return the same value;
// a file is read once, so a changed file is not seen, unless reading it failed.
func Get(name string) (Encoding, error) {
	key := strings.ToLower(name)
	isPath := strings.ContainsAny(name, `/\`) || strings.HasSuffix(key, ".json")
	if _, ok := builtin[key]; !ok && !isPath {
		key = modelEncoding(key)
	}
	open, ok := builtin[key]
	if !ok {
		if _, err := os.Stat(name); err != nil && isPath {
			return nil, err
		} else if err != nil {
			return nil, fmt.Errorf("unknown encoding %q: want one of %s, the name of an OpenAI model, or the path of a tokenizer.json that is there", name, strings.Join(Names(), ", "))
		}
		key, open = name, func() (Encoding, error) { return openFile(name) }
	}
	l, _ := loaded.LoadOrStore(key, new(load))
	entry := l.(*load)
	entry.once.Do(func() {
		if entry.enc, entry.err = open(); entry.err != nil {
			loaded.Delete(key)
		}
	})
	return entry.enc, entry.err
}

// Names returns the names of the encodings that need no file, in order.
func Names() []string {
	return slices.Sorted(maps.Keys(builtin))
}
