package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// bar shows progress to somebody who looks at a terminal, and to nobody else.
type bar struct {
	shown *progressbar.ProgressBar
	t     terminal
}

// newBar returns a bar to so many things of a kind; -1 is an unknown number.
func newBar(t terminal, total int, of string) bar {
	f, ok := t.err.(*os.File)
	if !ok {
		return bar{}
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return bar{}
	}
	return bar{progressbar.NewOptions(total,
		progressbar.OptionSetWriter(t.err), progressbar.OptionSetDescription(of),
		progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond)), t}
}

// set shows how many are done.
func (b bar) set(done int) {
	if b.shown != nil {
		_ = b.shown.Set(done) // progress that cannot be shown is no reason to stop
	}
}

// lines shows how many lines an import has read, and whether it writes them.
func (b bar) lines(n int, writing bool) {
	if b.shown != nil && writing {
		b.shown.Describe("written")
	}
	b.set(n)
}

// end ends the line.
func (b bar) end() {
	if b.shown != nil {
		_, _ = fmt.Fprintln(b.t.err)
	}
}
