// The command guard counts the instructions of fixed jobs and compares them
// with the committed counts of values.json: a change that makes one slower by
// more than the tolerance comes with a new value, or does not land.
//
//	go run ./guard             compare
//	go run ./guard -update     write the values anew
//
// Time cannot decide this on a machine that does other things too; the
// instructions that valgrind's callgrind counts repeat to half a hundredth.
// What the jobs read is testdata/docs of the repository, and the counts are by
// byte of it, so that a document added there changes little.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// tolerance is the share by which a count may grow.
const tolerance = 0.05

func main() {
	file := flag.String("values", "guard/values.json", "`file` of the counts")
	update := flag.Bool("update", false, "write the counts to it")
	job := flag.String("job", "", "run this `job` and nothing else, as the guard has valgrind do")
	times := flag.Int("times", 1, "how often to run it")
	flag.Parse()
	var err error
	if *job != "" {
		err = runJob(*job, *times)
	} else {
		err = guard(*file, *update)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "guard:", err)
		os.Exit(1)
	}
}

func guard(file string, update bool) error {
	committed := map[string]float64{}
	if text, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(text, &committed); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	counted := map[string]float64{}
	failed := false
	for _, name := range slices.Sorted(maps.Keys(jobs)) {
		n, err := count(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		n = math.Round(n*10) / 10
		counted[name] = n
		was, ok := committed[name]
		change := n/was - 1
		verdict := "ok"
		switch {
		case update:
			verdict = "written"
		case !ok:
			verdict, failed = "has no committed value", true
		case change > tolerance:
			verdict, failed = "SLOWER", true
		case change < -tolerance:
			verdict = "faster: take it over with -update"
		}
		fmt.Printf("%-20s %9.1f instructions a byte, %9.1f committed, %+6.1f %%  %s\n", name, n, was, 100*change, verdict)
	}
	if update {
		text, err := json.MarshalIndent(counted, "", "  ")
		if err != nil {
			return err
		}
		return os.WriteFile(file, append(text, '\n'), 0o644)
	}
	if failed {
		return fmt.Errorf("more than %.0f %% above %s; if that is meant, run again with -update and commit", 100*tolerance, file)
	}
	return nil
}

// count returns the instructions that a job takes, by byte of its input: those
// of a process that does it less those of one that only gets ready to.
func count(name string) (float64, error) {
	size, err := jobs[name].size()
	if err != nil {
		return 0, err
	}
	ready, err := instructions(name, 0)
	if err != nil {
		return 0, err
	}
	times := (jobs[name].work + size - 1) / size
	done, err := instructions(name, times)
	return float64(done-ready) / float64(times*size), err
}

var collected = regexp.MustCompile(`Collected : (\d+)`)

// instructions returns those of a process that runs a job so many times. One
// thread of Go, no garbage collection and no preemption: each would come at
// another moment in each run.
func instructions(name string, times int) (int64, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "guard")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command("valgrind", "--tool=callgrind", "--callgrind-out-file="+filepath.Join(dir, "out"), self, "-job", name, "-times", strconv.Itoa(times))
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, out[max(0, len(out)-1000):])
	}
	m := collected.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("callgrind did not say what it counted: %s", out)
	}
	return strconv.ParseInt(string(m[1]), 10, 64)
}
