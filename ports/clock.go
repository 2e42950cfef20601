package ports

import (
	"time"

	"github.com/google/uuid"
)

// Clock tells the time.
type Clock interface {
	// Now returns the present instant in UTC, cut to whole milliseconds.
	Now() time.Time
}

// IDs makes what must be unique or secret.
type IDs interface {
	// New returns a UUID that was never returned before.
	New() uuid.UUID

	// Random returns n bytes from a cryptographic source.
	Random(n int) []byte
}
