// Package storetest is the contract of store.Store, as tests that every
// implementation runs against its real server.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/store"
)

// A Setup makes stores for tests.
type Setup struct {
	// Open opens the store of that name: an empty one the first time in a
	// test, then the same.
	Open func(t *testing.T, name string) store.Store
	// Chunks is how many chunks the test of size puts.
	Chunks int
	// Approximate says that a search by words ranks some of many only.
	Approximate bool
}

// Run runs all tests.
func Run(t *testing.T, s Setup) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Setup)
	}{
		{"PutGetDelete", putGetDelete},
		{"Overwrite", overwrite},
		{"Twice", twice},
		{"Refused", refused},
		{"Bytes", oddBytes},
		{"Keywords", keywords},
		{"Chinese", chinese},
		{"Vectors", vectors},
		{"Hybrid", hybrid},
		{"Filters", filters},
		{"FilterValues", filterValues},
		{"Parents", parents},
		{"Restart", restart},
		{"NothingHalf", nothingHalf},
		{"Writers", writers},
		{"Churn", churn},
		{"Canceled", canceled},
		{"Many", many},
		{"Size", size},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, s) })
	}
}

// Entry returns a document of some texts, whose section is "Section N".
func Entry(doc string, meta map[string]any, texts ...string) store.Entry {
	e := store.Entry{Document: store.Document{ID: doc, Root: "/docs", Hash: "h-" + doc, Settings: "s", Size: 7, Modified: 11, Chunks: len(texts)}}
	for i, text := range texts {
		c := chunker.Chunk{
			ID: fmt.Sprintf("%s#%x", doc, hash(text)), DocID: doc, Source: "/docs/" + doc, SourceType: "markdown", Index: i, Total: len(texts),
			Type: []string{"text", "code", "table"}[i%3], Types: []string{"text", []string{"code", "table"}[i%2]}, SectionPath: []string{"Title", fmt.Sprintf("Section %d", i)},
			Heading: fmt.Sprintf("Section %d", i), Text: text, Tokens: 10 * i, Size: len(text), StartLine: i + 1, EndLine: i + 1,
			Parts: []chunker.Part{{Role: chunker.RoleBody, Start: i, End: i + 1}}, Reason: "end of section", Meta: meta,
		}
		e.Records = append(e.Records, store.Record{Chunk: c})
	}
	return e
}

func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func search(t *testing.T, s store.Store, q store.Query) []store.Hit {
	t.Helper()
	hits, err := s.Search(t.Context(), q)
	must(t, err)
	return hits
}

// texts returns the texts of hits.
func texts(hits []store.Hit) []string {
	list := make([]string, len(hits))
	for i, h := range hits {
		list[i] = h.Text
	}
	return list
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %v\nwant %v", got, want)
	}
}

func manifest(t *testing.T, s store.Store) map[string]store.Document {
	t.Helper()
	all, err := s.Manifest(t.Context())
	must(t, err)
	by := map[string]store.Document{}
	for _, d := range all {
		if _, twice := by[d.ID]; twice {
			t.Fatalf("%s is in the manifest twice", d.ID)
		}
		by[d.ID] = d
	}
	return by
}

func putGetDelete(t *testing.T, setup Setup) {
	s := setup.Open(t, "put")
	meta := map[string]any{"category": "ops", "tags": []any{"a", "b"}, "n": 1.5, "ok": true, "deep": map[string]any{"x": "y"}}
	a, b := Entry("a.md", meta, "alpha text", "beta text"), Entry("dir/b.md", nil, "gamma text")
	a.Records[0].Symbols = []string{"Ledger.Reconcile"}
	a.Records[0].Table = &chunker.Table{ID: "t1", RowEnd: 2, Rows: 2, Columns: []string{"x"}}
	must(t, s.Put(t.Context(), a, b))
	equal(t, manifest(t, s), map[string]store.Document{"a.md": a.Document, "dir/b.md": b.Document})

	doc, err := s.Document(t.Context(), "a.md")
	must(t, err)
	equal(t, doc, []chunker.Chunk{a.Records[0].Chunk, a.Records[1].Chunk})
	got, err := s.Get(t.Context(), b.Records[0].ID, "nothing", a.Records[1].ID)
	must(t, err)
	equal(t, got, []chunker.Chunk{b.Records[0].Chunk, a.Records[1].Chunk})
	none, err := s.Document(t.Context(), "c.md")
	must(t, err)
	equal(t, len(none), 0)

	must(t, s.Delete(t.Context(), "c.md", "a.md", "a.md")) // one that is not there, one twice
	equal(t, manifest(t, s), map[string]store.Document{"dir/b.md": b.Document})
	equal(t, texts(search(t, s, store.Query{Text: "text"})), []string{"gamma text"})
	if got, err := s.Get(t.Context(), a.Records[0].ID); err != nil || len(got) > 0 {
		t.Errorf("what was deleted is there: %v, %v", got, err)
	}
	must(t, s.Put(t.Context(), a))
	equal(t, len(search(t, s, store.Query{Text: "text"})), 3)
}

