//go:build unix

package cantle_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cantle/cantle"
)

// unitPage is some hundred bytes of Markdown, of our own writing.
func unitPage(i int) string {
	return fmt.Sprintf("## Part %d\n\nThe pump of unit %d starts when the level falls below %d cm. It stops by itself; see *Stopping*.\n\n"+
		"- check the valve\n- check the fuse of %d A\n\n| name | port |\n|---|---|\n| web%d | %d |\n\n```sh\n./start --unit %d\n```\n\n", i, i, i%97, i%16, i, 8000+i, i)
}

func repeated(size int, part func(i int) string) []byte {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(part(i))
	}
	return []byte(b.String())
}

// processor returns the time of the processor that this process has used: what
// else the machine does has no part in it.
func processor() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestGrowth holds time and memory of the whole way against the size of one
// document: four times the bytes may take six times as long, not sixteen.
func TestGrowth(t *testing.T) {
	inputs := map[string]func(size int) []byte{
		"pages":           func(n int) []byte { return repeated(n, unitPage) },
		"one line":        func(n int) []byte { return repeated(n, func(int) string { return "word " }) },
		"one word":        func(n int) []byte { return repeated(n, func(int) string { return "x" }) },
		"one Han line":    func(n int) []byte { return repeated(n, func(int) string { return "船" }) },
		"deep quotes":     func(n int) []byte { return repeated(n, func(int) string { return "> " }) },
		"lists in a line": func(n int) []byte { return repeated(n, func(int) string { return "- " }) },
		"link definitions": func(n int) []byte {
			return repeated(n, func(i int) string { return fmt.Sprintf("[a%d]: /u%d\n", i, i) })
		},
		"brackets": func(n int) []byte { return repeated(n, func(int) string { return "[" }) },
		"one table": func(n int) []byte {
			return append([]byte("|a|b|\n|-|-|\n"), repeated(n, func(i int) string { return fmt.Sprintf("|%d|x|\n", i) })...)
		},
		"one fence": func(n int) []byte {
			return append([]byte("```go\n"), repeated(n, func(i int) string { return fmt.Sprintf("var x%d = %d\n", i, i) })...)
		},
		"headings": func(n int) []byte { return repeated(n, func(i int) string { return fmt.Sprintf("# h%d\n", i) }) },
	}
	small := 1 << 18
	if long() {
		small = 4 << 20
	}
	opt, err := cantle.Options{}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	measure := func(src []byte) (seconds float64, bytes uint64) {
		best := time.Hour
		var before, after runtime.MemStats
		for range 2 { // the machine may be busy with something else
			runtime.GC()
			runtime.ReadMemStats(&before)
			start := processor()
			if _, err := cantle.Chunk(context.Background(), "a.md", src, opt); err != nil {
				t.Fatal(err)
			}
			best = min(best, processor()-start)
			runtime.ReadMemStats(&after)
		}
		return best.Seconds(), after.TotalAlloc - before.TotalAlloc
	}
	for name, make := range inputs {
		a, b := make(small), make(4*small)
		sa, ma := measure(a)
		sb, mb := measure(b)
		t.Logf("%-16s %4d MB/s, %.1f times as long, %.1f times the memory for 4 times the bytes, %d bytes a byte", name, int(float64(len(b))/sb/1e6), sb/sa, float64(mb)/float64(ma), mb/uint64(len(b)))
		if sb > 0.5 && sb/sa > 9 {
			t.Errorf("%s: 4 times the bytes take %.1f times as long", name, sb/sa)
		}
		if mb > 64<<20 && float64(mb)/float64(ma) > 6 {
			t.Errorf("%s: 4 times the bytes take %.1f times the memory", name, float64(mb)/float64(ma))
		}
	}
}

// TestTenMegabytesInALine takes real text where it is there.
func TestTenMegabytesInALine(t *testing.T) {
	if !long() {
		t.Skip("CANTLE_LONG is not set")
	}
	var line strings.Builder
	filepath.WalkDir(shared(t, "corpora/markdown"), func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && line.Len() < 10<<20 {
			src, _ := os.ReadFile(p)
			line.WriteString(strings.ReplaceAll(string(src), "\n", " "))
		}
		return nil
	})
	start := time.Now()
	chunks, err := cantle.Chunk(context.Background(), "a.md", []byte(line.String()), cantle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d MB, %d chunks, %v", line.Len()>>20, len(chunks), time.Since(start))
	if d := time.Since(start); d > time.Minute {
		t.Errorf("took %v", d)
	}
}
