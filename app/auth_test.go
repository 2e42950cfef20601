package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/token"
	"lyceum/test/kit/intercept"
)

func TestAuthenticateRefuses(t *testing.T) {
	w := newWorld(t, school.Preregistration)
	unknown := school.EncodeSecret(make([]byte, school.SecretBytes))
	for name, secret := range map[string]string{
		"nothing":         "",
		"no key at all":   "open sesame",
		"a malformed key": w.key[:len(w.key)-1] + "!",
		"an unknown key":  unknown,
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := w.Auth.Authenticate(w.ctx, secret)
			is.True(fault.Is(err, fault.Unauthenticated))
		})
	}
}

func TestRevocationTakesEffectWithinFiveSeconds(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	is.NoErr(w.Provision.RevokeKey(w.ctx, w.actor.Key()))
	w.clock.Advance(5 * time.Second)
	_, err := w.Auth.Authenticate(w.ctx, w.key)
	is.True(fault.Is(err, fault.Unauthenticated))
}

// The server that executes the revocation refuses the next request with the key.
func TestRevocationTakesEffectAtOnceOnItsServer(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	key, secret, err := w.Keys.Create(w.ctx, w.actor, school.KeyParams{Name: "leaked", Scope: school.Write})
	is.NoErr(err)
	_, err = w.Auth.Authenticate(w.ctx, secret)
	is.NoErr(err)
	is.NoErr(w.Keys.Revoke(w.ctx, w.actor, key.ID))
	_, err = w.Auth.Authenticate(w.ctx, secret)
	is.True(fault.Is(err, fault.Unauthenticated))
}

func TestLastUseIsRecordedOncePerMinute(t *testing.T) {
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
	is.Equal(lastUse(), start) // less than lastUsedResolution later

	w.clock.Advance(time.Minute)
	_, err = w.Auth.Authenticate(w.ctx, w.key)
	is.NoErr(err)
	is.Equal(lastUse(), start.Add(119*time.Second))
}

// Read requests must succeed while the database is read-only, although the last use of their key
// cannot be saved.
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
		return fault.Unavailablef("read-only")
	}), w.queue, w.files, w.emails, w.clock, w.ids)
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
	is.Equal(tried, 1) // no other attempt within lastUsedResolution
	w.clock.Advance(30 * time.Second)
	authenticate()
	is.Equal(tried, 2)
}

// A school with many keys in use evicts only its own keys from the cache, starting with the key
// that was looked up least recently.
func TestKeysOfOneSchoolDoNotEvictThoseOfOthers(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	other, err := w.Provision.CreateSchool(w.ctx, "Other", school.Open, "chief@example.test")
	is.NoErr(err)
	authenticate := func(secret string) {
		_, err := w.Auth.Authenticate(w.ctx, secret)
		is.NoErr(err)
	}
	authenticate(w.key)
	var secrets []string
	for range 1001 { // maxSchoolKeys + 1
		_, secret, err := w.Provision.CreateKey(w.ctx, other.ID, school.KeyParams{Name: "Many", Scope: school.Read})
		is.NoErr(err)
		secrets = append(secrets, secret)
	}
	for _, secret := range secrets[:1000] {
		authenticate(secret)
	}
	w.clock.Advance(5 * time.Second)
	authenticate(secrets[0]) // looked up again, so the second is now the oldest
	authenticate(secrets[1000])
	is.Equal(w.Auth.Unseen(w.key), false)
	for i, secret := range secrets {
		is.Equal(w.Auth.Unseen(secret), i == 1) // only the second key was evicted
	}
}

// A school with many tokens in use discards only its own tokens.
func TestTokensOfOneSchoolDoNotEvictThoseOfOthers(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	other, err := w.Provision.CreateSchool(w.ctx, "Other", school.Open, "chief@example.test")
	is.NoErr(err)
	use := func(of school.ID) string {
		people, err := w.People.List(w.ctx, usecase.SystemActor(of), query.Query{})
		is.NoErr(err)
		_, secret, err := w.Tokens.Create(w.ctx, usecase.SystemActor(of), people.Items[0].ID, token.Expiry{})
		is.NoErr(err)
		_, err = w.Auth.Authenticate(w.ctx, secret)
		is.NoErr(err)
		return secret
	}
	mine, first := use(w.school), use(other.ID)
	is.True(!w.Auth.Unseen(first))
	var last string
	for range 10_000 { // maxSchoolTokens
		last = use(other.ID)
	}
	is.True(!w.Auth.Unseen(mine))
	is.True(w.Auth.Unseen(first)) // discarded
	is.True(!w.Auth.Unseen(last))
}
