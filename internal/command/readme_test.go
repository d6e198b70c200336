package command

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestReadme runs the commands that README.md and pages of docs show, in a folder that looks
// like the root of the module, and compares what they print. They stand in
// fences of ```console: a line that begins with "$ " is a command, one that
// ends with "\" goes on in the next; the lines up to the next command are all
// that it prints, but "..." stands for any number of lines. Files that a
// command writes are there for those below it.
//
// Commands of other programs are passed over.
func TestReadme(t *testing.T) {
	for _, page := range []string{"README.md", "docs/ingest.md"} {
		t.Run(page, func(t *testing.T) { runPage(t, page) })
	}
}

func runPage(t *testing.T, page string) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, page))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("there is no such page")
	}
	if err != nil {
		t.Fatal(err)
	}
	commands := consoleCommands(string(readme))
	if len(commands) == 0 {
		t.Skip("it shows no command")
	}
	dir := t.TempDir()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.Symlink(filepath.Join(root, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range commands {
		line := strings.ReplaceAll(c.line, "go run ./cmd/cantle", "cantle")
		if !strings.HasPrefix(line, "cantle ") {
			t.Logf("passed over: %s", c.line)
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		cmd := exec.CommandContext(ctx, "sh", "-c", line) // TestMain has put this binary into PATH as cantle
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		cancel()
		if err != nil {
			t.Errorf("$ %s\n%s%v", c.line, out, err)
		} else if !elidedEqual(lines(string(out)), c.want) {
			t.Errorf("$ %s\n-- prints --\n%s-- %s says --\n%s\n", c.line, out, page, strings.Join(c.want, "\n"))
		}
	}
}

// A consoleCommand is a command and the lines that it prints.
type consoleCommand struct {
	line string
	want []string
}

func consoleCommands(markdown string) []consoleCommand {
	var found []consoleCommand
	inside, open := false, false // a fence; a command that goes on
	for _, line := range lines(markdown) {
		switch {
		case !inside:
			inside, open = line == "```console", false
			if inside {
				found = append(found, consoleCommand{}) // takes what stands before the first command
			}
		case line == "```":
			inside = false
		case open || strings.HasPrefix(line, "$ "):
			text, more := strings.CutSuffix(line, `\`)
			if open {
				found[len(found)-1].line += strings.TrimSpace(text)
			} else {
				found = append(found, consoleCommand{line: strings.TrimPrefix(text, "$ ")})
			}
			open = more
		default:
			last := &found[len(found)-1]
			last.want = append(last.want, line)
		}
	}
	var commands []consoleCommand
	for _, c := range found {
		if c.line != "" {
			commands = append(commands, c)
		}
	}
	return commands
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// elidedEqual reports whether got is want, where a line "..." of want stands
// for any number of lines.
func elidedEqual(got, want []string) bool {
	for i, w := range want {
		if w == "..." {
			for k := i; k <= len(got); k++ {
				if elidedEqual(got[k:], want[i+1:]) {
					return true
				}
			}
			return false
		}
		if i >= len(got) || strings.TrimRight(got[i], " ") != strings.TrimRight(w, " ") {
			return false
		}
	}
	return len(got) == len(want)
}

func TestConsoleCommands(t *testing.T) {
	got := consoleCommands("# Title\n\n```sh\n$ not this\n```\n\n```console\n$ cantle one\nfirst\n...\n$ cantle two \\\n    --more\n```\n")
	if len(got) != 2 || got[0].line != "cantle one" || strings.Join(got[0].want, "|") != "first|..." ||
		got[1].line != "cantle two --more" || got[1].want != nil {
		t.Errorf("got %+v", got)
	}
	for _, c := range []struct {
		got, want string
		equal     bool
	}{
		{"a\nb\n", "a\nb", true}, {"a\nb\n", "a", false}, {"a\n", "a\nb", false}, {"a\nb\nc\n", "a\n...", true},
		{"a\nb\nc\n", "...\nc", true}, {"a\nb\nc\n", "a\n...\nd", false}, {"", "", true}, {"a\n", "", false}, {"", "...", true},
	} {
		if got := elidedEqual(lines(c.got), lines(c.want)); got != c.equal {
			t.Errorf("%q against %q: %v", c.got, c.want, got)
		}
	}
}
