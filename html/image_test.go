package html

import (
	"strings"
	"testing"

	"github.com/cantle/cantle/ast"
)

// The alternative text of an image stands where the image does, and comes from
// where it is written.
func TestAlternativeText(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{`<p>See <img alt="A diagram of widgets" src=x> here.`, "See A diagram of widgets here.\n\n"},
		{`<p>See<img src="a>b" class='c' / ALT = 'Salt &amp;  pepper'>here.`, "See Salt & pepper here.\n\n"},
		{`<p>a <img alt=word src=x/> b`, "a word b\n\n"},
		{`<p>a <img alt=first alt=second> b`, "a first b\n\n"},
		{`<p>a <img src=x><img alt><img alt=""><img alt=" "> b`, "a b\n\n"},
		{`<p>a <img alt="logo (1).JPG"><img alt="28"> b`, "a b\n\n"},
		{`<p>a <img alt=word hidden><img alt=word aria-hidden=true><img alt=word style="display:none"> b`, "a b\n\n"},
		{`<p>a <img data-alt=word title=alt> b`, "a b\n\n"},
		{`<img alt="alone">`, "alone\n\n"},
		{`<h2><img alt=Widgets></h2>`, "## Widgets\n\n"},
		{`<h2>Widgets <a href=#w><img alt="link to this"></a></h2>`, "## Widgets\n\n"},
		{`<table><tr><th>Part<th>Fits<tr><td>Bolt<td><img alt=Yes><tr><td>Nut<td><img alt="a|b"></table>`,
			"| Part | Fits |\n|---|---|\n| Bolt | Yes |\n| Nut | a\\|b |\n\n"},
		{`<a href=x><img alt="of a link"></a>`, "of a link\n\n"},
		{`<p>10<sup><img alt="2"></sup><sup><img alt="3rd"></sup>`, "10 3rd\n\n"},
	} {
		doc := Parse("t", []byte(c.page), Options{})
		if err := ast.Check(doc); err != nil {
			t.Errorf("%s: %v", c.page, err)
		}
		checkMarks(t, doc)
		var b strings.Builder
		for _, n := range doc.Root.Children {
			for n.Kind == ast.Section {
				n = n.Children[0]
			}
			if n.Kind != ast.Table {
				b.WriteString(n.Text)
			}
			for _, row := range n.Children {
				b.WriteString(row.Text)
			}
		}
		if b.String() != c.want {
			t.Errorf("%s: got %q, want %q", c.page, b.String(), c.want)
		}
	}
}

// What images of a menu say is left out as other words of it are.
func TestAlternativeTextOfMenu(t *testing.T) {
	doc := Parse("t", []byte("<nav><a href=/><img alt=Home></a></nav><main><p>The text of the page.</p></main>"), Options{})
	if got := strings.TrimSpace(written(doc)); got != "The text of the page." {
		t.Errorf("got %q", got)
	}
}
