package pipe

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The worker of these tests is this binary: a request tells it what to do.
func TestMain(m *testing.M) {
	if os.Getenv("PIPE_TEST_WORKER") != "" {
		if err := Serve(os.Stdin, os.Stdout, obey); err != nil {
			os.Exit(3)
		}
		return
	}
	os.Exit(m.Run())
}

type reply struct {
	DocID string `json:"doc_id"`
	Text  string `json:"text,omitempty"`
	Error string `json:"error,omitempty"`
	Pid   int    `json:"pid,omitempty"`
}

func obey(line []byte) any {
	var r struct {
		DocID string `json:"doc_id"`
		Do    string `json:"do"`
		Size  int    `json:"size"`
		File  string `json:"file"`
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return reply{Error: err.Error()}
	}
	switch r.Do {
	case "hang":
		select {}
	case "spin":
		for i := 0; ; i++ {
		}
	case "eat":
		for held := []byte{1}; len(held) > 0; time.Sleep(time.Millisecond) {
			held = append(held, make([]byte, len(held)+1<<20)...)
		}
	case "overflow":
		var f func(int) int
		f = func(n int) int { return f(n+1) + n }
		f(0)
	case "exit once": // as a worker that is killed by someone
		if os.Mkdir(r.File, 0o777) == nil {
			os.Exit(1)
		}
	case "exit":
		os.Exit(1)
	case "exit in answer once":
		if os.Mkdir(r.File, 0o777) != nil {
			break
		}
		fallthrough
	case "exit in answer":
		fmt.Printf("%*d\n{\"doc_id\": \"half an ans", headLen-1, 100_000)
		os.Exit(1)
	case "no size":
		fmt.Printf("%*d\n", headLen-1, int64(1)<<40)
	}
	return reply{DocID: r.DocID, Text: strings.Repeat("x", r.Size), Pid: os.Getpid()}
}

func options(t *testing.T) Options {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Worker: func() *exec.Cmd {
			return &exec.Cmd{Path: self, Env: append(os.Environ(), "PIPE_TEST_WORKER=1")}
		},
		Timeout: time.Minute, Memory: 1 << 30, MaxRequest: 1 << 20,
		Failed: func(id string, err error) any { return reply{DocID: id, Error: err.Error()} },
	}
}

// answers runs requests and returns an answer a line.
func answers(t *testing.T, opt Options, requests string) []reply {
	t.Helper()
	var out strings.Builder
	if err := Run(t.Context(), strings.NewReader(requests), &out, opt); err != nil {
		t.Fatal(err)
	}
	var all []reply
	for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		var r reply
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%.100q: %v", line, err)
		}
		all = append(all, r)
	}
	return all
}

func TestAnswersInOrder(t *testing.T) {
	var requests strings.Builder
	for i := range 300 {
		fmt.Fprintf(&requests, "{\"doc_id\": \"%d\", \"size\": %d}\n\n \r\n", i, i*i%200_000)
	}
	requests.WriteString("{\"doc_id\": \"300\"}") // the last line may lack its end
	got := answers(t, options(t), requests.String())
	if len(got) != 301 {
		t.Fatalf("%d answers, want 301", len(got))
	}
	for i, r := range got {
		if r.DocID != fmt.Sprint(i) || i < 300 && len(r.Text) != i*i%200_000 {
			t.Fatalf("answer %d is to %q, %d bytes", i, r.DocID, len(r.Text))
		}
		if r.Pid != got[0].Pid {
			t.Fatalf("answer %d is another worker's", i)
		}
	}
}

