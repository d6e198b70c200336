package cantle_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/internal/laws"
)

// particles are what mutations put in: what means something to a parser, and
// what is easily taken for something else.
var particles = strings.Split("\n,\n\n,\r\n,\r,\t,    ,\f, ,\u00a0,\u3000,#,# ,## ,|,---,---\n,===,> ,- ,1. ,· ,```,```go\n,$$,:::,!!!,[^1]: ,: ,"+
	"\",',(,),{,},\\,/*,*/,//,#if,#endif\n,class A:,def f():\n,func f() {,<b>,</b>,<br>,<p>,<pre>,</pre>,<div>,</div>,<h1>,</h1>,<ul><li>,<table>,<tr>,<td>,<td rowspan=2>,"+
	"<caption>,</table>,<!--,-->,&amp;,&nbsp;,中文。,。,“,é,👩‍👩‍👧,a,B,1,word ,\x00,\xff,\xb7,| a | b |\n|---|---|\n| 1 | 2 |\n", ",")

// TestLawsOnMutations checks every law on parts of the tests' own documents
// that were damaged by chance, at limits down to 1. The chances are the same
// each time; CANTLE_SEED has others, CANTLE_MUTATIONS another number.
func TestLawsOnMutations(t *testing.T) {
	n, seed := 3000, uint64(1)
	if long() {
		n = 200_000
	}
	if s, err := strconv.Atoi(os.Getenv("CANTLE_MUTATIONS")); err == nil {
		n = s
	}
	if s, err := strconv.ParseUint(os.Getenv("CANTLE_SEED"), 10, 64); err == nil {
		seed = s
	}
	var docs []mutant
	for _, pattern := range []string{"testdata/*/*", "testdata/cases/*/*", "*/testdata/*", "*/testdata/golden/*"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if src, err := os.ReadFile(path); err == nil && len(src) < 20_000 && !slices.Contains([]string{".ast", ".golden", ".tree", ".json"}, filepath.Ext(path)) {
				docs = append(docs, mutant{name: filepath.Base(path), src: src})
			}
		}
	}
	if len(docs) < 60 {
		t.Fatalf("only %d documents", len(docs))
	}
	random := rand.New(rand.NewPCG(seed, 0))
	found := map[string]bool{}
	for range n {
		m := mutate(random, docs)
		kind, err := m.breach()
		if err == nil || found[kind] {
			continue
		}
		found[kind] = true
		m = m.shrink(kind)
		_, err = m.breach()
		t.Errorf("%s at %d, overlap %d: %q: %v", m.name, m.max, m.overlap, m.src, err)
	}
}

// A mutant is a damaged document and how it is cut.
type mutant struct {
	name         string
	src          []byte
	max, overlap int
}

func mutate(r *rand.Rand, docs []mutant) mutant {
	part := func(longest int) []byte {
		src := docs[r.IntN(len(docs))].src
		start := r.IntN(len(src) + 1)
		return src[start:min(len(src), start+r.IntN(longest))]
	}
	m := docs[r.IntN(len(docs))]
	start := r.IntN(len(m.src) + 1)
	m.src = m.src[start:min(len(m.src), start+r.IntN(400))]
	for range 1 + r.IntN(8) {
		at := r.IntN(len(m.src) + 1)
		end := at
		var put []byte
		switch r.IntN(4) {
		case 0:
			put = []byte(particles[r.IntN(len(particles))])
		case 1:
			put = []byte(strings.Repeat(particles[r.IntN(len(particles))], r.IntN(6)))
		case 2:
			put = part(100)
		case 3:
			end = min(len(m.src), at+r.IntN(20))
		}
		m.src = slices.Concat(m.src[:at], put, m.src[end:])
	}
	if r.IntN(4) == 0 {
		m.name = fuzzed[r.IntN(len(fuzzed))]
	}
	limits := []int{1, 2, 3, 5, 8, 12, 16, 24, 32, 48, 64, 100, 200}
	m.max = limits[r.IntN(len(limits))]
	if r.IntN(2) == 0 {
		m.overlap = r.IntN(m.max)
	}
	return m
}

var particulars = regexp.MustCompile(`"[^"]*"|[0-9]+|:.*`)

// breach cuts m and returns the first law that is broken, with a name for its
// kind. What does not end is an error of the whole test.
func (m mutant) breach() (kind string, err error) {
	timer := time.AfterFunc(20*time.Second, func() {
		panic(fmt.Sprintf("does not end: %s at %d, overlap %d: %q", m.name, m.max, m.overlap, m.src))
	})
	defer timer.Stop()
	defer func() {
		if r := recover(); r != nil {
			kind, err = "panic", fmt.Errorf("panic: %v", r)
		}
	}()
	doc, err := cantle.Parse(m.name, m.src, cantle.ParseOptions{})
	if err != nil {
		return "", nil // not text
	}
	if err := ast.Check(doc); err != nil {
		return "tree", err
	}
	opt, err := cantle.Options{Cut: chunker.Options{Max: m.max, Overlap: m.overlap}}.Resolve()
	if err != nil {
		return "options", err
	}
	chunks, err := cantle.Cut(context.Background(), doc, opt)
	if err != nil {
		return "error", err
	}
	for _, err := range laws.Check(doc, opt.Cut, chunks) {
		return particulars.ReplaceAllString(err.Error(), "") + filepath.Ext(m.name), err
	}
	return "", nil
}

// shrink takes away what a breach of the same kind does without.
func (m mutant) shrink(kind string) mutant {
	for step := max(1, len(m.src)/2); step > 0; step /= 2 {
		for at := 0; at+step <= len(m.src); {
			less := m
			less.src = slices.Concat(m.src[:at], m.src[at+step:])
			if k, err := less.breach(); err != nil && k == kind {
				m = less
			} else {
				at++
			}
		}
	}
	return m
}
