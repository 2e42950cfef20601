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

// ssoCase is the completion of a sign-in at a provider, for TestOutageAtEveryCall.
func ssoCase() unavailableCase {
	const redirect = "https://lms.example.test/learn/acme/sso"
	var s school.State
	var token string
	var returned signin.Returned
	prepare := func(c *classroom) {
		c.SignIns.SetProviders(adaAtProvider{})
		c.SetServerSecret("a secret of the server")
	}
	return unavailableCase{
		before: func(t *testing.T, c *classroom) {
			is := is.New(t)
			prepare(c)
			sso, issuer, client, secret := school.SSO, "https://id.example.test", "lyceum", "s3cret"
			_, err := c.Provision.UpdateSchool(c.ctx, c.school, school.Changes{
				Auth: &sso, Provider: school.ProviderChanges{Issuer: &issuer, ClientID: &client, ClientSecret: &secret},
			})
			is.NoErr(err)
			found, err := c.schools.Get(c.ctx, c.school)
			is.NoErr(err)
			s = found.State()
			attempt, _, err := c.SignIns.BeginSSO(c.ctx, s, redirect)
			is.NoErr(err)
			token = attempt.Token()
			returned = signin.Returned{Code: "code", State: attempt.Authorization(s.ID, s.Entry.Provider, redirect).State}
		},
		run: func(c *classroom) error {
			prepare(c) // the store of c fails, so its use cases are others
			_, err := c.SignIns.CompleteSSO(c.ctx, s, redirect, token, returned, "A browser")
			return err
		},
	}
}
