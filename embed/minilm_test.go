package embed

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// model loads all-MiniLM-L6-v2 from the folder that CANTLE_MINILM names.
func model(t testing.TB) *MiniLM {
	folder := os.Getenv("CANTLE_MINILM")
	if folder == "" {
		t.Skip("CANTLE_MINILM is not set to the folder of all-MiniLM-L6-v2")
	}
	m, err := OpenMiniLM(folder)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMiniLM(t *testing.T) {
	m := model(t)
	if m.Dim() != 384 || m.MaxTokens() != 256 {
		t.Errorf("%d floats, %d tokens", m.Dim(), m.MaxTokens())
	}
	texts := []string{
		"The bakery sells bread.", "You can buy loaves there.", "The glacier is melting.",
		"", strings.Repeat("bread ", 1000), strings.Repeat("bread ", 254), strings.Repeat("bread ", 253),
	}
	v, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i := range v {
		var sum float64
		for _, x := range v[i] {
			sum += float64(x) * float64(x)
		}
		if math.Abs(sum-1) > 1e-5 || len(v[i]) != 384 {
			t.Errorf("text %d: %d floats, length %v", i, len(v[i]), math.Sqrt(sum))
		}
		alone, _ := m.Embed(t.Context(), texts[i:i+1])
		if !slices.Equal(alone[0], v[i]) {
			t.Errorf("text %d: another vector alone than with the others", i)
		}
	}
	if near, far := Cosine(v[0], v[1]), Cosine(v[0], v[2]); near < far+0.2 {
		t.Errorf("bread and loaves %.3f, bread and glacier %.3f", near, far)
	}
	if !slices.Equal(v[4], v[5]) || slices.Equal(v[5], v[6]) {
		t.Error("not cut off at 254 pieces")
	}
}

// TestMiniLMTopics wants the changes of topic to be the lowest similarities, as
// in TestLexicalTopics. The model knows English only.
func TestMiniLMTopics(t *testing.T) {
	m := model(t)
	sentences := slices.Concat(topics["en"]...)
	similarity := windows(t, m, sentences)
	changes := max(similarity[4], similarity[8])
	for i, s := range similarity {
		if i%4 != 0 && s <= changes {
			t.Errorf("at %d %.3f, at the changes %.3f and %.3f", i, s, similarity[4], similarity[8])
		}
	}
}

// reference reads the file that CANTLE_REFERENCE names, which bench/embed/compare.py
// writes: a JSON object with a text and its vector a line.
func reference(t testing.TB) (texts []string, vectors [][]float32) {
	path := os.Getenv("CANTLE_REFERENCE")
	if path == "" {
		t.Skip("CANTLE_REFERENCE is not set; bench/embed/compare.py sets it")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := json.NewDecoder(f)
	for lines.More() {
		var line struct {
			Text   string
			Vector []float32
		}
		if err := lines.Decode(&line); err != nil {
			t.Fatal(err)
		}
		texts, vectors = append(texts, line.Text), append(vectors, line.Vector)
	}
	return texts, vectors
}

// TestMiniLMReference compares with the vectors of another program.
func TestMiniLMReference(t *testing.T) {
	texts, want := reference(t)
	m := model(t)
	got, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	lowest, total := 1.0, 0.0
	for i := range want {
		c := Cosine(got[i], want[i])
		if c < 0.9999 {
			t.Errorf("cosine %.7f for %.100q", c, texts[i])
		}
		lowest, total = min(lowest, c), total+c
	}
	t.Logf("%d texts: cosine at least %.8f, on average %.8f", len(texts), lowest, total/float64(len(texts)))
}

// BenchmarkMiniLM embeds the sentences of the reference; GOMAXPROCS=1 gives the
// speed of one core.
func BenchmarkMiniLM(b *testing.B) {
	m := model(b)
	texts, _ := reference(b)
	for b.Loop() {
		if _, err := m.Embed(b.Context(), texts); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(texts)*b.N)/b.Elapsed().Seconds(), "sentences/s")
}
