package ports

import (
	"time"

	"github.com/google/uuid"
)

// Clock returns the time.
type Clock interface {
	// Now returns the current time in UTC, truncated to whole milliseconds.
	Now() time.Time
}

// IDs generates UUIDs and random bytes.
type IDs interface {
	// New returns a new UUID. It never returns the same UUID twice.
	New() uuid.UUID

	// Random returns n bytes from a cryptographic source.
	Random(n int) []byte
}
