// Package filetest is the conformance suite of ports.Files. The test of each adapter calls Run.
package filetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/ports"
)

// errGone is the error of a test reader that fails before the end of its content.
var errGone = errors.New("the sender is gone")

// Run tests an implementation of ports.Files. Each call of open returns an implementation without
// files.
func Run(t *testing.T, open func(t *testing.T) ports.Files) {
	t.Helper()
	tests := []struct {
		name string
		run  func(t *testing.T, f ports.Files)
	}{
		{"Put stores the bytes of r and returns their number", put},
		{"A name consists of words of letters, digits and hyphens, separated by slashes", names},
		{"Put replaces an existing file", replace},
		{"If r fails, Put returns the error and changes nothing", brokenReader},
		{"If ctx ends, Put returns its error and changes nothing", endedContext},
		{"Open returns NotFound if there is no such file", missing},
		{"An open file can be read at any offset, by several readers at once", seek},
		{"An open file keeps its content when it is replaced or deleted", snapshot},
		{"Delete deletes the file; a missing file is ignored", remove},
		{"DeleteFolder deletes the files below a name, and no others", removeFolder},
		{"If ctx ends, DeleteFolder returns its error, and another call deletes the rest", interruptedFolder},
		{"Of a Put during DeleteFolder the file is stored or deleted, or it returns Unavailable", folderRace},
		{"DeleteIncomplete keeps complete files and those of running Puts", incomplete},
		{"An ended context ends Open, Delete, DeleteFolder and DeleteIncomplete", ended},
		{"Of several concurrent Puts one is stored completely", race},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, open(t)) })
	}
}

// read returns the content of a file.
func read(ctx context.Context, f ports.Files, name string) (data []byte, err error) {
	r, err := f.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return io.ReadAll(r)
}

// mustHold fails the test unless the content of the file with the given name is text.
func mustHold(t *testing.T, f ports.Files, name, text string) {
	t.Helper()
	got, err := read(t.Context(), f, name)
	if err != nil || string(got) != text {
		t.Fatalf("%s holds %q, %v; want %q", name, got, err, text)
	}
}

func mustPut(t *testing.T, f ports.Files, name, text string) {
	t.Helper()
	n, err := f.Put(t.Context(), name, strings.NewReader(text))
	if err != nil || n != int64(len(text)) {
		t.Fatalf("Put returned %d, %v", n, err)
	}
}

func put(t *testing.T, f ports.Files) {
	large := bytes.Repeat([]byte("0123456789abcdef"), 200_000) // larger than any buffer
	for name, data := range map[string][]byte{
		"empty": {}, "bytes": {0, 0xff, '\r', '\n', 0x1a}, "large": large,
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			n, err := f.Put(t.Context(), name, iotest.HalfReader(bytes.NewReader(data)))
			is.NoErr(err)
			is.Equal(n, int64(len(data)))
			got, err := read(t.Context(), f, name)
			is.NoErr(err)
			is.Equal(sha256.Sum256(got), sha256.Sum256(data))
		})
	}
}

func names(t *testing.T, f ports.Files) {
	good := []string{"a", "A-1", "submissions/018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10", "submissions/other", "a-b/c/d"}
	for _, name := range good {
		mustPut(t, f, name, name)
	}
	for _, name := range good {
		mustHold(t, f, name, name)
	}
	for _, name := range []string{"", ".", "..", "../a", "a/../b", "/a", "a/", "a//b", "a b", "é", "a.b", `a\b`, "a\x00b", "a\nb"} {
		is := is.New(t)
		_, err := f.Put(t.Context(), name, strings.NewReader("x"))
		is.True(err != nil) // Put rejects the name
		_, err = f.Open(t.Context(), name)
		is.True(err != nil)
		is.True(f.Delete(t.Context(), name) != nil)
		is.True(f.DeleteFolder(t.Context(), name) != nil)
	}
}

func replace(t *testing.T, f ports.Files) {
	mustPut(t, f, "a", "the first, which is longer")
	mustPut(t, f, "b", "another")
	mustPut(t, f, "a", "second")
	mustHold(t, f, "a", "second")
	mustHold(t, f, "b", "another")
}

func brokenReader(t *testing.T, f ports.Files) {
	for _, gone := range []error{errGone, io.ErrUnexpectedEOF} {
		t.Run(gone.Error(), func(t *testing.T) { checkBrokenReader(t, f, gone) })
	}
}

func checkBrokenReader(t *testing.T, f ports.Files, gone error) {
	is := is.New(t)
	broken := func() io.Reader {
		return io.MultiReader(strings.NewReader("half"), iotest.ErrReader(gone))
	}
	_, err := f.Put(t.Context(), "a/new", broken())
	is.True(errors.Is(err, gone))
	_, err = f.Open(t.Context(), "a/new")
	is.True(fault.Is(err, fault.NotFound))

	mustPut(t, f, "a/old", "whole")
	_, err = f.Put(t.Context(), "a/old", broken())
	is.True(errors.Is(err, gone))
	mustHold(t, f, "a/old", "whole")
}

// ender is an endless reader that repeats its text. From the second Read on, it cancels a context.
type ender struct {
	text string
	end  context.CancelFunc
	read bool
}

