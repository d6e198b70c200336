package embed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A fake embeds a text as its length and some of its bytes.
type fake struct {
	name string
	dim  int // 0 is unknown, and 3 in truth

	mu    sync.Mutex
	asked []string
	fail  int // from this call on, counted from 1; 0 never
	calls int
}

func (f *fake) Name() string { return f.name }
func (f *fake) Dim() int     { return f.dim }

func (f *fake) Embed(_ context.Context, texts []string) ([][]float32, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.calls++; f.fail > 0 && f.calls >= f.fail {
		return nil, errors.New("gone")
	}
	f.asked = append(f.asked, texts...)
	var vectors [][]float32
	for _, text := range texts {
		v := make([]float32, max(f.dim, 3))
		v[0] = float32(len(text))
		for i := range text {
			v[1+i%(len(v)-1)] += float32(text[i]) / 7
		}
		vectors = append(vectors, v)
	}
	return vectors, nil
}

func openCache(t testing.TB, e Embedder, path string) *Cache {
	t.Helper()
	c, err := OpenCache(e, path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// checkCache wants for each text what the fake returns.
func checkCache(t testing.TB, c *Cache, texts []string) {
	t.Helper()
	got, err := c.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := (&fake{dim: c.of.Dim()}).Embed(context.Background(), texts)
	for i := range texts {
		if !slices.Equal(got[i], want[i]) {
			t.Fatalf("%q: got %v, want %v", texts[i], got[i], want[i])
		}
	}
}

func TestCache(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	f := &fake{name: "m"}
	c := openCache(t, f, path)
	if c.Name() != "m" || c.Dim() != 0 {
		t.Errorf("%q of %d floats", c.Name(), c.Dim())
	}
	checkCache(t, c, []string{"a", "b", "a", ""})
	checkCache(t, c, []string{"b", "c"})
	if want := []string{"a", "b", "", "c"}; !slices.Equal(f.asked, want) {
		t.Errorf("asked for %q, want %q", f.asked, want)
	}
	s := c.Stats()
	if s.Texts != 6 || s.Hits != 2 || s.Calls != 2 || s.Seconds <= 0 {
		t.Errorf("stats %+v", s)
	}
	if c.Dim() != 3 {
		t.Errorf("Dim: %d", c.Dim())
	}
	c.Close()

	f = &fake{name: "m"}
	c = openCache(t, f, path)
	checkCache(t, c, []string{"", "c", "a", "b"})
	if s := c.Stats(); len(f.asked) != 0 || s.Hits != 4 || s.Calls != 0 {
		t.Errorf("after opening again: asked for %q, stats %+v", f.asked, s)
	}
	other := &fake{name: "other"}
	checkCache(t, openCache(t, other, path), []string{"a"})
	if len(other.asked) != 1 {
		t.Error("one model was given another's vector")
	}
}

func TestCacheCopies(t *testing.T) {
	c := openCache(t, &fake{name: "m"}, filepath.Join(t.TempDir(), "vectors"))
	v, _ := c.Embed(t.Context(), []string{"a", "a"})
	v[0][0], v[1][1] = -1, -1
	checkCache(t, c, []string{"a", "a"})
}

// TestCacheTorn cuts the file at every byte, as a crash may, and appends to it.
func TestCacheTorn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	c := openCache(t, &fake{name: "m"}, path)
	checkCache(t, c, []string{"a"})
	checkCache(t, c, []string{"bb", "ccc"})
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	size := len(whole) / 3
	for cut := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		f := &fake{name: "m"}
		c := openCache(t, f, path)
		checkCache(t, c, []string{"a", "bb", "ccc"})
		if want := 3 - cut/size; len(f.asked) != want {
			t.Errorf("cut at %d: asked for %d texts, want %d", cut, len(f.asked), want)
		}
		checkCache(t, c, []string{"a", "bb", "ccc", "dddd"})
		c.Close()
		f = &fake{name: "m"}
		c = openCache(t, f, path)
		checkCache(t, c, []string{"a", "bb", "ccc", "dddd"})
		if len(f.asked) != 0 {
			t.Errorf("cut at %d and added to: asked for %q", cut, f.asked)
		}
		c.Close()
	}
}

