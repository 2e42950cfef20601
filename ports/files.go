package ports

import (
	"context"
	"io"
)

// Files keeps the bytes of files that people hand in. A name is one or more
// words of letters, digits and hyphens, joined by slashes.
type Files interface {
	// Put keeps the bytes of r as the file called name, in the place of one that
	// there was, and returns how many there were. When r or ctx fails it returns
	// that error, and nothing is kept and nothing replaced. When the bytes cannot be
	// kept it returns fault.Full for want of space, else fault.Unavailable.
	Put(ctx context.Context, name string, r io.Reader) (int64, error)

	// Ready returns nil if a small file could be kept now, else the error that Put
	// would return.
	Ready(ctx context.Context) error

	// Open returns the file called name as it is now, whatever becomes of it, to be
	// closed by the caller; NotFound when there is none.
	Open(ctx context.Context, name string) (io.ReadSeekCloser, error)

	// Remove forgets the file called name; one that there is not is passed over.
	Remove(ctx context.Context, name string) error
}
