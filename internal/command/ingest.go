package command

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/code"
	"github.com/cantle/cantle/embed"
	"github.com/cantle/cantle/internal/walk"
	"github.com/cantle/cantle/store"
)

func newIngest(s streams) *cobra.Command {
	var cutting cutFlags
	g := ingest{s: s}
	var rules string
	var watch bool
	cmd := &cobra.Command{
		Use:   "ingest [flags] PATH...",
		Short: "Cut files and folders and keep the chunks in a store, to be searched",
		Long: "Cut files and folders and keep the chunks in a store, to be searched with 'cantle search'. The next time only what\n" +
			"has changed is cut, and what is gone is deleted. A document is replaced as one: a run that is cut short leaves none\n" +
			"half done, and the next one goes on where it was.\n" +
			"Without --embedder the chunks are found by their words only.",
		Example: "  cantle ingest docs\n  cantle ingest --store kb.db --embedder minilm:models/all-MiniLM-L6-v2 --parents 1600 docs\n  cantle ingest --dry-run docs",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var opened embedders
			defer opened.close()
			var err error
			if g.opt, err = cutting.resolve(s, cmd.Flags(), &opened); err != nil {
				return err
			}
			if err := g.walk.check(); err != nil {
				return err
			}
			for _, arg := range args {
				switch {
				case arg == "-":
					return misuse{errors.New("-: standard input has no name to be kept under")}
				case isStream(arg):
					return misuse{fmt.Errorf("%s: a pipe has no name to be kept under", arg)}
				}
			}
			if rules != "" {
				if g.rules, err = readRules(rules); err != nil {
					return misuse{fmt.Errorf("--meta-rules %s: %w", rules, err)}
				}
			}
			if cmd.Flags().Changed("embedder") {
				cache := cmp.Or(cutting.embedCache, cacheBeside(g.url, cutting.embedder))
				if g.embedder, err = opened.open("--embedder", cutting.embedder, cache); err != nil {
					return err
				}
			}
			if g.settings, err = settingsOf(cutting.encoding, g.opt, g.embedding); err != nil {
				return err
			}
			if g.dryRun && !storeExists(g.url) {
				g.store = nothing{}
			} else if g.store, err = OpenStore(cmd.Context(), g.url); err != nil {
				return misuse{err}
			}
			defer g.store.Close()
			err = g.run(cmd.Context(), args)
			if watch && (err == nil || err == errFailed) {
				return g.follow(cmd.Context(), args)
			}
			return err
		},
	}
	cutting.add(cmd)
	g.walk.add(cmd)
	fl := cmd.Flags()
	fl.Lookup("embedder").Usage = "what gives the chunks vectors, and compares meanings: lexical, minilm:FOLDER or http://HOST/v1?model=NAME (default none)"
	fl.Lookup("embedder").DefValue = ""
	fl.Lookup("embed-cache").Usage = "keep vectors in this `file`, by content (default STORE-embeddings beside a SQLite store)"
	addStore(cmd, &g.url)
	fl.StringVar(&rules, "meta-rules", "", "YAML `file` of metadata by path: globs, each with keys and values; later ones override")
	fl.StringVar(&g.root, "root", "", "what these paths are called in the store: documents of this `name` that are gone are deleted (default: each path's absolute form)")
	fl.StringVar(&g.prefix, "prefix", "", "put this before the documents' ids")
	fl.BoolVar(&g.Context, "embed-context", false, "embed the context along with the text")
	fl.BoolVar(&g.Facts, "embed-facts", false, embedFactsUsage)
	fl.BoolVar(&g.dryRun, "dry-run", false, "say what would be done, and do nothing")
	fl.BoolVar(&watch, "watch", false, "go on, and follow changes of the files")
	return cmd
}

// An embedding says what of a chunk is embedded.
type embedding struct{ Context, Facts bool }

const embedFactsUsage = "embed rows of tables as facts, 'Revenue, 2024: 1,234': found better, but up to twice as long as the chunk"

// settingsOf says in short how documents are cut: where it differs they are
// cut anew.
func settingsOf(encoding string, opt cantle.Options, how embedding) (string, error) {
	if e := opt.Cut.Semantic.Embedder; e != nil {
		encoding += " " + e.(interface{ Name() string }).Name()
	}
	opt.Encoding, opt.Cut.Sizer, opt.Cut.Semantic.Embedder = encoding, nil, nil
	b, err := json.Marshal(struct {
		Cantle  string // another version may cut otherwise
		Options cantle.Options
		embedding
	}{version(), opt, how})
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), err
}

// An ingest is what a run of the command knows.
type ingest struct {
	s        streams
	walk     walkFlags
	opt      cantle.Options
	store    store.Store
	embedder embed.Embedder // nil for none
	url      string
	root     string // "" for each path's own
	prefix   string
	settings string
	rules    []metaRule
	embedding
	dryRun bool

	known map[string]store.Document // the manifest

	mu     sync.Mutex
	seen   map[string]bool // ids of files that are there
	broken bool            // the walk has not seen all
}

