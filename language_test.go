package cantle_test

import (
	"testing"

	"github.com/cantle/cantle/chunker"
)

// The language of a chunk is that of what its type says it is, by the name of a
// format where one is known.
func TestLanguage(t *testing.T) {
	const english = "A paragraph of English that has the words which are the commonest in it.\n\n"
	const chinese = "买方应当在收到发票之日起三十日内付款。\n\n"
	for _, c := range []struct{ name, src, kind, want string }{
		{"fence in prose", "# T\n\n" + english + "```console\n$ x\n```\n\nMore of the English text.\n", "text", "en"},
		{"fence below a table", "| a | b of the |\n|---|---|\n| this | that is with it |\n\n```sh\nx\n```\n", "table", "en"},
		{"alias", "```yml\na: 1\n```\n", "code", "yaml"},
		{"class", "```language-sh\nls\n```\n", "code", "bash"},
		{"extension", "```md\n# a\n```\n", "code", "markdown"},
		{"no language", "```nocode\na b c\n```\n", "code", "text"},
		{"not known", "```promql\nup\n```\n", "code", "promql"},
		{"code that is words of another", chinese + "```c\n// the and of that which is for the with from you\n```\n", "text", "zh"},
	} {
		chunks := chunkCode(t, "a.md", c.src, chunker.Options{})
		if got := chunks[0]; len(chunks) != 1 || got.Type != c.kind || got.Language != c.want {
			t.Errorf("%s: %d chunks, the first of type %s and language %q, want one of %s and %q", c.name, len(chunks), got.Type, got.Language, c.kind, c.want)
		}
	}
}

// What says little is in the language of its document, what says enough in its own.
func TestLanguageOfSections(t *testing.T) {
	src := "# The guide\n\nThis is what you should read before it is used, and the rest of it after that.\n\n" +
		"### Initial Setup\n\nRun `mix phx.new roll_dice`. Type \"yes, la\" to install dependencies.\n\n" +
		"## Français\n\nL'acheteur paie le prix dans les trente jours qui suivent la réception de la facture, et il ne peut pas le faire plus tard.\n\n" +
		"## Pre-requisites\n\n- Setup a local cluster\n"
	want := []string{"en", "en", "fr", "en"}
	chunks := chunkCode(t, "a.md", src, chunker.Options{})
	if len(chunks) != len(want) {
		t.Fatalf("%d chunks, want %d", len(chunks), len(want))
	}
	for i, c := range chunks {
		if c.Language != want[i] {
			t.Errorf("%q: language %q, want %q", c.Text, c.Language, want[i])
		}
	}
}
