package signin_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/signin"
)

var attemptSecret = strings.Repeat("5e", 20)

func TestAttempt(t *testing.T) {
	is := is.New(t)
	a := signin.NewAttempt(attemptSecret, now)
	again, err := signin.ParseAttempt(a.Token(), now.Add(signin.AttemptLifetime-time.Second))
	is.NoErr(err)
	is.Equal(again, a)
	for name, tc := range map[string]struct {
		token string
		at    time.Time
	}{
		"expired":       {a.Token(), a.ExpiresAt},
		"not yet begun": {a.Token(), now.Add(-time.Hour)},
		"blank":         {"", now},
		"no expiry":     {attemptSecret, now},
		"no secret":     {strings.TrimPrefix(a.Token(), attemptSecret), now},
		"short secret":  {a.Token()[1:], now},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := signin.ParseAttempt(tc.token, tc.at)
			is.New(t).True(fault.Is(err, fault.Gone))
		})
	}
}

func TestAuthorizationBelongsToOneProviderOfOneSchool(t *testing.T) {
	is := is.New(t)
	id, p := school.ID{UUID: uuid.UUID{15: 1}}, school.Provider{Issuer: "https://a.test", ClientID: "a", ClientSecret: "x"}
	a := signin.NewAttempt(attemptSecret, now)
	first := a.Authorization(id, p, "https://lms.test/sso")
	is.Equal(first.Redirect, "https://lms.test/sso")
	is.Equal(len(first.Verifier), 64) // RFC 7636 requires 43 to 128 characters
	changed := p
	changed.ClientSecret = "y"
	is.Equal(a.Authorization(id, changed, "https://lms.test/sso"), first)
	otherIssuer, otherClient := p, p
	otherIssuer.Issuer, otherClient.ClientID = "https://b.test", "b"
	seen := map[string]bool{}
	for _, one := range []signin.Authorization{
		first, a.Authorization(school.ID{UUID: uuid.UUID{15: 2}}, p, ""), a.Authorization(id, otherIssuer, ""), a.Authorization(id, otherClient, ""),
		signin.NewAttempt(strings.Repeat("6e", 20), now).Authorization(id, p, ""), signin.NewAttempt(attemptSecret, now.Add(time.Second)).Authorization(id, p, ""),
	} {
		for _, value := range []string{one.State, one.Nonce, one.Verifier} {
			is.True(!seen[value])
			is.True(!strings.Contains(value, attemptSecret))
			seen[value] = true
		}
	}
}

func TestReturned(t *testing.T) {
	is := is.New(t)
	a := signin.Authorization{State: "s"}
	is.NoErr(signin.Returned{State: "s", Code: "c"}.Check(a))
	is.True(fault.Is(signin.Returned{State: "x", Code: "c"}.Check(a), fault.Gone))
	is.True(fault.Is(signin.Returned{State: "", Code: "c"}.Check(a), fault.Gone))
	is.True(fault.Is(signin.Returned{State: "x", Error: "access_denied"}.Check(a), fault.Gone))
	is.True(fault.Is(signin.Returned{State: "s", Error: "access_denied"}.Check(a), fault.Forbidden))
	is.True(fault.Is(signin.Returned{State: "s"}.Check(a), fault.Forbidden))
}

func TestIdentity(t *testing.T) {
	is := is.New(t)
	is.NoErr(signin.Identity{Email: "ada@example.test", Verified: true}.Check())
	is.True(fault.Is(signin.Identity{Email: "ada@example.test"}.Check(), fault.Forbidden))
	is.True(fault.Is(signin.Identity{Verified: true}.Check(), fault.Forbidden))
	is.Equal(signin.Identity{Email: "ada@example.test", FirstName: "Ada"}.Profile(), person.Profile{Email: "ada@example.test", FirstName: "Ada"})
	is.Equal(signin.Identity{Email: "ada@example.test", FirstName: "Ada\x00", LastName: "L"}.Profile(), person.Profile{Email: "ada@example.test"})
}