// An ingested is what became of one file.
type ingested struct {
	done
	entry store.Document
	same  bool // as it is in the store
	own   bool // a file of the store
}

// tally counts what a run has done.
type tally struct {
	added, changed, same, deleted int
	chunks, newChunks, tokens     int // of documents that were added or changed
	bytes                         int64
	otherSettings, otherEmbedder  int
	embedderBefore                string
}

// run brings the store up to date once.
func (g *ingest) run(ctx context.Context, paths []string) error {
	start := time.Now()
	all, err := g.store.Manifest(ctx)
	if err != nil {
		return fmt.Errorf("store %s: %w", redacted(g.url), err)
	}
	g.known, g.seen, g.broken = map[string]store.Document{}, map[string]bool{}, false
	for _, d := range all {
		g.known[d.ID] = d
	}
	var n tally
	w := &store.Writer{Store: g.store, Embedder: g.embedder, Context: g.Context, Facts: g.Facts}
	failed := eachFile(ctx, g.s, g.walk, paths, func(k work) ingested { return g.cut(ctx, paths, k) }, func(d ingested) error {
		was, isKnown := g.known[d.entry.ID]
		switch {
		case d.own:
			return nil
		case d.same:
			n.same++
			return nil
		case isKnown:
			n.changed++
			if was.Settings != d.entry.Settings {
				n.otherSettings++
			}
			if was.Embedder != g.embedderName() {
				n.otherEmbedder++
				n.embedderBefore = was.Embedder
			}
		default:
			n.added++
		}
		n.bytes += d.entry.Size
		n.chunks += len(d.chunks)
		if !g.dryRun {
			return w.Add(ctx, d.entry, d.chunks)
		}
		return g.estimate(ctx, w, &n, isKnown && was.Embedder == g.embedderName(), d)
	})
	if failed != nil && failed != errFailed {
		w.Wait()
		return failed
	}
	if err := w.Flush(ctx); err != nil {
		return err
	}
	gone := g.gone(paths)
	n.deleted = len(gone)
	if !g.dryRun {
		if err := g.store.Delete(ctx, gone...); err != nil {
			return fmt.Errorf("deleting: %w", err)
		}
	}
	g.report(&n, w, time.Since(start))
	return failed
}

func (g *ingest) embedderName() string {
	if g.embedder == nil {
		return ""
	}
	return g.embedder.Name()
}

// rootOf returns what the path a file was found under is called.
func (g *ingest) rootOf(paths []string, file string) string {
	if g.root != "" {
		return g.root
	}
	best := ""
	for _, p := range paths {
		p = filepath.Clean(p)
		if isWithin(p, file) && len(p) >= len(best) {
			best = p
		}
	}
	return rootName(best)
}

// rootName returns what documents below a path belong to.
func rootName(path string) string { return walk.Valid(absolute(path)) }

