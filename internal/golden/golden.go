// Package golden runs tests that are written down as a document and what comes
// of it. A file in a test's testdata folder holds cases one after the other:
//
//	-- lists/tight.md --
//	- a
//	- b
//	-- ast --
//	list 0:8
//	  item 0:4 | - a\n
//	  item 4:8 | - b\n
//
// A part whose name has an extension is a document and begins a case; the parts
// after it are what the test makes of it, by the name it gives them. Run the
// test with -update to write them anew, and read the difference as carefully
// as code.
//
// Bytes of a document that would not show are written visibly: a control byte
// other than a line feed as its picture (␍ for a carriage return, ␉ for a tab),
// ␠ for a blank at the end of a line, ␤ for "\ufeff", and ␄ at the end of a
// document that lacks its last line feed.
package golden

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A Case is a document and the parts that are expected of it.
type Case struct {
	Name   string
	Source []byte
	parts  []part
}

type part struct{ name, text string }

// A Part says what is made of a document, by its name in the golden file.
type Part struct {
	Name string
	Text string // empty: the case has no such part
}

// Run runs a test for each case in the files that pattern matches, and compares
// what produce makes of it with what the file says.
func Run(t *testing.T, pattern string, produce func(t *testing.T, c Case) []Part) {
	t.Helper()
	for _, file := range files(t, pattern) {
		cases := read(t, file)
		for i := range cases {
			c := &cases[i]
			t.Run(c.Name, func(t *testing.T) {
				var got []part
				for _, p := range produce(t, *c) {
					if p.Text != "" {
						got = append(got, part{p.Name, strings.TrimSuffix(p.Text, "\n") + "\n"})
					}
				}
				if !*update {
					compare(t, file, got, c.parts)
				}
				c.parts = got
			})
		}
		if *update {
			write(t, file, cases)
		}
	}
}

// Sources returns the documents of the files that pattern matches.
func Sources(t testing.TB, pattern string) (sources [][]byte) {
	t.Helper()
	for _, file := range files(t, pattern) {
		for _, c := range read(t, file) {
			sources = append(sources, c.Source)
		}
	}
	return sources
}

func files(t testing.TB, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no golden file matches %s (%v)", pattern, err)
	}
	return names
}

func compare(t *testing.T, file string, got, want []part) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		var g, w part
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("%s\n-- got %s --\n%s-- want %s --\n%s", file, g.name, g.text, w.name, w.text)
		}
	}
}

func read(t testing.TB, file string) (cases []Case) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for rest := string(data); rest != ""; {
		name, body, ok := cutMarker(rest)
		if !ok {
			t.Fatalf("%s: no part begins at %.40q", file, rest)
		}
		text := body
		for at := 0; ; {
			if _, _, ok := cutMarker(body[at:]); ok {
				text = body[:at]
				break
			}
			i := strings.IndexByte(body[at:], '\n')
			if i < 0 {
				break
			}
			at += i + 1
		}
		rest = body[len(text):]
		if strings.Contains(name, ".") {
			cases = append(cases, Case{Name: name, Source: decode(text)})
		} else if len(cases) > 0 {
			c := &cases[len(cases)-1]
			c.parts = append(c.parts, part{name, text})
		}
	}
	return cases
}

// cutMarker splits text that starts with a line "-- name --".
func cutMarker(text string) (name, rest string, ok bool) {
	line, rest, _ := strings.Cut(text, "\n")
	name, ok = strings.CutPrefix(line, "-- ")
	if !ok {
		return "", "", false
	}
	name, ok = strings.CutSuffix(name, " --")
	return name, rest, ok && name != ""
}

func write(t *testing.T, file string, cases []Case) {
	t.Helper()
	var b bytes.Buffer
	for _, c := range cases {
		b.WriteString("-- " + c.Name + " --\n" + encode(c.Source))
		for _, p := range c.parts {
			b.WriteString("-- " + p.name + " --\n" + p.text)
		}
	}
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

const (
	picture    = '␀' // of byte 0; the pictures of the other control bytes follow
	blank      = '␠' // at the end of a line
	noLineFeed = '␄' // at the end of a document
	byteOrder  = '␤'
)

func decode(text string) []byte {
	text = strings.TrimSuffix(text, string(noLineFeed)+"\n")
	return []byte(strings.Map(func(r rune) rune {
		switch {
		case r == blank:
			return ' '
		case r == byteOrder:
			return '\ufeff'
		case picture <= r && r < picture+' ':
			return r - picture
		}
		return r
	}, text))
}

func encode(source []byte) string {
	lines := strings.SplitAfter(string(source), "\n")
	for i, line := range lines {
		body := strings.TrimSuffix(line, "\n")
		if strings.HasSuffix(body, " ") {
			line = body[:len(body)-1] + string(blank) + line[len(body):]
		}
		lines[i] = strings.Map(func(r rune) rune {
			switch {
			case r == '\ufeff':
				return byteOrder
			case r < ' ' && r != '\n':
				return picture + r
			}
			return r
		}, line)
	}
	text := strings.Join(lines, "")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += string(noLineFeed) + "\n"
	}
	return text
}
