package filetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/ports"
)

func mustMiss(t *testing.T, f ports.Files, name string) {
	t.Helper()
	if _, err := f.Open(t.Context(), name); !fault.Is(err, fault.NotFound) {
		t.Fatalf("opening %s returned %v; want NotFound", name, err)
	}
}

func removeFolder(t *testing.T, f ports.Files) {
	is := is.New(t)
	var deleted []string
	for i := range 1100 { // more than a folder returns at once
		deleted = append(deleted, fmt.Sprintf("s/a/%d", i))
	}
	deleted = append(deleted, "s/a/0/x", "s/a/deep/er/y", "s/a/a")
	kept := []string{"s/a", "s/ab", "s/ab/x", "s/b/x", "a/x", "x"}
	for _, name := range append(deleted, kept...) {
		mustPut(t, f, name, name)
	}
	for range 2 { // the second time no file exists
		is.NoErr(f.DeleteFolder(t.Context(), "s/a"))
		for _, name := range deleted {
			mustMiss(t, f, name)
		}
	}
	is.NoErr(f.DeleteFolder(t.Context(), "never/was"))
	is.NoErr(f.DeleteFolder(t.Context(), "x")) // a file
	for _, name := range kept {
		mustHold(t, f, name, name)
	}
	mustPut(t, f, "s/a/1", "again")
	mustHold(t, f, "s/a/1", "again")
}

// endingContext is a context that ends after its error was read a number of times.
type endingContext struct {
	context.Context
	reads int
}

func (c *endingContext) Err() error {
	if c.reads--; c.reads < 0 {
		return context.Canceled
	}
	return c.Context.Err()
}

func interruptedFolder(t *testing.T, f ports.Files) {
	is := is.New(t)
	const n = 10
	name := func(i int) string { return fmt.Sprintf("a/%d", i) }
	for i := range n {
		mustPut(t, f, name(i), "x")
	}
	is.True(errors.Is(f.DeleteFolder(&endingContext{t.Context(), n / 2}, "a"), context.Canceled))
	left := 0
	for i := range n {
		if _, err := read(t.Context(), f, name(i)); err == nil {
			left++
		}
	}
	is.True(left > 0 && left < n)
	is.NoErr(f.DeleteFolder(t.Context(), "a"))
	for i := range n {
		mustMiss(t, f, name(i))
	}
}

func folderRace(t *testing.T, f ports.Files) {
	is := is.New(t)
	const rounds = 200
	errs := make([]error, rounds)
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range rounds {
			_, errs[i] = f.Put(t.Context(), fmt.Sprintf("s/a/%d", i), strings.NewReader("x"))
		}
	})
	for range rounds {
		is.NoErr(f.DeleteFolder(t.Context(), "s/a"))
	}
	wg.Wait()
	for _, err := range errs {
		is.True(err == nil || fault.Is(err, fault.Unavailable))
	}
	is.NoErr(f.DeleteFolder(t.Context(), "s/a"))
	for i := range rounds {
		mustMiss(t, f, fmt.Sprintf("s/a/%d", i))
	}
}
