// Package walk finds the files to read below the paths that a user names, in
// a fixed order, leaving out what .gitignore files and hidden folders leave out.
package walk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	gitignore "github.com/boyter/gocodewalker/go-gitignore"
)

// A File is a file to read.
type File struct {
	Path   string // as it can be opened
	Rel    string // its path relative to the walked folder, with "/"; its name where a file itself was named
	ID     string // what its document is called, see Walk
	Named  bool   // it is one of the roots, so the user wants it whatever it is
	Stream bool   // it is a pipe or a device: it can be read once, and its name says nothing
	Size   int64  // bytes, as of the walk
}

// Options say what to leave out.
type Options struct {
	All bool // nothing but .git: ignored and hidden files are taken too
}

// Walk calls found for each file at or below the roots, once, in the order of
// the roots and by name within a folder. A path that cannot be read goes to
// failed and the walk goes on. Links to files are followed, links to folders
// are not. Sockets, pipes and devices are found where they are roots. The error
// is found's, or the context's.
//
// The ID of a file is its path below the root, with "/", or where the root is
// a file the path as it was named. Where there are several roots, it keeps the
// root in front of it. It is as Valid returns it. So no two files share one,
// and it does not depend on which of the roots are there.
func Walk(ctx context.Context, roots []string, opt Options, found func(File) error, failed func(path string, err error)) error {
	w := &walker{ctx: ctx, opt: opt, found: found, failed: failed, named: map[string]bool{}}
	var different []string
	for _, root := range roots {
		if abs := absolute(root); !w.named[abs] {
			w.named[abs] = true
			different = append(different, root)
		}
	}
	if len(different) > 1 {
		w.seen = map[string]bool{}
	}
	for _, root := range different {
		info, err := os.Stat(root)
		switch {
		case err != nil:
			failed(root, err)
		case info.IsDir():
			prefix := ""
			if len(different) > 1 {
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

// Valid returns a path or ID as JSON and databases can hold it: each byte that
// is no valid UTF-8 becomes U+FFFD and its two hexadecimal digits. So does each
// byte of a U+FFFD that is there already, so that no two paths become the same.
func Valid(name string) string {
	if utf8.ValidString(name) && !strings.ContainsRune(name, utf8.RuneError) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		for _, c := range []byte(name[i : i+n]) {
			if r == utf8.RuneError {
				fmt.Fprintf(&b, "%c%02X", utf8.RuneError, c)
			} else {
				b.WriteByte(c)
			}
		}
		i += n
	}
	return b.String()
}

func slash(p string) string { return path.Clean(filepath.ToSlash(p)) }

type walker struct {
	ctx    context.Context
	opt    Options
	found  func(File) error
	failed func(string, error)
	named  map[string]bool // the roots, as absolute paths
	seen   map[string]bool // the files found, as absolute paths; nil where there is one root, below which none comes twice
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
	abs, stream := absolute(p), !info.Mode().IsRegular()
	if stream && !w.named[abs] {
		return nil
	}
	if w.seen[abs] {
		return nil
	}
	if w.seen != nil {
		w.seen[abs] = true
	}
	if err := w.found(File{Path: p, Rel: rel, ID: Valid(id), Named: w.named[abs], Stream: stream, Size: info.Size()}); err != nil {
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