// isWithin reports whether file is at or below folder, both as the user wrote
// the folder.
func isWithin(folder, file string) bool {
	rel, err := filepath.Rel(folder, file)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func absolute(p string) string {
	if abs, err := filepath.Abs(p); err == nil {
		p = abs
	}
	return filepath.ToSlash(p)
}

// cut cuts a file, unless it is in the store as it is.
func (g *ingest) cut(ctx context.Context, paths []string, k work) ingested {
	id := g.prefix + k.file.ID
	d := ingested{done: done{file: k.file, err: k.err}}
	if d.err != nil {
		g.mu.Lock()
		g.broken = true // below a folder that cannot be read nothing counts as gone
		g.mu.Unlock()
		return d
	}
	if d.own = g.isOwn(k.file.Path); d.own {
		return d
	}
	settings, meta := g.settings, g.opt.Cut.Meta
	if more := matching(g.rules, k.file.ID); more != nil {
		maps.Copy(more, meta) // what is said for all is said last
		meta = more
		settings = withMeta(settings, meta)
	}
	d.entry = store.Document{ID: id, Root: g.rootOf(paths, k.file.Path), Settings: settings}
	g.mu.Lock()
	g.seen[id] = true
	g.mu.Unlock()
	if d.err = d.entry.Check(); d.err != nil {
		return d
	}
	was, isKnown := g.known[id]
	if isKnown && was.Root != d.entry.Root {
		d.err = fmt.Errorf("the store has a document %s of %s: give another --prefix, or --root %s to replace it", id, was.Root, was.Root)
		return d
	}
	if d.err = g.stat(&d.entry, k.file); d.err != nil {
		return d
	}
	upToDate := isKnown && was.Settings == settings && was.Embedder == g.embedderName()
	if upToDate && was.Modified != 0 && was.Modified == d.entry.Modified && was.Size == d.entry.Size {
		d.same = true
		return d
	}
	src, err := os.ReadFile(k.file.Path)
	if err != nil {
		d.err = err
		return d
	}
	sum := sha256.Sum256(src)
	d.entry.Hash, d.entry.Size = hex.EncodeToString(sum[:]), int64(len(src))
	if upToDate && was.Hash == d.entry.Hash {
		d.same = true
		return d
	}
	if !g.walk.all && !k.file.Named {
		if d.skipped = code.Generated(k.file.Rel, src); d.skipped != "" {
			g.mu.Lock()
			delete(g.seen, id)
			g.mu.Unlock()
			return d
		}
	}
	opt := g.opt
	opt.Cut.DocID, opt.Cut.Source, opt.Cut.Meta = id, walk.Valid(k.file.Path), meta
	if d.doc, d.err = cantle.Parse(k.file.ID, src, opt.Parse); d.err == nil {
		d.chunks, d.err = cantle.Cut(ctx, d.doc, opt)
	}
	return d
}

// clockTick is how much later than its time of change a file must be read, for
// the time to tell a further change.
const clockTick = 20 * time.Millisecond

// stat notes size and time of change. The time is left out where it would not
// tell a change that comes at once; for a tick of the clock that is waited for.
func (g *ingest) stat(d *store.Document, f walk.File) error {
	info, err := os.Stat(f.Path)
	if err != nil {
		return err
	}
	d.Size = info.Size()
	age := time.Since(info.ModTime())
	if age >= 0 && age < clockTick {
		time.Sleep(clockTick - age)
		age = clockTick
	}
	isCoarse := info.ModTime().Nanosecond() == 0 // a file system that counts in seconds, perhaps in twos
	if age >= clockTick && (!isCoarse || age > 2*time.Second) {
		d.Modified = info.ModTime().UnixNano()
	}
	return nil
}

// estimate counts what a document would cost.
func (g *ingest) estimate(ctx context.Context, w *store.Writer, n *tally, isEmbedded bool, d ingested) error {
	there, err := g.store.Document(ctx, d.entry.ID)
	if err != nil {
		return err
	}
	for i := range d.chunks {
		c := &d.chunks[i]
		if has := slices.ContainsFunc(there, func(o chunker.Chunk) bool { return o.ID == c.ID }); !has || !isEmbedded {
			n.newChunks++
			if store.Searchable(c) {
				n.tokens += g.opt.Cut.Sizer.Count(w.EmbeddedText(c))
			}
		}
	}
	return nil
}

// gone returns the documents of these paths that are in the store and not on
// disk any more.
func (g *ingest) gone(paths []string) []string {
	if g.broken {
		return nil
	}
	var gone []string
	for id, d := range g.known {
		isOurs := d.Root == g.root
		for _, p := range paths {
			isOurs = isOurs || g.root == "" && d.Root == rootName(p)
		}
		if isOurs && !g.seen[id] {
			gone = append(gone, id)
		}
	}
	slices.Sort(gone)
	return gone
}

// report says what has been done.
func (g *ingest) report(n *tally, w *store.Writer, took time.Duration) {
	if n.otherSettings > 0 {
		fmt.Fprintf(g.s.err, "cantle: the settings are others than before: %d documents are cut anew\n", n.otherSettings)
	}
	if n.otherEmbedder > 0 {
		fmt.Fprintf(g.s.err, "cantle: the embedder was %s and is %s: %d documents are embedded anew\n", orNone(n.embedderBefore), orNone(g.embedderName()), n.otherEmbedder)
	}
	if g.broken {
		fmt.Fprintln(g.s.err, "cantle: not all could be seen, so nothing is deleted")
	}
	for _, d := range g.known {
		if !g.seen[d.ID] && d.Embedder != g.embedderName() && d.Embedder != "" && n.added+n.changed > 0 {
			fmt.Fprintf(g.s.err, "cantle: warning: other documents of the store have vectors of %s; a search by vector finds one kind or the other\n", d.Embedder)
			break
		}
	}
	if g.dryRun {
		fmt.Fprintf(g.s.out, "would add %d, change %d, delete %d documents, leave %d\n", n.added, n.changed, n.deleted, n.same)
		fmt.Fprintf(g.s.out, "would cut %d chunks, %d of them new: %d tokens to embed\n", n.chunks, n.newChunks, n.tokens)
		return
	}
	fmt.Fprintf(g.s.out, "added %d, changed %d, deleted %d documents, left %d\n", n.added, n.changed, n.deleted, n.same)
	if w.Chunks > 0 {
		rate := fmt.Sprintf("%.1f MB/s", float64(n.bytes)/1e6/max(took.Seconds(), 1e-6))
		fmt.Fprintf(g.s.err, "cantle: wrote %d chunks in %.1f s, %s\n", w.Chunks, took.Seconds(), rate)
	}
	if c, ok := g.embedder.(*embed.Cache); ok && w.Embedded > 0 {
		stats := c.Stats()
		fmt.Fprintf(g.s.err, "cantle: embedded %d texts, %d of them known\n", stats.Texts, stats.Hits)
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// isOwn reports whether a file is the store's own, and no document.
func (g *ingest) isOwn(name string) bool {
	if strings.Contains(g.url, "://") {
		return false
	}
	rest, ok := strings.CutPrefix(absolute(name), absolute(g.url))
	return ok && slices.Contains([]string{"", "-wal", "-shm", "-journal", "-embeddings"}, rest)
}
