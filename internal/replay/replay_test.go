package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/diff"
	"github.com/cantle/cantle/markdown"
	"github.com/cantle/cantle/segment"
)

// git runs git on the repository that CANTLE_HISTORY names, a clone of one with
// Markdown documents, and skips the test where there is none.
func git(t *testing.T, args ...string) []byte {
	t.Helper()
	repo := os.Getenv("CANTLE_HISTORY")
	if repo == "" {
		t.Skip("CANTLE_HISTORY names no git repository")
	}
	out, err := exec.Command("git", append([]string{"-C", repo, "-c", "core.quotepath=off", "-c", "safe.directory=*"}, args...)...).Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return out
}

func isMarkdown(name string) bool {
	return path.Ext(name) == ".md" || path.Ext(name) == ".mdx"
}

func cut(t *testing.T, name string, src []byte) []chunker.Chunk {
	t.Helper()
	chunks, err := cantle.Chunk(context.Background(), name, src, cantle.Options{})
	if err != nil && !errors.Is(err, cantle.ErrBinary) {
		t.Fatal(err)
	}
	return chunks
}

const commits = 300

// TestCommits replays the last 300 commits that change a Markdown document.
//
//	tokens to embed again   by
//	    add                 diff: new texts, whatever their ids
//	    ids                 cantle's ids: those that were not there before
//	    content             a hash of the text, over the whole set
//	    index               document and chunk number: the text under it is another
//	    changed             what changed: chunks that hold a line that git shows as
//	                        changed, or stand under a heading or title that is new
func TestCommits(t *testing.T) {
	if os.Getenv("CANTLE_LONG") == "" {
		t.Skip("CANTLE_LONG is not set")
	}
	log := strings.Fields(string(git(t, "log", "--no-merges", "--format=%H", "-n", strconv.Itoa(commits), "--diff-filter=AMRD", "--", "*.md", "*.mdx")))
	var add, ids, content, index, changed int64
	touched := 0
	for i := len(log) - 1; i >= 0; i-- {
		var old, new []chunker.Chunk
		for _, line := range strings.Split(strings.TrimSpace(string(git(t, "diff-tree", "-r", "--root", "--no-commit-id", "--no-renames", "--name-only", log[i]))), "\n") {
			if !isMarkdown(line) {
				continue
			}
			touched++
			before := cut(t, line, blob(t, log[i]+"^", line))
			after := cut(t, line, blob(t, log[i], line))
			old, new = append(old, before...), append(new, after...)
			lines := changedLines(t, log[i], line)
			contexts := map[string]bool{}
			for k := range before {
				contexts[before[k].Context] = true
			}
			for k := range after {
				c := &after[k]
				if k >= len(before) || before[k].Embedded() != c.Embedded() {
					index += int64(c.Tokens)
				}
				if lines.within(c.StartLine, c.EndLine) || !contexts[c.Context] {
					changed += int64(c.Tokens)
				}
			}
		}
		known, texts := map[string]bool{}, map[string]bool{}
		for k := range old {
			known[old[k].ID] = true
			texts[old[k].Embedded()] = true
		}
		for k := range new {
			if !known[new[k].ID] {
				ids += int64(new[k].Tokens)
			}
			if !texts[new[k].Embedded()] {
				content += int64(new[k].Tokens)
			}
		}
		sum, err := diff.Run(diff.Chunks(old), diff.Chunks(new), diff.Options{}, func(*diff.Change) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		add += sum.Add.Tokens
	}
	t.Logf("%d commits, %d documents touched", len(log), touched)
	for _, row := range []struct {
		name   string
		tokens int64
	}{{"diff", add}, {"ids", ids}, {"content hash", content}, {"index", index}, {"changed", changed}} {
		t.Logf("%-13s %9d tokens, %.2f of what changed", row.name, row.tokens, float64(row.tokens)/float64(changed))
	}
	if float64(ids) > 1.2*float64(changed) {
		t.Errorf("ids: %d tokens to embed again for %d that changed", ids, changed)
	}
}

// blob returns a file of a commit, or nil where there is none.
func blob(t *testing.T, commit, name string) []byte {
	out, err := exec.Command("git", "-C", os.Getenv("CANTLE_HISTORY"), "-c", "safe.directory=*", "show", commit+":"+name).Output()
	if err != nil {
		return nil
	}
	return out
}

// lineRanges are ranges of lines of a new version, from 1, both ends included.
// A place where lines were only taken out is the range of the lines at its
// sides, the later first: it is empty.
type lineRanges [][2]int

func (r lineRanges) within(start, end int) bool {
	for _, l := range r {
		if l[0] <= end && l[1] >= start {
			return true
		}
	}
	return false
}

func changedLines(t *testing.T, commit, name string) lineRanges {
	var ranges lineRanges
	for line := range bytes.Lines(git(t, "diff-tree", "-p", "-U0", "--root", "--no-commit-id", "--no-renames", commit, "--", name)) {
		var from, n int
		_, plus, ok := strings.Cut(string(line), " +")
		if !ok || !strings.HasPrefix(string(line), "@@ ") {
			continue
		}
		plus, _, _ = strings.Cut(plus, " ")
		if k, _ := fmt.Sscanf(plus, "%d,%d", &from, &n); k < 2 {
			n = 1
		}
		if n == 0 {
			ranges = append(ranges, [2]int{from + 1, from}) // within a chunk that holds both
			continue
		}
		ranges = append(ranges, [2]int{from, from + n - 1})
	}
	return ranges
}

// TestOneSentence changes a sentence in the middle of each page of the corpora:
// no id changes but those of the pieces of its section.
func TestOneSentence(t *testing.T) {
	root := os.Getenv("CANTLE_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	every := 40
	if os.Getenv("CANTLE_LONG") != "" {
		every = 1
	}
	pages, changed, pieces, total := 0, 0, 0, 0
	n := 0
	for _, corpus := range []string{"markdown", "markdown-zh"} {
		dir := filepath.Join(root, "corpora", corpus)
		if _, err := os.Stat(dir); err != nil {
			t.Skip(err)
		}
		err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !isMarkdown(name) {
				return err
			}
			if n++; n%every != 0 {
				return nil
			}
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			edited, at, ok := editSentence(src)
			if !ok {
				return nil
			}
			pages++
			before, after := cut(t, "page.md", src), cut(t, "page.md", edited)
			known := map[string]bool{}
			for i := range before {
				known[before[i].ID] = true
			}
			section := ""
			for i := range after {
				if after[i].Start <= at {
					section = strings.Join(after[i].SectionPath, "\x00")
				}
			}
			total += len(after)
			for i := range after {
				own := strings.Join(after[i].SectionPath, "\x00") == section
				if own {
					pieces++
				}
				if known[after[i].ID] {
					continue
				}
				changed++
				if !own {
					t.Errorf("%s: the id of chunk %d of %q changes, the edit is in %q", name, i, after[i].SectionPath, strings.Split(section, "\x00"))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d pages, %d chunks: %d are of the section edited, %d ids change", pages, total, pieces, changed)
}

// editSentence changes a word of the paragraph nearest to the middle of a page,
// and returns where.
func editSentence(src []byte) (edited []byte, at int, ok bool) {
	doc := markdown.Parse("page.md", src, markdown.Options{})
	best := -1
	for n := range doc.Root.All() {
		if n.Kind.String() != "paragraph" || !n.IsLeaf() || n.Span.Len() < 40 {
			continue
		}
		text := string(src[n.Span.Start:n.Span.End])
		ends := segment.Sentences(nil, text)
		from := 0
		if len(ends) > 1 {
			from = ends[(len(ends)-1)/2]
			if len(ends) == 2 {
				from = ends[0]
			}
		}
		offset := n.Span.Start + from
		if offset < n.Span.End && best < 0 || abs(offset-len(src)/2) < abs(best-len(src)/2) {
			best = offset
		}
	}
	if best < 0 {
		return nil, 0, false
	}
	return []byte(string(src[:best]) + "Formerly " + string(src[best:])), best, true
}

func abs(n int) int { return max(n, -n) }
