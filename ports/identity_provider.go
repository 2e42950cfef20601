package ports

import (
	"context"

	"lyceum/domain/school"
	"lyceum/domain/signin"
)

// IdentityProviders signs people in at the identity providers of schools. Both methods get the
// client secret of the provider in plain text. They return Unavailable if the provider does not
// respond in time or if too many requests to it are running. Requests to one provider do not delay
// requests to another.
type IdentityProviders interface {
	// SignInURL returns the address of the page of the provider p on which a person signs in.
	SignInURL(ctx context.Context, p school.Provider, a signin.Authorization) (string, error)

	// Identify returns what the provider p states about the person that it has signed in. It
	// returns Forbidden unless the statement is signed by p, has not expired, and was made for the
	// client p.ClientID and the authorization a.
	Identify(ctx context.Context, p school.Provider, a signin.Authorization, r signin.Returned) (signin.Identity, error)
}
