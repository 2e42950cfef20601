package cli

import (
	"context"
	"errors"
	"io"

	"lyceum/ports"
)

var errNoFiles = errors.New("this command does not store files")

// noFiles implements ports.Files for commands that use no files.
type noFiles struct{}

var _ ports.Files = noFiles{}

// Put implements ports.Files.
func (noFiles) Put(context.Context, string, io.Reader) (int64, error) { return 0, errNoFiles }

// Ready implements ports.Files.
func (noFiles) Ready(context.Context) error { return errNoFiles }

// Open implements ports.Files.
func (noFiles) Open(context.Context, string) (io.ReadSeekCloser, error) { return nil, errNoFiles }

// Delete implements ports.Files.
func (noFiles) Delete(context.Context, string) error { return errNoFiles }

// DeleteFolder implements ports.Files.
func (noFiles) DeleteFolder(context.Context, string) error { return errNoFiles }

// DeleteIncomplete implements ports.Files.
func (noFiles) DeleteIncomplete(context.Context) error { return errNoFiles }
