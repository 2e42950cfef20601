package app_test

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/school"
	"lyceum/domain/signin"
)

// adaAtProvider is an identity provider that has signed Ada in.
type adaAtProvider struct{}

// SignInURL implements ports.IdentityProviders.
func (adaAtProvider) SignInURL(context.Context, school.Provider, signin.Authorization) (string, error) {
	return "https://id.example.test/sign-in", nil
}

// Identify implements ports.IdentityProviders.
func (adaAtProvider) Identify(
	context.Context, school.Provider, signin.Authorization, signin.Returned,
) (signin.Identity, error) {
	return signin.Identity{Email: adaAddress, Verified: true}, nil
}

// ssoReturn is the address to which the provider sends the browser back.
const ssoReturn = "https://lms.example.test/learn/acme/sso"

// beginAtProvider makes the people of the school sign in at a provider, and begins such a sign-in.
// It returns the school, the token of the attempt, and the parameters that the provider sends.
func (c *classroom) beginAtProvider(t *testing.T) (school.State, string, signin.Returned) {
	t.Helper()
	is := is.New(t)
	c.SignIns.SetProviders(adaAtProvider{})
	c.SetServerSecret(serverSecret)
	sso, issuer, client, secret := school.SSO, "https://id.example.test", "lyceum", "s3cret"
	s, err := c.Provision.UpdateSchool(c.ctx, c.school, school.Changes{
		Auth: &sso, Provider: school.ProviderChanges{Issuer: &issuer, ClientID: &client, ClientSecret: &secret},
	})
	is.NoErr(err)
	attempt, _, err := c.SignIns.BeginSSO(c.ctx, s, ssoReturn)
	is.NoErr(err)
	state := attempt.Authorization(s.ID, s.Entry.Provider, ssoReturn).State
	return s, attempt.Token(), signin.Returned{Code: "code", State: state}
}

// ssoCase is the completion of a sign-in at a provider, for TestOutageAtEveryCall.
func ssoCase() unavailableCase {
	var s school.State
	var token string
	var returned signin.Returned
	return unavailableCase{
		before: func(t *testing.T, c *classroom) { s, token, returned = c.beginAtProvider(t) },
		run: func(c *classroom) error { // the store of c fails, so its use cases are others
			c.SignIns.SetProviders(adaAtProvider{})
			c.SetServerSecret(serverSecret)
			_, err := c.SignIns.CompleteSSO(c.ctx, s, ssoReturn, token, returned, "A browser")
			return err
		},
	}
}