func (e *ender) Read(p []byte) (int, error) {
	if e.read {
		e.end()
	}
	e.read = true
	return copy(p, e.text), nil // never io.EOF
}

func endedContext(t *testing.T, f ports.Files) {
	is := is.New(t)
	mustPut(t, f, "old", "whole")
	for _, name := range []string{"old", "new"} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := f.Put(ctx, name, &ender{text: "half", end: cancel})
		is.True(errors.Is(err, context.Canceled)) // the context ends during a read
		_, err = f.Put(ctx, name, strings.NewReader("late"))
		is.True(errors.Is(err, context.Canceled)) // the context ends before the call
	}
	mustHold(t, f, "old", "whole")
	_, err := f.Open(t.Context(), "new")
	is.True(fault.Is(err, fault.NotFound))
}

func missing(t *testing.T, f ports.Files) {
	is := is.New(t)
	mustPut(t, f, "a/b", "x")
	for _, name := range []string{"c", "a", "a/c", "a/b/c"} {
		_, err := f.Open(t.Context(), name)
		is.True(fault.Is(err, fault.NotFound)) // none of the names is a file
	}
}

func seek(t *testing.T, f ports.Files) {
	is := is.New(t)
	mustPut(t, f, "a", "0123456789")
	one, err := f.Open(t.Context(), "a")
	is.NoErr(err)
	two, err := f.Open(t.Context(), "a")
	is.NoErr(err)
	end, err := one.Seek(0, io.SeekEnd)
	is.NoErr(err)
	is.Equal(end, int64(10))
	_, err = one.Seek(-3, io.SeekCurrent)
	is.NoErr(err)
	got, err := io.ReadAll(one)
	is.NoErr(err)
	is.Equal(string(got), "789")
	got, err = io.ReadAll(two)
	is.NoErr(err)
	is.Equal(string(got), "0123456789")
	is.NoErr(errors.Join(one.Close(), two.Close()))
}

func snapshot(t *testing.T, f ports.Files) {
	is := is.New(t)
	for name, change := range map[string]func() error{
		"replaced": func() error {
			_, err := f.Put(t.Context(), "replaced", strings.NewReader("other"))
			return err
		},
		"removed": func() error { return f.Delete(t.Context(), "removed") },
	} {
		mustPut(t, f, name, "before")
		r, err := f.Open(t.Context(), name)
		is.NoErr(err)
		is.NoErr(change())
		got, err := io.ReadAll(r)
		is.NoErr(errors.Join(err, r.Close()))
		is.Equal(string(got), "before") // the content when the file was opened
	}
}

func remove(t *testing.T, f ports.Files) {
	is := is.New(t)
	mustPut(t, f, "a/b", "x")
	mustPut(t, f, "a/c", "y")
	for range 2 { // the second time the file does not exist
		is.NoErr(f.Delete(t.Context(), "a/b"))
		_, err := f.Open(t.Context(), "a/b")
		is.True(fault.Is(err, fault.NotFound))
	}
	is.NoErr(f.Delete(t.Context(), "never/was"))
	mustHold(t, f, "a/c", "y")
	mustPut(t, f, "a/b", "again")
	mustHold(t, f, "a/b", "again")
}

func incomplete(t *testing.T, f ports.Files) {
	is := is.New(t)
	mustPut(t, f, "a", "complete")
	r, w := io.Pipe()
	stored := make(chan error, 1)
	go func() {
		_, err := f.Put(t.Context(), "b", r)
		stored <- err
	}()
	_, err := io.WriteString(w, "half ")
	is.NoErr(err)
	is.NoErr(f.DeleteIncomplete(t.Context()))
	_, err = io.WriteString(w, "whole")
	is.NoErr(err)
	is.NoErr(w.Close())
	is.NoErr(<-stored)
	mustHold(t, f, "a", "complete")
	mustHold(t, f, "b", "half whole")
}

func ended(t *testing.T, f ports.Files) {
	is := is.New(t)
	mustPut(t, f, "a", "x")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := f.Open(ctx, "a")
	is.True(errors.Is(err, context.Canceled))
	is.True(errors.Is(f.Delete(ctx, "a"), context.Canceled))
	is.True(errors.Is(f.DeleteFolder(ctx, "a"), context.Canceled))
	is.True(errors.Is(f.DeleteIncomplete(ctx), context.Canceled))
	mustHold(t, f, "a", "x")
}

func race(t *testing.T, f ports.Files) {
	is := is.New(t)
	const writers = 16
	whole := map[string]bool{}
	errs := make([]error, writers)
	var wg sync.WaitGroup
	for i := range writers {
		text := strings.Repeat(fmt.Sprintf("%02d", i), 10_000+i)
		whole[text] = true
		wg.Go(func() { _, errs[i] = f.Put(t.Context(), "dir/a", iotest.HalfReader(strings.NewReader(text))) })
	}
	wg.Wait()
	is.NoErr(errors.Join(errs...))
	got, err := read(t.Context(), f, "dir/a")
	is.NoErr(err)
	is.True(whole[string(got)])
}
