package bert

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// A Model is a loaded encoder. Its methods may be called from many goroutines
// at once.
type Model struct {
	config
	id        string
	kernels   kernels
	tokenizer *tokenizer

	words     []float32 // a row of Hidden floats for each token of the vocabulary
	positions []float32 // the same for each position, with what marks a text's first part added
	norm      normWeights
	layers    []layer

	scratch sync.Pool // of *scratch
}

// A layer's matrices are packed for multiplying a row from the left.
type layer struct {
	qkv      dense // query, key and value side by side
	out      dense
	outNorm  normWeights
	up, down dense
	downNorm normWeights
}

type dense struct {
	weight panels
	bias   []float32
}

type normWeights struct{ gain, bias []float32 }

// Load reads a model's folder: config.json, model.safetensors, tokenizer.json, and
// what sentence-transformers puts beside them.
func Load(folder string) (*Model, error) {
	c, err := readConfig(folder)
	if err != nil {
		return nil, err
	}
	tokenizer, err := readTokenizer(folder)
	if err != nil {
		return nil, err
	}
	if frame := len(tokenizer.before) + len(tokenizer.after); c.maxTokens <= frame {
		return nil, fmt.Errorf("%s: a text's limit of %d tokens leaves none beside the %d around it", folder, c.maxTokens, frame)
	}
	path := filepath.Join(folder, "model.safetensors")
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := available()
	m := &Model{config: c, tokenizer: tokenizer, kernels: all[len(all)-1]}
	if err := m.read(f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Dim is the number of floats of a vector.
func (m *Model) Dim() int { return m.Hidden }

// MaxTokens is where texts are cut off, in tokens with the special ones around.
func (m *Model) MaxTokens() int { return m.maxTokens }

// ID is the same for files with the same weights, and no others.
func (m *Model) ID() string { return m.id }

// Kernels names the instruction set in use.
func (m *Model) Kernels() string { return m.kernels.name() }

// read reads the weights.
func (m *Model) read(f *os.File) error {
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	if err != nil {
		return err
	}
	m.id = hex.EncodeToString(sum.Sum(nil)[:8])
	file, err := openSafetensors(f, size)
	if err != nil {
		return err
	}
	r := reader{file: file}
	for _, prefix := range []string{"bert.", "roberta."} {
		if _, ok := file.tensors[prefix+"embeddings.word_embeddings.weight"]; ok {
			r.prefix = prefix
		}
	}
	hidden, wide := m.Hidden, m.Intermediate

	m.words = r.floats("embeddings.word_embeddings.weight", m.Vocabulary, hidden)
	m.positions = r.floats("embeddings.position_embeddings.weight", m.Positions, hidden)
	types := r.floats("embeddings.token_type_embeddings.weight", m.Types, hidden)
	m.norm = r.norm("embeddings.LayerNorm", hidden)
	if r.err != nil {
		return r.err
	}
	m.positions = m.positions[m.firstPosition*hidden:]
	for i := range m.positions {
		m.positions[i] += types[i%hidden] // all of a text is of type 0
	}
	for i := range m.Layers {
		in := fmt.Sprintf("encoder.layer.%d.", i)
		m.layers = append(m.layers, layer{
			qkv:      r.dense(hidden, hidden, in+"attention.self.query", in+"attention.self.key", in+"attention.self.value"),
			out:      r.dense(hidden, hidden, in+"attention.output.dense"),
			outNorm:  r.norm(in+"attention.output.LayerNorm", hidden),
			up:       r.dense(hidden, wide, in+"intermediate.dense"),
			down:     r.dense(wide, hidden, in+"output.dense"),
			downNorm: r.norm(in+"output.LayerNorm", hidden),
		})
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

// A reader reads tensors until one fails.
type reader struct {
	file   *safetensors
	prefix string
	err    error
}

func (r *reader) floats(name string, shape ...int) []float32 {
	if r.err != nil {
		return nil
	}
	var wide []int64
	for _, n := range shape {
		wide = append(wide, int64(n))
	}
	var x []float32
	x, r.err = r.file.floats(r.prefix+name, wide...)
	return x
}

func (r *reader) norm(name string, n int) normWeights {
	return normWeights{r.floats(name+".weight", n), r.floats(name+".bias", n)}
}

// dense packs the weights of some linear layers over the same input, side by side.
func (r *reader) dense(in, out int, names ...string) dense {
	var d dense
	for i, name := range names {
		weight := r.floats(name+".weight", out, in)
		bias := r.floats(name+".bias", out)
		if r.err != nil {
			return d
		}
		if i == 0 { // not before a weight of that shape is there: a header can claim any
			d.weight = newPanels(make([]float32, in*out*len(names)), in, out*len(names))
		}
		d.weight.setTransposed(i*out, newMatrix(weight, out, in))
		d.bias = append(d.bias, bias...)
	}
	return d
}
