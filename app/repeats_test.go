package app_test

import (
	"context"
	"errors"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/query"
	"lyceum/domain/replay"
	"lyceum/domain/school"
)

// What a request writes and its answer are kept together or not at all.
func TestARequestAndItsAnswerAreOne(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	request := app.Request{ID: replay.NewID("POST", "/", "k"), Fingerprint: replay.NewFingerprint([]byte("a"))}
	names := func() (names []string) {
		found, err := w.Categories.List(w.ctx, w.actor, query.Query{})
		is.NoErr(err)
		for _, c := range found.Items {
			names = append(names, c.Name)
		}
		return names
	}
	calls := 0
	create := func(after error) func(ctx context.Context, a app.Actor) (replay.Answer, error) {
		return func(ctx context.Context, a app.Actor) (replay.Answer, error) {
			calls++
			for _, name := range []string{"Music", "Maths"} {
				if _, err := w.Categories.Create(ctx, a, name); err != nil {
					return replay.Answer{}, err
				}
			}
			return replay.Answer{Status: 201, Body: []byte("made")}, after
		}
	}

	broken := errors.New("broken")
	_, _, err := w.Repeats.Once(w.ctx, w.actor, request, create(broken))
	is.Equal(err, broken)
	is.Equal(names(), []string{"Languages"}) // both are gone, though each was a use case of its own

	for _, again := range []bool{false, true} {
		answer, replayed, err := w.Repeats.Once(w.ctx, w.actor, request, create(nil))
		is.NoErr(err)
		is.Equal(replayed, again)
		is.Equal(answer, replay.Answer{Status: 201, Body: []byte("made")})
		is.Equal(names(), []string{"Languages", "Maths", "Music"})
	}
	is.Equal(calls, 2)

	request.Fingerprint = replay.NewFingerprint([]byte("b"))
	_, _, err = w.Repeats.Once(w.ctx, w.actor, request, create(nil))
	is.True(errors.Is(err, replay.ErrOther))
	is.Equal(calls, 2)
}

// What a dry run has done is never kept, even if nobody says that it failed.
func TestDryRunMarksSharedTxRollbackOnly(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	_, _, err := w.Repeats.Once(w.ctx, w.actor, app.Request{}, func(ctx context.Context, a app.Actor) (replay.Answer, error) {
		_, err := w.Categories.Create(ctx, a.DryRun(), "Music")
		return replay.Answer{Status: 201}, err
	})
	is.True(err != nil)
	found, err := w.Categories.List(w.ctx, w.actor, query.Query{})
	is.NoErr(err)
	is.Equal(len(found.Items), 1)
}
