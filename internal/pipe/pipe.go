// Package pipe answers a stream of requests, one JSON line each, by a stream of
// answers, one JSON line each and in the same order, and no request can end it.
//
// The work is done in a second process, the worker, because time and memory
// can be taken back from a process and not from a goroutine: a parser that
// hangs, a stack that overflows, a fault in C code and an empty memory all end
// the worker, and then the request has an error for an answer and the next one
// a new worker. [Run] is the process that stays, [Serve] the worker.
//
// Both hold one request at a time and one that was read ahead, and its answer,
// so memory does not grow with the stream, and who reads the answers slowly is
// read slowly. What a request asks for is up to the caller of Serve.
package pipe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Options are the limits of one request. They must be given.
type Options struct {
	// Worker returns a command that calls Serve on its standard streams. Its
	// standard error is the caller's to set.
	Worker func() *exec.Cmd

	Timeout    time.Duration // from the request until its answer is complete; waiting for a reader does not count
	Memory     int64         // bytes that the worker may occupy, seen to on Linux only; and bytes of an answer
	MaxRequest int           // bytes of a line

	// Failed returns the answer to a request that has none of its worker's. id
	// is the request's doc_id or path, "" where it has none.
	Failed func(id string, err error) any
}

// The errors that Options.Failed is given, besides that of a worker which ended
// without being asked to.
var (
	ErrTimeout = errors.New("time limit reached")
	ErrMemory  = errors.New("memory limit reached")
	ErrTooLong = errors.New("request is over the size limit")
)

// Run answers each line of in by a line of out, in order; empty lines are no
// requests. It returns nil at the end of in, and otherwise the error of in, of
// out, of a worker that cannot be started, or the context's.
func Run(ctx context.Context, in io.Reader, out io.Writer, opt Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := supervisor{opt: opt, out: bufio.NewWriterSize(out, 1<<16)}
	defer s.stop()
	requests := make(chan request)
	var ended error
	go func() {
		defer close(requests)
		ended = read(ctx, in, opt.MaxRequest, requests)
	}()
	for {
		select {
		case <-ctx.Done(): // in may never end
			return ctx.Err()
		case r, more := <-requests:
			if !more {
				return ended
			}
			if err := s.answer(ctx, r); err != nil {
				return err
			}
		}
	}
}

// A request is a line of input.
type request struct {
	line []byte // with its end; a beginning of it where it is too long
	long bool
}

// read sends the lines of in on requests.
func read(ctx context.Context, in io.Reader, limit int, requests chan<- request) error {
	r := bufio.NewReaderSize(in, 1<<16)
	for {
		var q request
		var err error
		for {
			var part []byte
			part, err = r.ReadSlice('\n')
			room := min(len(part), limit-len(q.line))
			q.line, q.long = append(q.line, part[:room]...), q.long || room < len(part)
			if err != bufio.ErrBufferFull {
				break
			}
		}
		if err != nil && err != io.EOF {
			return err
		}
		if q.long || len(bytes.TrimSpace(q.line)) > 0 {
			if err == io.EOF {
				q.line = append(q.line, '\n')
			}
			select {
			case requests <- q:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

type supervisor struct {
	opt    Options
	out    *bufio.Writer
	worker *worker // nil where there is none
}

// answer writes the answer to one request. A worker that ends of itself or for
// want of memory is no proof against the document: someone may have killed it,
// or the documents before left it large. So the document has a second try, with
// a worker of its own.
func (s *supervisor) answer(ctx context.Context, r request) error {
	if r.long {
		return s.fail(r, ErrTooLong)
	}
	var cause error
	for range 2 {
		if s.worker == nil {
			w, err := start(s.opt.Worker())
			if err != nil {
				return err
			}
			s.worker = w
		}
		var answer []byte
		answer, cause = s.worker.ask(ctx, r.line, s.opt)
		if cause == nil {
			if _, err := s.out.Write(answer); err != nil {
				return err
			}
			return s.out.Flush()
		}
		s.stop()
		if err := ctx.Err(); err != nil {
			return err
		}
		if cause == ErrTimeout {
			break
		}
	}
	return s.fail(r, cause)
}

func (s *supervisor) fail(r request, cause error) error {
	if err := encode(s.out, s.opt.Failed(id(r.line), cause)); err != nil {
		return err
	}
	return s.out.Flush()
}

func (s *supervisor) stop() {
	if s.worker != nil {
		s.worker.stop()
		s.worker = nil
	}
}

// id finds what a request is called in a beginning of it.
func id(line []byte) string {
	d := json.NewDecoder(bytes.NewReader(line))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return ""
	}
	path := ""
	for d.More() {
		key, err := d.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			break
		}
		var s string
		if key == "doc_id" && json.Unmarshal(value, &s) == nil && s != "" {
			return s
		}
		if key == "path" {
			json.Unmarshal(value, &path)
		}
	}
	return path
}

// A worker is a process that serves.
type worker struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	room []byte // for answers of the usual size
}

func start(cmd *exec.Cmd) (*worker, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &worker{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<16), room: make([]byte, 1<<20)}, nil
}

