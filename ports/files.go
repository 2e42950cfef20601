package ports

import (
	"context"
	"io"
)

// Files stores the bytes of submitted files. A name is one or more words of letters, digits and
// hyphens, joined by slashes.
type Files interface {
	// Put saves the bytes of r as the file name, replacing an existing one, and returns their
	// number. If r or ctx fails it returns that error and saves and replaces nothing. If the bytes
	// cannot be saved it returns fault.Full for lack of space and otherwise fault.Unavailable.
	Put(ctx context.Context, name string, r io.Reader) (int64, error)

	// Ready returns nil if a small file could be saved now, and otherwise the error that Put would
	// return.
	Ready(ctx context.Context) error

	// Open returns the current content of the file name, or NotFound if there is none. The caller
	// closes it. A later Put or Delete does not affect it.
	Open(ctx context.Context, name string) (io.ReadSeekCloser, error)

	// Delete deletes the file name; a file that does not exist is ignored.
	Delete(ctx context.Context, name string) error
}
