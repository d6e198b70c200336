package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// A Record is a run of the benchmark, as it is kept.
type Record struct {
	Date     string            `json:"date"` // of the start, UTC
	Machine  Machine           `json:"machine"`
	Load     [2]string         `json:"load"` // of the last minute, at the start and at the end
	Rounds   int               `json:"rounds"`
	Versions map[string]string `json:"versions"`
	Results  []Result          `json:"results"`
	Commands []CommandResult   `json:"commands,omitempty"`
}

// A Machine is where it ran.
type Machine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	Memory string `json:"memory"`
	System string `json:"system"`
}

func thisMachine() Machine {
	return Machine{
		CPU: field("/proc/cpuinfo", "model name"), Cores: runtime.NumCPU(), Memory: field("/proc/meminfo", "MemTotal"),
		System: strings.TrimSpace(said("uname", "-sr") + " " + runtime.GOARCH),
	}
}

// field returns the first value of that name in a file of lines "name: value".
func field(file, name string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == name {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// said returns what a command prints, or "".
func said(name string, args ...string) string {
	out, _ := exec.Command(name, args...).Output()
	return strings.TrimSpace(string(out))
}

func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// cantleVersion names the commit that was measured; "+" says that files differ
// from it.
func cantleVersion() string {
	v := said("git", "rev-parse", "--short=12", "HEAD")
	if said("git", "status", "--porcelain", "--untracked-files=no", "..") != "" {
		v += "+"
	}
	return v
}

// save writes a record below folder, one file a run, and returns its path.
func (r *Record) save(folder, machine string, at time.Time) (string, error) {
	path := filepath.Join(folder, machine, at.Format("2006-01-02-1504")+".json")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return "", err
	}
	return path, os.WriteFile(path, append(text, '\n'), 0o644)
}
