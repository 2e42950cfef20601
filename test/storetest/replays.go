package storetest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/replay"
	"lyceum/ports"
)

// replays tests ports.ReplayRepo.
func replays(t *testing.T, b Backend) {
	claim := func(w world, key string, age time.Duration) replay.Claim {
		return replay.Claim{
			ID: replay.NewID("POST", "/", key), Fingerprint: replay.NewFingerprint([]byte(key)), At: w.clock.Now().Add(-age),
		}
	}
	full := replay.Answer{
		Status: 201, Location: "https://lyceum.test/1", ContentType: "text/plain", ETag: `W/"1"`, Body: []byte{0, 'a', 0xff},
	}
	find := func(w world, c replay.Claim) (r replay.Record, found bool) {
		give := errors.New("looked only")
		err := w.try(func(ctx context.Context, tx ports.Tx) (err error) {
			if r, found, err = tx.Replays.Claim(ctx, c); err == nil {
				err = give
			}
			return err
		})
		if !errors.Is(err, give) {
			w.t.Fatal(err)
		}
		return r, found
	}

	t.Run("Claim finds nothing, then what was kept", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		c := claim(w, "a", 0)
		_, found := find(w, c)
		is.Equal(found, false)
		for _, a := range []replay.Answer{full, {Status: 204}} {
			c.ID[0]++
			w.keep(answered{c, a})
			later := c
			later.At, later.Fingerprint = c.At.Add(time.Hour), replay.NewFingerprint()
			r, found := find(w, later)
			is.True(found)
			is.Equal(diff(r, replay.Record{Claim: c, Answer: a}), "")
		}
	})

	t.Run("What was kept a day ago counts as absent", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		old, fresh := claim(w, "old", replay.Lifetime), claim(w, "fresh", replay.Lifetime-time.Millisecond)
		w.keep(answered{old, full}, answered{fresh, full})
		_, found := find(w, claim(w, "old", 0))
		is.Equal(found, false)
		_, found = find(w, claim(w, "fresh", 0))
		is.True(found)
	})

	t.Run("An id under which nothing was kept counts as absent", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			_, _, err := tx.Replays.Claim(ctx, claim(w, "a", 0))
			return err
		})
		_, found := find(w, claim(w, "a", 0))
		is.Equal(found, false)
	})

	t.Run("Keep refuses an id that the transaction has not taken", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		c := claim(w, "a", 0)
		keep := func(ctx context.Context, tx ports.Tx) error { return tx.Replays.Keep(ctx, c.ID, full) }
		is.True(w.try(keep) != nil)
		w.keep(answered{c, full})
		is.True(w.try(keep) != nil)
	})

	t.Run("Forget removes the oldest, as many as it may", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		for i, key := range []string{"a", "b", "c", "d"} {
			w.keep(answered{claim(w, key, time.Duration(4-i)*time.Hour), full})
		}
		until := w.clock.Now().Add(-2 * time.Hour)
		for _, want := range []int{2, 1, 0} {
			w.do(func(ctx context.Context, tx ports.Tx) error {
				n, err := tx.Replays.Forget(ctx, until, 2)
				is.Equal(n, want)
				return err
			})
		}
		_, found := find(w, claim(w, "d", 0))
		is.True(found)
		_, found = find(w, claim(w, "c", 0))
		is.Equal(found, false)
	})

	t.Run("A claim waits for another transaction's", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		c := claim(w, "race", 0)
		var carriedOut atomic.Int64
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				err := w.store.InTx(w.ctx(), w.id, func(ctx context.Context, tx ports.Tx) error {
					_, found, err := tx.Replays.Claim(ctx, c)
					if err != nil || found {
						return err
					}
					time.Sleep(2 * time.Millisecond)
					if err := tx.Replays.Keep(ctx, c.ID, full); err != nil {
						return err
					}
					carriedOut.Add(1)
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		is.Equal(carriedOut.Load(), int64(1))
	})
}