func overwrite(t *testing.T, setup Setup) {
	s := setup.Open(t, "overwrite")
	for _, version := range [][]string{
		{"one apple", "two apple", "three apple"},
		{"zero apple", "one apple", "three apple"}, // one is new, one is gone, two move
		{"three apple"},
		{},
		{"one apple", "two apple"},
		{"two apple", "one apple"},
	} {
		e := Entry("a.md", map[string]any{"v": len(version)}, version...)
		e.Hash = strings.Join(version, "|")
		must(t, s.Put(t.Context(), e))
		must(t, s.Put(t.Context(), e)) // again changes nothing
		equal(t, manifest(t, s)["a.md"], e.Document)
		doc, err := s.Document(t.Context(), "a.md")
		must(t, err)
		equal(t, len(doc), len(version))
		for i := range doc {
			want := e.Records[i].Chunk
			want.Meta = map[string]any{"v": float64(len(version))} // as JSON has it
			equal(t, doc[i], want)
		}
		hits := texts(search(t, s, store.Query{Text: "apple"}))
		slices.Sort(hits)
		want := slices.Sorted(slices.Values(version))
		equal(t, fmt.Sprint(hits), fmt.Sprint(want))
	}
}

// twice puts a document twice in one call: the last counts.
func twice(t *testing.T, setup Setup) {
	s := setup.Open(t, "twice")
	first, last := Entry("a.md", nil, "one apple", "two apple"), Entry("a.md", nil, "two apple", "three apple", "four apple")
	last.Hash, last.Chunks = "last", 0
	must(t, s.Put(t.Context(), first, Entry("b.md", nil, "pear"), last))
	last.Chunks = 3 // as Put has counted them
	equal(t, manifest(t, s)["a.md"], last.Document)
	doc, err := s.Document(t.Context(), "a.md")
	must(t, err)
	equal(t, doc, []chunker.Chunk{last.Records[0].Chunk, last.Records[1].Chunk, last.Records[2].Chunk})
	equal(t, len(search(t, s, store.Query{Text: "apple"})), 3)
	equal(t, len(manifest(t, s)), 2)
}

// refused puts what no store takes, beside what each does.
func refused(t *testing.T, setup Setup) {
	s := setup.Open(t, "refused")
	must(t, s.Put(t.Context(), Entry("a.md", nil, "apple")))
	before := manifest(t, s)
	root, none, same, odd := Entry("root.md", nil, "x"), Entry("none.md", nil, "x"), Entry("same.md", nil, "x", "y"), Entry("odd.md", nil, "x")
	root.Root = "/d\xff"
	none.Records[0].ID = ""
	same.Records[1].ID = same.Records[0].ID
	odd.Records[0].ID = "\xff"
	for _, bad := range []struct {
		entry store.Entry
		says  string
	}{
		{Entry("", nil, "x"), "no id"},
		{Entry("\xc4\xe3.md", nil, "x"), `"\xc4\xe3.md"`},
		{Entry("a\x00b", nil, "x"), `"a\x00b"`},
		{root, `root "/d\xff"`},
		{none, `id ""`},
		{same, "twice"},
		{odd, `id "\xff"`},
	} {
		if err := s.Put(t.Context(), Entry("a.md", nil, "pear"), bad.entry); err == nil || !strings.Contains(err.Error(), bad.says) {
			t.Errorf("got %v, want an error that says %s", err, bad.says)
		}
	}
	equal(t, manifest(t, s), before)
	equal(t, texts(search(t, s, store.Query{Text: "apple pear"})), []string{"apple"})
}

