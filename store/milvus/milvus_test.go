package milvus

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/milvus-io/milvus/client/v2/milvusclient"
	"google.golang.org/grpc"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/sqlite"
	"github.com/cantle/cantle/store/storetest"
)

func TestContract(t *testing.T) {
	address, _ := storetest.Milvus(t)
	storetest.Run(t, storetest.Setup{Chunks: 100_000, Open: func(t *testing.T, name string) store.Store {
		s, err := Open(t.Context(), "milvus://"+address+"/"+name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}})
}

// What it finds, its scores and its order are those of the SQLite store, however
// the documents came there.
func TestEqualsSQLite(t *testing.T) {
	address, _ := storetest.Milvus(t)
	here, err := Open(t.Context(), "milvus://"+address+"/equal")
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	there, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "equal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	r := rand.New(rand.NewPCG(1, 2))
	embedded := func(e store.Entry) store.Entry {
		e.Embedder = "e"
		for i := range e.Records {
			angle := r.Float64()
			e.Records[i].Vector = []float32{float32(math.Cos(angle)), float32(math.Sin(angle))}
		}
		return e
	}
	for i := range 3 * maxSparse { // one by one, so that blocks are moved together
		texts := make([]string, 1+r.IntN(8))
		for j := range texts {
			texts[j] = fmt.Sprintf("part %d of %d", j, i)
			for range r.IntN(30) {
				texts[j] += fmt.Sprintf(" word%d 退款%d", r.IntN(50), r.IntN(9))
			}
		}
		e := storetest.Entry(fmt.Sprintf("d%d.md", r.IntN(2*maxSparse)), map[string]any{"bucket": fmt.Sprint(i % 3)}, texts...)
		if i%4 > 0 {
			e = embedded(e)
		}
		for _, s := range []store.Store{here, there} {
			if err := s.Put(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			if i%10 == 9 {
				if err := s.Delete(t.Context(), fmt.Sprintf("d%d.md", i)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	now, err := here.root(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(now.Blocks) > maxSparse+1 {
		t.Errorf("there are %d blocks", len(now.Blocks))
	}
	for i := range 40 {
		q := store.Query{Text: fmt.Sprintf("word%d 退款%d part", i, i%9), Top: 1 + r.IntN(200)}
		if i%2 > 0 {
			q.Vector, q.Embedder = []float32{1, 0}, "e"
		}
		if i%3 == 0 {
			q.Where = store.Compare{Field: "bucket", Op: store.Equal, Value: fmt.Sprint(i / 3 % 3)}
		}
		got, err := here.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		want, err := there.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v:\n%d hits, want %d\ngot  %v\nwant %v", q, len(got), len(want), got[0], want[0])
		}
	}
}

// What is larger than the server takes as one text is kept and filtered alike.
func TestLarge(t *testing.T) {
	address, _ := storetest.Milvus(t)
	s, err := Open(t.Context(), "milvus://"+address+"/large")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e := storetest.Entry("a.md", map[string]any{"category": "x", "note": strings.Repeat("n", 2*maxText)}, strings.Repeat("退款 ", 2*maxText), "退款")
	if err := s.Put(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	for category, want := range map[string]int{"x": 2, "y": 0} {
		hits, err := s.Search(t.Context(), store.Query{Text: "退款", Where: store.Compare{Field: "category", Op: store.Equal, Value: category}})
		if err != nil || len(hits) != want {
			t.Errorf("category %s: %d hits, want %d, %v", category, len(hits), want, err)
		}
	}
	got, err := s.Document(t.Context(), "a.md")
	if err != nil || !reflect.DeepEqual(got, []chunker.Chunk{e.Records[0].Chunk, e.Records[1].Chunk}) {
		t.Errorf("%d chunks came back otherwise, %v", len(got), err)
	}
}

// A server that is started again is no trouble to whoever has the store open.
func TestServerStartsAgain(t *testing.T) {
	address, restart := storetest.Milvus(t)
	s, err := Open(t.Context(), "milvus://"+address+"/again")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range 2 {
		e := storetest.Entry(fmt.Sprintf("d%d.md", i), nil, "one", "two")
		e.Records[0].Vector, e.Embedder = []float32{1, 0}, "e"
		if err := s.Put(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		for _, q := range []store.Query{{Text: "one"}, {Vector: []float32{1, 0}, Embedder: "e"}} {
			if hits, err := s.Search(t.Context(), q); err != nil || len(hits) != i+1 {
				t.Errorf("%+v: %d hits, want %d, %v", q, len(hits), i+1, err)
			}
		}
		restart()
	}
}

// Whichever call to the server is the last, a document is as it was or as it is
// to be, and the next writer leaves nothing behind.
func TestEveryStepMayBeTheLast(t *testing.T) {
	address, _ := storetest.Milvus(t)
	s, err := Open(t.Context(), "milvus://"+address+"/steps")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	version := func(n int) []store.Entry {
		var list []store.Entry
		for _, doc := range []string{"a.md", "b.md"} {
			e := storetest.Entry(doc, nil, fmt.Sprintf("parent of v%d", n), fmt.Sprintf("word v%d", n), fmt.Sprintf("other word v%d", n))
			e.Records[0].Type, e.Hash = chunker.TypeParent, fmt.Sprint(n)
			if e.Records[1].Vector = []float32{1, 0}; n%3 == 0 {
				e.Records[1].Vector = []float32{1, 0, 0}
			}
			e.Embedder = fmt.Sprint("e", len(e.Records[1].Vector))
			list = append(list, e)
		}
		return list
	}
	steps := []func(s *Store, n int) error{
		func(s *Store, n int) error { return s.Put(t.Context(), version(n)...) },
		func(s *Store, n int) error { return s.Delete(t.Context(), "a.md", "b.md") },
	}
	const keep = "keep.md"
	if err := s.Put(t.Context(), storetest.Entry(keep, nil, "word that stays")); err != nil {
		t.Fatal(err)
	}
	failures := 0
	for i, n := 0, 0; i < len(steps); n++ {
		if err := s.Put(t.Context(), version(n)...); err != nil {
			t.Fatal(err)
		}
		left := atomic.Int64{}
		left.Store(1 << 40)
		dying, err := open(t.Context(), &milvusclient.ClientConfig{Address: address, DialOptions: append([]grpc.DialOption{
			grpc.WithUnaryInterceptor(func(ctx context.Context, method string, req, reply any, c *grpc.ClientConn, call grpc.UnaryInvoker, opts ...grpc.CallOption) error {
				if left.Add(-1) < 0 {
					return errors.New("dead")
				}
				return call(ctx, method, req, reply, c, opts...)
			})}, milvusclient.DefaultGrpcOpts...)}, "steps")
		if err != nil {
			t.Fatal(err)
		}
		left.Store(int64(failures))
		err = steps[i](dying, n+1)
		dying.Close()
		if failures++; err == nil {
			i, failures = i+1, 0
		}
		s.lock.each(t.Context(), "", func(r row) error { return s.lock.delete(t.Context(), r.key) }) // no need to wait
		hits, err := s.Search(t.Context(), store.Query{Text: "word", Top: 10})
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]int{}
		for _, h := range hits {
			found[h.DocID+" "+h.Text[strings.LastIndex(h.Text, " ")+1:]]++
		}
		was, is := fmt.Sprintf("v%d", n), fmt.Sprintf("v%d", n+1)
		whole := []map[string]int{{"keep.md stays": 1, "a.md " + was: 2, "b.md " + was: 2}, {"keep.md stays": 1, "a.md " + is: 2, "b.md " + is: 2}, {"keep.md stays": 1}}
		if !slices.ContainsFunc(whole, func(w map[string]int) bool { return reflect.DeepEqual(w, found) }) {
			t.Errorf("after %d calls of %d: found %v", failures, i, found)
		}
		doc, err := s.Document(t.Context(), "a.md")
		if err != nil || len(doc) != 0 && len(doc) != 3 {
			t.Errorf("after %d calls of %d: %d chunks, %v", failures, i, len(doc), err)
		}
		if err := s.Put(t.Context(), version(n+2)...); err != nil {
			t.Fatal(err)
		}
		nothingMore(t, s, 7)
	}
}

// nothingMore checks that all rows there are belong to the store.
func nothingMore(t *testing.T, s *Store, want int) {
	t.Helper()
	r, err := s.root(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	chunks := 0
	for _, e := range r.Embedders {
		c, err := s.collection(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		slots, err := c.slots(t.Context(), "slot >= 0")
		if err != nil {
			t.Fatal(err)
		}
		chunks += len(slots)
	}
	if chunks != want {
		t.Errorf("%d chunks are there, want %d", chunks, want)
	}
	var known []string
	for i := range r.Blocks {
		known = append(known, r.Blocks[i].keys()...)
	}
	for _, table := range []table{s.index, s.lock} {
		err := table.each(t.Context(), "", func(one row) error {
			if !slices.Contains(known, one.key) {
				t.Errorf("%s is left in %s", one.key, table.name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if r.IsDirty || len(r.Gone.Spans) > 0 {
		t.Errorf("the root is %+v", r)
	}
}

// Processes that open a store at the same moment make one.
func TestOpenAtOnce(t *testing.T) {
	address, _ := storetest.Milvus(t)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			s, err := Open(t.Context(), "milvus://"+address+"/once")
			if err != nil {
				t.Errorf("open: %v", err)
				return
			}
			defer s.Close()
			if err := s.Put(t.Context(), storetest.Entry(fmt.Sprintf("d%d.md", i), nil, "one", "two")); err != nil {
				t.Errorf("put: %v", err)
			}
		})
	}
	all.Wait()
	s, err := Open(t.Context(), "milvus://"+address+"/once")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	hits, err := s.Search(t.Context(), store.Query{Text: "two"})
	if len(hits) != 4 || err != nil {
		t.Errorf("%d hits, %v", len(hits), err)
	}
}

func TestTLSAndDatabase(t *testing.T) {
	address, _ := storetest.Milvus(t)
	plain, err := milvusclient.New(t.Context(), &milvusclient.ClientConfig{Address: address})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close(t.Context())
	if err := plain.CreateDatabase(t.Context(), milvusclient.NewCreateDatabaseOption("other")); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), "milvuss://user:secret@"+overTLS(t, address)+"/kb?database=other")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Put(t.Context(), storetest.Entry("a.md", nil, "one")); err != nil {
		t.Fatal(err)
	}
	names, err := plain.ListCollections(t.Context(), milvusclient.NewListCollectionOption())
	if len(names) != 0 || err != nil {
		t.Errorf("the default database has %v, %v", names, err)
	}
	if hits, err := s.Search(t.Context(), store.Query{Text: "one"}); len(hits) != 1 || err != nil {
		t.Errorf("%d hits, %v", len(hits), err)
	}
}

// overTLS returns an address whose connections are forwarded in the clear, with
// a certificate that this process trusts.
func overTLS(t *testing.T, address string) string {
	server := httptest.NewTLSServer(nil)
	config := server.TLS.Clone()
	config.NextProtos = []string{"h2"}
	file := filepath.Join(t.TempDir(), "trusted.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o666); err != nil {
		t.Fatal(err)
	}
	server.Close()
	t.Setenv("SSL_CERT_FILE", file)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", address)
			if err != nil {
				in.Close()
				continue
			}
			go func() { io.Copy(out, in); out.Close() }()
			go func() { io.Copy(in, out); in.Close() }()
		}
	}()
	return listener.Addr().String()
}

func TestNobodyThere(t *testing.T) {
	if os.Getenv("CANTLE_LONG") == "" {
		t.Skip("only with CANTLE_LONG=1: it waits for the server")
	}
	_, err := Open(t.Context(), "milvus://user:secret@"+storetest.Address(t)+"/kb")
	if err == nil || !strings.Contains(err.Error(), "connection refused") || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}

func TestAddresses(t *testing.T) {
	for _, bad := range []string{"milvus://", "milvus://host", "milvus://host/a b", "milvus://host/a/b", "http://host/a", "milvus://host/a-b", "milvus://host/1", "milvus://ho st/a", "milvus://host/a?x=1"} {
		if _, err := Open(t.Context(), bad); err == nil {
			t.Errorf("%s is no error", bad)
		}
	}
}
