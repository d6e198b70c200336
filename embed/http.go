package embed

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// HTTPOptions says which server to ask and how. URL and Model are needed.
type HTTPOptions struct {
	URL   string // what "/embeddings" is appended to: https://api.openai.com/v1
	Model string

	Dim     int  // an answer of another dimension is an error; 0 takes what comes first
	Shorten bool // ask the server for vectors of Dim floats, as some models can

	BatchTexts  int // texts a request; 0 is 32, the limit of TEI as it comes
	BatchTokens int // estimated tokens a request; 0 is 16384. A longer text goes alone.

	Timeout  time.Duration // of one request with its answer; 0 is a minute
	Attempts int           // how often a request is made before it fails; 0 is 6
	Backoff  time.Duration // the pause before the second attempt, doubled each time; 0 is half a second
	MaxPause time.Duration // no pause is longer; 0 is a minute

	Client *http.Client // nil is one of its own; its redirect policy is replaced
}

// HTTP asks a server that speaks OpenAI's /v1/embeddings: OpenAI, Ollama, vLLM,
// TEI, LM Studio and others.
//
// The key comes from the environment: CANTLE_EMBED_KEY, or else OPENAI_API_KEY,
// which goes out only over https or to this machine. It appears in no message,
// and redirects are not followed, so that it reaches no other host.
//
// What may be over in a moment is tried again after a pause: no connection, a
// timeout, a torn answer, and the statuses 408, 429 and 5xx but 501. The pause doubles
// each time, with jitter; a Retry-After is kept to, or if it is longer than
// MaxPause, the request fails at once.
//
// An empty text is sent as it is; some servers refuse it.
type HTTP struct {
	o        HTTPOptions
	endpoint string
	shown    string // endpoint as messages show it
	key      string
	dim      atomic.Int64
}

const (
	maxBatch  = 2048     // OpenAI's limit
	maxAnswer = 64 << 20 // bytes: 2048 vectors of 1536 floats as text, and more
)

// NewHTTP checks the options and reads the key. It makes no request.
func NewHTTP(o HTTPOptions) (*HTTP, error) {
	u, err := url.Parse(o.URL)
	if err != nil {
		return nil, fmt.Errorf("embedder: %w", withoutPassword(err))
	}
	fail := func(reason string) (*HTTP, error) {
		return nil, fmt.Errorf("embedder %q: %s", u.Redacted(), reason)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fail("want http://HOST/v1 or https://HOST/v1")
	case u.RawQuery != "" || u.Fragment != "":
		return fail("the address must not have a query or a fragment")
	case o.Model == "":
		return fail("no model given: add ?model=NAME")
	case o.Dim < 0 || o.BatchTexts < 0 || o.BatchTokens < 0 || o.Timeout < 0 || o.Attempts < 0 || o.Backoff < 0 || o.MaxPause < 0:
		return fail("a limit is negative")
	case o.Shorten && o.Dim == 0:
		return fail("shorten needs dim=N")
	}
	setDefault(&o.BatchTexts, 32)
	setDefault(&o.BatchTokens, 16384)
	setDefault(&o.Timeout, time.Minute)
	setDefault(&o.Attempts, 6)
	setDefault(&o.Backoff, time.Second/2)
	setDefault(&o.MaxPause, time.Minute)
	var client http.Client
	if o.Client != nil {
		client = *o.Client
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	o.Client = &client

	u = u.JoinPath("embeddings")
	h := &HTTP{o: o, endpoint: u.String(), shown: u.Redacted(), key: environmentKey("CANTLE_EMBED_KEY")}
	if h.key == "" && (u.Scheme == "https" || isLoopback(u.Hostname())) {
		h.key = environmentKey("OPENAI_API_KEY")
	}
	h.dim.Store(int64(o.Dim))
	return h, nil
}

// environmentKey drops what surrounds a key that was read from a file into the
// environment, such as its line end, which no header can hold.
func environmentKey(name string) string { return strings.TrimSpace(os.Getenv(name)) }

func setDefault[T int | time.Duration](value *T, to T) {
	if *value == 0 {
		*value = to
	}
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// withoutPassword drops from an error of url.Parse the address, which may hold one.
func withoutPassword(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("bad address: %w", e.Err)
	}
	return err
}

// Dim is HTTPOptions.Dim, or the dimension of the first answer.
func (h *HTTP) Dim() int { return int(h.dim.Load()) }

// Name is the model and where it is served: the same name may be another model
// elsewhere.
func (h *HTTP) Name() string {
	if h.o.Shorten {
		return fmt.Sprintf("%s shortened to %d at %s", h.o.Model, h.o.Dim, h.shown)
	}
	return fmt.Sprintf("%s at %s", h.o.Model, h.shown)
}

// Embed makes its requests one after the other; call it from several goroutines
// to have several under way.
func (h *HTTP) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		n := h.batch(texts)
		some, err := h.try(ctx, texts[:n])
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, some...)
		texts = texts[n:]
	}
	return vectors, nil
}

// batch returns how many of the texts to send at once, at least one.
func (h *HTTP) batch(texts []string) int {
	tokens := 0
	for i, text := range texts {
		tokens += estimateTokens(text)
		if i > 0 && (i == h.o.BatchTexts || tokens > h.o.BatchTokens) {
			return i
		}
	}
	return len(texts)
}

// estimateTokens is on the high side of what tokenizers give: of plain English
// they make a token of four bytes, of Chinese one or two of a character.
func estimateTokens(text string) int { return len(text)/3 + 1 }

