package view_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/view"
)

// browser starts a Chromium of its own. The tests run where there is one and
// CANTLE_LONG is set; CANTLE_SCREENSHOTS names a folder for pictures of them.
func browser(t *testing.T) context.Context {
	t.Helper()
	if os.Getenv("CANTLE_LONG") == "" {
		t.Skip("CANTLE_LONG is not set")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip(err)
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-sync", true), chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1440, 900))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	err = chromedp.Do(ctx, chromedp.Navigate("about:blank"))
	if err != nil {
		t.Fatal(err)
	}
	chromedp.Listen(ctx, func(event any) {
		if name := fmt.Sprintf("%T", event); strings.Contains(name, "ExceptionThrown") {
			t.Errorf("the page throws: %+v", event)
		}
	})
	return ctx
}

func run(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// eval returns what a script gives, as text.
func eval(t *testing.T, ctx context.Context, script string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	s, err := chromedp.Run(ctx, chromedp.Evaluate[string]("String("+script+")"))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return s
}

// until waits for a script to give true.
func until(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	for range 100 {
		if eval(t, ctx, script) == "true" {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("never: %s", script)
}

func screenshot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	dir := os.Getenv("CANTLE_SCREENSHOTS")
	if dir == "" {
		return
	}
	time.Sleep(300 * time.Millisecond)
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o666); err != nil {
		t.Fatal(err)
	}
}

const guide = `---
title: Harbour guide
---

# Harbour guide

How ships are moored, which berth takes what, and how the crane is run. Read it before the first shift; the harbour master asks about it.

## Berths

The berths are numbered from the lighthouse. Each has a depth and a length, and a ship that is longer is sent on.

| berth | depth | length | crane |
|-------|-------|--------|-------|
%s
Berths with an odd number are on the sea side. 码头按灯塔方向编号，水深以米计，潮汐每天公布两次。

## The crane

The crane is driven by a program. It lifts, turns and sets down:

` + "```python\ndef lift(load, height):\n    \"\"\"Lift a load to a height, in metres.\"\"\"\n    for step in range(height):\n        motor.up(step)\n        if motor.strain() > load.limit:\n            motor.stop()\n            raise Overload(load)\n    return motor.position()\n\n\ndef turn(degrees):\n    while motor.angle() < degrees:\n        motor.left()\n```\n" + `
### When it stops

1. Press the red button.
2. Wait for the light to go out. It takes up to a minute, since the brakes must cool.
3. Call the harbour master.

> The crane is never left with a load. Whoever leaves it so pays for the next round.
`

func document() []byte {
	var rows strings.Builder
	for i := 1; i <= 24; i++ {
		fmt.Fprintf(&rows, "| %d | %d m | %d m | %s |\n", i, 6+i%5, 40+7*i, map[bool]string{true: "yes", false: "no"}[i%3 == 0])
	}
	return fmt.Appendf(nil, guide, rows.String())
}

func cutter(name string, src []byte) view.Cutter {
	return func(ctx context.Context, asked string, s view.Settings) (*view.Document, error) {
		doc, err := cantle.Parse(name, src, cantle.ParseOptions{})
		if err != nil {
			return nil, err
		}
		set, err := cut(ctx, name, src, s)
		if err != nil {
			return nil, err
		}
		return view.New(doc, set), nil
	}
}

func cut(ctx context.Context, name string, src []byte, s view.Settings) (view.Set, error) {
	doc, err := cantle.Parse(name, src, cantle.ParseOptions{})
	if err != nil {
		return view.Set{}, err
	}
	var opt cantle.Options
	opt.Cut.Max, opt.Cut.Overlap, opt.Cut.Isolate = s.Max, s.Overlap, s.Isolate
	chunks, err := cantle.Cut(ctx, doc, opt)
	return view.NewSet(doc, s, chunks), err
}

var settings = view.Settings{Max: 120, Encoding: "cl100k_base", Context: true}

// serve opens the page of a document.
func serve(t *testing.T, ctx context.Context, name string, src []byte) {
	t.Helper()
	server := httptest.NewServer(view.Handler([]string{name}, settings, cutter(name, src)))
	t.Cleanup(server.Close)
	run(t, ctx, chromedp.Navigate(server.URL))
	until(t, ctx, `document.querySelectorAll('#chunks .row').length > 0`)
}

// change sets a number as a hand would.
func change(t *testing.T, ctx context.Context, id, value string) {
	t.Helper()
	eval(t, ctx, fmt.Sprintf(`(() => { const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event('input')); e.dispatchEvent(new Event('change')) })()`, id, value))
}

func TestWhatAPersonDoes(t *testing.T) {
	ctx := browser(t)
	serve(t, ctx, "harbour.md", document())

	// What is seen at first.
	if got := eval(t, ctx, `document.querySelectorAll('#source .cell.b0').length > 0 && document.querySelector('#tree .row').textContent`); got != "meta ---\\ntitle: Harbour guide\\n---" && !strings.HasPrefix(got, "meta") && !strings.HasPrefix(got, "section") {
		t.Errorf("the tree begins with %q", got)
	}
	first := eval(t, ctx, `document.getElementById('sum').textContent`)
	if !strings.HasSuffix(first, " chunks") {
		t.Errorf("the header says %q", first)
	}
	screenshot(t, ctx, "light")

	// Hover: why it is cut there.
	at, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](`(() => { const r = document.querySelector('#source .cell.cut').getBoundingClientRect(); return [r.x + 60, r.y + 10] })()`))
	if err != nil {
		t.Fatal(err)
	}
	run(t, ctx, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
	until(t, ctx, `!document.getElementById('tip').hidden`)
	if got := eval(t, ctx, `document.getElementById('tip').textContent`); !strings.Contains(got, "ends: ") || !strings.Contains(got, "of 120") {
		t.Errorf("the tip says %q", got)
	}
	screenshot(t, ctx, "hover")

	// Keys: a table's second piece, its header told apart.
	run(t, ctx, chromedp.Focus(chromedp.CSS("#source")))
	for range 30 {
		run(t, ctx, chromedp.KeyEvent("j"))
		if eval(t, ctx, `document.querySelector('#detail pre .head') !== null && document.querySelector('#detail pre').textContent.includes('berth')`) == "true" {
			break
		}
	}
	if got := eval(t, ctx, `document.querySelector('#detail pre .head').textContent`); !strings.HasPrefix(got, "| berth | depth |") {
		t.Errorf("the repeated head is %q", got)
	}
	if got := eval(t, ctx, `document.querySelector('#detail .why').textContent`); got == "" {
		t.Error("no reason")
	}
	if got := eval(t, ctx, `document.querySelectorAll('#chunks .row.sel').length`); got != "1" {
		t.Errorf("%s chunks are selected in the list", got)
	}
	screenshot(t, ctx, "selected")
	run(t, ctx, chromedp.KeyEvent(kb.Escape))
	if got := eval(t, ctx, `document.getElementById('detail').textContent`); got != "" {
		t.Errorf("after Escape: %q", got)
	}

	// Filters.
	run(t, ctx, chromedp.Click(chromedp.CSS("#type-text")))
	if got := eval(t, ctx, `document.getElementById('sum').textContent`); !strings.Contains(got, " of ") {
		t.Errorf("without text: %q", got)
	}
	if got := eval(t, ctx, `document.querySelectorAll('#chunks .bar.text').length`); got != "0" {
		t.Errorf("%s chunks of text are listed", got)
	}
	run(t, ctx, chromedp.Click(chromedp.CSS("#type-text")), chromedp.SendKeys(chromedp.CSS("#from"), "100"))
	if got := eval(t, ctx, `[...document.querySelectorAll('#chunks small')].every(s => parseInt(s.textContent) >= 100)`); got != "true" {
		t.Error("smaller chunks are listed")
	}
	change(t, ctx, "from", "")

	// Another limit: cut anew.
	change(t, ctx, "max0", "60")
	until(t, ctx, fmt.Sprintf(`document.getElementById('sum').textContent !== %q`, first))
	if got := eval(t, ctx, `document.querySelector('#chunks small').textContent.endsWith('/ 60')`); got != "true" {
		t.Error("the bars are not against the new limit")
	}
	change(t, ctx, "overlap0", "999")
	until(t, ctx, `document.getElementById('figures0').classList.contains('error')`)
	change(t, ctx, "overlap0", "0")
	change(t, ctx, "max0", "200")
	until(t, ctx, `!document.getElementById('figures0').classList.contains('error') && document.querySelector('#chunks small').textContent.endsWith('/ 200')`)

	// Two settings side by side, in the dark.
	run(t, ctx, chromedp.Click(chromedp.CSS("#compare")))
	until(t, ctx, `document.querySelectorAll('#source .row:first-child .cell').length === 2`)
	run(t, ctx, chromedp.Click(chromedp.CSS("#theme")))
	if got := eval(t, ctx, `document.documentElement.dataset.theme`); got != "dark" {
		t.Errorf("the theme is %q", got)
	}
	if got := eval(t, ctx, `document.querySelectorAll('#settings .set').length`); got != "2" {
		t.Errorf("%s settings", got)
	}
	screenshot(t, ctx, "compare-dark")
	run(t, ctx, chromedp.Click(chromedp.CSS("#compare")), chromedp.KeyEvent("j"), chromedp.KeyEvent("j"), chromedp.KeyEvent("j"))
	screenshot(t, ctx, "dark")
}

// A page of a file has no server: it opens, and compares what it was given.
func TestPageOfAFile(t *testing.T) {
	ctx := browser(t)
	src := document()
	doc, err := cantle.Parse("harbour.md", src, cantle.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var sets []view.Set
	for _, limit := range []int{120, 60} {
		set, err := cut(context.Background(), "harbour.md", src, view.Settings{Max: limit, Encoding: "cl100k_base", Context: true})
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, set)
	}
	var page bytes.Buffer
	if err := view.Write(&page, view.New(doc, sets...)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, page.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	run(t, ctx, chromedp.Navigate("file://"+file))
	until(t, ctx, `document.querySelectorAll('#chunks .row').length > 0`)
	run(t, ctx, chromedp.Click(chromedp.CSS("#compare")))
	until(t, ctx, `document.querySelectorAll('#source .row:first-child .cell').length === 2`)
	if got := eval(t, ctx, `document.querySelectorAll('#settings input').length`); got != "0" {
		t.Errorf("%s controls that cannot do anything", got)
	}
}

// 5 MB: the page is there soon, and a jump to the end draws at once.
func TestLargeDocument(t *testing.T) {
	ctx := browser(t)
	var b bytes.Buffer
	for i := 0; b.Len() < 5<<20; i++ {
		fmt.Fprintf(&b, "## Section %d\n\n", i)
		for k := range 12 {
			fmt.Fprintf(&b, "Sentence %d of section %d says that the tide is at %d decimetres. 第%d句说潮水很高。\n", k, i, i*k%97, k)
		}
		b.WriteByte('\n')
	}
	started := time.Now()
	serve(t, ctx, "large.md", b.Bytes())
	t.Logf("%d bytes open in %v", b.Len(), time.Since(started))
	took := eval(t, ctx, `(() => { const s = document.getElementById('source'); const t = performance.now(); for (let i = 1; i <= 50; i++) { s.scrollTop = s.scrollHeight * i / 50; source.draw(); } return (performance.now() - t) / 50 })()`)
	t.Logf("%s ms to draw after a jump", took)
	var ms float64
	fmt.Sscan(took, &ms)
	if ms > 50 {
		t.Errorf("%v ms to draw after a jump", ms)
	}
	if got := eval(t, ctx, `document.querySelectorAll('#source .row').length < 200`); got != "true" {
		t.Error("more rows than can be seen are drawn")
	}
	if got := eval(t, ctx, `(() => { const t = performance.now(); for (let i = 0; i < 20; i++) step(1); return (performance.now() - t) / 20 < 60 })()`); got != "true" {
		t.Error("a step to the next chunk takes long")
	}
	screenshot(t, ctx, "large")
}
