package command

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows bytes done on standard error, where that is a terminal.
type progress struct {
	bar *progressbar.ProgressBar // nil where nothing is shown
}

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &progress{}
	}
	return &progress{progressbar.NewOptions64(-1,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("cutting"),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish())}
}

func (p *progress) add(bytes int64) {
	if p.bar != nil {
		p.bar.Add64(bytes)
	}
}

// clear makes room for a line of text.
func (p *progress) clear() {
	if p.bar != nil {
		p.bar.Clear()
	}
}

func (p *progress) close() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
