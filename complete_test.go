package cantle_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/chunker"
)

const server = "# Setup\n\nThe server keeps its state in a folder and reads it again when it starts, so nothing is lost when the machine goes down in the night.\n\n" +
	"Start it with this command:\n\n```sh\nserver --data /var/lib/server \\\n  --listen 0.0.0.0:8080 \\\n  --peers a:1,b:2 \\\n  --log /var/log/server.log \\\n  --level debug \\\n  --user server\n```\n"

const cacheOptions = "# Options\n\n| the name of the option | what the option does and how | where it is valid |\n|---|---|---|\n| a | b | c |\n" +
	"| cache | keeps the rows that were read last in memory so that they are found at once, and drops the oldest when there is no room | server, client and tools |\n| d | e | f |\n"

const cacheLabelled = "the name of the option: cache\nwhat the option does and how: keeps the rows that were read last in memory so that they are found at once, and drops the oldest when there is no room"

// TestPiecesAreComplete holds single pieces against what a reader needs with
// them.
func TestPiecesAreComplete(t *testing.T) {
	for _, c := range []struct {
		name, src string
		opt       chunker.Options
		want      []string // contexts and texts that are among the chunks
	}{
		{"a line that introduces a fence", server, chunker.Options{Max: 80}, []string{server[strings.Index(server, "Start"):]}},
		{"and one that is isolated", server, chunker.Options{Isolate: true}, []string{server[strings.Index(server, "Start"):]}},
		{"a header and its first row", cacheOptions, chunker.Options{Max: 50, Context: chunker.ContextNone}, []string{cacheOptions[:strings.Index(cacheOptions, "| cache")]}},
		{"a row that does not fit under its header", cacheOptions, chunker.Options{Max: 60}, []string{"Options\n\n" + cacheLabelled + "\nwhere it is valid: server, client and tools"}},
		{"a row that does not fit with its labels", cacheOptions, chunker.Options{Max: 50}, []string{"Options\n\n" + cacheLabelled}},
		{"an overlap from a fence", "# A\n\nWords go here and on and on, for a long while yet.\n\n```sh\nmake install\nmake test\n```\n\nThen more words come, so that the limit is reached.\n",
			chunker.Options{Max: 30, Overlap: 6}, []string{"A\n\nThen more words come, so that the limit is reached."}},
		{"a head within a head that is too large", "# T\n\n```sql\nCREATE TABLE employees_2 (\n    id INT NOT NULL,\n    fname VARCHAR(30),\n    hired DATE NOT NULL DEFAULT '1970-01-01',\n    city VARCHAR(15)\n)\n" +
			"PARTITION BY LIST COLUMNS(hired) (\n    PARTITION pRegion_1 VALUES IN('2020-02-01', '2020-02-02'),\n    PARTITION pRegion_2 VALUES IN('2020-02-03', '2020-02-04'),\n    PARTITION pRegion_3 VALUES IN('2020-02-05', '2020-02-06')\n);\n```\n",
			chunker.Options{Max: 130}, nil},
	} {
		chunks, err := cantle.Chunk(context.Background(), "a.md", []byte(c.src), cantle.Options{Cut: c.opt})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for i := range chunks {
			text := chunks[i].Embedded()
			all = append(all, text, strings.TrimPrefix(text, chunks[i].Context+"\n\n"))
			if fences := strings.Count(text, "```"); fences%2 != 0 {
				t.Errorf("%s: half a fence in\n%s", c.name, text)
			}
		}
		for _, want := range c.want {
			if want = strings.TrimSpace(want); !slices.Contains(all, want) {
				t.Errorf("%s: no chunk is\n%s\nbut\n%s", c.name, want, strings.Join(all, "\n---\n"))
			}
		}
	}
}

// The flags of a chunk are true: text below a heading is no heading alone, and
// a parent has a limit of its own.
func TestFlagsAreTrue(t *testing.T) {
	for _, opt := range []chunker.Options{
		{Strategy: chunker.Fixed, Max: 12}, {Max: 20, Parents: 200},
	} {
		chunks, err := cantle.Chunk(context.Background(), "a.md", []byte("# Guide\n\nThe first sentence is here. The second one follows it and is longer.\n\n## More\n\nText and more text.\n"), cantle.Options{Cut: opt})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range chunks {
			if slices.Contains(c.Flags, chunker.FlagHeadingOnly) || slices.Contains(c.Flags, chunker.FlagOversize) {
				t.Errorf("%s %s: flags %v", c.Type, c.Text, c.Flags)
			}
		}
	}
}
