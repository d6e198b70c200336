package rank

import (
	"strings"
	"testing"
)

func TestTerms(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"Refunds, refunded!", "refund refund"},
		{"HTTPServer", "httpserver http server"},
		{"parse_config2", "parse_config2 pars config 2"},
		{"ABC x", "abc x"},
		{"退款政策 7 天", "退款 款政 政策 7 天"},
		{"naïve \xff\x00", "na ve"},
	} {
		var a Analyzer
		if got := strings.Join(a.Terms(nil, c.text), " "); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestIndex(t *testing.T) {
	for _, c := range []struct{ text, more string }{
		{"no table", ""},
		{"a | b\n\nc | d", ""},
		{"| Item | 2023 | 2024 |\n|---|---|---|\n| Net sales | 7 | 9 |", "net sale 2023 net sale 2024"},
		{"Note\n\nItem | 2023\n--- | ---\nCost |\nTax | 5 | 6\n\nx | y", "tax 2023 tax"},
		{"| A |\n|---|\n| only |", ""},
		{"| K | V |\n|---|---|\n| a | 1 |\ntext\n| b | 2 |", "a v"},
		{`| K | x\|y |` + "\n|---|---|\n| a | 1 |", "a x y"},
		{"|---|---|\n| a | 1 |", ""},
	} {
		var a Analyzer
		want := strings.TrimSpace(strings.Join(a.Terms(nil, c.text), " ") + " " + c.more)
		if got := strings.Join(a.Index(nil, c.text), " "); got != want {
			t.Errorf("%q: got %q, want %q", c.text, got, want)
		}
	}
}

func TestBM25(t *testing.T) {
	c := Corpus{Texts: 10, Terms: 100}
	if rare, common := c.IDF(1), c.IDF(9); rare <= common || common <= 0 {
		t.Errorf("a rare term weighs %v, a common one %v", rare, common)
	}
	idf, mean := c.IDF(2), c.Mean()
	once, twice := Weight(idf, 1, 10, mean), Weight(idf, 2, 10, mean)
	if once >= twice || twice >= 2*once {
		t.Errorf("once weighs %v, twice %v", once, twice)
	}
	if long := Weight(idf, 1, 100, mean); long >= once {
		t.Errorf("in a long text %v, in a short one %v", long, once)
	}
	if (Corpus{}).Mean() <= 0 {
		t.Error("the mean of nothing must not be 0: it divides")
	}
}

func TestFuse(t *testing.T) {
	got := Fuse(strings.Compare, []string{"a", "b", "c"}, []string{"b", "d"})
	var order string
	for _, s := range got {
		order += s.Item
	}
	if order != "badc" {
		t.Errorf("got %s", order)
	}
	if want := float32(1)/61 + float32(1)/60; got[0].Score != want {
		t.Errorf("score %v, want %v", got[0].Score, want)
	}
	if tie := Fuse(strings.Compare, []string{"x"}, []string{"w"}); tie[0].Item != "w" {
		t.Errorf("a tie stands as %v", tie)
	}
}
