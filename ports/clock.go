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

// IDs generates unique and secret values.
type IDs interface {
	// New returns a UUID that was never returned before.
	New() uuid.UUID

	// Random returns n bytes from a cryptographic source.
	Random(n int) []byte
}
