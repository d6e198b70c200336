package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quiet is how long nothing must change before a change is taken in.
const quiet = 300 * time.Millisecond

// follow runs again whenever something below paths has changed.
func (g *ingest) follow(ctx context.Context, paths []string) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("--watch: %w", err)
	}
	defer w.Close()
	watchAll(w, paths)
	fmt.Fprintln(g.s.err, "cantle: watching")
	var due <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil // how it ends
		case err := <-w.Errors:
			fmt.Fprintf(g.s.err, "cantle: --watch: %v\n", err)
			due = time.After(quiet) // something may have been missed
		case e := <-w.Events:
			if !g.isOwn(e.Name) {
				due = time.After(quiet)
			}
		case <-due:
			due = nil
			watchAll(w, paths) // there may be new folders
			switch err := g.run(ctx, paths); {
			case ctx.Err() != nil:
				return nil
			case err != nil && err != errFailed:
				fmt.Fprintf(g.s.err, "cantle: %v\n", err) // a server may come back
				due = time.After(10 * time.Second)
			}
		}
	}
}

// watchAll watches all folders at and below paths, and the folders of files.
func watchAll(w *fsnotify.Watcher, paths []string) {
	for _, p := range paths {
		filepath.WalkDir(p, func(name string, e os.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil
			case !e.IsDir():
				if name == p {
					w.Add(filepath.Dir(p))
				}
				return nil
			case e.Name() == ".git":
				return filepath.SkipDir
			}
			w.Add(name) // again is no error; where it fails, the next run still sees all
			return nil
		})
	}
}
