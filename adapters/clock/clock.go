// Package clock implements the ports of time and IDs with the system clock and random source. Tests
// use fakes instead.
package clock

import (
	"crypto/rand"
	"time"

	"github.com/google/uuid"
	"lyceum/ports"
)

// System is the system clock.
type System struct{}

var _ ports.Clock = System{}

// NewSystem returns the system clock.
func NewSystem() System { return System{} }

// Now implements ports.Clock.
func (System) Now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// Random generates IDs and secrets from the cryptographic random source of the operating system.
type Random struct{}

var _ ports.IDs = Random{}

// NewRandom returns a Random.
func NewRandom() Random { return Random{} }

// New implements ports.IDs. The UUID has version 7, so the IDs of one process are in the order of
// their creation. New panics if the machine has no random source.
func (Random) New() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// Random implements ports.IDs.
func (Random) Random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never returns an error: crypto/rand ends the program instead
	return b
}
