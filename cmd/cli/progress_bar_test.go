package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/matryer/is"
)

func TestProgressBarIsNotWrittenToFile(t *testing.T) {
	is := is.New(t)
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	is.NoErr(err)
	defer func() { _ = file.Close() }()
	show := func(to terminal) {
		bar := newBar(to, 10, "lines")
		bar.set(5)
		bar.lines(10, true)
		bar.end()
	}

	show(terminal{err: file})
	written, err := os.ReadFile(file.Name())
	is.NoErr(err)
	is.Equal(string(written), "")

	var buffer bytes.Buffer // not even a file
	show(terminal{err: &buffer})
	is.Equal(buffer.String(), "")
}
