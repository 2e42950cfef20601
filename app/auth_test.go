package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/test/kit/intercept"
)

func TestAuthenticateRefuses(t *testing.T) {
	w := newWorld(t, school.Preregistration)
	unknown := school.Secret(make([]byte, school.SecretBytes))
	for name, secret := range map[string]string{
		"nothing":                "",
		"no key at all":          "open sesame",
		"a mistyped key":         w.key[:len(w.key)-1] + "!",
		"a well-formed stranger": unknown,
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := w.Auth.Authenticate(w.ctx, secret)
			is.True(fault.Is(err, fault.Unauthenticated))
		})
	}
}

func TestRevocationHoldsWithinFiveSeconds(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	is.NoErr(w.Provision.RevokeKey(w.ctx, w.actor.Key()))
	w.clock.Advance(5 * time.Second)
	_, err := w.Auth.Authenticate(w.ctx, w.key)
	is.True(fault.Is(err, fault.Unauthenticated))
}

func TestAKeyShowsItsLastUseToTheMinute(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	lastUse := func() time.Time {
		keys, err := w.Provision.Keys(w.ctx, w.school)
		is.NoErr(err)
		return *keys[0].LastUsed
	}
	is.Equal(lastUse(), start)

	w.clock.Advance(59 * time.Second)
	_, err := w.Auth.Authenticate(w.ctx, w.key)
	is.NoErr(err)
	is.Equal(lastUse(), start) // not yet a minute

	w.clock.Advance(time.Minute)
	_, err = w.Auth.Authenticate(w.ctx, w.key)
	is.NoErr(err)
	is.Equal(lastUse(), start.Add(119*time.Second))
}

// A request that only reads is answered also by a database that accepts no writes.
func TestAuthenticateSucceedsWhenTheLastUseCannotBeRecorded(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	tried := 0
	a := app.New(w.store, intercept.Schools(w.schools, func(ctx context.Context, call string) error {
		if call != "Schools.TouchKey" {
			return nil
		}
		_, limited := ctx.Deadline()
		is.True(limited)
		tried++
		return fault.Busyf("read-only")
	}), w.queue, w.files, w.letters, w.clock, w.ids)
	authenticate := func() {
		t.Helper()
		actor, err := a.Auth.Authenticate(w.ctx, w.key)
		is.NoErr(err)
		is.Equal(actor, w.actor)
	}
	w.clock.Advance(2 * time.Minute)
	authenticate()
	is.Equal(tried, 1)
	w.clock.Advance(30 * time.Second)
	authenticate()
	is.Equal(tried, 1) // each attempt costs the requests that follow
	w.clock.Advance(30 * time.Second)
	authenticate()
	is.Equal(tried, 2)
}
