// Package protocol is what the benchmark and its adapters say to each other.
//
// An adapter is a program that runs one way of cutting of one library in a
// process of its own: it is given a [Request] as its only argument, cuts the
// files that it names once, and prints an [Answer] as its last line. Adapters
// in other languages do the same by hand; those in Go call [Serve].
package protocol

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A Request says what to cut, and how.
type Request struct {
	Tool     string `json:"tool"`               // as the adapter knows it
	Encoding string `json:"encoding"`           // "cl100k_base" or "chars"
	Max      int    `json:"max"`                // limit of a chunk in that unit
	Language string `json:"language,omitempty"` // of source code
	Files    string `json:"files"`              // a file that lists the documents' paths, a line each
	Out      string `json:"out,omitempty"`      // write the chunks to this file as JSON lines, after the measuring
}

// An Answer says what the cutting took. The documents are in memory before,
// and the library loaded and warm: Start is what that took.
type Answer struct {
	Start    float64           `json:"start"` // seconds to load tables and the like, once in a process
	CPU      float64           `json:"cpu"`   // seconds of processor time, all threads
	Wall     float64           `json:"wall"`  // seconds
	Chunks   int               `json:"chunks"`
	Base     float64           `json:"base"`               // MB resident before
	Peak     float64           `json:"peak"`               // MB resident at most, meanwhile
	Failed   map[string]int    `json:"failed,omitempty"`   // documents that could not be cut, by error
	Versions map[string]string `json:"versions,omitempty"` // of what was measured
}

// Serve runs an adapter. open makes what cuts a document, line what is written
// of a chunk; versions names the modules whose versions are told.
func Serve[T any](open func(Request) (func(path string, src []byte) ([]T, error), error), line func(path string, chunk T) any, versions ...string) {
	runtime.GOMAXPROCS(1)
	if err := serve(open, line, versions); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve[T any](open func(Request) (func(string, []byte) ([]T, error), error), line func(string, T) any, versions []string) error {
	var r Request
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: %s REQUEST", os.Args[0])
	}
	if err := json.Unmarshal([]byte(os.Args[1]), &r); err != nil {
		return err
	}
	list, err := os.ReadFile(r.Files)
	if err != nil {
		return err
	}
	paths := strings.Split(strings.TrimSpace(string(list)), "\n")
	sources := make([][]byte, len(paths))
	for i, p := range paths {
		if sources[i], err = os.ReadFile(p); err != nil {
			return err
		}
	}
	started := time.Now()
	cut, err := open(r)
	if err != nil {
		return err
	}
	cut = caught(cut)
	cut("warm.txt", []byte("Warm up the tables.\n"))
	a := Answer{Start: time.Since(started).Seconds(), Failed: map[string]int{}, Versions: modules(versions)}

	debug.FreeOSMemory()
	a.Base = memory("VmRSS:")
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the peak counts from here
	cpu, wall := processor(), time.Now()
	for i, p := range paths {
		chunks, err := cut(p, sources[i])
		if err != nil {
			a.Failed[err.Error()]++
		}
		a.Chunks += len(chunks)
	}
	a.CPU, a.Wall, a.Peak = processor()-cpu, time.Since(wall).Seconds(), memory("VmHWM:")

	if r.Out != "" {
		if err := write(r.Out, func(enc *json.Encoder) error {
			for i, p := range paths {
				chunks, _ := cut(p, sources[i])
				for _, c := range chunks {
					if err := enc.Encode(line(p, c)); err != nil {
						return err
					}
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(a)
}

// caught turns the panic of a cut into its error: the document fails, as one
// does that raises an exception in Python.
func caught[T any](cut func(string, []byte) ([]T, error)) func(string, []byte) ([]T, error) {
	return func(path string, src []byte) (chunks []T, err error) {
		defer func() {
			if p := recover(); p != nil {
				chunks, err = nil, fmt.Errorf("panic: %v", p)
			}
		}()
		return cut(path, src)
	}
}

func write(path string, lines func(*json.Encoder) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := lines(enc); err != nil {
		return err
	}
	return w.Flush()
}

// Read returns the answer that an adapter printed.
func Read(output io.Reader) (Answer, error) {
	var a Answer
	all, err := io.ReadAll(output)
	if err != nil {
		return a, err
	}
	lines := bytes.Split(bytes.TrimSpace(all), []byte("\n"))
	return a, json.Unmarshal(lines[len(lines)-1], &a)
}

// processor returns the seconds of processor time of this process.
func processor() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// memory returns a line of /proc/self/status, in MB.
func memory(key string) float64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), key)
	if f := strings.Fields(rest); len(f) > 0 {
		kb, _ := strconv.ParseFloat(f[0], 64)
		return kb * 1024 / 1e6
	}
	return 0
}

// modules returns the versions of the modules of that name in this program.
func modules(names []string) map[string]string {
	versions := map[string]string{"go": runtime.Version()}
	info, _ := debug.ReadBuildInfo()
	for _, m := range info.Deps {
		for _, n := range names {
			if m.Path == n {
				versions[n] = m.Version
			}
		}
	}
	return versions
}
