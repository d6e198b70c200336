package cantle

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle/chunker"
)

func TestSeparatorsOfEveryFormat(t *testing.T) {
	for _, f := range Formats() {
		list := separators(f.Name)
		if f.Name == "text" {
			if list != nil {
				t.Errorf("text has separators of its own: %q", list)
			}
			continue
		}
		if len(list) == 0 {
			t.Errorf("%s has none", f.Name)
			continue
		}
		if list[len(list)-1] != "" || slices.Contains(list[:len(list)-1], "") {
			t.Errorf("%s: the empty one is not the last: %q", f.Name, list)
		}
		for _, s := range list {
			re, err := regexp.Compile(s)
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
			} else if s != "" && re.MatchString("") {
				t.Errorf("%s: %q matches nothing at all", f.Name, s)
			}
		}
	}
}

// TestRecursiveCutsAtDefinitions: at a limit that holds each of them, and no
// two, text is cut before the comment or attribute of a definition.
func TestRecursiveCutsAtDefinitions(t *testing.T) {
	tests := []struct {
		name  string
		parts []string
	}{
		{"a.md", []string{"# Ponds\n\nA pond is still water.\n\n", "## Depth\n\nMost are shallow, some are not.\n\n", "## Fish\n\nCarp live in many of them.\n"}},
		{"a.go", []string{"package pond\n\n", "// Depth is in metres.\nfunc Depth() int {\n\treturn 3\n}\n\n", "// Fish counts the carp.\nfunc Fish() int {\n\n\treturn 40\n}\n"}},
		{"a.py", []string{"import water\nimport reeds\nimport willows\n\n\n", "@cached\ndef depth():\n    return water.depth\n\n\n", "# All of them are carp.\nasync def fish():\n\n    return water.fish\n"}},
		{"a.rs", []string{"#[inline]\nfn depth() -> u32 {\n    3 // metres, more or less\n}\n", "/// Counts the carp.\npub fn fish() -> u32 {\n    40 // none of them is old\n}\n"}},
		{"a.ts", []string{"export function depth() {\n  return 3; // metres, more or less\n}\n", "/** Counts the carp. */\nexport async function fish() {\n  return 40;\n}\n"}},
		{"A.java", []string{"class Pond {\n    int depth; // metres\n", "    @Override\n    public int fish() {\n        return 40; // carp, all of them\n    }\n}\n"}},
		{"a.yaml", []string{"pond:\n  depth: 3\n  water: still\n  bank: reed and willow\n", "# all of them are carp\nfish:\n  count: 40\n  kind: carp\n"}},
		{"a.sql", []string{"CREATE TABLE pond (depth int, water text);\n", "INSERT INTO pond VALUES (3, 'still water');\n"}},
	}
	for _, test := range tests {
		limit := 0
		for _, p := range test.parts {
			limit = max(limit, len(strings.TrimRight(p, "\n")))
		}
		chunks, err := Chunk(context.Background(), test.name, []byte(strings.Join(test.parts, "")), Options{Encoding: "chars",
			Cut: chunker.Options{Strategy: chunker.Recursive, Max: limit, Context: chunker.ContextNone}})
		if err != nil {
			t.Fatal(err)
		}
		var got, want []string
		for _, c := range chunks {
			got = append(got, strings.TrimSpace(c.Text))
		}
		for _, p := range test.parts {
			want = append(want, strings.TrimSpace(p))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s at %d:\n got %q\nwant %q", test.name, limit, got, want)
		}
	}
}

func TestRecursiveKeepsQuotesWithTheirSentence(t *testing.T) {
	const text = "他说：“水很深。”她不信，但是没有说话。鱼都在下面！"
	chunks, err := Chunk(context.Background(), "a.txt", []byte(text), Options{Encoding: "chars",
		Cut: chunker.Options{Strategy: chunker.Recursive, Max: 12}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range chunks {
		got = append(got, c.Text)
	}
	want := []string{"他说：“水很深。”", "她不信，但是没有说话。", "鱼都在下面！"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A separator with a group says itself where the cut stands; Keep is for the rest.
func TestSeparatorsThatLookAhead(t *testing.T) {
	for _, keep := range []chunker.Keep{chunker.KeepStart, chunker.KeepEnd, chunker.KeepNone} {
		chunks, err := Chunk(context.Background(), "a.txt", []byte("one; two; three"), Options{Encoding: "chars",
			Cut: chunker.Options{Strategy: chunker.Separator, Separators: []string{`; (?<next>t)`}, Regexp: true, Keep: keep, Max: 6}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range chunks {
			got = append(got, c.Text)
		}
		if want := []string{"one;", "two;", "three"}; !slices.Equal(got, want) {
			t.Errorf("kept at %s: got %q, want %q", keep, got, want)
		}
	}
}

// TestRecursiveAsLangChain has the smallest texts on which it was not.
func TestRecursiveAsLangChain(t *testing.T) {
	tests := []struct {
		name, text   string
		max, overlap int
		want         []string
	}{
		{"what is cut further stays apart, though it begins with blanks", "aa\n\n\nbb\ncccccc", 8, 0, []string{"aa", "bb", "cccccc"}},
		{"an overlap that does not fit leaves its room to what follows", "xxxxxx\n\naaaa\n\nbbbbbbb\n\nccc", 12, 5, []string{"xxxxxx\n\naaaa", "bbbbbbb\n\nccc"}},
		{"what has no separator is cut at the limit", "0123456789abcdefghij", 7, 0, []string{"0123456", "789abcd", "efghij"}},
		{"and overlaps", "0123456789abcdefghij", 7, 2, []string{"0123456", "56789ab", "abcdefg", "fghij"}},
		{"an overlap goes over a heading", "# One\n\n# Two\n\ntext", 12, 5, []string{"# One\n\n# Two", "# Two\n\ntext"}},
	}
	for _, test := range tests {
		chunks, err := Chunk(context.Background(), "a.md", []byte(test.text), Options{Encoding: "chars", Cut: chunker.Options{
			Strategy: chunker.Recursive, Separators: []string{"\n\n", "\n", " ", ""}, Keep: chunker.KeepStart,
			Max: test.max, Overlap: test.overlap, Context: chunker.ContextNone}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range chunks {
			got = append(got, strings.TrimSpace(c.Text))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
