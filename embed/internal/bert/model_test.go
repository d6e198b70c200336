package bert

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

var texts = []string{
	"The bakery.", "", "loafs loafs", "面包 the BAKE", "café 3's", "unknown words", "the the the the the the the the",
	strings.Repeat("loaf. ", 100), strings.Repeat("b", 101), "\x00\xff the\u00a0loaf\u200b",
}

// TestModel compares with the naive model, on every instruction set, in every
// type of weights, and for both poolings.
func TestModel(t *testing.T) {
	f := newFolder()
	for name, change := range map[string]func(*folder){
		"F32":  func(f *folder) {},
		"BF16": func(f *folder) { f.files["model.safetensors"] = string(safetensorsFile(f.weights, "BF16")) },
		"F16":  func(f *folder) { f.files["model.safetensors"] = string(safetensorsFile(f.weights, "F16")) },
		"cls": func(f *folder) {
			f.files["modules.json"] = `[{"path":"","type":"sentence_transformers.models.Transformer"},{"path":"1_Pooling","type":"sentence_transformers.models.Pooling"},{"path":"2_Normalize","type":"sentence_transformers.models.Normalize"}]`
			f.files["1_Pooling/config.json"] = `{"word_embedding_dimension":32,"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":false}`
		},
		"roberta": func(f *folder) {
			f.files["config.json"] = `{"model_type":"xlm-roberta","pad_token_id":3,"hidden_size":32,"intermediate_size":48,"num_hidden_layers":2,"num_attention_heads":2,"vocab_size":20,"max_position_embeddings":24,"type_vocab_size":2}`
		},
		"prefix": func(f *folder) {
			prefixed := map[string]tensor{}
			for name, t := range f.weights {
				prefixed["bert."+name] = t
			}
			f.files["model.safetensors"] = string(safetensorsFile(prefixed, "F32"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			f.files = map[string]string{}
			change(f)
			m, err := Load(f.write(t))
			if err != nil {
				t.Fatal(err)
			}
			tolerance := 1e-5
			if strings.HasSuffix(name, "F16") {
				tolerance = 0.05
			}
			oracle := naive{f: f, heads: 2, layers: 2, clsOnly: name == "cls"}
			if name == "roberta" {
				oracle.firstPosition = 4
			}
			for _, k := range available() {
				m.kernels = k
				got, err := m.Embed(t.Context(), texts)
				if err != nil {
					t.Fatal(err)
				}
				for i, text := range texts {
					check(t, k.name()+" "+text, got[i], oracle.vector(m.tokenizer.encode(text, m.maxTokens)), tolerance)
					alone, _ := m.Embed(t.Context(), []string{text})
					if !slices.Equal(alone[0], got[i]) {
						t.Errorf("%s: %q has another vector alone than with the others", k.name(), text)
					}
				}
			}
		})
	}
}

func TestModelAsksOften(t *testing.T) {
	m, err := Load(newFolder().write(t))
	if err != nil {
		t.Fatal(err)
	}
	want, _ := m.Embed(t.Context(), texts)
	many := slices.Repeat(texts, 40) // several batches
	done := make(chan [][]float32)
	for range 4 {
		go func() {
			got, _ := m.Embed(t.Context(), many)
			done <- got
		}()
	}
	for range 4 {
		for i, v := range <-done {
			if !slices.Equal(v, want[i%len(texts)]) {
				t.Fatalf("text %d differs", i)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Embed(ctx, many); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if v, err := m.Embed(t.Context(), nil); len(v) != 0 || err != nil {
		t.Errorf("no texts: %v, %v", v, err)
	}
}

func TestLoadErrors(t *testing.T) {
	drop := func(name string) func(*folder) { return func(f *folder) { delete(f.weights, name) } }
	set := func(key string, value any) func(*folder) { return func(f *folder) { f.config[key] = value } }
	file := func(name, content string) func(*folder) { return func(f *folder) { f.files[name] = content } }
	pooling := func(config string) func(*folder) {
		return func(f *folder) {
			f.files["modules.json"] = `[{"path":"p","type":"Pooling"}]`
			f.files["p/config.json"] = config
		}
	}
	withFrame := func(processor string) func(*folder) {
		return func(f *folder) {
			var file map[string]any
			json.Unmarshal([]byte(f.tokenizer()), &file)
			file["post_processor"] = json.RawMessage(processor)
			b, _ := json.Marshal(file)
			f.files["tokenizer.json"] = string(b)
		}
	}
	for _, test := range []struct {
		name   string
		change func(*folder)
		want   []string
	}{
		{"no config", file("config.json", ""), []string{"config.json", "no such file"}},
		{"config not JSON", file("config.json", "{"), []string{"config.json: unexpected end"}},
		{"config too big a number", file("config.json", `{"hidden_size":1e99}`), []string{"config.json", "hidden_size"}},
		{"another model", set("model_type", "mpnet"), []string{"config.json", `"mpnet", want bert`}},
		{"another activation", set("hidden_act", "relu"), []string{`hidden_act is "relu"`}},
		{"relative positions", set("position_embedding_type", "relative_key"), []string{"relative_key"}},
		{"no width", set("hidden_size", 0), []string{"hidden_size is 0"}},
		{"odd width", set("hidden_size", 24), []string{"hidden_size is 24, want a multiple of 16"}},
		{"negative", set("num_hidden_layers", -1), []string{"num_hidden_layers is -1"}},
		{"narrow heads", set("num_attention_heads", 4), []string{"hidden_size 32 in 4 heads"}},
		{"epsilon", set("layer_norm_eps", 7), []string{"layer_norm_eps is 7"}},
		{"no weights", file("model.safetensors", ""), []string{"model.safetensors", "no such file"}},
		{"a pointer for weights", file("model.safetensors", "version https://git-lfs"), []string{"model.safetensors", "not safetensors"}},
		{"a tensor missing", drop("encoder.layer.1.output.dense.bias"), []string{`"encoder.layer.1.output.dense.bias" is missing`}},
		{"more layers", set("num_hidden_layers", 3), []string{"encoder.layer.2", "missing"}},
		{"wide as nothing", set("intermediate_size", 1<<16), []string{"intermediate.dense", "shape [48 32], want [65536 32]"}},
		{"more positions", set("max_position_embeddings", 512), []string{"position_embeddings", "want [512 32]"}},
		{"positions start too late", func(f *folder) { f.config["model_type"], f.config["pad_token_id"] = "roberta", 23 }, []string{"pad_token_id is 23, with 24 positions"}},
		{"positions start too early", func(f *folder) { f.config["model_type"], f.config["pad_token_id"] = "roberta", -2 }, []string{"pad_token_id is -2"}},
		{"no tokenizer", file("tokenizer.json", ""), []string{"tokenizer.json", "no such file"}},
		{"tokenizer not JSON", file("tokenizer.json", "{"), []string{"tokenizer.json"}},
		{"no tokens around", withFrame(`null`), []string{`tokenizer.json: post_processor is of type ""`}},
		{"other tokens around", withFrame(`{"type":"ByteLevel","trim_offsets":true,"add_prefix_space":false}`), []string{`post_processor is of type "ByteLevel"`}},
		{"tokens around without numbers", withFrame(`{"type":"BertProcessing","cls":["[CLS]"],"sep":["[SEP]"]}`), []string{"without the numbers"}},
		{"tokens around not listed", withFrame(`{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}}],"special_tokens":{}}`), []string{`names "<s>"`}},
		{"a module not known", file("modules.json", `[{"type":"sentence_transformers.models.Dense"}]`), []string{"modules.json", `"Dense"`}},
		{"a module elsewhere", file("modules.json", `[{"path":"../..","type":"Pooling"}]`), []string{"modules.json", "leads out"}},
		{"pooling missing", file("modules.json", `[{"path":"p","type":"Pooling"}]`), []string{"no such file"}},
		{"pooling by maximum", pooling(`{"pooling_mode_max_tokens":true}`), []string{"pooling_mode_max_tokens is on"}},
		{"pooling by two", pooling(`{"pooling_mode_mean_tokens":true,"pooling_mode_cls_token":true}`), []string{"want one of"}},
		{"pooling by name", pooling(`{"pooling_mode":"lasttoken"}`), []string{`"lasttoken", want mean or cls`}},
		{"no room", file("sentence_bert_config.json", `{"max_seq_length":2}`), []string{"2 tokens leaves none beside the 2 around it"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFolder()
			test.change(f)
			_, err := Load(f.write(t))
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in: %v", want, err)
				}
			}
		})
	}
}

// TestOtherTokenizer gives the model a tokenizer that knows a word more.
func TestOtherTokenizer(t *testing.T) {
	f := newFolder()
	f.vocab = append(f.vocab, "glacier")
	m, err := Load(f.write(t))
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Embed(t.Context(), []string{"the glacier"})
	if err == nil || !strings.Contains(err.Error(), "tokenizer.json: gives token 20 to a model of 20") {
		t.Errorf("got %v", err)
	}
}

func TestMaxTokens(t *testing.T) {
	for config, want := range map[string]int{"": 24, `{"max_seq_length":10}`: 10, `{"max_seq_length":512}`: 24, `{"max_seq_length":null}`: 24} {
		f := newFolder()
		f.files["sentence_bert_config.json"] = config
		m, err := Load(f.write(t))
		if err != nil {
			t.Fatal(err)
		}
		if m.MaxTokens() != want {
			t.Errorf("%s: %d tokens, want %d", config, m.MaxTokens(), want)
		}
	}
}

func TestID(t *testing.T) {
	f := newFolder()
	a, err := Load(f.write(t))
	if err != nil {
		t.Fatal(err)
	}
	b, _ := Load(f.write(t))
	f.weights["embeddings.LayerNorm.bias"].data[0]++
	c, _ := Load(f.write(t))
	if a.ID() != b.ID() || a.ID() == c.ID() {
		t.Errorf("ids %s, %s, and of other weights %s", a.ID(), b.ID(), c.ID())
	}
}
