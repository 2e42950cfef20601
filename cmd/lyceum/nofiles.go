package main

import (
	"context"
	"errors"
	"io"

	"lyceum/ports"
)

// errNoFiles is what commands get that need no files and ask for one.
var errNoFiles = errors.New("this command keeps no files")

// noFiles stands in the place of files for commands that need none.
type noFiles struct{}

var _ ports.Files = noFiles{}

// Put refuses.
func (noFiles) Put(context.Context, string, io.Reader) (int64, error) { return 0, errNoFiles }

// Ready refuses.
func (noFiles) Ready(context.Context) error { return errNoFiles }

// Open refuses.
func (noFiles) Open(context.Context, string) (io.ReadSeekCloser, error) { return nil, errNoFiles }

// Remove refuses.
func (noFiles) Remove(context.Context, string) error { return errNoFiles }
