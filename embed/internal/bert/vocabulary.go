package bert

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// readTokenizer reads a folder's tokenizer.json, or in older ones vocab.txt and
// tokenizer_config.json. Ids are below size.
func readTokenizer(folder string, size int) (*wordPiece, error) {
	path := filepath.Join(folder, "tokenizer.json")
	w, err := readTokenizerJSON(path)
	if errors.Is(err, fs.ErrNotExist) {
		path = filepath.Join(folder, "vocab.txt")
		if w, err = readVocabulary(path, folder); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: neither tokenizer.json nor vocab.txt is there", folder)
		}
	}
	if err != nil {
		return nil, err
	}
	for piece, id := range w.vocab {
		if id < 0 || int(id) >= size {
			return nil, fmt.Errorf("%s: token %q has id %d of %d", path, piece, id, size)
		}
	}
	for name, id := range map[string]*int32{"[UNK]": &w.unknown, "[CLS]": &w.start, "[SEP]": &w.end} {
		var ok bool
		if *id, ok = w.vocab[name]; !ok {
			return nil, fmt.Errorf("%s: no token %s", path, name)
		}
	}
	return w, nil
}

func readTokenizerJSON(path string) (*wordPiece, error) {
	var file struct {
		Model struct {
			Type    string           `json:"type"`
			Vocab   map[string]int32 `json:"vocab"`
			Prefix  string           `json:"continuing_subword_prefix"`
			MaxWord int              `json:"max_input_chars_per_word"`
		} `json:"model"`
		Normalizer struct {
			Type         string `json:"type"`
			Lowercase    bool   `json:"lowercase"`
			StripAccents *bool  `json:"strip_accents"`
			Chinese      bool   `json:"handle_chinese_chars"`
		} `json:"normalizer"`
		PreTokenizer struct {
			Type string `json:"type"`
		} `json:"pre_tokenizer"`
	}
	file.Model.Type = "WordPiece" // files of before there were others do not say it
	file.Model.Prefix, file.Model.MaxWord = "##", 100
	if err := readJSON(path, &file); err != nil {
		return nil, err
	}
	for _, part := range []struct{ name, got, want string }{
		{"model", file.Model.Type, "WordPiece"},
		{"normalizer", file.Normalizer.Type, "BertNormalizer"},
		{"pre_tokenizer", file.PreTokenizer.Type, "BertPreTokenizer"},
	} {
		if part.got != part.want {
			return nil, fmt.Errorf("%s: the %s is of type %q, want %s", path, part.name, part.got, part.want)
		}
	}
	w := &wordPiece{
		vocab: file.Model.Vocab, prefix: file.Model.Prefix, maxWord: min(file.Model.MaxWord, 1000),
		lowercase: file.Normalizer.Lowercase, stripAccents: file.Normalizer.Lowercase, chinese: file.Normalizer.Chinese,
	}
	if s := file.Normalizer.StripAccents; s != nil {
		w.stripAccents = *s
	}
	return w, nil
}

// readVocabulary reads a piece a line, the first of which has id 0.
func readVocabulary(path, folder string) (*wordPiece, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	settings := struct {
		Lowercase    bool  `json:"do_lower_case"`
		StripAccents *bool `json:"strip_accents"`
		Chinese      bool  `json:"tokenize_chinese_chars"`
	}{Lowercase: true, Chinese: true}
	if err := readOptional(filepath.Join(folder, "tokenizer_config.json"), &settings); err != nil {
		return nil, err
	}
	w := &wordPiece{
		vocab: map[string]int32{}, prefix: "##", maxWord: 100,
		lowercase: settings.Lowercase, stripAccents: settings.Lowercase, chinese: settings.Chinese,
	}
	if s := settings.StripAccents; s != nil {
		w.stripAccents = *s
	}
	id := int32(0)
	for line := range bytes.Lines(b) {
		w.vocab[string(bytes.TrimRight(line, "\r\n"))] = id
		id++
	}
	return w, nil
}
