package signin

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

// AttemptLifetime is how long a person can take to sign in at the identity provider.
const AttemptLifetime = 10 * time.Minute

// Attempt is a sign-in at the identity provider of a school (single sign-on). It begins when the
// browser is sent to the provider, and ends when the browser returns. Only the browser knows the
// attempt's token. The values that the provider sees are derived from the token, the school and its
// provider, so that they are not valid in another browser, in another school, or after the school
// has changed its provider.
type Attempt struct {
	token     string // the secret and the expiry, separated by a dot
	ExpiresAt time.Time
}

// NewAttempt returns an attempt that begins now. secret is a random token (text.Token).
func NewAttempt(secret string, now time.Time) Attempt {
	expires := now.Add(AttemptLifetime).Unix()
	return Attempt{secret + "." + strconv.FormatInt(expires, 10), time.Unix(expires, 0).UTC()}
}

// ParseAttempt returns the attempt with a token, or Gone if the token is malformed or the attempt
// has expired at the time now.
func ParseAttempt(token string, now time.Time) (Attempt, error) {
	secret, end, _ := strings.Cut(token, ".")
	expires, err := strconv.ParseInt(end, 10, 64)
	a := Attempt{token, time.Unix(expires, 0).UTC()}
	if err != nil || text.Token("", secret) != nil || !now.Before(a.ExpiresAt) || a.ExpiresAt.After(now.Add(2*AttemptLifetime)) {
		return Attempt{}, LostAttempt()
	}
	return a, nil
}

// LostAttempt returns Gone, for an attempt that cannot be completed.
func LostAttempt() error {
	return fault.Gonef("The sign-in has expired, was already completed, or began in another browser")
}

// Token returns the token of the attempt, which only the browser may know.
func (a Attempt) Token() string { return a.token }

// Used returns a link that records that a was completed. A store adds one link per hash, so that a
// can be completed only once. Like Entry.Used, the link contains nothing about the person.
func (a Attempt) Used(id LinkID, now time.Time) Link {
	return Link{ID: id, Hash: HashToken("sso " + a.token), CreatedAt: now, ExpiresAt: a.ExpiresAt, UsedAt: now}
}

// Authorization returns the values that the provider p of a school sees. redirect is the address to
// which the provider sends the browser.
func (a Attempt) Authorization(s school.ID, p school.Provider, redirect string) Authorization {
	derive := func(purpose string) string {
		mac := hmac.New(sha256.New, []byte(a.token))
		mac.Write([]byte(strings.Join([]string{purpose, s.String(), p.Issuer, p.ClientID}, "\n")))
		return hex.EncodeToString(mac.Sum(nil))
	}
	return Authorization{Redirect: redirect, State: derive("state"), Nonce: derive("nonce"), Verifier: derive("verifier")}
}

// Authorization contains the values of an attempt that the identity provider sees.
type Authorization struct {
	Redirect string // address of this server to which the provider sends the browser
	State    string // parameter of the redirect
	Nonce    string // part of the ID token
	Verifier string // code verifier (PKCE)
}

// Returned contains the parameters with which the provider sends the browser back.
type Returned struct {
	State, Code string
	Issuer      string // blank if the provider does not send it
	Error       string // blank if the provider has signed the person in
}

// Check returns Gone unless r belongs to the authorization, and Forbidden if the provider did not
// sign the person in.
func (r Returned) Check(a Authorization) error {
	switch {
	case !hmac.Equal([]byte(r.State), []byte(a.State)):
		return LostAttempt()
	case r.Error != "" || r.Code == "":
		return fault.Forbiddenf("The sign-in service of the school did not sign you in")
	}
	return nil
}

// Identity is what an identity provider states about a person.
type Identity struct {
	Email     string
	Verified  bool // whether the provider has verified that the address belongs to the person
	FirstName string
	LastName  string
}

// Check returns Forbidden unless the address is verified: an unverified one may belong to another
// person.
func (i Identity) Check() error {
	if i.Email == "" || !i.Verified {
		return fault.Forbiddenf("The sign-in service of the school does not confirm your email address")
	}
	return nil
}

// Profile returns what a new person is created from. It leaves out names that are not valid,
// because the person cannot correct them.
func (i Identity) Profile() person.Profile {
	p := person.Profile{Email: i.Email, FirstName: i.FirstName, LastName: i.LastName}
	if _, err := person.New(person.ID{}, p, time.Time{}); err != nil {
		return person.Profile{Email: i.Email}
	}
	return p
}