func TestEmptyInput(t *testing.T) {
	var out strings.Builder
	if err := Run(t.Context(), strings.NewReader("\n\n"), &out, options(t)); err != nil || out.Len() > 0 {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

// Whatever a request does to its worker, the others are answered.
func TestNoRequestEndsTheStream(t *testing.T) {
	for _, c := range []struct{ do, want string }{
		{"hang", ErrTimeout.Error()},
		{"spin", ErrTimeout.Error()},
		{"eat", ErrMemory.Error()},
		{"overflow", "the worker ended: exit status 2"},
		{"exit", "the worker ended: exit status 1"},
		{"exit in answer", "the worker ended: exit status 1"},
		{"no size", "the worker ended: signal: killed"},
	} {
		t.Run(c.do, func(t *testing.T) {
			if c.do == "eat" && runtime.GOOS != "linux" {
				t.Skip("memory is seen to on Linux only")
			}
			opt := options(t)
			switch c.do {
			case "eat":
				opt.Memory = 200 << 20
			case "overflow": // at 1 GB
				opt.Memory = 4 << 30
			case "hang", "spin":
				opt.Timeout = 2 * time.Second // for the worker's start too
			}
			got := answers(t, opt, fmt.Sprintf(`{"doc_id": "a"}
{"path": "b.md", "do": %q}
{"doc_id": "c"}
`, c.do))
			if len(got) != 3 || got[0].DocID != "a" || got[0].Error != "" || got[2].DocID != "c" || got[2].Error != "" {
				t.Fatalf("the others got %+v", got)
			}
			if got[1].DocID != "b.md" || got[1].Error != c.want {
				t.Errorf("got %+v, want %q", got[1], c.want)
			}
			if got[0].Pid == got[2].Pid {
				t.Error("the worker is the same")
			}
		})
	}
}

// A worker that someone kills is no document's fault.
func TestKilledWorkerIsReplaced(t *testing.T) {
	for _, do := range []string{"exit once", "exit in answer once"} {
		mark := filepath.Join(t.TempDir(), "mark")
		got := answers(t, options(t), fmt.Sprintf("{\"doc_id\": \"a\"}\n{\"doc_id\": \"b\", \"do\": %q, \"file\": %q}\n", do, mark))
		if len(got) != 2 || got[1].DocID != "b" || got[1].Error != "" {
			t.Errorf("%s: got %+v", do, got)
		}
	}
}

func TestTooLong(t *testing.T) {
	opt := options(t)
	opt.MaxRequest = 100_000
	rest := strings.Repeat("x", 3_000_000)
	got := answers(t, opt, `{"doc_id": "a"}
{"doc_id": "b", "text": "`+rest+`"}
{"meta": {"doc_id": "no"}, "path": "c", "text": "`+rest+`"}
`+rest+`
{"doc_id": "e"}
{"doc_id": "f", "text": "`+rest)
	var ids []string
	for i, r := range got {
		ids = append(ids, r.DocID)
		if long := i != 0 && i != 4; long != (r.Error == ErrTooLong.Error()) {
			t.Errorf("answer %d: %+v", i, r)
		}
	}
	if want := "a b c  e f"; strings.Join(ids, " ") != want {
		t.Errorf("answers to %q, want %q", ids, want)
	}
}

// An answer is there before the next request is.
func TestFlush(t *testing.T) {
	in, requests := io.Pipe()
	replies, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- Run(t.Context(), in, out, options(t)) }()
	r := bufio.NewReader(replies)
	for i := range 3 {
		fmt.Fprintf(requests, "{\"doc_id\": \"%d\"}\n", i)
		if line, err := r.ReadString('\n'); err != nil || !strings.Contains(line, fmt.Sprintf(`"%d"`, i)) {
			t.Fatalf("got %q, %v", line, err)
		}
	}
	requests.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Neither an input that never ends nor work that never ends outlasts the context.
func TestCancelled(t *testing.T) {
	for _, request := range []string{"", "{\"do\": \"hang\"}\n"} {
		ctx, cancel := context.WithCancel(t.Context())
		in, requests := io.Pipe()
		go func() {
			io.WriteString(requests, request)
			time.Sleep(100 * time.Millisecond)
			cancel()
		}()
		if err := Run(ctx, in, io.Discard, options(t)); !errors.Is(err, context.Canceled) {
			t.Errorf("%q: got %v", request, err)
		}
	}
}

func TestReaderIsGone(t *testing.T) {
	replies, out := io.Pipe()
	replies.Close()
	if err := Run(t.Context(), strings.NewReader("{}\n"), out, options(t)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
}

func TestWorkerCannotStart(t *testing.T) {
	opt := options(t)
	opt.Worker = func() *exec.Cmd { return &exec.Cmd{Path: filepath.Join(t.TempDir(), "nothing")} }
	if err := Run(t.Context(), strings.NewReader("{}\n"), io.Discard, opt); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// A worker whose Run is gone does not stay behind with its work.
func TestServeEndsWithItsInput(t *testing.T) {
	begun := make(chan bool)
	in, requests := io.Pipe()
	go func() {
		io.WriteString(requests, "{}\n")
		<-begun
		requests.Close()
	}()
	if err := Serve(in, io.Discard, func([]byte) any { close(begun); select {} }); err != nil {
		t.Error(err)
	}
}
