package eval

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cantle/cantle/code"
	"github.com/cantle/cantle/markdown"
)

func TestFromStructure(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string // type, question, evidence
	}{
		{"headings.md", "# Guide\n\nOne word is no question, whatever stands below it.\n\n## Set the clock\n\nHold both buttons until the lamp is green.\n\n### More\n\nNothing.\n",
			[]string{"heading|Set the clock|Hold both buttons until the lamp is green."}},
		{"twice.md", "# A\n\n## See also here\n\nThis is the first one of the two, and it is long.\n\n## See also here\n\nThis is the second one of the two, and it is long.\n", nil},
		{"table.md", "| Item | 2023 | 2024 |\n|---|---|---|\n| Revenue | 1 | 2 |\n| Costs | 3 | 4 |\n| Profit | 5 | 6 |\n",
			[]string{"cell|Revenue, 2023?|| Revenue | 1 | 2 |", "cell|Profit, 2023?|| Profit | 5 | 6 |"}},
		{"pipes.md", "| Item | 2023 | 2024 |\n|---|---|---|\n| Bed \\| board | 1 | 2 |\n| | 3 | 4 |\n",
			[]string{"cell|Bed | board, 2023?|| Bed \\| board | 1 | 2 |"}},
		{"flags.md", "- `--port`: where to listen; default 8080\n- `-v`, `--verbose`: say more (default: false)\n- `--host`: no word of it\n- the default is good\n",
			[]string{"default|What is the default of --port?|- `--port`: where to listen; default 8080", "default|What is the default of --verbose?|- `-v`, `--verbose`: say more (default: false)"}},
		{"code.go", "package p\n\n// Reset sets the clock to what it was before.\nfunc Reset(c *Clock) error {\n\treturn c.set(c.before)\n}\n",
			[]string{"definition|What does Reset do?|func Reset(c *Clock) error {\n\treturn c.set(c.before)\n}"}},
		{"empty.md", "", nil},
	} {
		doc := markdown.Parse(c.name, []byte(c.src), markdown.Options{})
		if strings.HasSuffix(c.name, ".go") {
			doc = code.Parse(c.name, "go", []byte(c.src), code.Options{})
		}
		questions := FromStructure(doc, c.name)
		var got []string
		for _, q := range questions {
			got = append(got, fmt.Sprintf("%s|%s|%s", q.Type, q.Question, c.src[q.Spans[0].Start:q.Spans[0].End]))
			l := locator{documents: map[string][]byte{c.name: []byte(c.src)}}
			if err := l.check(&q); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}
