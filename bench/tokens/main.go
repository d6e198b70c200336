// The command tokens shows package tokens to programs outside of Go, and times it.
//
//	tokens ids ENCODING     for every JSON string on standard input, a line each, the JSON list of its tokens
//	tokens speed ENCODING DIR...
//	                        megabytes a second on the files under DIR, beside tiktoken-go where it has the encoding
//
// It is what exact.py and speed.py in this folder run.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
	"unicode/utf8"

	oracle "github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"

	"github.com/cantle/cantle/tokens"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: tokens ids ENCODING | tokens speed ENCODING DIR...")
		os.Exit(2)
	}
	var err error
	switch os.Args[1] {
	case "ids":
		err = ids(os.Args[2], os.Stdin, os.Stdout)
	case "speed":
		err = speed(os.Args[2], os.Args[3:])
	default:
		err = fmt.Errorf("unknown command %q", os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tokens:", err)
		os.Exit(1)
	}
}

func ids(name string, in io.Reader, out io.Writer) error {
	e, err := tokens.Get(name)
	if err != nil {
		return err
	}
	c, ok := e.(tokens.Encoder)
	if !ok {
		return fmt.Errorf("%s has no token numbers", name)
	}
	w := bufio.NewWriter(out)
	enc := json.NewEncoder(w)
	dec := json.NewDecoder(bufio.NewReader(in))
	for {
		var text string
		if err := dec.Decode(&text); err == io.EOF {
			return w.Flush()
		} else if err != nil {
			return err
		}
		list := c.Encode(text)
		if n := c.Count(text); n != len(list) {
			return fmt.Errorf("%q: Count is %d, but Encode gives %d tokens", text, n, len(list))
		}
		if err := enc.Encode(list); err != nil {
			return err
		}
	}
}

func speed(name string, dirs []string) error {
	runtime.GOMAXPROCS(1)
	e, err := tokens.Get(name)
	if err != nil {
		return err
	}
	oracle.SetBpeLoader(loader.NewOfflineLoader())
	tk, _ := oracle.GetEncoding(name) // nil if it does not know it
	for _, dir := range dirs {
		texts, bytes, err := read(dir)
		if err != nil {
			return err
		}
		marks := make([]uint64, bytes/64+1)
		show := func(way string, times int, run func(string)) {
			fmt.Printf("%s\t%s\t%s\t%.1f\n", filepath.Base(dir), filepath.Base(name), way, rate(texts, bytes, times, run))
		}
		show("count", 7, func(s string) { e.Count(s) })
		show("mark", 7, func(s string) { e.Mark(s, marks) })
		if c, ok := e.(tokens.Encoder); ok {
			show("encode", 7, func(s string) { c.Encode(s) })
		}
		if tk != nil {
			show("tiktoken-go", 2, func(s string) { tk.EncodeOrdinary(s) })
		}
	}
	return nil
}

// rate returns the best of some runs over all texts, in megabytes (10^6) per
// second of processor time.
func rate(texts []string, bytes, times int, run func(string)) float64 {
	best := 0.0
	for range times {
		start := cpuTime()
		for _, text := range texts {
			run(text)
		}
		best = max(best, float64(bytes)/1e6/(cpuTime()-start).Seconds())
	}
	return best
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u) // cannot fail for oneself
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func read(dir string) (texts []string, bytes int, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if utf8.Valid(data) {
			texts = append(texts, string(data))
			bytes += len(data)
		}
		return err
	})
	return texts, bytes, err
}
