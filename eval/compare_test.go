package eval

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

// lines is a set whose documents are numbered lines, each asked for.
func lines(name string, n int) *Set {
	set := &Set{Name: name, Scope: ScopeCorpus, Documents: map[string][]byte{}}
	var src []byte
	for i := range n {
		start := len(src)
		src = fmt.Appendf(src, "line word%d says value%d\n", i, i)
		kind := "even"
		if i%2 == 1 {
			kind = "odd"
		}
		set.Questions = append(set.Questions, Question{ID: fmt.Sprint(i), Question: fmt.Sprintf("what says word%d?", i), DocID: "d", Spans: Spans{{Start: start, End: len(src)}}, Type: kind})
	}
	set.Documents["d"] = src
	return set
}

// every cuts a set into chunks of n lines, of which drop are left out.
func every(n, drop int) Setting {
	return Setting{Name: fmt.Sprintf("every %d but %d", n, drop), Cut: func(_ context.Context, set *Set) ([]Chunk, error) {
		var out []Chunk
		at := 0
		all := bytes.SplitAfter(set.Documents["d"], []byte("\n"))
		for i := 0; i < len(all); i += n {
			text := bytes.Join(all[i:min(i+n, len(all))], nil)
			if i >= drop && len(text) > 0 {
				out = append(out, Chunk{DocID: "d", Spans: Spans{{Start: at, End: at + len(text)}}, Text: string(text)})
			}
			at += len(text)
		}
		return out, nil
	}}
}

