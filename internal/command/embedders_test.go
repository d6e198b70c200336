package command

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Settings share the model and its cache: no text is embedded twice.
func TestSettingsShareACache(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		type vector struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var answer struct {
			Data []vector `json:"data"`
		}
		mu.Lock()
		defer mu.Unlock()
		for i, text := range q.Input {
			asked[text]++
			answer.Data = append(answer.Data, vector{i, []float32{1, float32(len(text))}})
		}
		json.NewEncoder(w).Encode(answer)
	}))
	defer server.Close()
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	doc := write("a.md", "# Ports\n\nIt listens on 8080. The port is set by a flag. It binds to all addresses of the machine.\n")
	questions := write("q.jsonl", `{"question":"Which port?","doc_id":"`+filepath.ToSlash(doc)+`","answer":"It listens on 8080"}`+"\n")
	model := server.URL + "/v1?model=m"
	var out bytes.Buffer
	if code := Run([]string{"scan", "--questions", questions, "--strategies", "semantic", "--sizes", "12,20,40", "--embedder", model,
		"--retriever", model, "--embed-cache", filepath.Join(dir, "cache"), "--jobs", "1", doc}, nil, &out, &out); code != exitFine {
		t.Fatalf("exit status %d: %s", code, &out)
	}
	if len(asked) == 0 {
		t.Error("nothing was embedded")
	}
	for text, n := range asked {
		if n > 1 {
			t.Errorf("%q was embedded %d times", text, n)
		}
	}
}
