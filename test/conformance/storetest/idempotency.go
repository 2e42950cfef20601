package storetest

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/idempotency"
	"lyceum/domain/person"
	"lyceum/ports"
)

// idempotencyRepo tests ports.IdempotencyRepo.
func idempotencyRepo(t *testing.T, b Backend) {
	claim, find := claimedRequest, findResponse
	full := idempotency.Response{
		Status: 201, Location: "https://lyceum.test/1", ContentType: "text/plain", ETag: `W/"1"`, Body: []byte{0, 'a', 0xff},
	}

	t.Run("Claim finds nothing, then the saved response", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := claim(w, "a", 0)
		_, found := find(w, c)
		is.Equal(found, false)
		for _, a := range []idempotency.Response{full, {Status: 204}} {
			c.ID[0]++
			w.save(savedResponse{c, a})
			later := c
			later.At, later.Fingerprint = c.At.Add(time.Hour), idempotency.NewFingerprint()
			r, found := find(w, later)
			is.True(found)
			is.Equal(diff(r, idempotency.Record{Claim: c, Response: a}), "")
		}
	})

	t.Run("A response saved a day ago counts as absent", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		old, fresh := claim(w, "old", idempotency.Retention), claim(w, "fresh", idempotency.Retention-time.Millisecond)
		w.save(savedResponse{old, full}, savedResponse{fresh, full})
		_, found := find(w, claim(w, "old", 0))
		is.Equal(found, false)
		_, found = find(w, claim(w, "fresh", 0))
		is.True(found)
	})

	t.Run("An id without a response counts as absent", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			_, _, err := tx.Idempotency.Claim(ctx, claim(w, "a", 0), expiry(claim(w, "a", 0)))
			return err
		})
		_, found := find(w, claim(w, "a", 0))
		is.Equal(found, false)
	})

	t.Run("SaveResponse returns an error for an id that the transaction has not claimed", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := claim(w, "a", 0)
		keep := func(ctx context.Context, tx ports.Tx) error { return tx.Idempotency.SaveResponse(ctx, c.ID, full) }
		is.True(w.try(keep) != nil)
		w.save(savedResponse{c, full})
		is.True(w.try(keep) != nil)
	})

	t.Run("DeleteExpired deletes the oldest responses, up to limit", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		for i, key := range []string{"a", "b", "c", "d"} {
			w.save(savedResponse{claim(w, key, time.Duration(4-i)*time.Hour), full})
		}
		until := w.clock.Now().Add(-2 * time.Hour)
		for _, want := range []int{2, 1, 0} {
			w.do(func(ctx context.Context, tx ports.Tx) error {
				n, err := tx.Idempotency.DeleteExpired(ctx, until, 2)
				is.Equal(n, want)
				return err
			})
		}
		_, found := find(w, claim(w, "d", 0))
		is.True(found)
		_, found = find(w, claim(w, "c", 0))
		is.Equal(found, false)
	})

	t.Run("EraseByPerson erases the responses that name the person, but not their ids", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		id, other := w.ids.New().String(), w.ids.New().String()
		inBody, inLocation, another := claim(w, "body", 0), claim(w, "location", 0), claim(w, "another", 0)
		about := idempotency.Response{Status: 201, ETag: "e", ContentType: "text/plain", Body: []byte("ids " + other + ", " + strings.ToUpper(id) + ".")}
		at := idempotency.Response{Status: 201, Location: "https://lyceum.test/people/" + id}
		w.save(savedResponse{inBody, about}, savedResponse{inLocation, at}, savedResponse{another, idempotency.Response{Status: 200, Body: []byte(other)}})
		neighbor := w
		neighbor.tenant = w.otherTenant
		neighbor.save(savedResponse{inBody, about})
		w.do(func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Idempotency.EraseByPerson(ctx, person.ID{UUID: uuid.MustParse(id)}, math.MaxInt32))
		})
		for _, c := range []idempotency.Claim{inBody, inLocation} {
			r, found := find(w, c)
			is.True(found) // the request must not be executed again
			want := idempotency.Record{Claim: idempotency.Claim{ID: c.ID, At: c.At}, Response: idempotency.Response{Status: idempotency.Erased}}
			r.Body = nil
			is.Equal(diff(r, want), "")
			is.Equal(r.Check(c.Fingerprint), idempotency.ErrErased)
		}
		r, _ := find(w, another)
		is.Equal(r.Status, 200)
		r, _ = find(neighbor, inBody)
		is.Equal(r.Status, 201)
	})

	t.Run("A response with the id of a partnership mentions its person, even after the partnership is deleted", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		ended, kept := w.newPartner(ada.ID, person.Instructor), w.newPartner(grace.ID, person.Instructor)
		w.save(ended, kept)
		of, other := claim(w, "ended", 0), claim(w, "kept", 0)
		w.save(savedResponse{of, idempotency.Response{Status: 201, Body: []byte("ids " + w.ids.New().String() + " " + ended.ID.String())}})
		w.save(savedResponse{other, idempotency.Response{Status: 201, Body: []byte(kept.ID.String())}})
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Partnerships.Delete(ctx, ended.ID) })
		r, _ := find(w, of)
		is.Equal(r.Status, 201)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Idempotency.EraseByPerson(ctx, ada.ID, math.MaxInt32))
		})
		r, _ = find(w, of)
		is.Equal(r.Status, idempotency.Erased)
		r, _ = find(w, other)
		is.Equal(r.Status, 201)
	})

	t.Run("A response is erased if the person is deleted before it is saved", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p, staying := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		c, other := claim(w, "late", 0), claim(w, "staying", 0)
		answer := idempotency.Response{Status: 201, Body: []byte("ids " + w.ids.New().String() + " " + staying.ID.String() + " " + p.ID.String())}
		deleted := make(chan error, 1)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if _, _, err := tx.Idempotency.Claim(ctx, c, expiry(c)); err != nil {
				return err
			}
			go func() {
				deleted <- w.store.InTx(w.ctx(), w.id, func(ctx context.Context, tx ports.Tx) error {
					if err := second(tx.Idempotency.EraseByPerson(ctx, p.ID, math.MaxInt32)); err != nil {
						return err
					}
					return tx.People.Delete(ctx, p.ID)
				})
			}()
			select { // a store may block the deletion until this transaction ends
			case err := <-deleted:
				deleted <- err
			case <-time.After(200 * time.Millisecond):
			}
			return tx.Idempotency.SaveResponse(ctx, c.ID, answer)
		})
		is.NoErr(<-deleted)
		r, found := find(w, c)
		is.True(found)
		r.Body = nil
		is.Equal(diff(r, idempotency.Record{Claim: idempotency.Claim{ID: c.ID, At: c.At}, Response: idempotency.Response{Status: idempotency.Erased}}), "")
		w.save(savedResponse{other, idempotency.Response{Status: 201, Body: []byte(staying.ID.String())}})
		r, _ = find(w, other)
		is.Equal(r.Status, 201)
	})

	t.Run("A person is deleted after a response that mentions the person is saved", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := w.addPerson("ada@example.test")
		c := claim(w, "early", 0)
		deleted := make(chan error, 1)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if err := add(ctx, tx, savedResponse{c, idempotency.Response{Status: 201, Body: []byte(p.ID.String())}}); err != nil {
				return err
			}
			go func() {
				deleted <- w.store.InTx(w.ctx(), w.id, func(ctx context.Context, tx ports.Tx) error {
					return second(tx.Idempotency.EraseByPerson(ctx, p.ID, math.MaxInt32))
				})
			}()
			select {
			case err := <-deleted:
				deleted <- err
			case <-time.After(200 * time.Millisecond):
			}
			return nil
		})
		is.NoErr(<-deleted)
		r, _ := find(w, c)
		is.Equal(r.Status, idempotency.Erased)
	})

	t.Run("DeleteExpiredResponses deletes the expired responses of all schools, up to limit", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		const age = 200_000 * time.Hour // older than the responses of other tests
		neighbor := w
		neighbor.tenant = w.otherTenant
		w.save(savedResponse{claim(w, "a", age), full}, savedResponse{claim(w, "b", age), full}, savedResponse{claim(w, "c", age-time.Hour), full})
		neighbor.save(savedResponse{claim(w, "a", age), full})
		swept := 0
		for range 3 {
			n, err := w.schools.DeleteExpiredResponses(w.ctx(), w.clock.Now().Add(-age), 2)
			is.NoErr(err)
			is.True(n <= 2)
			swept += n
		}
		is.Equal(swept, 3)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			n, err := tx.Idempotency.DeleteExpired(ctx, w.clock.Now().Add(time.Hour-age), 9)
			is.Equal(n, 1) // the newer response remains
			return err
		})
	})

	t.Run("A claim blocks on another transaction with the same claim", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := claim(w, "race", 0)
		var carriedOut atomic.Int64
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				err := w.store.InTx(w.ctx(), w.id, func(ctx context.Context, tx ports.Tx) error {
					_, found, err := tx.Idempotency.Claim(ctx, c, expiry(c))
					if err != nil || found {
						return err
					}
					time.Sleep(2 * time.Millisecond)
					if err := tx.Idempotency.SaveResponse(ctx, c.ID, full); err != nil {
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

// claimedRequest returns a claim of a request with the given idempotency key. The time of the claim
// is the duration age before now.
func claimedRequest(w world, key string, age time.Duration) idempotency.Claim {
	return idempotency.Claim{
		ID: idempotency.NewID("POST", "/", key), Fingerprint: idempotency.NewFingerprint([]byte(key)), At: w.clock.Now().Add(-age),
	}
}

// expiry returns the time at which, or before which, a record must be saved to have expired when c
// is claimed.
func expiry(c idempotency.Claim) time.Time { return c.At.Add(-idempotency.Retention) }

// findResponse returns the record that Claim finds for c. It rolls the claim back.
func findResponse(w world, c idempotency.Claim) (r idempotency.Record, found bool) {
	give := errors.New("looked only")
	err := w.try(func(ctx context.Context, tx ports.Tx) (err error) {
		if r, found, err = tx.Idempotency.Claim(ctx, c, expiry(c)); err == nil {
			err = give
		}
		return err
	})
	if !errors.Is(err, give) {
		w.t.Fatal(err)
	}
	return r, found
}