func compare(t *testing.T, jobs int, sets []*Set, settings ...Setting) *Report {
	t.Helper()
	r, err := Compare(context.Background(), sets, settings, Options{Retriever: BM25{}, Count: func(s string) int { return 50 * len(strings.Fields(s)) }}, jobs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCompare(t *testing.T) {
	sets := []*Set{lines("one", 40), lines("two", 20)}
	r := compare(t, 1, sets, every(1, 0), every(1, 10), every(5, 0))
	whole, part, large := r.Settings[0], r.Settings[1], r.Settings[2]
	if got := whole.Mean.Is["auc_t"]; got.Mean != 1 || got.N != 60 {
		t.Errorf("every line is found, and auc_t is %+v", got)
	}
	// A quarter of one set and a half of the other are missing.
	if got := part.Mean.Difference["auc_t"]; math.Abs(got.Mean+0.375) > 1e-9 || got.High >= 0 || got.Low > got.Mean {
		t.Errorf("difference %+v", got)
	}
	if got := part.Sets[0].Types["odd"].Is["recall@5"]; got.N != 20 || math.Abs(got.Mean-0.75) > 1e-9 {
		t.Errorf("of odd lines %+v", got)
	}
	if got, want := large.Sets[0].Sizes, (Sizes{Chunks: 8, Sum: 8000, Mean: 1000, P5: 1000, P50: 1000, P90: 1000, P95: 1000, Max: 1000}); got != want {
		t.Errorf("sizes %+v, want %+v", got, want)
	}
	if c := r.Choose("auc_t"); c.Best != whole || len(c.Alike) != 0 {
		t.Errorf("best is %s, alike are %d", c.Best.Setting, len(c.Alike))
	}
	if c := compare(t, 1, sets, every(1, 0), every(1, 0)).Choose("auc_t"); len(c.Alike) != 1 {
		t.Errorf("a setting is not like itself: %+v", c.Behind)
	}
}

func TestReportIsTheSame(t *testing.T) {
	sets := []*Set{lines("one", 30), lines("two", 20)}
	var first []byte
	for _, jobs := range []int{1, 2, 8} {
		var b bytes.Buffer
		if err := compare(t, jobs, sets, every(1, 0), every(2, 6), every(3, 3)).Write(&b); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b.Bytes()
		} else if !bytes.Equal(first, b.Bytes()) {
			t.Errorf("the report of %d jobs is another", jobs)
		}
	}
	r, err := ReadReport(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := r.Write(&again); err != nil || !bytes.Equal(first, again.Bytes()) {
		t.Errorf("a report that is read is another when it is written: %v", err)
	}
}

// A report that lacks something is refused where it is read, not where it is used.
func TestReadReport(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"measures":["auc_t","mrr"],"sets":[{}],"settings":[{"sets":[{"set":"s","values":[{"id":"q","values":[1,null]}]}]}]}`, "<nil>"},
		{`{"measures":["auc_t","mrr"],"sets":[{}],"settings":[{"sets":[{"set":"s","values":[{"id":"q","values":[1]}]}]}]}`, "setting 1: set s, question q: has 1 values, there are 2 measures"},
		{`{"measures":["auc_t"],"sets":[{}],"settings":[{"sets":[{"set":"s","values":[{"id":"q"}]}]}]}`, "setting 1: set s, question q: has 0 values, there are 1 measures"},
		{`{"sets":[{}],"settings":[null]}`, "setting 1: is null"},
		{`{"sets":[{}],"settings":[{}]}`, "setting 1: holds 0 sets, the report is of 1"},
		{`{"sets":[{},{}],"settings":[{"sets":[{},{}]}]}`, "setting 1: holds no mean of the sets"},
	} {
		if _, err := ReadReport(strings.NewReader(c.text)); fmt.Sprint(err) != c.want {
			t.Errorf("%s: got %v, want %s", c.text, err, c.want)
		}
	}
}

func TestFalls(t *testing.T) {
	sets := []*Set{lines("one", 40)}
	before, now := compare(t, 1, sets, every(1, 0)), compare(t, 1, sets, every(1, 4))
	for _, c := range []struct {
		limit string
		now   *Report
		want  string
	}{
		{"auc_t=-0.05", now, "[auc_t]"},
		{"auc_t=-0.5", now, "[]"},
		{"auc_t=0", before, "[]"},
		{"self@500t=0", now, "the baseline has no question in common that has self@500t"},
		{"speed=0", now, `measure "speed" is none of`},
	} {
		limit, err := ParseLimit(c.limit)
		if err != nil {
			t.Fatal(err)
		}
		falls, err := Falls(c.now, before, []Limit{limit})
		var names []string
		for _, f := range falls {
			names = append(names, f.Limit.Measure)
		}
		got := fmt.Sprint(names)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got %s, want %s", c.limit, got, c.want)
		}
	}
	for _, bad := range []string{"", "auc_t", "auc_t=x", "auc_t=0.1"} {
		if _, err := ParseLimit(bad); err == nil {
			t.Errorf("%q is taken for a limit", bad)
		}
	}
}

func TestCompareEnds(t *testing.T) {
	boom := errors.New("boom")
	bad := Setting{Name: "bad", Cut: func(context.Context, *Set) ([]Chunk, error) { return nil, boom }}
	opt := Options{Retriever: BM25{}, Count: func(string) int { return 1 }}
	if _, err := Compare(context.Background(), []*Set{lines("one", 3)}, []Setting{every(1, 0), bad}, opt, 2, nil); !errors.Is(err, boom) || err.Error() != "bad on one: boom" {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Compare(ctx, []*Set{lines("one", 3)}, []Setting{every(1, 0)}, opt, 2, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestScopes(t *testing.T) {
	set := &Set{Documents: map[string][]byte{"a": nil, "b": nil}}
	chunks := []Chunk{{DocID: "a"}, {DocID: "b"}, {DocID: "a"}}
	for _, c := range []struct {
		scope Scope
		q     Question
		want  string
	}{
		{ScopeCorpus, Question{DocID: "a"}, "[0 1 2]"},
		{ScopeDocument, Question{DocID: "a"}, "[0 2]"},
		{ScopeDocument, Question{DocID: "c"}, "[]"},
		{ScopeCorpus, Question{DocID: "a", Exclude: []string{"b", "c"}}, "[0 2]"},
	} {
		set.Scope = c.scope
		if got := fmt.Sprint(newCandidates(set, chunks).of(&c.q)); got != c.want {
			t.Errorf("%s %+v: got %s, want %s", c.scope, c.q, got, c.want)
		}
	}
}

func TestBootstrap(t *testing.T) {
	if e := Bootstrap(1); !math.IsNaN(e.Mean) || e.N != 0 || e.IsClear() {
		t.Errorf("of nothing: %+v", e)
	}
	if e := Bootstrap(1, []float64{0.5}); e.Mean != 0.5 || e.Low != 0.5 || e.High != 0.5 {
		t.Errorf("of one value: %+v", e)
	}
	x := make([]float64, 400)
	for i := range x {
		x[i] = float64(i % 2)
	}
	// The mean of 400 throws of a coin is within 0.049 of a half, 95 times of 100.
	e := Bootstrap(1, x)
	if math.Abs(e.Low-0.451) > 0.005 || math.Abs(e.High-0.549) > 0.005 {
		t.Errorf("of a coin: %+v", e)
	}
	if Bootstrap(1, x) != e {
		t.Error("the same seed gives another interval")
	}
	// Two strata weigh the same, however many values they have.
	if e := Bootstrap(1, []float64{1}, x); e.Mean != 0.75 {
		t.Errorf("of two strata: %+v", e)
	}
}
