package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const testKey = "sk-secret-0123456789"

// serve starts a server and returns an embedder that asks it, impatient enough
// for tests.
func serve(t *testing.T, handler http.HandlerFunc, change func(*HTTPOptions)) *HTTP {
	t.Helper()
	t.Setenv("CANTLE_EMBED_KEY", testKey)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	o := HTTPOptions{URL: server.URL + "/v1", Model: "test", Backoff: time.Millisecond, MaxPause: 2 * time.Second, Attempts: 3}
	if change != nil {
		change(&o)
	}
	h, err := NewHTTP(o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// answer writes for each text a vector of three floats, the first two of which
// are the text's length and one.
func answer(w http.ResponseWriter, r *http.Request) {
	var req embeddingRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var rows []string
	for i, text := range req.Input {
		rows = append(rows, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%d,1,0]}`, i, len(text)))
	}
	slices.Reverse(rows) // the index counts, not the order
	fmt.Fprintf(w, `{"object":"list","data":[%s],"model":"test","usage":{}}`, strings.Join(rows, ","))
}

// textsOfLength returns n texts, the first of one byte, each a byte longer than
// the one before.
func textsOfLength(n int) []string {
	var texts []string
	for i := range n {
		texts = append(texts, strings.Repeat("x", i+1))
	}
	return texts
}

func checkAnswers(t *testing.T, texts []string, vectors [][]float32) {
	t.Helper()
	if len(vectors) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(vectors), len(texts))
	}
	for i, text := range texts {
		want := []float32{float32(len(text)), 1, 0}
		normalize(want)
		if !slices.Equal(vectors[i], want) {
			t.Errorf("text %d: got %v, want %v", i, vectors[i], want)
		}
	}
}

func TestHTTPBatches(t *testing.T) {
	var requests atomic.Int64
	h := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if got, want := r.Header.Get("Authorization"), "Bearer "+testKey; got != want {
			t.Errorf("Authorization: got %q, want %q", got, want)
		}
		if r.URL.Path != "/v1/embeddings" {
			t.Errorf("path %s", r.URL.Path)
		}
		answer(w, r)
	}, func(o *HTTPOptions) { o.BatchTexts, o.BatchTokens = 4, 20 })
	if h.Dim() != 0 {
		t.Errorf("Dim before the first answer: %d", h.Dim())
	}
	// Three batches of four texts; then 13 to 15 and 16 to 18 are five or six
	// tokens each, so that three fit, and the long one goes alone.
	texts := append(textsOfLength(18), strings.Repeat("x", 1000), "x")
	vectors, err := h.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	checkAnswers(t, texts, vectors)
	if got := requests.Load(); got != 7 {
		t.Errorf("%d requests, want 7", got)
	}
	if h.Dim() != 3 {
		t.Errorf("Dim: %d", h.Dim())
	}
	if vectors, err := h.Embed(t.Context(), nil); len(vectors) != 0 || err != nil || requests.Load() != 7 {
		t.Errorf("no texts: %v, %v, %d requests", vectors, err, requests.Load())
	}
}

// TestHTTPTriesAgain lets the first two requests fail in ways that pass.
func TestHTTPTriesAgain(t *testing.T) {
	for name, fail := range map[string]func(w http.ResponseWriter, r *http.Request){
		"429":     func(w http.ResponseWriter, r *http.Request) { http.Error(w, "slow down", http.StatusTooManyRequests) },
		"500":     func(w http.ResponseWriter, r *http.Request) { http.Error(w, "oops", http.StatusInternalServerError) },
		"503":     func(w http.ResponseWriter, r *http.Request) { http.Error(w, "loading", http.StatusServiceUnavailable) },
		"408":     func(w http.ResponseWriter, r *http.Request) { http.Error(w, "", http.StatusRequestTimeout) },
		"hang":    func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"hang up": func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) },
		"torn": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "500")
			w.Write([]byte(`{"data":[`))
		},
		"bad date": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "soon")
			http.Error(w, "", http.StatusTooManyRequests)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var requests atomic.Int64
			h := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if requests.Add(1) <= 2 {
					// The server notices that the client is gone only once the body is read.
					r.Body.Read(make([]byte, 1000))
					fail(w, r)
					return
				}
				answer(w, r)
			}, func(o *HTTPOptions) { o.Timeout = 300 * time.Millisecond })
			texts := textsOfLength(3)
			vectors, err := h.Embed(t.Context(), texts)
			if err != nil {
				t.Fatal(err)
			}
			checkAnswers(t, texts, vectors)
			if requests.Load() != 3 {
				t.Errorf("%d requests, want 3", requests.Load())
			}
		})
	}
}

func TestHTTPErrors(t *testing.T) {
	body := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, s) }
	}
	for _, test := range []struct {
		name     string
		handler  http.HandlerFunc
		requests int64
		want     []string // parts of the message
	}{
		{"bad request", func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "{\"error\":\n  \"no model test\"}", http.StatusNotFound)
		}, 1, []string{"/v1/embeddings: status 404 Not Found", `{"error": "no model test"}`}},
		{"key in the body", func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "bad key "+testKey, http.StatusUnauthorized)
		}, 1, []string{"401", "bad key ***"}},
		{"always 500", func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, strings.Repeat("é", http.StatusInternalServerError), 500)
		}, 3, []string{"500", "éé…", "attempt 3 of 3"}},
		{"empty body", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNotImplemented) }, 1, []string{"501", "(empty body)"}},
		{"too long a wait", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "3600")
			http.Error(w, "quota", http.StatusTooManyRequests)
		}, 1, []string{"429", "quota", "asks to wait 1h0m0s"}},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://elsewhere.example/v1", http.StatusTemporaryRedirect)
		}, 1, []string{"307", "http://elsewhere.example/v1", "not followed"}},
		{"a page", body("<html>log in"), 1, []string{"not embeddings in JSON", "<html>log in"}},
		{"another shape", body(`{"embedding":[1,2,3]}`), 1, []string{"0 vectors for 2 texts"}},
		{"too few", body(`{"data":[{"index":0,"embedding":[1,2,3]}]}`), 1, []string{"1 vectors for 2 texts"}},
		{"twice", body(`{"data":[{"index":1,"embedding":[1,2]},{"index":1,"embedding":[1,2]}]}`), 1, []string{"index 1"}},
		{"out of range", body(`{"data":[{"index":-1,"embedding":[1,2]},{"index":1,"embedding":[1,2]}]}`), 1, []string{"index -1"}},
		{"empty vector", body(`{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[1]}]}`), 1, []string{"a vector of 0 floats"}},
		{"not alike", body(`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1,2,3]}]}`), 1, []string{"a vector of 3 floats, want 2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var requests atomic.Int64
			h := serve(t, func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				test.handler(w, r)
			}, nil)
			vectors, err := h.Embed(t.Context(), []string{"a", "b"})
			if err == nil {
				t.Fatalf("no error but %v", vectors)
			}
			for _, want := range append(test.want, h.endpoint) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in: %v", want, err)
				}
			}
			if strings.Contains(err.Error(), testKey) {
				t.Errorf("the key is in: %v", err)
			}
			if len(err.Error()) > 500 {
				t.Errorf("a message of %d bytes", len(err.Error()))
			}
			if got := requests.Load(); got != test.requests {
				t.Errorf("%d requests, want %d", got, test.requests)
			}
		})
	}
}

func TestHTTPDimension(t *testing.T) {
	h := serve(t, answer, func(o *HTTPOptions) { o.Dim = 384 })
	if h.Dim() != 384 {
		t.Errorf("Dim: %d", h.Dim())
	}
	_, err := h.Embed(t.Context(), []string{"a"})
	if err == nil || !strings.Contains(err.Error(), "a vector of 3 floats, want 384") {
		t.Errorf("got %v", err)
	}
	var dimensions int
	h = serve(t, func(w http.ResponseWriter, r *http.Request) {
		var req embeddingRequest
		json.NewDecoder(r.Body).Decode(&req)
		dimensions = req.Dimensions
		fmt.Fprint(w, `{"data":[{"embedding":[1,2,2]}]}`)
	}, func(o *HTTPOptions) { o.Dim, o.Shorten = 3, true })
	if _, err := h.Embed(t.Context(), []string{"a"}); err != nil || dimensions != 3 {
		t.Errorf("asked for %d dimensions, error %v", dimensions, err)
	}
}

func TestHTTPKeepsToRetryAfter(t *testing.T) {
	var requests atomic.Int64
	h := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 1 {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "", http.StatusServiceUnavailable)
			return
		}
		answer(w, r)
	}, nil)
	start := time.Now()
	if _, err := h.Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took < time.Second {
		t.Errorf("came back after %v", took)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for s, want := range map[string]time.Duration{
		"":                              0,
		"7":                             7 * time.Second,
		"-7":                            0,
		"99999999999999999999":          0,
		"soon":                          0,
		"Sun, 01 Mar 2026 12:00:30 GMT": 30 * time.Second,
		"Sun, 01 Mar 2026 11:00:00 GMT": 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {s}}, now); got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}

func TestHTTPStopsWithContext(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"while asking": func(w http.ResponseWriter, r *http.Request) { r.Body.Read(make([]byte, 1000)); <-r.Context().Done() },
		"while waiting": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "2")
			http.Error(w, "", http.StatusServiceUnavailable)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := serve(t, handler, nil)
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			start := time.Now()
			_, err := h.Embed(ctx, []string{"a"})
			if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), h.endpoint) {
				t.Errorf("got %v", err)
			}
			if took := time.Since(start); took > time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestHTTPNoServer wants the address in the message, and not tried again where
// that is of no use.
func TestHTTPNoServer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	for url, want := range map[string]string{
		server.URL:                          "attempt 2 of 2",
		"http://user:hidden@127.0.0.1:1/v1": "http://user:xxxxx@127.0.0.1:1/v1/embeddings",
	} {
		h, err := NewHTTP(HTTPOptions{URL: url, Model: "m", Attempts: 2, Backoff: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.Embed(t.Context(), []string{"a"})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "refused") || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: got %v", url, err)
		}
	}
}

func TestHTTPKey(t *testing.T) {
	for i, test := range []struct {
		url, cantle, openai, want string
	}{
		{"https://api.openai.com/v1", "", "o", "o"},
		{"https://api.openai.com/v1", "c\n", "o", "c"},
		{"http://gpu.example/v1", "", "o", ""},
		{"http://gpu.example/v1", "c", "o", "c"},
		{"http://127.0.0.1:8000/v1", "", "o", "o"},
		{"http://[::1]:8000/v1", "", "o", "o"},
		{"http://localhost:8000", "", "o", "o"},
		{"http://localhost.example:8000", "", "o", ""},
	} {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Setenv("CANTLE_EMBED_KEY", test.cantle)
			t.Setenv("OPENAI_API_KEY", test.openai)
			h, err := NewHTTP(HTTPOptions{URL: test.url, Model: "m"})
			if err != nil {
				t.Fatal(err)
			}
			if h.key != test.want {
				t.Errorf("%+v: got %q", test, h.key)
			}
		})
	}
}
