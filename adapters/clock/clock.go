// Package clock is the real time and real chance: what servers use where tests
// put fakes.
package clock

import (
	"crypto/rand"
	"time"

	"github.com/google/uuid"
	"lyceum/ports"
)

// System is the clock of the machine.
type System struct{}

var _ ports.Clock = System{}

// NewSystem returns the clock of the machine.
func NewSystem() System { return System{} }

// Now returns the present instant in UTC, cut to whole milliseconds.
func (System) Now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// Random makes ids and secrets from the operating system's cryptographic source.
type Random struct{}

var _ ports.IDs = Random{}

// NewRandom returns the source of ids and secrets.
func NewRandom() Random { return Random{} }

// New returns a UUID of version 7, so that later ids sort behind earlier ones
// of the same process. It panics when the machine has no source of chance: no
// server can run there.
func (Random) New() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// Random returns n random bytes.
func (Random) Random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never returns an error: it ends the program instead
	return b
}
