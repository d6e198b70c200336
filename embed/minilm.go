package embed

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/cantle/cantle/embed/internal/bert"
)

// MiniLM runs a sentence encoder of BERT's kind in this process, from the folder
// of a model: all-MiniLM-L6-v2, bge, gte, e5 and others, also multilingual ones,
// that are BERT or RoBERTa and come with a tokenizer.json. It uses as many cores
// as GOMAXPROCS allows.
type MiniLM struct {
	model *bert.Model
	name  string
}

// OpenMiniLM loads the model in folder: config.json, model.safetensors and
// tokenizer.json; and as far as they are there, the files of sentence-transformers
// that say how to pool and where to cut off.
func OpenMiniLM(folder string) (*MiniLM, error) {
	model, err := bert.Load(folder)
	if err != nil {
		return nil, fmt.Errorf("embedder %q: %w", "minilm:"+folder, err)
	}
	return &MiniLM{model, fmt.Sprintf("%s-%s", filepath.Base(filepath.Clean(folder)), model.ID())}, nil
}

// Dim is the number of floats of a vector.
func (m *MiniLM) Dim() int { return m.model.Dim() }

// MaxTokens is where a text is cut off, in tokens with the special ones around.
func (m *MiniLM) MaxTokens() int { return m.model.MaxTokens() }

// Name is the folder's last element and what identifies the weights.
func (m *MiniLM) Name() string { return m.name }

// Embed fails only when ctx is done, or when the folder's tokenizer turns out to
// be another model's.
func (m *MiniLM) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return m.model.Embed(ctx, texts)
}
