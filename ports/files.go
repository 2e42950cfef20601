package ports

import (
	"context"
	"io"
)

// Files stores the bytes of submitted files. A name is one or more words of letters, digits and
// hyphens, joined by slashes.
type Files interface {
	// Put saves the bytes of r as the file with the given name, replaces an existing file, and
	// returns the number of bytes. If r or ctx fails, Put returns that error and changes nothing.
	// If the bytes cannot be saved, it returns fault.Full for lack of space, and otherwise
	// fault.Unavailable.
	Put(ctx context.Context, name string, r io.Reader) (int64, error)

	// Ready returns nil if a small file can be saved now, and otherwise the error that Put would
	// return.
	Ready(ctx context.Context) error

	// Open returns the current content of the file with the given name, or NotFound if there is
	// none. The caller must close it. A later Put or Delete does not affect the open file.
	Open(ctx context.Context, name string) (io.ReadSeekCloser, error)

	// Delete deletes the file with the given name. It does nothing if there is none.
	Delete(ctx context.Context, name string) error

	// DeleteFolder deletes all files with a name that begins with the given name and a slash. It
	// does nothing if there is none. If ctx ends, it returns the error of ctx and some of the files
	// remain; another call deletes the rest. A file that a concurrent Put stores may remain, or
	// that Put returns fault.Unavailable.
	DeleteFolder(ctx context.Context, name string) error

	// DeleteIncomplete deletes the bytes of each incomplete Put that stored the last of them more
	// than two hours ago. The process of such a Put has ended: an upload takes at most an hour.
	DeleteIncomplete(ctx context.Context) error
}