// oddBytes puts a chunk whose texts are not UTF-8: it comes back as JSON has it.
func oddBytes(t *testing.T, setup Setup) {
	s := setup.Open(t, "bytes")
	e := Entry("a.md", map[string]any{"k": "v\x00\xff"}, "caf\xe9 and\x00 <apple> & co")
	c := &e.Records[0].Chunk
	c.Heading, c.SectionPath, c.Symbols, c.Source = "\xff\x00", []string{"\xff"}, []string{"\x00"}, "/docs/\xff"
	must(t, s.Put(t.Context(), embedded(e, "e", []float32{1, 0})))
	var want chunker.Chunk
	b, err := json.Marshal(c)
	must(t, err)
	must(t, json.Unmarshal(b, &want))
	for _, q := range []store.Query{{Text: "apple"}, {Text: "caf"}, {Vector: []float32{1, 0}, Embedder: "e"}} {
		hits := search(t, s, q)
		if len(hits) != 1 {
			t.Fatalf("%+v: %d hits", q, len(hits))
		}
		equal(t, hits[0].Chunk, want)
	}
}

func keywords(t *testing.T, setup Setup) {
	s := setup.Open(t, "keywords")
	must(t, s.Put(t.Context(),
		Entry("a.md", nil, "Refunds are paid within seven days.", "The server listens on a port.", "A port is a number, and the port can be set."),
		Entry("b.md", nil, "func parseConfig(path string) error", "nothing of the kind")))
	for _, c := range []struct {
		query string
		first string
	}{
		{"refund", "Refunds are paid within seven days."},
		{"which PORT?", "A port is a number, and the port can be set."},
		{"parse the config", "func parseConfig(path string) error"},
		{"Section 0 refunds", "Refunds are paid within seven days."},
	} {
		hits := search(t, s, store.Query{Text: c.query, Top: 3})
		if len(hits) == 0 || hits[0].Text != c.first {
			t.Errorf("%s: got %q", c.query, texts(hits))
		}
		for i := 1; i < len(hits); i++ {
			if hits[i].Score > hits[i-1].Score {
				t.Errorf("%s: the scores grow", c.query)
			}
		}
	}
	for _, nothing := range []string{"zebra", "?!", `"';--`, "\x00"} {
		if hits := search(t, s, store.Query{Text: nothing}); len(hits) > 0 {
			t.Errorf("%q finds %q", nothing, texts(hits))
		}
	}
	if _, err := s.Search(t.Context(), store.Query{}); err == nil {
		t.Error("an empty query is no error")
	}
	if _, err := s.Search(t.Context(), store.Query{Text: "port", Top: -1}); err == nil {
		t.Error("a negative top is no error")
	}
}

func chinese(t *testing.T, setup Setup) {
	s := setup.Open(t, "chinese")
	must(t, s.Put(t.Context(), Entry("退款.md", map[string]any{"category": "售后"},
		"七天内可以无理由退款。", "发票在订单完成后开具。", "会员积分不可转让。", "商品须保持完好 API 接口返回退款状态。")))
	for query, want := range map[string]string{
		"怎么开发票":     "发票在订单完成后开具。",
		"积分能转让吗":    "会员积分不可转让。",
		"无理由退款":     "七天内可以无理由退款。",
		"api 退款 状态": "商品须保持完好 API 接口返回退款状态。",
	} {
		if hits := search(t, s, store.Query{Text: query}); len(hits) == 0 || hits[0].Text != want {
			t.Errorf("%s: got %q", query, texts(hits))
		}
	}
	where, err := store.ParseFilter(`category = "售后" and section_path ^= "Section 3"`)
	must(t, err)
	equal(t, texts(search(t, s, store.Query{Text: "退款", Where: where})), []string{"商品须保持完好 API 接口返回退款状态。"})
}

func embedded(e store.Entry, embedder string, vectors ...[]float32) store.Entry {
	e.Embedder = embedder
	for i, v := range vectors {
		e.Records[i].Vector = v
	}
	return e
}

