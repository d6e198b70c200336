package stats_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/records"
	"github.com/cantle/cantle/stats"
	"github.com/cantle/cantle/tokens"
)

func sizer(t *testing.T) chunker.Sizer {
	t.Helper()
	s, err := tokens.Get("words")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// words returns n words that no other call with another seed returns.
func words(seed, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%dx%d ", seed, i)
	}
	return b.String()
}

func report(t *testing.T, recs ...records.Record) *stats.Report {
	c := stats.New(stats.Options{Sizer: sizer(t)})
	for i := range recs {
		recs[i].Line = i + 1
		c.Add(&recs[i])
	}
	return c.Report()
}

func TestPercentiles(t *testing.T) {
	var recs []records.Record
	for n := 100; n > 0; n-- {
		recs = append(recs, records.Record{Text: words(n, n), Type: map[bool]string{true: "code", false: "text"}[n > 90], Doc: "d"})
	}
	r := report(t, recs...)
	a := r.All
	if a.Chunks != 100 || a.Sum != 5050 || a.Mean != 50.5 || a.Least != 1 || a.Most != 100 {
		t.Errorf("got %+v", a)
	}
	if a.P10 != 10 || a.P25 != 25 || a.P50 != 50 || a.P75 != 75 || a.P90 != 90 || a.P95 != 95 || a.P99 != 99 {
		t.Errorf("got %+v", a)
	}
	if a.Dev < 28.8 || a.Dev > 28.9 {
		t.Errorf("deviation %v", a.Dev)
	}
	if r.Small != 31 || r.Uneven {
		t.Errorf("small %d, uneven %v", r.Small, r.Uneven)
	}
	if len(r.Types) != 2 || r.Types[0].Name != "text" || r.Types[1].Chunks != 10 {
		t.Errorf("got %+v", r.Types)
	}
	n := 0
	for _, bar := range r.Histogram {
		n += bar.Chunks
	}
	if n != 100 || len(r.Histogram) > 21 {
		t.Errorf("%d chunks in %d bars", n, len(r.Histogram))
	}
}

func TestUneven(t *testing.T) {
	var recs []records.Record
	for i := range 20 {
		recs = append(recs, records.Record{Text: words(i, map[bool]int{true: 100, false: 2}[i < 3])})
	}
	if !report(t, recs...).Uneven {
		t.Error("3 of 20 chunks hold nearly all, and it is not said")
	}
}

func TestNearDuplicates(t *testing.T) {
	long := words(1, 200)
	edited := strings.Replace(long, "w1x100", "other", 1)
	half := words(1, 100) + words(2, 100)
	chinese := "数据库的端口是五四三二，网页的端口是八十。每天凌晨三点备份一次，备份保留三十天。"
	r := report(t,
		records.Record{ID: "a", Text: long}, records.Record{ID: "b", Text: words(3, 200)}, records.Record{ID: "c", Text: edited},
		records.Record{ID: "d", Text: half}, records.Record{ID: "e", Text: chinese}, records.Record{ID: "f", Text: strings.Replace(chinese, "三十天", "三十日", 1)},
		records.Record{ID: "g", Text: "too short"}, records.Record{ID: "h", Text: "too short"})
	var got []string
	for _, p := range r.Pairs {
		got = append(got, p.First+p.Second)
	}
	if strings.Join(got, " ") != "ac ef" || r.Duplicates != 2 {
		t.Errorf("got %v, %d", r.Pairs, r.Duplicates)
	}
}

// The fields of a report are all of one kind of name.
func TestJSON(t *testing.T) {
	b, err := json.Marshal(report(t, records.Record{ID: "a", Text: words(1, 50), Type: "text"}, records.Record{ID: "b", Text: words(1, 50), Type: "text"}))
	if err != nil || !strings.Contains(string(b), `"pairs":[{"first":"a","second":"b","similarity":1}]`) {
		t.Errorf("got %s, %v", b, err)
	}
	if found := regexp.MustCompile(`"\w*[A-Z]\w*":`).FindString(string(b)); found != "" {
		t.Errorf("%s is not in snake case", found)
	}
}

func TestSpent(t *testing.T) {
	src := "h1 h2\na b c\nd e f\n"
	part := func(role chunker.Role, start, end int) chunker.Part {
		return chunker.Part{Role: role, Start: start, End: end}
	}
	r := report(t, records.Record{Text: src[:6] + src[6:18], Context: "one two three",
		Parts: []chunker.Part{part(chunker.RoleHead, 0, 6), part(chunker.RoleOverlap, 6, 12), part(chunker.RoleBody, 12, 18)}})
	if r.Context != 3 || r.Heads != 2 || r.Overlap != 3 || r.All.Sum != 11 {
		t.Errorf("got %+v", r)
	}
}