// TestCacheDamaged changes each byte in turn.
func TestCacheDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	c := openCache(t, &fake{name: "m"}, path)
	checkCache(t, c, []string{"a", "bb", "ccc"})
	whole, _ := os.ReadFile(path)
	for i := len(recordMark); i < len(whole); i++ {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 0x10
		os.WriteFile(path, damaged, 0o600)
		checkCache(t, c, []string{"a", "bb", "ccc"}) // opened before
		f := &fake{name: "m"}
		again := openCache(t, f, path)
		checkCache(t, again, []string{"a", "bb", "ccc"})
		if len(f.asked) > 1 {
			t.Errorf("byte %d cost %d vectors", i, len(f.asked))
		}
		again.Close()
	}
}

func TestCacheKeepsWhatItPaidFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	var texts []string
	for i := range 3 * cacheBatch {
		texts = append(texts, fmt.Sprint("text ", i))
	}
	f := &fake{name: "m", fail: 3}
	if _, err := openCache(t, f, path).Embed(t.Context(), texts); err == nil || err.Error() != "gone" {
		t.Errorf("got %v", err)
	}
	f = &fake{name: "m"}
	checkCache(t, openCache(t, f, path), texts)
	if len(f.asked) != cacheBatch {
		t.Errorf("asked for %d texts again, want %d", len(f.asked), cacheBatch)
	}
}

func TestCacheAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	caches := []*Cache{openCache(t, &fake{name: "m"}, path), openCache(t, &fake{name: "m"}, path)}
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 40 {
				checkCache(t, caches[worker%2], []string{fmt.Sprint(i), fmt.Sprint(i + worker), "same"})
			}
		})
	}
	all.Wait()
	f := &fake{name: "m"}
	c := openCache(t, f, path)
	for i := range 47 {
		checkCache(t, c, []string{fmt.Sprint(i)})
	}
	if len(f.asked) != 0 {
		t.Errorf("asked again for %q", f.asked)
	}
}

func TestCacheOtherDimension(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	checkCache(t, openCache(t, &fake{name: "m", dim: 4}, path), []string{"a", "b"})

	f := &fake{name: "m", dim: 5}
	checkCache(t, openCache(t, f, path), []string{"a", "b"})
	if len(f.asked) != 2 {
		t.Errorf("asked for %q: a vector of 4 floats serves as one of 5", f.asked)
	}
	// A model that does not know: the cache finds 5 floats for a, the model gives
	// 3 for c.
	_, err := openCache(t, &fake{name: "m"}, path).Embed(t.Context(), []string{"a", "c"})
	if err == nil || !strings.Contains(err.Error(), "3 floats after others of 5") || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
}

func TestCacheErrors(t *testing.T) {
	dir := t.TempDir()
	notes := filepath.Join(dir, "notes.txt")
	os.WriteFile(notes, []byte("mine"), 0o600)
	for path, want := range map[string]string{
		notes:                          notes + ": the file is something else",
		dir:                            dir,
		filepath.Join(dir, "no", "no"): "no such file",
	} {
		_, err := OpenCache(&fake{}, path)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", path, err)
		}
	}
	if b, _ := os.ReadFile(notes); string(b) != "mine" {
		t.Errorf("notes.txt is now %q", b)
	}
}

// FuzzCache opens any file: it must give no wrong vector.
func FuzzCache(f *testing.F) {
	a := appendRecord(nil, keyOf("m", "a"), []float32{1, 0, 97.0 / 7})
	f.Add(a)
	f.Add(append(a[:len(a)-2:len(a)-2], a...))
	f.Add(bytes.Repeat(recordMark, 40))
	f.Fuzz(func(t *testing.T, content []byte) {
		c := &Cache{at: map[cacheKey]place{}}
		if err := c.load(bytes.NewReader(content)); err != nil {
			return
		}
		for key, p := range c.at {
			record := content[p.offset:][:recordHeader+4*p.dim]
			if k, dim, ok := parseHeader(record); !ok || k != key || dim != p.dim || !isWhole(record) {
				t.Errorf("no record at %d", p.offset)
			}
		}
	})
}

func BenchmarkOpenCache(b *testing.B) {
	path := filepath.Join(b.TempDir(), "vectors")
	c := openCache(b, &fake{name: "m", dim: 384}, path)
	var texts []string
	for i := range 10_000 {
		texts = append(texts, fmt.Sprint(i))
	}
	checkCache(b, c, texts)
	info, _ := os.Stat(path)
	b.SetBytes(info.Size())
	for b.Loop() {
		c, err := OpenCache(&fake{name: "m", dim: 384}, path)
		if err != nil || len(c.at) != len(texts) {
			b.Fatal(len(c.at), err)
		}
		c.Close()
	}
}
