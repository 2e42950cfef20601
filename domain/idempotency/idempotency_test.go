package idempotency_test

import (
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/idempotency"
	"pgregory.net/rapid"
)

// Different requests have different ids and fingerprints, even if the concatenations of their parts
// are equal.
func TestPropertyFingerprints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SliceOf(rapid.Byte()), 0, 4)
		a, b := parts.Draw(t, "a"), parts.Draw(t, "b")
		same := len(a) == len(b)
		for i := range min(len(a), len(b)) {
			same = same && string(a[i]) == string(b[i])
		}
		if (idempotency.NewFingerprint(a...) == idempotency.NewFingerprint(b...)) != same {
			t.Fatalf("%q and %q", a, b)
		}
	})
}

func TestIDs(t *testing.T) {
	is := is.New(t)
	id := idempotency.NewID("POST", "/v2/groups", "k")
	is.Equal(id, idempotency.NewID("POST", "/v2/groups", "k"))
	is.True(id != idempotency.NewID("POST", "/v2/groupsk", ""))
	is.True(id != idempotency.NewID("POST", "/v1/groups", "k"))
	is.True(id != idempotency.NewID("PUT", "/v2/groups", "k"))
}

func TestCheck(t *testing.T) {
	is := is.New(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	r := idempotency.Record{Claim: idempotency.Claim{Fingerprint: idempotency.NewFingerprint([]byte("a")), At: at}}
	is.NoErr(r.Check(r.Fingerprint))
	is.True(errors.Is(r.Check(idempotency.NewFingerprint([]byte("b"))), idempotency.ErrKeyReused))
}
