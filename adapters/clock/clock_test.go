package clock_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/clock"
)

func TestNowIsUTCInMilliseconds(t *testing.T) {
	is := is.New(t)
	before := time.Now().Truncate(time.Millisecond)
	now := clock.NewSystem().Now()
	after := time.Now()
	is.Equal(now.Location(), time.UTC)
	is.Equal(now.Nanosecond()%int(time.Millisecond), 0)
	is.True(!now.Before(before) && !now.After(after)) // between the instants around the call
}

func TestIDsAreUniqueAndOrdered(t *testing.T) {
	is := is.New(t)
	ids := make([]uuid.UUID, 2000)
	for i := range ids {
		ids[i] = clock.NewRandom().New()
	}
	is.Equal(ids[0].Version(), uuid.Version(7))
	inOrder := func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }
	is.True(slices.IsSortedFunc(ids, inOrder))
	is.Equal(len(slices.Compact(ids)), 2000) // all IDs are different
}

func TestRandomBytes(t *testing.T) {
	is := is.New(t)
	a, b := clock.NewRandom().Random(32), clock.NewRandom().Random(32)
	is.Equal(len(a), 32)
	is.Equal(len(b), 32)
	is.True(!bytes.Equal(a, b))                   // two calls return different bytes
	is.Equal(len(clock.NewRandom().Random(0)), 0) // no bytes for n = 0
}
