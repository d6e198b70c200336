package segment

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestGolden cuts every line of testdata as it shows.
func TestGolden(t *testing.T) {
	visible := strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`, "\u3000", `\s`)
	plain := strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\s`, "\u3000", "¦", "")
	for _, g := range []struct {
		file string
		cut  cutter
	}{
		{"testdata/sentences.txt", Sentences},
		{"testdata/clauses.txt", Clauses},
		{"testdata/words.txt", Words},
	} {
		data, err := os.ReadFile(g.file)
		if err != nil {
			t.Fatal(err)
		}
		for want := range strings.Lines(string(data)) {
			want = strings.TrimSuffix(want, "\n")
			if want == "" || strings.HasPrefix(want, "//") {
				continue
			}
			text := plain.Replace(want)
			ends := g.cut(nil, text)
			checkLaws(t, g.file, text, ends)
			if got := visible.Replace(strings.Join(units(text, ends), "¦")); got != want {
				t.Errorf("%s:\n got %s\nwant %s", g.file, got, want)
			}
		}
	}
}

// units returns the parts of text that end at ends.
func units(text string, ends []int) []string {
	var parts []string
	start := 0
	for _, end := range ends {
		parts = append(parts, text[start:end])
		start = end
	}
	return parts
}

func TestAppends(t *testing.T) {
	for _, c := range cutters {
		if got := c.cut([]int{1, 2}, "\n"); !slices.Equal(got, []int{1, 2, 1}) {
			t.Errorf("%s after 1, 2: %v", c.name, got)
		}
		if got := c.cut(nil, ""); got != nil {
			t.Errorf("%s of nothing: %v", c.name, got)
		}
	}
}
