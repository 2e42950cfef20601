package replay_test

import (
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/replay"
	"pgregory.net/rapid"
)

// Requests that differ anywhere have other ids and fingerprints, even when their
// parts read the same one behind the other.
func TestPropertyFingerprints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SliceOf(rapid.Byte()), 0, 4)
		a, b := parts.Draw(t, "a"), parts.Draw(t, "b")
		same := len(a) == len(b)
		for i := range min(len(a), len(b)) {
			same = same && string(a[i]) == string(b[i])
		}
		if (replay.NewFingerprint(a...) == replay.NewFingerprint(b...)) != same {
			t.Fatalf("%q and %q", a, b)
		}
	})
}

func TestIDs(t *testing.T) {
	is := is.New(t)
	id := replay.NewID("POST", "/v2/groups", "k")
	is.Equal(id, replay.NewID("POST", "/v2/groups", "k"))
	is.True(id != replay.NewID("POST", "/v2/groupsk", ""))
	is.True(id != replay.NewID("POST", "/v1/groups", "k"))
	is.True(id != replay.NewID("PUT", "/v2/groups", "k"))
}

func TestCheck(t *testing.T) {
	is := is.New(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	r := replay.Record{Claim: replay.Claim{Fingerprint: replay.NewFingerprint([]byte("a")), At: at}}
	is.NoErr(r.Check(r.Fingerprint))
	is.True(errors.Is(r.Check(replay.NewFingerprint([]byte("b"))), replay.ErrOther))
	is.Equal(r.Expired(), at.AddDate(0, 0, -1))
}