// ask hands over a request and returns the answer, which is good until the next.
// It is read to its end first, for until then the worker can fail. After an
// error the worker is of no use.
func (w *worker) ask(ctx context.Context, line []byte, opt Options) ([]byte, error) {
	done := make(chan struct{})
	watched := make(chan error)
	go func() { watched <- w.watch(ctx, done, opt) }()
	answer, err := w.exchange(line, opt.Memory)
	close(done)
	if killed := <-watched; killed != nil {
		return nil, killed
	}
	if err != nil {
		w.cmd.Process.Kill() // or its input has been closed, and it ends
		w.cmd.Wait()
		return nil, fmt.Errorf("the worker ended: %v", w.cmd.ProcessState)
	}
	return answer, nil
}

func (w *worker) exchange(line []byte, limit int64) ([]byte, error) {
	if _, err := w.in.Write(line); err != nil {
		return nil, err
	}
	head, err := w.out.ReadString('\n')
	if err != nil {
		return nil, err
	}
	size, err := strconv.ParseInt(strings.TrimSpace(head), 10, 64)
	if err != nil || size < 0 || size > limit {
		return nil, fmt.Errorf("%q is not the size of an answer", head)
	}
	answer := w.room
	if size > int64(len(answer)) {
		answer = make([]byte, size)
	}
	_, err = io.ReadFull(w.out, answer[:size])
	return answer[:size], err
}

// watch kills the worker when a limit is reached before done, and says which.
func (w *worker) watch(ctx context.Context, done <-chan struct{}, opt Options) error {
	const pause = 20 * time.Millisecond // the fastest allocate some 20 MB in it
	deadline := time.NewTimer(opt.Timeout)
	defer deadline.Stop()
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		var over error
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			over = ctx.Err()
		case <-deadline.C:
			over = ErrTimeout
		case <-tick.C:
			if resident(w.cmd.Process.Pid) > opt.Memory {
				over = ErrMemory
			}
		}
		if over != nil {
			w.cmd.Process.Kill()
			<-done
			return over
		}
	}
}

// stop ends the worker, whatever it does.
func (w *worker) stop() {
	w.in.Close()
	w.cmd.Process.Kill()
	w.cmd.Wait()
}

// Serve answers the requests of a [Run] until in ends. Where it ends during
// work, Run's process is gone: Serve returns without finishing the work, and so
// should the process.
func Serve(in io.Reader, out io.Writer, answer func(request []byte) any) error {
	r := bufio.NewReaderSize(in, 1<<16)
	requests := make(chan []byte)
	failed := make(chan error, 1)
	go func() {
		for line := range requests {
			text, err := sized(answer(line))
			if err == nil {
				_, err = out.Write(text)
			}
			if err != nil {
				failed <- err
				return
			}
		}
	}()
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case requests <- line:
		case err := <-failed:
			return err
		}
	}
}

// headLen is the length of the line before an answer that says its size.
const headLen = 16

// sized returns v as a line of JSON with that line before it, so that both are
// one write, which wakes the reader once.
func sized(v any) ([]byte, error) {
	b := bytes.NewBuffer(make([]byte, headLen, 1<<14))
	err := encode(b, v)
	copy(b.Bytes(), fmt.Sprintf("%*d\n", headLen-1, b.Len()-headLen))
	return b.Bytes(), err
}

// encode writes v as a line of JSON.
func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
