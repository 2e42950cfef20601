package cli

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

// newBar returns a progress bar for a number of items; total is -1 if the number is unknown. The
// text in of describes the items.
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

// set shows the number of completed items.
func (b progressBar) set(done int) {
	if b.shown != nil {
		_ = b.shown.Set(done) // an error affects only the display
	}
}

// lines shows the number of lines that an import has read, and whether it is writing to the store.
func (b progressBar) lines(n int, writing bool) {
	if b.shown != nil && writing {
		b.shown.Describe("written")
	}
	b.set(n)
}

// end moves the cursor to the line after the bar.
func (b progressBar) end() {
	if b.shown != nil {
		_, _ = fmt.Fprintln(b.t.err)
	}
}