// try makes the request until it succeeds, or there is no use or patience left.
func (h *HTTP) try(ctx context.Context, texts []string) ([][]float32, error) {
	pause := h.o.Backoff
	for attempt := 1; ; attempt++ {
		vectors, err := h.request(ctx, texts)
		if err == nil {
			return vectors, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s: %w", h.shown, ctx.Err())
		}
		passing, ok := errors.AsType[*passingError](err)
		if !ok {
			return nil, err
		}
		if attempt == h.o.Attempts {
			return nil, fmt.Errorf("%w (attempt %d of %d)", err, attempt, h.o.Attempts)
		}
		wait := min(pause, h.o.MaxPause)
		wait = wait/2 + rand.N(wait/2+1) // jitter, so that clients do not come back all at once
		if passing.after > 0 {
			if passing.after > h.o.MaxPause {
				return nil, fmt.Errorf("%w (asks to wait %v, longer than %v)", err, passing.after, h.o.MaxPause)
			}
			wait = passing.after + rand.N(wait/4+1)
		}
		pause = min(2*pause, h.o.MaxPause)
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, fmt.Errorf("%w (while waiting after: %w)", ctx.Err(), err)
		case <-timer.C:
		}
	}
}

// A passingError may be gone when the request is made again.
type passingError struct {
	err   error
	after time.Duration // what the server asks to wait; 0 if it does not say
}

func (e *passingError) Error() string { return e.err.Error() }
func (e *passingError) Unwrap() error { return e.err }

type embeddingRequest struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"`
}

type embeddingAnswer struct {
	Data []struct {
		Index     *int      `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

// request makes one request and checks its answer.
func (h *HTTP) request(ctx context.Context, texts []string) ([][]float32, error) {
	r := embeddingRequest{Model: h.o.Model, Input: texts}
	if h.o.Shorten {
		r.Dimensions = h.o.Dim
	}
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, h.o.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if h.key != "" {
		req.Header.Set("Authorization", "Bearer "+h.key)
	}
	res, err := h.o.Client.Do(req)
	if err != nil {
		return nil, h.noAnswer(ctx, err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case res.StatusCode != http.StatusOK:
		return nil, h.badStatus(res, answer)
	case err != nil:
		return nil, h.noAnswer(ctx, err)
	case len(answer) > maxAnswer:
		return nil, fmt.Errorf("%s: the answer is longer than %d bytes", h.shown, maxAnswer)
	}
	return h.vectors(answer, len(texts))
}

// noAnswer says why no answer came, or only part of one.
func (h *HTTP) noAnswer(ctx context.Context, err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // without the address, which h.shown gives
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("no answer within %v", h.o.Timeout)
	}
	failed := fmt.Errorf("%s: %w", h.shown, err)
	if e, ok := errors.AsType[*net.DNSError](err); ok && e.IsNotFound {
		return failed
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return failed
	}
	return &passingError{err: failed}
}

// badStatus says which status came, with the beginning of the body, where
// servers say what is wrong.
func (h *HTTP) badStatus(res *http.Response, body []byte) error {
	detail := h.excerpt(body)
	if to := res.Header.Get("Location"); to != "" {
		detail = "redirects are not followed; it leads to " + h.excerpt([]byte(to))
	}
	err := fmt.Errorf("%s: status %s: %s", h.shown, res.Status, detail)
	switch s := res.StatusCode; {
	case s == http.StatusRequestTimeout, s == http.StatusTooManyRequests, s >= 500 && s != http.StatusNotImplemented:
		return &passingError{err, retryAfter(res.Header, time.Now())}
	}
	return err
}

// retryAfter returns how long the server asks to wait, in either form that
// RFC 9110 has; 0 where it does not say.
func retryAfter(header http.Header, now time.Time) time.Duration {
	s := header.Get("Retry-After")
	if seconds, err := strconv.ParseInt(s, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if at, err := http.ParseTime(s); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// vectors reads an answer to n texts.
func (h *HTTP) vectors(body []byte, n int) ([][]float32, error) {
	bad := func(format string, args ...any) ([][]float32, error) {
		return nil, fmt.Errorf("%s: %s: %s", h.shown, fmt.Sprintf(format, args...), h.excerpt(body))
	}
	var answer embeddingAnswer
	if err := json.Unmarshal(body, &answer); err != nil {
		return bad("the answer is not embeddings in JSON (%v)", err)
	}
	if len(answer.Data) != n {
		return bad("%d vectors for %d texts", len(answer.Data), n)
	}
	vectors := make([][]float32, n)
	for i, d := range answer.Data {
		if d.Index != nil {
			i = *d.Index
		}
		if i < 0 || i >= n || vectors[i] != nil {
			return bad("a vector with index %d, out of range or twice", i)
		}
		if len(d.Embedding) == 0 || len(d.Embedding) > maxDim {
			return bad("a vector of %d floats", len(d.Embedding))
		}
		h.dim.CompareAndSwap(0, int64(len(d.Embedding)))
		if want := h.Dim(); len(d.Embedding) != want {
			return bad("a vector of %d floats, want %d", len(d.Embedding), want)
		}
		normalize(d.Embedding)
		vectors[i] = d.Embedding
	}
	return vectors, nil
}

// excerpt returns the beginning of body on one line, without the key should the
// server repeat it.
func (h *HTTP) excerpt(body []byte) string {
	const limit = 200 // bytes
	s := string(body)
	if h.key != "" {
		s = strings.ReplaceAll(s, h.key, "***")
	}
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "�")), " ")
	if s == "" {
		return "(empty body)"
	}
	if len(s) <= limit {
		return s
	}
	end := limit
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
