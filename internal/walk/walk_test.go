package walk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree makes files below a new folder; a name that ends in "/" is a folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func ids(t *testing.T, opt Options, roots ...string) []string {
	t.Helper()
	var got []string
	err := Walk(context.Background(), roots, opt,
		func(f File) error { got = append(got, f.ID); return nil },
		func(p string, err error) { t.Errorf("%s: %v", p, err) })
	if err != nil {
		t.Fatal(err)
	}
	return got
}

var rules = map[string]string{
	".gitignore": "*.log\n/build/\nnotes/*.tmp\n!keep.log\n**/deep/x.md\ndoc?.md\n[ab].txt\n# a comment\n\\#odd.md\ntrailing/ \n",
	"a.md":       "", "b.log": "", "keep.log": "", "build/out.md": "", "src/build/in.md": "",
	"notes/a.tmp": "", "notes/sub/a.tmp": "", "one/deep/x.md": "", "deep/x.md": "", "doc1.md": "", "doc12.md": "",
	"a.txt": "", "c.txt": "", "#odd.md": "", "trailing/x.md": "",
	"src/.gitignore": "!b.log\nonly.md\n", "src/b.log": "", "src/only.md": "", "only.md": "", "src/sub/only.md": "",
	".hidden/x.md": "",
}

func TestIgnoreRulesAreGits(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := tree(t, rules)
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "core.quotePath=false"}, args...)...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	git("init", "-q")
	var want []string
	for _, name := range strings.Split(strings.TrimSpace(git("ls-files", "-o", "--exclude-standard")), "\n") {
		if !strings.HasPrefix(name, ".") && !strings.Contains(name, "/.") {
			want = append(want, name)
		}
	}
	got := ids(t, Options{}, dir)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	// A folder within the work tree is under the rules of those around it.
	if got, want := ids(t, Options{}, filepath.Join(dir, "src")), []string{"b.log", "build/in.md"}; !slices.Equal(got, want) {
		t.Errorf("below src: got %q, want %q", got, want)
	}
}

func TestWalk(t *testing.T) {
	dir := tree(t, map[string]string{"b/2.md": "", "b/1.md": "", "a.md": "", ".env": "", ".git/config": "", "c/.gitignore": "x.md\n", "c/x.md": ""})
	for _, c := range []struct {
		name  string
		opt   Options
		roots []string
		want  []string
	}{
		{"by name", Options{}, []string{dir}, []string{"a.md", "b/1.md", "b/2.md"}},
		{"all", Options{All: true}, []string{dir}, []string{".env", "a.md", "b/1.md", "b/2.md", "c/.gitignore", "c/x.md"}},
		{"a file that is named is taken", Options{}, []string{filepath.Join(dir, "c/x.md")}, []string{filepath.ToSlash(filepath.Join(dir, "c/x.md"))}},
		{"two folders", Options{}, []string{filepath.Join(dir, "b"), filepath.Join(dir, "c")},
			[]string{filepath.ToSlash(filepath.Join(dir, "b/1.md")), filepath.ToSlash(filepath.Join(dir, "b/2.md"))}},
	} {
		if got := ids(t, c.opt, c.roots...); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSeveralRoots(t *testing.T) {
	t.Chdir(tree(t, map[string]string{"a.md": "", "docs/a.md": "", "docs/b.md": "", "docs/.gitignore": "c.md\n", "docs/c.md": ""}))
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ roots, want []string }{
		{[]string{"docs"}, []string{"a.md", "b.md"}},
		{[]string{"docs", "./docs/", filepath.Join(here, "docs")}, []string{"a.md", "b.md"}},
		{[]string{"docs", "a.md"}, []string{"docs/a.md", "docs/b.md", "a.md"}},
		{[]string{"docs", "missing"}, []string{"docs/a.md", "docs/b.md"}},
		{[]string{".", "docs"}, []string{"a.md", "docs/a.md", "docs/b.md"}},
		{[]string{"docs", "."}, []string{"docs/a.md", "docs/b.md", "a.md"}},
		{[]string{"docs", "docs/c.md", "./docs/b.md"}, []string{"docs/a.md", "docs/b.md", "docs/c.md"}},
	} {
		var got, named []string
		err := Walk(context.Background(), c.roots, Options{}, func(f File) error {
			got = append(got, f.ID)
			if f.Named {
				named = append(named, f.ID)
			}
			return nil
		}, func(string, error) {})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, %v, want %q", c.roots, got, err, c.want)
		}
		var want []string
		for _, id := range got {
			if slices.ContainsFunc(c.roots, func(root string) bool { return slash(root) == id }) {
				want = append(want, id)
			}
		}
		if !slices.Equal(named, want) {
			t.Errorf("%q: named are %q, want %q", c.roots, named, want)
		}
	}
}

func TestNamesThatAreNotUTF8(t *testing.T) {
	dir := t.TempDir()
	names := []string{"caf\xe9.md", "caf\xe8.md", "caf\ufffd.md", "caf\ufffdE9.md", "café.md"}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Skip(err) // a file system that takes none
		}
	}
	got := ids(t, Options{}, dir)
	slices.Sort(got)
	if want := []string{"café.md", "caf\ufffdE8.md", "caf\ufffdE9.md", "caf\ufffdEF\ufffdBF\ufffdBD.md", "caf\ufffdEF\ufffdBF\ufffdBDE9.md"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWalkErrors(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": "", "b.md": ""})
	var failed []string
	var got []string
	missing := filepath.Join(dir, "missing")
	err := Walk(context.Background(), []string{missing, dir}, Options{},
		func(f File) error { got = append(got, f.ID); return nil },
		func(p string, err error) { failed = append(failed, p) })
	if err != nil || !slices.Equal(failed, []string{missing}) || len(got) != 2 {
		t.Errorf("a missing root: got %q, failed %q, %v", got, failed, err)
	}
	boom := errors.New("boom")
	if err := Walk(context.Background(), []string{dir}, Options{}, func(File) error { return boom }, nil); err != boom {
		t.Errorf("an error of the caller: got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Walk(ctx, []string{dir}, Options{}, func(File) error { return nil }, nil); err != context.Canceled {
		t.Errorf("cancelled: got %v", err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "loop")); err != nil {
		t.Skip(err)
	}
	if got := ids(t, Options{}, dir); len(got) != 2 {
		t.Errorf("a link in a circle: got %q", got)
	}
}

// A device that is named is found, one below a folder is not.
func TestStreams(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": ""})
	if err := os.Symlink(os.DevNull, filepath.Join(dir, "null.md")); err != nil {
		t.Skip(err)
	}
	var got []string
	err := Walk(context.Background(), []string{dir, filepath.Join(dir, "null.md")}, Options{}, func(f File) error {
		got = append(got, fmt.Sprintln(filepath.Base(f.Path), f.Named, f.Stream))
		return nil
	}, func(string, error) {})
	if want := []string{"a.md false false\n", "null.md true true\n"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
