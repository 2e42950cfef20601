package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progressBar shows progress if standard error is a terminal.
type progressBar struct {
	shown *progressbar.ProgressBar
	t     terminal
}

// newBar returns a bar for total things of a kind; -1 means that the total is unknown.
func newBar(t terminal, total int, of string) progressBar {
	f, ok := t.err.(*os.File)
	if !ok {
		return progressBar{}
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return progressBar{}
	}
	return progressBar{progressbar.NewOptions(total,
		progressbar.OptionSetWriter(t.err), progressbar.OptionSetDescription(of),
		progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond)), t}
}

// set shows that done things are complete.
func (b progressBar) set(done int) {
	if b.shown != nil {
		_ = b.shown.Set(done) // a failure to show progress is ignored
	}
}

// lines shows how many lines an import has read, and whether it is writing them.
func (b progressBar) lines(n int, writing bool) {
	if b.shown != nil && writing {
		b.shown.Describe("written")
	}
	b.set(n)
}

// end completes the line of the bar.
func (b progressBar) end() {
	if b.shown != nil {
		_, _ = fmt.Fprintln(b.t.err)
	}
}