func vectors(t *testing.T, setup Setup) {
	s := setup.Open(t, "vectors")
	must(t, s.Put(t.Context(), Entry("plain.md", nil, "without a vector")))
	var bad *store.EmbedderError
	if _, err := s.Search(t.Context(), store.Query{Vector: []float32{1, 0, 0}, Embedder: "e3"}); !errors.As(err, &bad) {
		t.Errorf("no vectors at all: %v", err)
	}
	must(t, s.Put(t.Context(),
		embedded(Entry("a.md", nil, "x", "y", "xy"), "e3", []float32{1, 0, 0}, []float32{0, 1, 0}, []float32{.6, .8, 0}),
		embedded(Entry("b.md", nil, "z", "-x"), "e3", []float32{0, 0, 1}, []float32{-1, 0, 0}),
		embedded(Entry("c.md", nil, "other"), "e2", []float32{1, 0})))
	equal(t, texts(search(t, s, store.Query{Vector: []float32{1, 0, 0}, Embedder: "e3", Top: 2})), []string{"x", "xy"})
	equal(t, texts(search(t, s, store.Query{Vector: []float32{0, 1, 0}, Embedder: "e3", Top: 2})), []string{"y", "xy"})
	equal(t, texts(search(t, s, store.Query{Vector: []float32{1, 0}, Embedder: "e2"})), []string{"other"})
	equal(t, len(search(t, s, store.Query{Vector: []float32{1, 0, 0}, Embedder: "e3"})), 5)
	if hits := search(t, s, store.Query{Vector: []float32{1, 0, 0}, Embedder: "e3", Top: 1}); hits[0].Score < .999 || hits[0].Score > 1.001 {
		t.Errorf("the cosine of a vector with itself is %v", hits[0].Score)
	}
	where, err := store.ParseFilter(`heading = "Section 1"`)
	must(t, err)
	equal(t, texts(search(t, s, store.Query{Vector: []float32{1, 0, 0}, Embedder: "e3", Where: where})), []string{"y", "-x"})
	if _, err := s.Search(t.Context(), store.Query{Vector: []float32{1, 0}, Embedder: "e3"}); err == nil {
		t.Error("a vector of another dimension is no error")
	}
	if err := s.Put(t.Context(), embedded(Entry("bad.md", nil, "x"), "e3", []float32{1, 0})); err == nil {
		t.Error("a vector of another dimension is put")
	}
	if manifest(t, s)["bad.md"].Hash != "" {
		t.Error("what failed is in the manifest as if it were there")
	}
	// Of one that is put again with other vectors of the same texts these are searched.
	again := embedded(Entry("b.md", nil, "z", "-x"), "e3", []float32{0, 0, 1}, []float32{0, -1, 0})
	again.Settings = "others"
	must(t, s.Put(t.Context(), again))
	if hits := search(t, s, store.Query{Vector: []float32{0, -1, 0}, Embedder: "e3", Top: 1}); hits[0].Text != "-x" || hits[0].Score < .999 {
		t.Errorf("the new vector is not found, but %s with %v", hits[0].Text, hits[0].Score)
	}
	// A document that is put again with another embedder has no vectors of the first.
	must(t, s.Put(t.Context(), embedded(Entry("a.md", nil, "x", "y", "xy"), "e2", []float32{1, 0}, []float32{0, 1}, []float32{.6, .8})))
	must(t, s.Delete(t.Context(), "c.md"))
	equal(t, texts(search(t, s, store.Query{Vector: []float32{0, 0, 1}, Embedder: "e3"})), []string{"z", "-x"})
	equal(t, texts(search(t, s, store.Query{Vector: []float32{0, 1}, Embedder: "e2"})), []string{"y", "xy", "x"})
}

func hybrid(t *testing.T, setup Setup) {
	s := setup.Open(t, "hybrid")
	must(t, s.Put(t.Context(), embedded(Entry("a.md", nil, "red apple", "green pear", "blue plum"), "e",
		[]float32{1, 0}, []float32{.8, .6}, []float32{0, 1})))
	// The pear is second by vector and first by word.
	hits := search(t, s, store.Query{Text: "pear", Vector: []float32{1, 0}, Embedder: "e"})
	equal(t, texts(hits), []string{"green pear", "red apple", "blue plum"})
	equal(t, texts(search(t, s, store.Query{Text: "zebra", Vector: []float32{1, 0}, Embedder: "e", Top: 1})), []string{"red apple"})
}

