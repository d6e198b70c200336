package bert

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A config says how a model is built. Its JSON names are those of config.json.
type config struct {
	Type         string  `json:"model_type"`
	Padding      int     `json:"pad_token_id"`
	Hidden       int     `json:"hidden_size"`
	Intermediate int     `json:"intermediate_size"`
	Layers       int     `json:"num_hidden_layers"`
	Heads        int     `json:"num_attention_heads"`
	Vocabulary   int     `json:"vocab_size"`
	Positions    int     `json:"max_position_embeddings"`
	Types        int     `json:"type_vocab_size"`
	Epsilon      float32 `json:"layer_norm_eps"`
	Activation   string  `json:"hidden_act"`
	PositionType string  `json:"position_embedding_type"`

	firstPosition int  // of a text's first token
	maxTokens     int  // texts are cut off there, the special tokens counted
	firstOnly     bool // the vector is that of the first token, else the mean over all
}

// readConfig reads what a folder says of its model, and reports what is not
// built here.
func readConfig(folder string) (config, error) {
	path := filepath.Join(folder, "config.json")
	c := config{Padding: 1, Types: 2, Epsilon: 1e-12, Activation: "gelu", PositionType: "absolute"}
	if err := readJSON(path, &c); err != nil {
		return c, err
	}
	if err := c.check(); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	if err := c.readPooling(folder); err != nil {
		return c, err
	}
	return c, c.readMaxTokens(folder)
}

func (c *config) check() error {
	switch c.Type {
	case "bert":
	case "roberta", "xlm-roberta": // BERT but for where positions start
		c.firstPosition = c.Padding + 1
	default:
		return fmt.Errorf("model_type is %q, want bert, roberta or xlm-roberta", c.Type)
	}
	if c.Activation != "gelu" {
		return fmt.Errorf("hidden_act is %q, want \"gelu\"", c.Activation)
	}
	if c.PositionType != "absolute" {
		return fmt.Errorf("position_embedding_type is %q, want \"absolute\"", c.PositionType)
	}
	for _, n := range []struct {
		name     string
		value    int
		multiple int
		most     int
	}{
		{"hidden_size", c.Hidden, panelWidth, 1 << 14},
		{"intermediate_size", c.Intermediate, panelWidth, 1 << 16},
		{"num_hidden_layers", c.Layers, 1, 1 << 8},
		{"num_attention_heads", c.Heads, 1, 1 << 10},
		{"vocab_size", c.Vocabulary, 1, 1 << 24},
		{"max_position_embeddings", c.Positions, 1, 1 << 13},
		{"type_vocab_size", c.Types, 1, 1 << 10},
	} {
		if n.value < 1 || n.value > n.most || n.value%n.multiple != 0 {
			return fmt.Errorf("%s is %d, want a multiple of %d up to %d", n.name, n.value, n.multiple, n.most)
		}
	}
	if c.Hidden%(c.Heads*panelWidth) != 0 {
		return fmt.Errorf("hidden_size %d in %d heads: want heads of a multiple of %d", c.Hidden, c.Heads, panelWidth)
	}
	if c.firstPosition < 0 || c.firstPosition >= c.Positions {
		return fmt.Errorf("pad_token_id is %d, with %d positions", c.Padding, c.Positions)
	}
	if !(c.Epsilon >= 0 && c.Epsilon < 1) {
		return fmt.Errorf("layer_norm_eps is %v", c.Epsilon)
	}
	return nil
}

// readPooling reads how the tokens' vectors become one, from the files of
// sentence-transformers. A folder without them is pooled by the mean.
func (c *config) readPooling(folder string) error {
	path := filepath.Join(folder, "modules.json")
	var modules []struct{ Path, Type string }
	if err := readOptional(path, &modules); err != nil {
		return err
	}
	for _, m := range modules {
		switch kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]; kind {
		case "Transformer", "Normalize":
		case "Pooling":
			if !filepath.IsLocal(m.Path) {
				return fmt.Errorf("%s: module path %q leads out of the folder", path, m.Path)
			}
			path := filepath.Join(folder, m.Path, "config.json")
			var modes map[string]any
			if err := readJSON(path, &modes); err != nil {
				return err
			}
			mode, err := poolingMode(modes)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			c.firstOnly = mode == "cls"
		default:
			return fmt.Errorf("%s: a module of type %q, want Transformer, Pooling or Normalize", path, kind)
		}
	}
	return nil
}

// poolingMode returns "mean" or "cls", of which one must be on, and no other.
func poolingMode(modes map[string]any) (string, error) {
	if mode, ok := modes["pooling_mode"].(string); ok { // as newer versions write it
		if mode == "mean" || mode == "cls" {
			return mode, nil
		}
		return "", fmt.Errorf("pooling_mode is %q, want mean or cls", mode)
	}
	mean, cls := modes["pooling_mode_mean_tokens"] == true, modes["pooling_mode_cls_token"] == true
	for name, on := range modes {
		if on == true && strings.HasPrefix(name, "pooling_mode_") && name != "pooling_mode_mean_tokens" && name != "pooling_mode_cls_token" {
			return "", fmt.Errorf("%s is on, want pooling_mode_mean_tokens or pooling_mode_cls_token", name)
		}
	}
	switch {
	case mean && !cls:
		return "mean", nil
	case cls && !mean:
		return "cls", nil
	}
	return "", fmt.Errorf("want one of pooling_mode_mean_tokens and pooling_mode_cls_token on")
}

// readMaxTokens reads where texts are cut off: never past the positions that
// the model knows.
func (c *config) readMaxTokens(folder string) error {
	path := filepath.Join(folder, "sentence_bert_config.json")
	var sentence struct {
		MaxTokens *int `json:"max_seq_length"`
	}
	if err := readOptional(path, &sentence); err != nil {
		return err
	}
	c.maxTokens = c.Positions - c.firstPosition
	if n := sentence.MaxTokens; n != nil {
		c.maxTokens = min(c.maxTokens, *n)
	}
	return nil
}

func readJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// readOptional is readJSON, but leaves v as it is if there is no such file.
func readOptional(path string, v any) error {
	err := readJSON(path, v)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
