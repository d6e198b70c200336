// Package walk finds the files to read below the paths that a user names, in
// a fixed order, leaving out what .gitignore files and hidden folders leave out.
package walk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	gitignore "github.com/boyter/gocodewalker/go-gitignore"
)

// A File is a file to read.
type File struct {
	Path string // as it can be opened
	Rel  string // its path relative to the walked folder, with "/"; its name where a file itself was named
	ID   string // Rel, or Path where a file itself was named; see Walk for several folders
	Size int64  // bytes, as of the walk
}

// Options say what to leave out.
type Options struct {
	All bool // nothing but .git: ignored and hidden files are taken too
}

// Walk calls found for each file at or below the roots, in the order of the
// roots and by name within a folder. A path that cannot be read goes to failed
// and the walk goes on. Where several folders are named, an ID keeps the name
// of the root in front, so that no two files share one. Links to files are
// followed, links to folders are not. The error is found's, or the context's.
func Walk(ctx context.Context, roots []string, opt Options, found func(File) error, failed func(path string, err error)) error {
	w := &walker{ctx: ctx, opt: opt, found: found, failed: failed}
	folders := 0
	for _, root := range roots {
		if info, err := os.Stat(root); err == nil && info.IsDir() {
			folders++
		}
	}
	for _, root := range roots {
		info, err := os.Stat(root)
		switch {
		case err != nil:
			failed(root, err)
		case info.IsDir():
			prefix := ""
			if folders > 1 {
				prefix = slash(root)
			}
			err = w.folder(root, prefix, "", outer(root))
		default:
			err = w.file(root, slash(root), filepath.Base(root), info)
		}
		if err := w.stopped(err); err != nil {
			return err
		}
	}
	return nil
}

func slash(p string) string { return path.Clean(filepath.ToSlash(p)) }

type walker struct {
	ctx    context.Context
	opt    Options
	found  func(File) error
	failed func(string, error)
}

// stopError carries an error of the caller's through the walk.
type stopError struct{ error }

func (e stopError) Unwrap() error { return e.error }

func (w *walker) stopped(err error) error {
	var stop stopError
	if errors.As(err, &stop) {
		return stop.error
	}
	return nil
}

func (w *walker) file(p, id, rel string, info fs.FileInfo) error {
	if err := w.ctx.Err(); err != nil {
		return stopError{err}
	}
	if !info.Mode().IsRegular() {
		return nil // sockets, pipes, devices
	}
	if err := w.found(File{Path: p, Rel: rel, ID: id, Size: info.Size()}); err != nil {
		return stopError{err}
	}
	return nil
}

// folder walks one folder. rules are the .gitignore files above it, outermost
// first.
func (w *walker) folder(dir, id, rel string, rules []gitignore.GitIgnore) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		w.failed(dir, err)
	}
	if rule := read(dir); rule != nil {
		rules = append(rules[:len(rules):len(rules)], rule)
	}
	for _, e := range entries {
		name := e.Name()
		p := filepath.Join(dir, name)
		if name == ".git" || !w.opt.All && (strings.HasPrefix(name, ".") || ignored(rules, p, e.IsDir())) {
			continue
		}
		if e.IsDir() {
			if err := w.folder(p, path.Join(id, name), path.Join(rel, name), rules); err != nil {
				return err
			}
			continue
		}
		info, err := os.Stat(p)
		if err != nil {
			w.failed(p, err)
			continue
		}
		if info.IsDir() {
			continue // a link to a folder could lead in a circle
		}
		if err := w.file(p, path.Join(id, name), path.Join(rel, name), info); err != nil {
			return err
		}
	}
	return nil
}

// ignored reports whether the rules leave out p: the innermost file that says
// anything about it decides.
func ignored(rules []gitignore.GitIgnore, p string, isDir bool) bool {
	for i := len(rules) - 1; i >= 0; i-- {
		rel, err := filepath.Rel(rules[i].Base(), absolute(p))
		if err != nil {
			continue
		}
		if m := rules[i].Relative(filepath.ToSlash(rel), isDir); m != nil {
			return m.Ignore()
		}
	}
	return false
}

func absolute(p string) string {
	abs, err := filepath.Abs(p)
	if err != nil {
		return p
	}
	return abs
}

// read returns the rules of a folder's .gitignore, or nil.
func read(dir string) gitignore.GitIgnore {
	f, err := os.Open(filepath.Join(dir, ".gitignore"))
	if err != nil {
		return nil
	}
	defer f.Close()
	return gitignore.New(f, absolute(dir), func(gitignore.Error) bool { return true })
}

// outer returns the rules of the folders around dir, up to the root of the
// git work tree it lies in.
func outer(dir string) []gitignore.GitIgnore {
	var rules []gitignore.GitIgnore
	for at := absolute(dir); ; {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			break
		}
		up := filepath.Dir(at)
		if up == at {
			return nil // not in a work tree
		}
		at = up
		if rule := read(at); rule != nil {
			rules = append([]gitignore.GitIgnore{rule}, rules...)
		}
	}
	return rules
}
