// The command bench measures cantle beside other chunkers: the same documents,
// the same limit, one core, in turn, and what came out of each. It prints
// tables and keeps a record. README.md says how to install the others.
//
//	cd bench && ./setup.sh /tmp/peers && go run . -work /tmp/peers
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 1 && args[0] == timeCommand {
		return timed(args[1:])
	}
	fl := flag.NewFlagSet("bench", flag.ContinueOnError)
	r := &runner{say: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }}
	fl.StringVar(&r.work, "work", filepath.Join(os.TempDir(), "peers"), "`folder` that setup.sh filled")
	fl.IntVar(&r.core, "core", runtime.NumCPU()-1, "core to pin every process to; -1 for none")
	fl.IntVar(&r.rounds, "rounds", 5, "how often each tool does each job; medians are told")
	fl.DurationVar(&r.budget, "budget", 3*time.Second, "of processor time a pass; slower tools get each k-th document")
	fl.DurationVar(&r.timeout, "timeout", 2*time.Minute, "for one process")
	wantJobs := fl.String("jobs", "", "only jobs whose name matches this `regexp`; \"command\" is one")
	wantTools := fl.String("tools", "", "only tools whose name matches this `regexp`")
	machine := fl.String("machine", "", "`name` of the machine in the records (default: of its CPU)")
	keep := fl.String("records", "records", "`folder` of the records; \"\" keeps none")
	if err := fl.Parse(args); err != nil {
		return err
	}
	jobNames, err := regexp.Compile(*wantJobs)
	if err != nil {
		return err
	}
	toolNames, err := regexp.Compile(*wantTools)
	if err != nil {
		return err
	}
	if r.work, err = filepath.Abs(r.work); err != nil {
		return err
	}
	if err := build(r.work, jobNames.MatchString("command")); err != nil {
		return err
	}
	shared := os.Getenv("CANTLE_SHARED")
	if shared == "" {
		shared = "../../shared"
	}
	if shared, err = filepath.Abs(shared); err != nil {
		return err
	}

	at := time.Now().UTC()
	rec := &Record{Date: at.Format(time.RFC3339), Machine: thisMachine(), Rounds: r.rounds, Versions: map[string]string{"cantle": cantleVersion()}}
	rec.Load[0] = load()
	slow := map[string]bool{} // tools that a larger document would take too long
	all := jobs(shared, r.work)
	for _, j := range all {
		if !jobNames.MatchString(j.name) {
			continue
		}
		var with []tool
		for _, t := range tools {
			if t.does(j) && toolNames.MatchString(t.name) && !(j.document > 0 && slow[t.name]) {
				with = append(with, t)
			}
		}
		results := r.do(j, with, rec.Versions)
		rec.Results = append(rec.Results, results...)
		for _, res := range results {
			if j.document > 0 && (res.Error != "" || median(res.CPU) > 2*r.budget.Seconds()) {
				slow[res.Tool] = true
			}
		}
	}
	if jobNames.MatchString("command") {
		if rec.Commands, err = r.commands(all[0]); err != nil {
			return err
		}
	}
	rec.Load[1] = load()
	rec.writeTable(os.Stdout)
	if *keep == "" {
		return nil
	}
	if *machine == "" {
		*machine = fmt.Sprintf("%s-%d", slug(rec.Machine.CPU), rec.Machine.Cores)
	}
	path, err := rec.save(*keep, *machine, at)
	if err == nil {
		fmt.Printf("\n%s\n", path)
	}
	return err
}

// build builds the adapters written in Go, and the command itself.
func build(work string, command bool) error {
	bin := filepath.Join(work, "bin")
	builds := [][]string{
		{"build", "-o", filepath.Join(bin, "cantle"), "./adapters/cantle"},
		{"build", "-o", filepath.Join(bin, "langchaingo"), "./adapters/langchaingo"},
	}
	if command {
		builds = append(builds, []string{"build", "-C", "..", "-o", filepath.Join(bin, "command"), "./cmd/cantle"})
	}
	for _, args := range builds {
		cmd := exec.Command("go", args...)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
		}
	}
	return nil
}

// slug makes a file name of the name of a CPU.
func slug(s string) string {
	return strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(s), "-"), "-")
}
