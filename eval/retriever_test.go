package eval

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle/embed"
	"github.com/cantle/cantle/rank"
	"github.com/cantle/cantle/tokens"
)

func TestTerms(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"The ports are running.", "the port are run"},
		{"parseHeader", "parsehead pars header"},
		{"HTTPServer2 MAX_TOKENS snake_case", "httpserver2 http server 2 max_token max token snake_cas snake case"},
		{"XMLHttp I iOS", "xmlhttp xml http i io i os"},
		{"数据库 a 库", "数据 据库 a 库"},
		{"データ，端口8080", "デー ータ 端口 8080"},
		{"\xff\xfe é", ""},
		{"", ""},
	} {
		if got := strings.Join((&rank.Analyzer{}).Terms(nil, c.text), " "); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func texts(of ...string) []Chunk {
	chunks := make([]Chunk, len(of))
	for i, s := range of {
		chunks[i].Text = s
	}
	return chunks
}

func TestBM25(t *testing.T) {
	chunks := texts("the port is 8080", "the host is here", "ports, ports and no other thing at all", "")
	score, err := BM25{}.Index(context.Background(), chunks, []string{"which port?", "nothing known", "the the"})
	if err != nil {
		t.Fatal(err)
	}
	scores := make([]float32, len(chunks))
	all := []int{0, 1, 2, 3}
	score(0, all, scores)
	// By hand: 4, 4, 8 and 0 terms, 4 in the mean; "port" is in two of four.
	idf := math.Log(2)
	for i, want := range []float64{idf * 2.5 / (1 + 1.5), math.Inf(-1), idf * 2 * 2.5 / (2 + 1.5*(0.25+0.75*2)), math.Inf(-1)} {
		if math.Abs(float64(scores[i])-want) > 1e-6 {
			t.Errorf("chunk %d: got %v, want %v", i, scores[i], want)
		}
	}
	score(1, all, scores)
	if slices.Max(scores) != unfound {
		t.Errorf("words that are in no chunk score %v", scores)
	}
	score(2, all, scores)
	if got := ranked(scores, all); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("ties are not in order: %v", got)
	}
}

func TestNoChunks(t *testing.T) {
	for _, r := range []Retriever{BM25{}, Dense{Embedder: &embed.Lexical{}}, Hybrid{BM25{}, Dense{Embedder: &embed.Lexical{}}}} {
		set := &Set{Documents: pages, Questions: []Question{{ID: "x", Question: "?", DocID: "a.md", Spans: Spans{{Start: 0, End: 1}}}}}
		values, err := Evaluate(context.Background(), set, nil, Options{Retriever: r, Count: func(s string) int { return len(s) }})
		if err != nil || values[0][0] != 0 {
			t.Errorf("%s: %v, %v", r.Name(), values, err)
		}
	}
}

func TestDenseAndHybrid(t *testing.T) {
	chunks := texts("bread and butter", "the port of the server is 8080", "servers")
	chunks[0].Context = "server port"
	dense := Dense{Embedder: &embed.Lexical{}, TextOnly: true}
	for _, r := range []Retriever{dense, Hybrid{dense, BM25{}}} {
		got, err := Search(context.Background(), chunks, "which port has the server", r, 3)
		if err != nil || len(got) != 3 || got[0] != 1 {
			t.Errorf("%s: got %v, %v; want chunk 1 first", r.Name(), got, err)
		}
	}
}

// fixed embeds a text as its length and its number of blanks.
type fixed struct{ asked []string }

func (f *fixed) Embed(_ context.Context, texts []string) ([][]float32, error) {
	f.asked = append(f.asked, texts...)
	out := make([][]float32, len(texts))
	for i, s := range texts {
		n := float32(strings.Count(s, "a"))
		out[i] = []float32{n / float32(len(s)), 1 - n/float32(len(s))}
	}
	return out, nil
}
func (*fixed) Dim() int     { return 2 }
func (*fixed) Name() string { return "fixed" }

func TestParts(t *testing.T) {
	sizer, err := tokens.Get("chars")
	if err != nil {
		t.Fatal(err)
	}
	f := &fixed{}
	p := &Parts{Embedder: f, Sizer: sizer, Max: 4}
	got, err := p.Embed(context.Background(), []string{"aaaabb", "é端", "aaaa"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"aaaa", "bb", "é端", "aaaa"}; !slices.Equal(f.asked, want) {
		t.Errorf("parts %q, want %q", f.asked, want)
	}
	// 4 times (1, 0) and 2 times (0, 1), of length 1.
	if want := fmt.Sprintf("%.4f", []float64{4 / math.Sqrt(20), 2 / math.Sqrt(20)}); fmt.Sprintf("%.4f", got[0]) != want {
		t.Errorf("mean %.4f, want %s", got[0], want)
	}
}
