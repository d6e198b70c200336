package command

import (
	"fmt"
	"strings"

	"github.com/cantle/cantle/embed"
)

// embedders are those that a command has opened: each model once, and each
// cache once, so that all who use it find what one of them has added. The zero
// value is ready.
type embedders struct {
	models map[string]embed.Embedder
	caches map[cacheKey]*embed.Cache
}

// A cacheKey is a model and the file that keeps its vectors.
type cacheKey struct{ spec, file string }

// model returns the model that a flag specifies, without a cache.
func (e *embedders) model(flag, spec string) (embed.Embedder, error) {
	if m, ok := e.models[spec]; ok {
		return m, nil
	}
	m, err := embed.Open(spec)
	if err != nil {
		return nil, misuse{fmt.Errorf("%s: %w", flag, err)}
	}
	if e.models == nil {
		e.models = map[string]embed.Embedder{}
	}
	e.models[spec] = m
	return m, nil
}

// open returns the model that a flag specifies, behind its cache in file where
// one is named.
func (e *embedders) open(flag, spec, file string) (embed.Embedder, error) {
	m, err := e.model(flag, spec)
	if err != nil || file == "" {
		return m, err
	}
	key := cacheKey{spec, file}
	if c, ok := e.caches[key]; ok {
		return c, nil
	}
	c, err := embed.OpenCache(m, file)
	if err != nil {
		return nil, misuse{fmt.Errorf("--embed-cache: %w", err)}
	}
	if e.caches == nil {
		e.caches = map[cacheKey]*embed.Cache{}
	}
	e.caches[key] = c
	return c, nil
}

// close closes the caches.
func (e *embedders) close() {
	for _, c := range e.caches {
		c.Close() // all is written already
	}
}

// cacheBeside returns the file that keeps vectors where none is named: beside a
// store that is a file, for models that are slower than a look into it.
func cacheBeside(store, spec string) string {
	if strings.Contains(store, "://") || spec == "lexical" || strings.HasPrefix(spec, "lexical:") {
		return ""
	}
	return store + "-embeddings"
}
