package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// A CommandResult is what the command itself took, from start to exit, files
// read and records written.
type CommandResult struct {
	Name  string    `json:"name"`
	Bytes int64     `json:"bytes"` // of input
	Wall  []float64 `json:"wall"`  // seconds, a round each
	CPU   []float64 `json:"cpu"`
	Peak  float64   `json:"peak"` // MB resident at most
	Error string    `json:"error,omitempty"`
}

// commands measures what is not a matter of the library alone: the corpus on
// one core and on two, the memory one large document takes, and how long a
// cold process needs to the last chunk of a small file, beside the peers'.
func (r *runner) commands(j job) ([]CommandResult, error) {
	docs, err := j.documents(r.work)
	if err != nil || len(docs) == 0 {
		return nil, err
	}
	large := j
	large.document = growthSizes[len(growthSizes)-1]
	one, err := large.documents(r.work)
	if err != nil {
		return nil, err
	}
	small, err := r.small(docs)
	if err != nil {
		return nil, err
	}
	chunk := []string{filepath.Join(r.work, "bin", "command"), "chunk", "--max-tokens", strconv.Itoa(j.max)}
	pinned := func(args ...string) []string {
		if r.core < 0 {
			return args
		}
		return append([]string{"taskset", "-c", strconv.Itoa(r.core)}, args...)
	}
	type run struct {
		name  string
		bytes int64
		args  []string
	}
	runs := []run{
		{"corpus, one core", total(docs), pinned(append(chunk, "--jobs", "1", j.corpus)...)},
		{"corpus, all cores", total(docs), append(chunk, "--jobs", strconv.Itoa(runtime.NumCPU()), j.corpus)},
		{fmt.Sprintf("one document of %d MB, one core", large.document), one[0].size, pinned(append(chunk, one[0].path)...)},
		{"10 kB, cold: cantle", small[0].size, pinned(append(chunk, small[0].path)...)},
	}
	list := filepath.Join(r.work, "small.txt")
	if err := writeList(list, small); err != nil {
		return nil, err
	}
	for _, t := range tools[1:] {
		if !t.does(j) || t.ways[j.way] == "parse" {
			continue
		}
		request := fmt.Sprintf(`{"tool":%q,"encoding":%q,"max":%d,"files":%q}`, t.ways[j.way], j.encoding, j.max, list)
		runs = append(runs, run{"10 kB, cold: " + t.name, small[0].size, append(r.command(t.adapter), request)})
	}
	results := make([]CommandResult, len(runs))
	for range r.rounds {
		for i, u := range runs {
			results[i].Name, results[i].Bytes = u.name, u.bytes
			if results[i].Error == "" {
				r.once(&results[i], u.args)
			}
		}
	}
	for _, c := range results {
		r.say("%-60s %8.3f s", c.Name, median(c.Wall))
	}
	return results, nil
}

// once runs a command once, by a process of this program that does nothing
// else: the most memory that the system says a process had is, for one that was
// started by a large process, that of the large one.
func (r *runner) once(res *CommandResult, args []string) {
	self, err := os.Executable()
	if err != nil {
		res.Error = err.Error()
		return
	}
	cmd := exec.Command(self, append([]string{timeCommand}, args...)...)
	cmd.Env = append(os.Environ(), "TIKTOKEN_CACHE_DIR="+filepath.Join(r.work, "tiktoken"))
	out, err := cmd.Output()
	var took taken
	if err == nil {
		err = json.Unmarshal(out, &took)
	}
	if err != nil {
		res.Error = err.Error()
		return
	}
	res.Wall, res.CPU, res.Peak = append(res.Wall, took.Wall), append(res.CPU, took.CPU), max(res.Peak, took.Peak)
}

// timeCommand is the first argument of that process.
const timeCommand = "time"

// taken is what it prints: seconds, and MB at the peak.
type taken struct{ Wall, CPU, Peak float64 }

// timed runs a command and prints what it took.
func timed(args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return err
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return json.NewEncoder(os.Stdout).Encode(taken{
		Wall: time.Since(start).Seconds(),
		CPU:  (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
		Peak: float64(usage.Maxrss) * 1024 / 1e6,
	})
}

// small makes a document of 10 kB of the start of others.
func (r *runner) small(docs []document) ([]document, error) {
	var src []byte
	for _, d := range docs {
		if len(src) >= 10_000 {
			break
		}
		text, err := os.ReadFile(d.path)
		if err != nil {
			return nil, err
		}
		src = append(append(src, text[:min(len(text), 4000)]...), "\n\n"...)
	}
	src = bytes.ToValidUTF8(src[:min(len(src), 10_000)], nil)
	p := filepath.Join(r.work, "small.md")
	return []document{{p, int64(len(src))}}, os.WriteFile(p, src, 0o644)
}