func filters(t *testing.T, setup Setup) {
	s := setup.Open(t, "filters")
	metas := []map[string]any{
		nil,
		{"category": "after_sales", "version": 2, "is_reviewed": true, "tags": []string{"x", "y"}},
		{"category": "ops", "version": 2.5, "is_reviewed": false, "owner": map[string]any{"name": "Li"}},
		{"category": "", "version": "2", "tags": []any{1, "x"}, "类别": "售后"},
		{"category": []any{}, "owner": "Li", "created_at": "2026-03-01", "version": -3},
		{"category": `it's "quoted" \ 50%_`, "big": 9007199254740991, "type": "meta's"},
	}
	var all []chunker.Chunk
	for i, meta := range metas {
		e := Entry(fmt.Sprintf("d%d.md", i), meta, "word one", "word two", "word three")
		e.Records[1].SectionPath = []string{"Chapter 3: A", "a > b", "%_"}
		e.Records[1].Symbols = []string{"Ledger.Reconcile", "x"}
		e.Records[2].SectionPath = []string{}
		e.Records[2].Heading = ""
		e.Records[2].Flags = []string{"oversize"}
		must(t, s.Put(t.Context(), e))
		for _, r := range e.Records {
			all = append(all, r.Chunk)
		}
	}
	texts := []string{`""`, `"after_sales"`, `"a"`, `"Section 1"`, `"Chapter 3"`, `"x"`, `"%_"`, `"text"`, `"2"`, `"Li"`, `'it\'s "quoted" \\ 50%_'`, `"售"`, `"\\"`, `"2026-03"`, `"d3.md"`, `"a > b"`, `"a \\> b"`}
	numbers := []string{"2", "2.5", "0", "10", "-3", "9007199254740991"}
	var queries []string
	for _, f := range append(slices.Clone(store.Fields), store.Field{Name: "category"}, store.Field{Name: "tags"}, store.Field{Name: "owner"}, store.Field{Name: "owner.name"},
		store.Field{Name: "类别"}, store.Field{Name: "version"}, store.Field{Name: "big"}, store.Field{Name: "is_reviewed"}, store.Field{Name: "meta.type"}, store.Field{Name: "created_at"}) {
		queries = append(queries, f.Name+" exists", "not "+f.Name+" exists")
		_, known := store.FieldOf(f.Name)
		if !known || f.Kind != store.Number {
			for _, v := range texts {
				for _, op := range []string{"=", "!=", "<", ">=", "^=", "$=", "*="} {
					queries = append(queries, f.Name+" "+op+" "+v)
				}
			}
		}
		if !known || f.Kind == store.Number {
			for _, v := range numbers {
				for _, op := range []string{"=", "!=", "<", "<=", ">", ">="} {
					queries = append(queries, f.Name+" "+op+" "+v)
				}
			}
		}
		if !known {
			queries = append(queries, f.Name+" = true", f.Name+" = false", f.Name+" != true")
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 { // and some of them together
		pick := func() string { return queries[r.IntN(len(queries))] }
		queries = append(queries, fmt.Sprintf("not (%s) and (%s or %s)", pick(), pick(), pick()))
	}
	if testing.Short() {
		queries = queries[len(queries)-300:]
	}
	for _, query := range queries {
		f, err := store.ParseFilter(query)
		must(t, err)
		var want []string
		for i := range all {
			if f.Match(&all[i]) {
				want = append(want, all[i].ID)
			}
		}
		var got []string
		for _, h := range search(t, s, store.Query{Text: "word", Where: f, Top: len(all) + 1}) {
			got = append(got, h.ID)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s:\ngot  %v\nwant %v", query, got, want)
		}
	}
}

// A named string, as callers have them.
type named string

// strange is a filter that the package does not know.
type strange struct{ store.Compare }

// filterValues searches with filters that are made in Go: values of any type
// mean what they mean in the language, or are refused.
func filterValues(t *testing.T, setup Setup) {
	s := setup.Open(t, "values")
	e := Entry("a.md", map[string]any{"version": 2, "ratio": 0.5, "name": "x", "ok": true}, "word")
	e.Records[0].StartLine = 2
	must(t, s.Put(t.Context(), e))
	compare := func(field string, op store.Op, value any) store.Compare {
		return store.Compare{Field: field, Op: op, Value: value}
	}
	for _, c := range []struct {
		filter store.Filter
		want   bool
	}{
		{compare("version", store.Equal, 2), true},
		{compare("version", store.Equal, int64(3)), false},
		{compare("version", store.Less, uint8(3)), true},
		{compare("version", store.Equal, json.Number("2")), true},
		{compare("version", store.Begins, 2), false},
		{compare("start_line", store.AtLeast, int32(2)), true},
		{compare("start_line", store.Equal, "2"), false},
		{compare("start_line", store.Contains, 2), false},
		{compare("types", store.Equal, 2), false},
		{compare("ratio", store.Equal, float32(.5)), true},
		{compare("name", store.Equal, named("x")), true},
		{compare("name", store.Equal, 2), false},
		{compare("name", store.Equal, true), false},
		{compare("ok", store.Equal, true), true},
		{compare("ok", store.Less, true), false},
		{store.Not{Filter: compare("version", store.Equal, 2)}, false},
		{store.And{store.Or{compare("version", store.Equal, 2)}, store.And{}}, true},
		{store.Or{}, false},
	} {
		if got := c.filter.Match(&e.Records[0].Chunk); got != c.want {
			t.Errorf("%s: Match says %v", c.filter, got)
		}
		if hits := search(t, s, store.Query{Text: "word", Where: c.filter}); len(hits) == 1 != c.want {
			t.Errorf("%s: %d hits", c.filter, len(hits))
		}
	}
	for _, bad := range []store.Filter{
		compare("version", store.Equal, nil),
		compare("version", store.Equal, []string{"x"}),
		compare("version", store.Equal, struct{}{}),
		compare("version", store.Equal, math.NaN()),
		compare("version", store.Less, math.Inf(1)),
		compare("version", store.Exists, 2),
		compare("version", "!=", 2),
		compare("version", "", 2),
		store.And{compare("version", store.Equal, 2), nil},
		store.Not{},
		store.Or{store.Not{Filter: compare("types", store.Equal, nil)}},
		strange{compare("version", store.Equal, 2)},
	} {
		if hits, err := s.Search(t.Context(), store.Query{Text: "word", Where: bad}); err == nil || !strings.Contains(err.Error(), "filter") {
			t.Errorf("%#v: %d hits, %v", bad, len(hits), err)
		}
	}
}

func parents(t *testing.T, setup Setup) {
	s := setup.Open(t, "parents")
	e := Entry("a.md", nil, "apple and pear", "apple", "pear", " \n")
	e.Records[0].Type = chunker.TypeParent
	must(t, s.Put(t.Context(), embedded(e, "e", nil, []float32{1, 0}, []float32{0, 1})))
	equal(t, texts(search(t, s, store.Query{Text: "apple"})), []string{"apple"})
	equal(t, texts(search(t, s, store.Query{Vector: []float32{1, 0}, Embedder: "e"})), []string{"apple", "pear"})
	got, err := s.Get(t.Context(), e.Records[0].ID)
	must(t, err)
	equal(t, len(got), 1)
	doc, err := s.Document(t.Context(), "a.md")
	must(t, err)
	equal(t, len(doc), 4)
}

func restart(t *testing.T, setup Setup) {
	s := setup.Open(t, "restart")
	must(t, s.Put(t.Context(), embedded(Entry("a.md", nil, "apple", "pear"), "e", []float32{1, 0}, []float32{0, 1})))
	before := manifest(t, s)
	must(t, s.Close())
	s = setup.Open(t, "restart")
	equal(t, manifest(t, s), before)
	equal(t, texts(search(t, s, store.Query{Text: "pear"})), []string{"pear"})
	equal(t, texts(search(t, s, store.Query{Vector: []float32{1, 0}, Embedder: "e"})), []string{"apple", "pear"})
}

// version is a document of n chunks that all say they are of version v.
func version(doc string, v, n int) store.Entry {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("word v%d part %d", v, i)
	}
	e := Entry(doc, nil, list...)
	e.Hash = fmt.Sprint(v)
	for i := range e.Records {
		e.Records[i].Vector = []float32{1, float32(v)}
	}
	e.Embedder = "e"
	return e
}

// nothingHalf replaces a document again and again, and adds some, while others
// search: they must find whole versions.
func nothingHalf(t *testing.T, setup Setup) {
	s := setup.Open(t, "half")
	const parts = 30
	must(t, s.Put(t.Context(), version("a.md", 0, parts), Entry("b.md", nil, "word")))
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	readers.Go(func() {
		for ctx.Err() == nil {
			hits, err := s.Search(context.WithoutCancel(ctx), store.Query{Text: "new", Top: 100 * parts})
			if err != nil {
				t.Errorf("search: %v", err)
				return
			}
			found := map[string]int{}
			for _, h := range hits {
				found[h.DocID]++
			}
			for doc, n := range found {
				if n != parts {
					t.Errorf("found %d of %d chunks of %s", n, parts, doc)
					return
				}
			}
		}
	})
	for i := range 3 {
		readers.Go(func() {
			for n := 0; ctx.Err() == nil || n == 0; n++ {
				q := store.Query{Text: "word", Top: 3 * parts}
				switch i {
				case 1:
					q = store.Query{Vector: []float32{1, 0}, Embedder: "e", Top: 3 * parts}
				case 2:
					q.Where = store.Compare{Field: "doc_id", Op: store.Equal, Value: "a.md"}
				}
				hits, err := s.Search(context.WithoutCancel(ctx), q)
				if err != nil {
					t.Errorf("search: %v", err)
					return
				}
				versions := map[string]int{}
				for _, h := range hits {
					if h.DocID == "a.md" {
						versions[strings.Fields(h.Text)[1]]++
					}
				}
				for v, n := range versions {
					if n != parts || len(versions) > 1 {
						t.Errorf("reader %d found %d of %d chunks of %s, versions %v", i, n, parts, v, versions)
						return
					}
				}
				if len(versions) == 0 {
					t.Errorf("reader %d found nothing", i)
					return
				}
				doc, err := s.Document(context.WithoutCancel(ctx), "a.md")
				if err != nil || len(doc) != parts {
					t.Errorf("the document has %d chunks, %v", len(doc), err)
					return
				}
			}
		})
	}
	added := make([]string, parts)
	for i := range added {
		added[i] = fmt.Sprintf("new part %d", i)
	}
	for v := range 40 {
		entries := []store.Entry{version("a.md", v+1, parts)}
		if v%4 == 0 {
			entries = append(entries, Entry(fmt.Sprintf("new%d.md", v), nil, added...))
		}
		if err := s.Put(t.Context(), entries...); err != nil {
			t.Errorf("put: %v", err)
			break
		}
	}
	stop()
	readers.Wait()
}

// writers put and delete the same documents at once.
func writers(t *testing.T, setup Setup) {
	a, b := setup.Open(t, "writers"), setup.Open(t, "writers")
	var both sync.WaitGroup
	for i, s := range []store.Store{a, b} {
		both.Go(func() {
			for v := range 15 {
				doc := fmt.Sprintf("d%d.md", v%4)
				if err := s.Put(t.Context(), version(doc, 2*v+i, 5+i), version(fmt.Sprintf("own%d.md", i), v, 3)); err != nil {
					t.Errorf("writer %d: %v", i, err)
				}
				if v%5 == 4 {
					if err := s.Delete(t.Context(), doc); err != nil {
						t.Errorf("writer %d: %v", i, err)
					}
				}
			}
		})
	}
	both.Wait()
	for id, d := range manifest(t, a) {
		chunks, err := b.Document(t.Context(), id)
		must(t, err)
		if len(chunks) != d.Chunks {
			t.Errorf("%s has %d chunks, its line in the manifest says %d", id, len(chunks), d.Chunks)
		}
		for _, c := range chunks {
			if v := strings.Fields(c.Text)[1]; v != "v"+d.Hash {
				t.Errorf("%s of version %s holds a chunk of %s", id, d.Hash, v)
			}
		}
		hits := search(t, a, store.Query{Text: "word", Top: 1000, Where: store.Compare{Field: "doc_id", Op: store.Equal, Value: id}})
		if len(hits) != d.Chunks {
			t.Errorf("%s: %d of its %d chunks are found", id, len(hits), d.Chunks)
		}
	}
}

// edition is a word for a version.
func edition(v int) string { return "edition" + string(rune('a'+v)) }

// churn replaces a large document so often that a store has to clear up what
// was, with what stays in between.
func churn(t *testing.T, setup Setup) {
	s := setup.Open(t, "churn")
	const parts, versions = 400, 24
	keep := Entry("keep.md", nil, "all that stays", "pebble that stays", "stone that stays")
	keep.Records[0].Type = chunker.TypeParent
	must(t, s.Put(t.Context(), embedded(keep, "e", nil, []float32{1, 0, 0, 0, 0, 0, 0, 0}, []float32{.8, .6, 0, 0, 0, 0, 0, 0})))
	query := store.Query{Vector: []float32{1, 0, 0, 0, 0, 0, 0, 0}, Embedder: "e", Top: 1}
	r := rand.New(rand.NewPCG(5, 6))
	check := func(v int) {
		t.Helper()
		equal(t, texts(search(t, s, store.Query{Text: "pebble"})), []string{"pebble that stays"})
		equal(t, texts(search(t, s, query)), []string{"pebble that stays"})
		kept, err := s.Document(t.Context(), "keep.md")
		must(t, err)
		equal(t, len(kept), 3)
		equal(t, kept[0].Text, "all that stays")
		for _, old := range []int{v - 1, v} {
			hits := search(t, s, store.Query{Text: edition(old), Top: parts + 1, Where: store.Compare{Field: "doc_id", Op: store.Equal, Value: "a.md"}})
			if want := (old - v + 1) * parts; !setup.Approximate && len(hits) != want {
				t.Fatalf("%d chunks of version %d are found, want %d", len(hits), old, want)
			}
		}
	}
	for v := range versions {
		list := make([]string, parts)
		vectors := make([][]float32, parts)
		for i := range list {
			list[i], vectors[i] = fmt.Sprintf("%s part %d", edition(v), i), direction(r)
		}
		must(t, s.Put(t.Context(), embedded(Entry("a.md", nil, list...), "e", vectors...)))
		if v%8 == 7 {
			check(v)
		}
	}
	must(t, s.Delete(t.Context(), "a.md"))
	equal(t, len(search(t, s, store.Query{Text: "part", Top: 10})), 0)
	query.Top = 10
	equal(t, len(search(t, s, query)), 2)
}

// direction returns a vector of length 1.
func direction(r *rand.Rand) []float32 {
	v := make([]float32, 8)
	var sum float64
	for i := range v {
		v[i] = r.Float32() - .5
		sum += float64(v[i] * v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func canceled(t *testing.T, setup Setup) {
	s := setup.Open(t, "canceled")
	must(t, s.Put(t.Context(), Entry("a.md", nil, "apple")))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Put(ctx, Entry("b.md", nil, "apple")); err == nil {
		t.Error("put went on")
	}
	if err := s.Delete(ctx, "a.md"); err == nil {
		t.Error("delete went on")
	}
	if _, err := s.Search(ctx, store.Query{Text: "apple"}); err == nil {
		t.Error("search went on")
	}
	equal(t, texts(search(t, s, store.Query{Text: "apple"})), []string{"apple"})
}

// many puts, reads and deletes more documents in one call than go in one request.
func many(t *testing.T, setup Setup) {
	s := setup.Open(t, "many")
	const n = 1500
	entries := make([]store.Entry, n)
	docs, ids := make([]string, n), make([]string, n)
	for v := range 2 { // the second time there is something to be cleared
		for i := range entries {
			entries[i] = Entry(fmt.Sprintf("d%d.md", i), nil, fmt.Sprintf("part%d of v%d", i, v))
			docs[i], ids[i] = entries[i].ID, entries[i].Records[0].ID
		}
		must(t, s.Put(t.Context(), entries...))
	}
	equal(t, len(manifest(t, s)), n)
	got, err := s.Get(t.Context(), ids...)
	must(t, err)
	equal(t, len(got), n)
	equal(t, texts(search(t, s, store.Query{Text: "part1432", Top: 1})), []string{"part1432 of v1"})
	must(t, s.Delete(t.Context(), docs[1:]...))
	equal(t, len(manifest(t, s)), 1)
	equal(t, texts(search(t, s, store.Query{Text: "v1"})), []string{"part0 of v1"})
}

func size(t *testing.T, setup Setup) {
	if setup.Chunks == 0 {
		t.Skip("only with CANTLE_LONG=1")
	}
	s := setup.Open(t, "size")
	const perDocument, perPut = 50, 40
	r := rand.New(rand.NewPCG(3, 4))
	var batch []store.Entry
	for doc := range setup.Chunks / perDocument {
		list := make([]string, perDocument)
		for i := range list {
			list[i] = fmt.Sprintf("chunk number%d of the document, with word%d and word%d", doc*perDocument+i, r.IntN(1000), r.IntN(1000))
		}
		e := Entry(fmt.Sprintf("d%05d.md", doc), map[string]any{"bucket": doc % 10}, list...)
		e.Embedder = "e"
		for i := range e.Records {
			v := make([]float32, 16)
			for j := range v {
				v[j] = r.Float32() - .5
			}
			e.Records[i].Vector = v
		}
		if batch = append(batch, e); len(batch) == perPut || doc == setup.Chunks/perDocument-1 {
			must(t, s.Put(t.Context(), batch...))
			batch = nil
		}
	}
	total := 0
	for _, d := range manifest(t, s) {
		total += d.Chunks
	}
	equal(t, total, setup.Chunks)
	for range 20 {
		n := r.IntN(setup.Chunks)
		hits := search(t, s, store.Query{Text: fmt.Sprintf("number%d", n), Top: 2})
		if len(hits) == 0 || !strings.Contains(hits[0].Text, fmt.Sprintf("number%d ", n)) {
			t.Errorf("chunk %d is not found: %q", n, texts(hits))
		}
	}
	where := store.Compare{Field: "bucket", Op: store.Equal, Value: 3.0}
	for _, h := range search(t, s, store.Query{Text: "the document", Where: where, Top: 20}) {
		equal(t, h.Meta["bucket"], 3.0)
	}
}
