package fake

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"

	"github.com/google/uuid"
	"lyceum/ports"
)

// IDs creates UUIDs by counting, and random bytes from a fixed seed. Every IDs returns the same
// sequence.
type IDs struct {
	mu     sync.Mutex
	last   uint64
	random *rand.ChaCha8
}

var _ ports.IDs = (*IDs)(nil)

// NewIDs returns an IDs at the beginning of its sequence.
func NewIDs() *IDs {
	return &IDs{random: rand.NewChaCha8([32]byte{})}
}

// New returns 00000000-0000-7000-8000-000000000001, then the same ending in 2, and so on. These are
// version 7 UUIDs of RFC 9562 in ascending order.
func (i *IDs) New() uuid.UUID {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.last++
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[8:], i.last)
	id[6], id[8] = 0x70, 0x80|id[8]&0x3f
	return id
}

// Random returns the next n bytes of the fixed sequence.
func (i *IDs) Random(n int) []byte {
	i.mu.Lock()
	defer i.mu.Unlock()
	b := make([]byte, n)
	_, _ = i.random.Read(b) // never fails
	return b
}
