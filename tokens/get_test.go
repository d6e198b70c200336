package tokens

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestGet(t *testing.T) {
	for name, want := range map[string]string{
		"cl100k_base":            "cl100k_base",
		"CL100K_Base":            "cl100k_base",
		"gpt-4o":                 "o200k_base",
		"gpt-4o-2024-05-13":      "o200k_base",
		"GPT-4":                  "cl100k_base",
		"gpt-oss-120b":           "o200k_harmony",
		"text-embedding-3-small": "cl100k_base",
		"text-davinci-edit-001":  "p50k_edit",
		"davinci":                "r50k_base",
		"gpt2":                   "gpt2",
		"chars":                  "chars",
		"Words":                  "words",
	} {
		e, err := Get(name)
		if err != nil {
			t.Errorf("Get(%q): %v", name, err)
		} else if e.Name() != want {
			t.Errorf("Get(%q) is %q, want %q", name, e.Name(), want)
		}
	}
	a, _ := Get("cl100k_base")
	b, _ := Get("gpt-4")
	if a != b {
		t.Error("two names of one encoding gave two values")
	}
}

func TestGetUnknown(t *testing.T) {
	for _, name := range []string{"", "cl100k", "gpt-99", "no/such/file", "missing.json", "o1-data/tokenizer.json", "gpt-4-runs/tokenizer", `gpt-4o-\x`, "gpt-4-mine.JSON"} {
		_, err := Get(name)
		if err == nil {
			t.Errorf("Get(%q) gave no error", name)
			continue
		}
		if !strings.Contains(err.Error(), name) {
			t.Errorf("Get(%q): %v: does not say the name", name, err)
		}
	}
	_, err := Get("cl100k")
	for _, name := range Names() {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%v: does not list %s", err, name)
		}
	}
	if _, err := Get("testdata/train.txt"); err == nil || !strings.Contains(err.Error(), "testdata/train.txt") {
		t.Errorf("a file that is no tokenizer.json: error %v", err)
	}
}

// A path is a path, also where it begins like the name of a model.
func TestGetPathLikeModel(t *testing.T) {
	text, err := os.ReadFile("testdata/gpt2.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.Mkdir("o1-data", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"o1-data/tokenizer.json", "gpt-4-mine.json"} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if e, err := Get(name); err != nil || builtin[e.Name()] != nil {
			t.Errorf("Get(%q) is %v, %v", name, e, err)
		}
	}
}

func TestNames(t *testing.T) {
	want := []string{"chars", "cl100k_base", "gpt2", "o200k_base", "o200k_harmony", "p50k_base", "p50k_edit", "r50k_base", "words"}
	if got := Names(); !slices.Equal(got, want) {
		t.Errorf("Names() = %v, want %v", got, want)
	}
}

// Every model that is mapped is mapped to an encoding that is there.
func TestModels(t *testing.T) {
	for model, name := range models {
		if builtin[name] == nil {
			t.Errorf("%s: no encoding %s", model, name)
		}
	}
	for _, m := range modelPrefixes {
		if builtin[m.encoding] == nil {
			t.Errorf("%s: no encoding %s", m.prefix, m.encoding)
		}
	}
}
