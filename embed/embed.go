package embed

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Embedder turns texts into vectors. Its methods may be called from many
// goroutines at once.
type Embedder interface {
	// Embed returns a vector for each text, in the order of texts, all of Dim
	// floats. The caller owns them. It returns vectors for all texts or an error.
	Embed(ctx context.Context, texts []string) ([][]float32, error)

	// Dim is the number of floats of a vector; 0 while it is not known, which
	// for a server may be until the first Embed.
	Dim() int

	// Name tells models apart whose vectors must not be mixed. It is stable
	// from run to run and holds no secret.
	Name() string
}

// Open returns the embedder that spec describes:
//
//	lexical or lexical:DIM
//	minilm:FOLDER
//	http://HOST/BASE?model=NAME, also https
//
// The last takes as further parameters dim=N (an answer of another dimension
// is an error), shorten=true (have the server shorten its vectors to dim),
// batch=N (texts a request) and timeout=DURATION (of a request, such as 90s).
// See HTTP for where the key comes from.
func Open(spec string) (Embedder, error) {
	scheme, rest, hasRest := strings.Cut(spec, ":")
	switch scheme {
	case "lexical":
		if !hasRest {
			return &Lexical{}, nil
		}
		dim, err := strconv.Atoi(rest)
		if err != nil || dim < 1 || dim > maxDim {
			return nil, fmt.Errorf("embedder %q: the dimension must be a number from 1 to %d", spec, maxDim)
		}
		return &Lexical{Size: dim}, nil
	case "minilm":
		if rest == "" {
			return nil, fmt.Errorf("embedder %q: want minilm:FOLDER, the folder of a model", spec)
		}
		m, err := OpenMiniLM(rest)
		if err != nil {
			return nil, err
		}
		return m, nil
	case "http", "https":
		return openHTTP(spec)
	}
	return nil, fmt.Errorf("unknown embedder %q: want lexical, minilm:FOLDER or http://HOST/v1?model=NAME", spec)
}

// httpParameters are what a URL's query may hold.
var httpParameters = []string{"batch", "dim", "model", "shorten", "timeout"}

func openHTTP(spec string) (Embedder, error) {
	u, err := url.Parse(spec)
	if err != nil {
		return nil, fmt.Errorf("embedder: %w", withoutPassword(err))
	}
	fail := func(format string, args ...any) (Embedder, error) {
		return nil, fmt.Errorf("embedder %q: %s", u.Redacted(), fmt.Sprintf(format, args...))
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return fail("%v", err)
	}
	for name, values := range query {
		if !slices.Contains(httpParameters, name) {
			return fail("unknown parameter %q: want %s", name, strings.Join(httpParameters, ", "))
		}
		if len(values) > 1 {
			return fail("parameter %q is given %d times", name, len(values))
		}
	}
	o := HTTPOptions{Model: query.Get("model")}
	if o.Dim, err = positive(query, "dim", maxDim); err != nil {
		return fail("%v", err)
	}
	if o.BatchTexts, err = positive(query, "batch", maxBatch); err != nil {
		return fail("%v", err)
	}
	if s := query.Get("shorten"); s != "" {
		if o.Shorten, err = strconv.ParseBool(s); err != nil {
			return fail("shorten is %q: want true or false", s)
		}
	}
	if s := query.Get("timeout"); s != "" {
		if o.Timeout, err = time.ParseDuration(s); err != nil || o.Timeout <= 0 {
			return fail("timeout is %q: want a duration such as 90s", s)
		}
	}
	u.RawQuery = ""
	o.URL = u.String()
	h, err := NewHTTP(o)
	if err != nil {
		return nil, err
	}
	return h, nil
}

// positive returns the parameter as a number from 1 to limit, 0 where it is not
// given.
func positive(query url.Values, name string, limit int) (int, error) {
	s := query.Get(name)
	if s == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > limit {
		return 0, fmt.Errorf("%s is %q: want a number from 1 to %d", name, s, limit)
	}
	return n, nil
}

// maxDim is far above any model's dimension; larger ones are mistakes.
const maxDim = 1 << 16

// Cosine returns the cosine of the angle between a and b, whatever their
// lengths; 0 if either is all zero. It panics if they differ in dimension.
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("embed: cosine of vectors of %d and %d floats", len(a), len(b)))
	}
	var dot, aa, bb float64
	for i, x := range a {
		y := b[i]
		dot += float64(x) * float64(y)
		aa += float64(x) * float64(x)
		bb += float64(y) * float64(y)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa*bb)
}

// normalize gives v length 1; all zeros stay as they are.
func normalize(v []float32) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	scale := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * scale)
	}
}
