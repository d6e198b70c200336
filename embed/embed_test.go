package embed

import (
	"math"
	"strings"
	"testing"
)

func TestOpen(t *testing.T) {
	for spec, want := range map[string]struct {
		name string
		dim  int
	}{
		"lexical":                                         {"lexical-2048", 2048},
		"lexical:256":                                     {"lexical-256", 256},
		"http://localhost:11434/v1?model=m":               {"m at http://localhost:11434/v1/embeddings", 0},
		"https://h/v1/?model=m&dim=8&batch=9":             {"m at https://h/v1/embeddings", 8},
		"http://h?model=m&dim=8&shorten=true&timeout=90s": {"m shortened to 8 at http://h/embeddings", 8},
	} {
		e, err := Open(spec)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		if e.Name() != want.name || e.Dim() != want.dim {
			t.Errorf("%s: got %q of %d floats, want %q of %d", spec, e.Name(), e.Dim(), want.name, want.dim)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	for spec, want := range map[string]string{
		"":                                  `unknown embedder "": want lexical, minilm:FOLDER or http`,
		"bert":                              `unknown embedder "bert"`,
		"ftp://h/v1?model=m":                `unknown embedder "ftp://h/v1?model=m"`,
		"lexical:":                          `"lexical:"`,
		"lexical:0":                         "from 1 to 65536",
		"lexical:many":                      "from 1 to 65536",
		"minilm":                            `"minilm": want minilm:FOLDER`,
		"minilm:":                           `"minilm:": want minilm:FOLDER`,
		"minilm:no/such":                    `"minilm:no/such": open no/such/config.json: no such file`,
		"http://h/v1":                       "no model given",
		"http://h/v1?model=m&dims=3":        `unknown parameter "dims": want batch, dim, model, shorten, timeout`,
		"http://h/v1?model=m&dim=x":         `dim is "x"`,
		"http://h/v1?model=m&dim=0":         `dim is "0"`,
		"http://h/v1?model=m&model=n":       `"model" is given 2 times`,
		"http://h/v1?model=m&batch=5000":    `batch is "5000"`,
		"http://h/v1?model=m&timeout=-1s":   `timeout is "-1s"`,
		"http://h/v1?model=m&timeout=10":    `timeout is "10"`,
		"http://h/v1?model=m&shorten=maybe": `shorten is "maybe"`,
		"http://h/v1?model=m&shorten=true":  "shorten needs dim",
		"http:///v1?model=m":                "want http://HOST/v1",
		"http:v1?model=m":                   "want http://HOST/v1",
		"http://u:secret@h:port/?model=m":   "bad address",
		"http://u:secret@h/%zz?model=m":     "bad address",
		"http://u:secret@h/?model=m&x=1":    "u:xxxxx@h",
		"http://h/v1?model=m;dim=3":         "semicolon",
	} {
		_, err := Open(spec)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v, want %s", spec, err, want)
		}
	}
}

func TestCosine(t *testing.T) {
	for _, test := range []struct {
		a, b []float32
		want float64
	}{
		{[]float32{1, 0}, []float32{0, 3}, 0},
		{[]float32{2, 2}, []float32{1, 1}, 1},
		{[]float32{1, 0}, []float32{-4, 0}, -1},
		{[]float32{0, 0}, []float32{1, 0}, 0},
		{nil, nil, 0},
	} {
		if got := Cosine(test.a, test.b); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%v, %v: got %v, want %v", test.a, test.b, got, test.want)
		}
	}
}
