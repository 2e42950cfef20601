package app_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/idempotency"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

// The writes of a request and its response are saved together or not at all.
func TestWritesAndResponseAreSavedTogether(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	request := app.IdempotentRequest{ID: idempotency.NewID("POST", "/", "k"), Fingerprint: idempotency.NewFingerprint([]byte("a"))}
	names := func() (names []string) {
		found, err := w.Categories.List(w.ctx, w.actor, query.Query{})
		is.NoErr(err)
		for _, c := range found.Items {
			names = append(names, c.Name)
		}
		return names
	}
	calls := 0
	create := func(after error) func(ctx context.Context, a app.Actor) (idempotency.Response, error) {
		return func(ctx context.Context, a app.Actor) (idempotency.Response, error) {
			calls++
			for _, name := range []string{"Music", "Maths"} {
				if _, err := w.Categories.Create(ctx, a, name); err != nil {
					return idempotency.Response{}, err
				}
			}
			return idempotency.Response{Status: 201, Body: []byte("made")}, after
		}
	}

	broken := errors.New("broken")
	_, _, err := w.Idempotency.Run(w.ctx, w.actor, request, create(broken))
	is.True(errors.Is(err, broken))
	is.Equal(names(), []string{"Languages"}) // both use cases are rolled back

	for _, again := range []bool{false, true} {
		answer, replayed, err := w.Idempotency.Run(w.ctx, w.actor, request, create(nil))
		is.NoErr(err)
		is.Equal(replayed, again)
		is.Equal(answer, idempotency.Response{Status: 201, Body: []byte("made")})
		is.Equal(names(), []string{"Languages", "Maths", "Music"})
	}
	is.Equal(calls, 2)

	request.Fingerprint = idempotency.NewFingerprint([]byte("b"))
	_, _, err = w.Idempotency.Run(w.ctx, w.actor, request, create(nil))
	is.True(errors.Is(err, idempotency.ErrKeyReused))
	is.Equal(calls, 2)
}

// A response is replayed, and survives the sweep, for exactly the configured time.
func TestResponsesAreKeptForTheConfiguredTime(t *testing.T) {
	for _, kept := range []time.Duration{idempotency.Retention, 3 * idempotency.Retention} {
		t.Run(kept.String(), func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, school.Preregistration)
			w.Idempotency.KeepFor(kept)
			request := app.IdempotentRequest{ID: idempotency.NewID("POST", "/", "k"), Fingerprint: idempotency.NewFingerprint([]byte("a"))}
			replayed := func() bool {
				_, replayed, err := w.Idempotency.Run(w.ctx, w.actor, request, func(context.Context, app.Actor) (idempotency.Response, error) {
					return idempotency.Response{Status: 201}, nil
				})
				is.NoErr(err)
				return replayed
			}
			is.True(!replayed())
			w.clock.Advance(kept - time.Millisecond)
			_, err := w.Idempotency.Sweep(w.ctx)
			is.NoErr(err)
			is.True(replayed())
			w.clock.Advance(time.Millisecond)
			is.True(!replayed())
		})
	}
}

// The writes of a dry run are rolled back, even if do returns no error.
func TestDryRunMarksSharedTxRollbackOnly(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	_, _, err := w.Idempotency.Run(w.ctx, w.actor, app.IdempotentRequest{}, func(ctx context.Context, a app.Actor) (idempotency.Response, error) {
		_, err := w.Categories.Create(ctx, a.DryRun(), "Music")
		return idempotency.Response{Status: 201}, err
	})
	is.True(err != nil)
	found, err := w.Categories.List(w.ctx, w.actor, query.Query{})
	is.NoErr(err)
	is.Equal(len(found.Items), 1)
}
