package schools

import (
	"context"
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
	"lyceum/test/conformance/storetest/fixture"
)

// Idempotency tests ports.IdempotencyRepo.
func Idempotency(t *testing.T, b fixture.Backend) {
	claim, find := fixture.ClaimedRequest, fixture.FindResponse
	full := idempotency.Response{
		Status: 201, Location: "https://lyceum.test/1", ContentType: "text/plain", ETag: `W/"1"`, Body: []byte{0, 'a', 0xff},
	}

	t.Run("Claim finds nothing, then the saved response", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := claim(w, "a", 0)
		_, found := find(w, c)
		is.Equal(found, false)
		for _, a := range []idempotency.Response{full, {Status: 204}} {
			c.ID[0]++
			w.Save(fixture.SavedResponse{Claim: c, Response: a})
			later := c
			later.At, later.Fingerprint = c.At.Add(time.Hour), idempotency.NewFingerprint()
			r, found := find(w, later)
			is.True(found)
			is.Equal(fixture.Diff(r, idempotency.Record{Claim: c, Response: a}), "")
		}
	})

	t.Run("A response saved a day ago counts as absent", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		old, fresh := claim(w, "old", idempotency.Retention), claim(w, "fresh", idempotency.Retention-time.Millisecond)
		w.Save(fixture.SavedResponse{Claim: old, Response: full}, fixture.SavedResponse{Claim: fresh, Response: full})
		_, found := find(w, claim(w, "old", 0))
		is.Equal(found, false)
		_, found = find(w, claim(w, "fresh", 0))
		is.True(found)
	})

	t.Run("An id without a response counts as absent", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			_, _, err := tx.Idempotency.Claim(ctx, claim(w, "a", 0), fixture.Expiry(claim(w, "a", 0)))
			return err
		})
		_, found := find(w, claim(w, "a", 0))
		is.Equal(found, false)
	})

	t.Run("SaveResponse returns an error for an id that the transaction has not claimed", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := claim(w, "a", 0)
		keep := func(ctx context.Context, tx ports.Tx) error { return tx.Idempotency.SaveResponse(ctx, c.ID, full) }
		is.True(w.Try(keep) != nil)
		w.Save(fixture.SavedResponse{Claim: c, Response: full})
		is.True(w.Try(keep) != nil)
	})

	t.Run("DeleteExpired deletes the oldest responses, up to limit", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		for i, key := range []string{"a", "b", "c", "d"} {
			w.Save(fixture.SavedResponse{Claim: claim(w, key, time.Duration(4-i)*time.Hour), Response: full})
		}
		until := w.Clock.Now().Add(-2 * time.Hour)
		for _, want := range []int{2, 1, 0} {
			w.Do(func(ctx context.Context, tx ports.Tx) error {
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
		is, w := is.New(t), fixture.NewWorld(t, b)
		id, other := w.IDs.New().String(), w.IDs.New().String()
		inBody, inLocation, another := claim(w, "body", 0), claim(w, "location", 0), claim(w, "another", 0)
		about := idempotency.Response{Status: 201, ETag: "e", ContentType: "text/plain", Body: []byte("ids " + other + ", " + strings.ToUpper(id) + ".")}
		at := idempotency.Response{Status: 201, Location: "https://lyceum.test/people/" + id}
		w.Save(fixture.SavedResponse{Claim: inBody, Response: about}, fixture.SavedResponse{Claim: inLocation, Response: at}, fixture.SavedResponse{Claim: another, Response: idempotency.Response{Status: 200, Body: []byte(other)}})
		neighbor := w
		neighbor.Tenant = w.OtherTenant
		neighbor.Save(fixture.SavedResponse{Claim: inBody, Response: about})
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Idempotency.EraseByPerson(ctx, person.ID{UUID: uuid.MustParse(id)}, math.MaxInt32))
		})
		for _, c := range []idempotency.Claim{inBody, inLocation} {
			r, found := find(w, c)
			is.True(found) // the request must not be executed again
			want := idempotency.Record{Claim: idempotency.Claim{ID: c.ID, At: c.At}, Response: idempotency.Response{Status: idempotency.Erased}}
			r.Body = nil
			is.Equal(fixture.Diff(r, want), "")
			is.Equal(r.Check(c.Fingerprint), idempotency.ErrErased)
		}
		r, _ := find(w, another)
		is.Equal(r.Status, 200)
		r, _ = find(neighbor, inBody)
		is.Equal(r.Status, 201)
	})

	t.Run("A response with the id of a partnership mentions its person, even after the partnership is deleted", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		ended, kept := w.NewPartner(ada.ID, person.Instructor), w.NewPartner(grace.ID, person.Instructor)
		w.Save(ended, kept)
		of, other := claim(w, "ended", 0), claim(w, "kept", 0)
		w.Save(fixture.SavedResponse{Claim: of, Response: idempotency.Response{Status: 201, Body: []byte("ids " + w.IDs.New().String() + " " + ended.ID.String())}})
		w.Save(fixture.SavedResponse{Claim: other, Response: idempotency.Response{Status: 201, Body: []byte(kept.ID.String())}})
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Partnerships.Delete(ctx, ended.ID) })
		r, _ := find(w, of)
		is.Equal(r.Status, 201)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Idempotency.EraseByPerson(ctx, ada.ID, math.MaxInt32))
		})
		r, _ = find(w, of)
		is.Equal(r.Status, idempotency.Erased)
		r, _ = find(w, other)
		is.Equal(r.Status, 201)
	})

	t.Run("A response mentions the people that it is about", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test")
		c := claim(w, "about", 0)
		w.Save(fixture.SavedResponse{Claim: c, Response: idempotency.Response{Status: 409, About: []uuid.UUID{ada.ID.UUID}}})
		r, _ := find(w, c)
		is.Equal(r.Status, 409)
		is.Equal(r.About, nil)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Idempotency.EraseByPerson(ctx, ada.ID, math.MaxInt32))
		})
		r, _ = find(w, c)
		is.Equal(r.Status, idempotency.Erased)
	})

	t.Run("A response is erased if the person is deleted before it is saved", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p, staying := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		c, other := claim(w, "late", 0), claim(w, "staying", 0)
		answer := idempotency.Response{Status: 201, Body: []byte("ids " + w.IDs.New().String() + " " + staying.ID.String() + " " + p.ID.String())}
		deleted := make(chan error, 1)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if _, _, err := tx.Idempotency.Claim(ctx, c, fixture.Expiry(c)); err != nil {
				return err
			}
			go func() {
				deleted <- w.Store.InTx(w.Context(), w.ID, func(ctx context.Context, tx ports.Tx) error {
					if err := fixture.Second(tx.Idempotency.EraseByPerson(ctx, p.ID, math.MaxInt32)); err != nil {
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
		is.Equal(fixture.Diff(r, idempotency.Record{Claim: idempotency.Claim{ID: c.ID, At: c.At}, Response: idempotency.Response{Status: idempotency.Erased}}), "")
		w.Save(fixture.SavedResponse{Claim: other, Response: idempotency.Response{Status: 201, Body: []byte(staying.ID.String())}})
		r, _ = find(w, other)
		is.Equal(r.Status, 201)
	})

	t.Run("A person is deleted after a response that mentions the person is saved", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := w.AddPerson("ada@example.test")
		c := claim(w, "early", 0)
		deleted := make(chan error, 1)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if err := fixture.Add(ctx, tx, fixture.SavedResponse{Claim: c, Response: idempotency.Response{Status: 201, Body: []byte(p.ID.String())}}); err != nil {
				return err
			}
			go func() {
				deleted <- w.Store.InTx(w.Context(), w.ID, func(ctx context.Context, tx ports.Tx) error {
					return fixture.Second(tx.Idempotency.EraseByPerson(ctx, p.ID, math.MaxInt32))
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
		is, w := is.New(t), fixture.NewWorld(t, b)
		const age = 200_000 * time.Hour // older than the responses of other tests
		neighbor := w
		neighbor.Tenant = w.OtherTenant
		w.Save(fixture.SavedResponse{Claim: claim(w, "a", age), Response: full}, fixture.SavedResponse{Claim: claim(w, "b", age), Response: full}, fixture.SavedResponse{Claim: claim(w, "c", age-time.Hour), Response: full})
		neighbor.Save(fixture.SavedResponse{Claim: claim(w, "a", age), Response: full})
		swept := 0
		for range 3 {
			n, err := w.Schools.DeleteExpiredResponses(w.Context(), w.Clock.Now().Add(-age), 2)
			is.NoErr(err)
			is.True(n <= 2)
			swept += n
		}
		is.Equal(swept, 3)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			n, err := tx.Idempotency.DeleteExpired(ctx, w.Clock.Now().Add(time.Hour-age), 9)
			is.Equal(n, 1) // the newer response remains
			return err
		})
	})

	t.Run("A claim blocks on another transaction with the same claim", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := claim(w, "race", 0)
		var carriedOut atomic.Int64
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				err := w.Store.InTx(w.Context(), w.ID, func(ctx context.Context, tx ports.Tx) error {
					_, found, err := tx.Idempotency.Claim(ctx, c, fixture.Expiry(c))
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
