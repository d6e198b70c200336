package command

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/chroma"
	"github.com/cantle/cantle/store/pgvector"
	"github.com/cantle/cantle/store/sqlite"
)

// addStore adds the flag that names a store.
func addStore(cmd *cobra.Command, url *string) {
	cmd.Flags().StringVar(url, "store", "cantle.db", "where the chunks are kept: a `file`"+storeURLs())
}

// A storeKind is a kind of store that URLs name.
type storeKind struct {
	url  string // what a URL looks like; "" for one that is only said elsewhere
	open func(ctx context.Context, url string) (store.Store, error)
}

// stores are the kinds by the scheme of their URLs.
var stores = map[string]storeKind{
	"chroma":     {"chroma://HOST:PORT/NAME", asStore(chroma.Open)},
	"chromas":    {"", asStore(chroma.Open)},
	"postgres":   {"postgres://HOST/DATABASE", asStore(pgvector.Open)},
	"postgresql": {"", asStore(pgvector.Open)},
}

// AddStore adds a kind of store to the command: URLs of a scheme, which look
// like example, are opened by open. Call it before Run.
func AddStore[S store.Store](scheme, example string, open func(ctx context.Context, url string) (S, error)) {
	stores[scheme] = storeKind{example, asStore(open)}
}

// storeURLs lists what URLs look like, as the end of an enumeration.
func storeURLs() string {
	var urls []string
	for _, kind := range stores {
		if kind.url != "" {
			urls = append(urls, kind.url)
		}
	}
	slices.Sort(urls)
	last := len(urls) - 1
	return ", " + strings.Join(urls[:last], ", ") + " or " + urls[last]
}

// asStore makes an interface of what open returns, nil where it fails.
func asStore[S store.Store](open func(context.Context, string) (S, error)) func(context.Context, string) (store.Store, error) {
	return func(ctx context.Context, name string) (store.Store, error) {
		s, err := open(ctx, name)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
}

// OpenStore opens the store that a flag names: a URL, or a file.
func OpenStore(ctx context.Context, name string) (store.Store, error) {
	scheme, _, isURL := strings.Cut(name, "://")
	if !isURL {
		return asStore(sqlite.Open)(ctx, name)
	}
	kind, ok := stores[scheme]
	if !ok {
		return nil, fmt.Errorf("--store %s: there is no store %s: want a file%s", redacted(name), scheme, storeURLs())
	}
	return kind.open(ctx, name)
}

func storeExists(name string) bool { return strings.Contains(name, "://") || sqlite.Exists(name) }

func redacted(name string) string {
	if u, err := url.Parse(name); err == nil {
		return u.Redacted()
	}
	return strings.SplitN(name, "://", 2)[0] + "://..."
}

// nothing is an empty store, for a dry run.
type nothing struct{ store.Store }

func (nothing) Manifest(context.Context) ([]store.Document, error)        { return nil, nil }
func (nothing) Document(context.Context, string) ([]chunker.Chunk, error) { return nil, nil }
func (nothing) Close() error                                              { return nil }
