package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cantle/cantle/bench/protocol"
)

// A runner starts adapters.
type runner struct {
	work    string        // what setup.sh filled; lists and chunks go there too
	core    int           // what they are pinned to; below 0 to none
	rounds  int           // how often each tool does each job
	budget  time.Duration // that a pass may take; slow tools get every k-th document
	timeout time.Duration // for one process
	say     func(format string, args ...any)
}

// A Result is what one tool did with one job.
type Result struct {
	Job       string         `json:"job"`
	Tool      string         `json:"tool"`
	Documents int            `json:"documents"`
	Every     int            `json:"every"` // 1 for all documents of the corpus, k for each k-th
	Bytes     int64          `json:"bytes"`
	CPU       []float64      `json:"cpu"`   // seconds of processor time, a round each
	Wall      []float64      `json:"wall"`  // seconds, a round each
	Start     float64        `json:"start"` // seconds to load, in the last round
	Base      float64        `json:"base"`  // MB resident before, documents included
	Peak      float64        `json:"peak"`  // MB resident at most, over the rounds
	Chunks    int            `json:"chunks"`
	Failed    map[string]int `json:"failed,omitempty"` // documents, by error
	Error     string         `json:"error,omitempty"`  // the tool did not do the job
	Output    *Output        `json:"output,omitempty"` // what came out; none for parsing
}

// command returns the command of an adapter, pinned.
func (r *runner) command(adapter string) []string {
	var pinned []string
	if r.core >= 0 {
		pinned = []string{"taskset", "-c", strconv.Itoa(r.core)}
	}
	switch adapter {
	case "cantle", "langchaingo":
		return append(pinned, filepath.Join(r.work, "bin", adapter))
	case "rust":
		return append(pinned, filepath.Join(r.work, "rust", "release", "adapter"))
	}
	return append(pinned, filepath.Join(r.work, adapter, "bin", "python"), filepath.Join("adapters", "python", "adapter.py"))
}

// cut has a tool cut documents once, in a process of its own.
func (r *runner) cut(j job, t tool, docs []document, out string) (protocol.Answer, error) {
	list := filepath.Join(r.work, "documents.txt")
	if err := writeList(list, docs); err != nil {
		return protocol.Answer{}, err
	}
	request, err := json.Marshal(protocol.Request{Tool: t.ways[j.way], Encoding: j.encoding, Max: j.max, Language: j.language, Files: list, Out: out})
	if err != nil {
		return protocol.Answer{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), r.timeout)
	defer cancel()
	args := append(r.command(t.adapter), string(request))
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "TIKTOKEN_CACHE_DIR="+filepath.Join(r.work, "tiktoken"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return protocol.Answer{}, fmt.Errorf("over %v", r.timeout)
		}
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		return protocol.Answer{}, errors.New(strings.TrimSpace(err.Error() + ": " + lines[len(lines)-1]))
	}
	return protocol.Read(&stdout)
}

// do runs a job with each tool in turn, as often as there are rounds. Tools
// alternate, so that what else the machine does falls on all of them.
func (r *runner) do(j job, with []tool, versions map[string]string) []Result {
	docs, err := j.documents(r.work)
	if err == nil && len(docs) == 0 {
		err = errors.New("no documents: see setup.sh")
	}
	results := make([]Result, len(with))
	shares := make([][]document, len(with))
	for i, t := range with {
		results[i] = Result{Job: j.name, Tool: t.name}
		if err == nil {
			shares[i], results[i].Every, err = r.share(j, t, docs)
		}
		if err != nil {
			results[i].Error, err = err.Error(), nil
			continue
		}
		results[i].Documents, results[i].Bytes = len(shares[i]), total(shares[i])
	}
	out := filepath.Join(r.work, "chunks.jsonl")
	for round := range r.rounds {
		for i, t := range with {
			res := &results[i]
			if res.Error != "" {
				continue
			}
			to := ""
			if round == r.rounds-1 && t.ways[j.way] != "parse" {
				to = out
			}
			a, err := r.cut(j, t, shares[i], to)
			if err != nil {
				res.Error = err.Error()
				continue
			}
			res.add(a)
			for name, v := range a.Versions {
				versions[name] = v
			}
			if to != "" {
				if res.Output, err = check(j, shares[i], out); err != nil {
					res.Error = err.Error()
				}
			}
			r.say("%-28s %-30s round %d: %7.2f MB/s of processor time", j.name, t.name, round+1, float64(res.Bytes)/1e6/a.CPU)
		}
	}
	return results
}

func (res *Result) add(a protocol.Answer) {
	res.CPU, res.Wall = append(res.CPU, a.CPU), append(res.Wall, a.Wall)
	res.Start, res.Base, res.Chunks, res.Failed = a.Start, a.Base, a.Chunks, a.Failed
	res.Peak = max(res.Peak, a.Peak)
}

// share returns as many of the documents as a tool can do in the time of a
// pass, and that it takes each k-th. A few documents are run to find out, and
// more where those were done too soon to tell.
func (r *runner) share(j job, t tool, docs []document) ([]document, int, error) {
	if len(docs) == 1 {
		return docs, 1, nil
	}
	var seconds float64 // foreseen for all documents
	for _, step := range [...]int{200, 20} {
		sample := every(docs, min(step, len(docs)))
		a, err := r.cut(j, t, sample, "")
		if err != nil {
			return nil, 0, err
		}
		seconds = a.CPU / float64(total(sample)) * float64(total(docs))
		if a.CPU > r.budget.Seconds()/20 {
			break
		}
	}
	k := max(1, int(math.Ceil(seconds/r.budget.Seconds())))
	return every(docs, min(k, len(docs))), k, nil
}
