package bert

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A folder is a small model of random weights, as files.
type folder struct {
	config  map[string]any
	vocab   []string
	weights map[string]tensor
	files   map[string]string // others; "" leaves one out
}

type tensor struct {
	shape []int
	data  []float32
}

func newFolder() *folder {
	f := &folder{
		config: map[string]any{
			"model_type": "bert", "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 2,
			"vocab_size": 20, "max_position_embeddings": 24, "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_act": "gelu",
		},
		vocab: strings.Fields("[PAD] [UNK] [CLS] [SEP] the bak ##ery ##er ##e b ##a ##k loaf ##s . ' 面 包 cafe 3"),
		files: map[string]string{},
	}
	r := rand.New(rand.NewPCG(9, 10))
	f.weights = map[string]tensor{}
	add := func(name string, mean float32, shape ...int) {
		n := 1
		for _, s := range shape {
			n *= s
		}
		x := random(r, n)
		for i := range x {
			x[i] = mean + x[i]/4
		}
		f.weights[name] = tensor{shape, x}
	}
	norm := func(name string) { add(name+".weight", 1, 32); add(name+".bias", 0, 32) }
	linear := func(name string, in, out int) { add(name+".weight", 0, out, in); add(name+".bias", 0, out) }
	add("embeddings.word_embeddings.weight", 0, 20, 32)
	add("embeddings.position_embeddings.weight", 0, 24, 32)
	add("embeddings.token_type_embeddings.weight", 0, 2, 32)
	norm("embeddings.LayerNorm")
	for i := range 2 {
		in := fmt.Sprintf("encoder.layer.%d.", i)
		linear(in+"attention.self.query", 32, 32)
		linear(in+"attention.self.key", 32, 32)
		linear(in+"attention.self.value", 32, 32)
		linear(in+"attention.output.dense", 32, 32)
		norm(in + "attention.output.LayerNorm")
		linear(in+"intermediate.dense", 32, 48)
		linear(in+"output.dense", 48, 32)
		norm(in + "output.LayerNorm")
	}
	return f
}

// write writes the folder and returns its path.
func (f *folder) write(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	config, err := json.Marshal(f.config)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"config.json":       string(config),
		"tokenizer.json":    f.tokenizer(),
		"model.safetensors": string(safetensorsFile(f.weights, "F32")),
	}
	maps.Copy(files, f.files)
	for name, content := range files {
		if content == "" {
			continue
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tokenizer returns a tokenizer.json of the vocabulary.
func (f *folder) tokenizer() string {
	vocab := map[string]int{}
	for id, piece := range f.vocab {
		vocab[piece] = id
	}
	file, _ := json.Marshal(map[string]any{
		"normalizer":     map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "lowercase": true},
		"pre_tokenizer":  map[string]any{"type": "BertPreTokenizer"},
		"post_processor": map[string]any{"type": "BertProcessing", "cls": []any{"[CLS]", vocab["[CLS]"]}, "sep": []any{"[SEP]", vocab["[SEP]"]}},
		"model": map[string]any{
			"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab,
		},
	})
	return string(file)
}

// safetensorsFile writes the tensors in one of the types F32, F16 and BF16.
func safetensorsFile(tensors map[string]tensor, kind string) []byte {
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var data bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(tensors)) {
		start := data.Len()
		for _, x := range tensors[name].data {
			bits := math.Float32bits(x)
			switch kind {
			case "F32":
				binary.Write(&data, binary.LittleEndian, bits)
			case "BF16":
				binary.Write(&data, binary.LittleEndian, uint16(bits>>16))
			case "F16": // of normal range only
				binary.Write(&data, binary.LittleEndian, uint16(bits>>16&0x8000|(bits>>23&255-127+15)<<10|bits>>13&1023))
			}
		}
		header[name] = map[string]any{"dtype": kind, "shape": tensors[name].shape, "data_offsets": []int{start, data.Len()}}
	}
	head, _ := json.Marshal(header)
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(head)))
	return slices.Concat(file, head, data.Bytes())
}
