package token_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/token"
)

var (
	now = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	of  = school.ID{UUID: uuid.MustParse("00000000-0000-4000-8000-00000000000a")}
	ada = person.ID{UUID: uuid.UUID{15: 1}}
)

func newToken(expires token.Expiry, random []byte) (token.Token, string, error) {
	return token.New(token.ID{}, of, ada, expires, random, now)
}

func TestNew(t *testing.T) {
	is := is.New(t)
	for _, fill := range []byte{0, 0xff} {
		made, secret, err := newToken(token.Expiry{}, bytes.Repeat([]byte{fill}, token.SecretBytes))
		is.NoErr(err)
		is.Equal(made, token.Token{
			School: of, Person: ada, Hash: token.HashSecret(secret), CreatedAt: now, ExpiresAt: now.Add(time.Hour),
		})
		is.Equal(len(secret), 58)
		found, ok := token.ParseSecret(secret)
		is.True(ok)
		is.Equal(found, of)
		is.True(made.Active(now.Add(time.Hour - 1)))
		is.Equal(made.Active(now.Add(time.Hour)), false)
	}
	_, _, err := newToken(token.Expiry{}, nil)
	is.Equal(fault.All(err)[0].Field, "random")
}

func TestExpiry(t *testing.T) {
	for name, tc := range map[string]struct {
		after time.Duration
		ok    bool
	}{"now": {0, false}, "soon": {time.Second, true}, "a day": {24 * time.Hour, true}, "later": {24*time.Hour + time.Second, false}} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			end := now.Add(tc.after)
			made, _, err := newToken(token.Expiry{At: &end}, make([]byte, token.SecretBytes))
			is.Equal(err == nil, tc.ok)
			if tc.ok {
				is.Equal(made.ExpiresAt, end)
			} else {
				is.Equal(fault.All(err)[0].Field, "expires_at")
			}
			seconds := int64(tc.after / time.Second)
			made, _, err = newToken(token.Expiry{In: &seconds}, make([]byte, token.SecretBytes))
			is.Equal(err == nil, tc.ok)
			if tc.ok {
				is.Equal(made.ExpiresAt, end)
			} else {
				is.Equal(fault.All(err)[0].Field, "expires_in")
			}
			_, _, err = newToken(token.Expiry{At: &end, In: &seconds}, make([]byte, token.SecretBytes))
			is.Equal(fault.All(err)[0].Field, "expires_in")
		})
	}
}

func TestParseSecretRejects(t *testing.T) {
	is := is.New(t)
	_, secret, err := newToken(token.Expiry{}, make([]byte, token.SecretBytes))
	is.NoErr(err)
	for _, wrong := range []string{"", "lyt_", secret[:57], secret + "0", "lyc_" + secret[4:], secret[:57] + "-", "lyt_-" + secret[5:], "lyt_" + string(bytes.Repeat([]byte("Z"), 54))} {
		_, ok := token.ParseSecret(wrong)
		is.Equal(ok, false) // wrong is not a secret
	}
}
