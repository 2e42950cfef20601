// Package sso implements ports.IdentityProviders by OpenID Connect: the authorization code flow
// with PKCE. Start at New.
package sso

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// maxIssuers is the maximum number of issuers whose metadata and keys stay in memory.
const maxIssuers = 1000

// scopes contains what a provider is asked to state about a person.
var scopes = []string{oidc.ScopeOpenID, oidc.ScopeEmail, oidc.ScopeProfile}

// Providers implements ports.IdentityProviders.
type Providers struct {
	client *http.Client
	clock  ports.Clock
	log    *slog.Logger

	mu      sync.Mutex
	issuers map[string]*issuer // by the address of a school to which they send the browser back
}

var _ ports.IdentityProviders = (*Providers)(nil)

// New returns Providers that send their requests with client, which must have a Transport, and limit
// their duration and the size of responses. They log why a provider was not accepted.
func New(client *http.Client, clock ports.Clock, log *slog.Logger) *Providers {
	limited := *client
	limited.Transport = shortKeys{client.Transport}
	return &Providers{client: &limited, clock: clock, log: log, issuers: map[string]*issuer{}}
}

// SignInURL implements ports.IdentityProviders.
func (s *Providers) SignInURL(ctx context.Context, p school.Provider, a signin.Authorization) (url string, err error) {
	err = s.with(ctx, p, a, func(_ context.Context, found provider) error {
		url = found.client(p, a).AuthCodeURL(a.State, oauth2.S256ChallengeOption(a.Verifier), oidc.Nonce(a.Nonce))
		return nil
	})
	return url, err
}

// Identify implements ports.IdentityProviders.
func (s *Providers) Identify(
	ctx context.Context, p school.Provider, a signin.Authorization, r signin.Returned,
) (found signin.Identity, err error) {
	err = s.with(ctx, p, a, func(ctx context.Context, at provider) error {
		var err error
		found, err = at.identify(ctx, p, a, r, s.clock.Now())
		return err
	})
	return found, err
}

// with calls work with the metadata of the provider p, unless too many sign-ins of the school at the
// issuer are running. It logs an error and returns its fault.
func (s *Providers) with(
	ctx context.Context, p school.Provider, a signin.Authorization, work func(context.Context, provider) error,
) error {
	i := s.issuer(p.Issuer, a.Redirect)
	release, err := i.enter(ctx)
	if err != nil {
		return err
	}
	defer release()
	ctx = oidc.ClientContext(ctx, s.client)
	found, err := i.discover(ctx, s.clock.Now())
	if err == nil {
		err = work(ctx, found)
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	s.log.WarnContext(ctx, "sign-in at a provider failed", slog.String("issuer", p.Issuer), slog.String("error", describe(err)))
	if isOutage(err) {
		return fault.Unavailablef("The sign-in service of the school does not respond")
	}
	return fault.Forbiddenf("The sign-in service of the school sent an invalid response")
}

// issuerLife is how long an issuer is kept. Its school can have been deleted. A sign-in afterwards is
// slower, because it reads the metadata again.
const issuerLife = time.Hour

// issuer returns the issuer at url of the school to which redirect leads. Sign-ins of a school do
// not wait for those of another school at the same issuer. An earlier issuer of the school is
// discarded, so that a school cannot fill the memory.
func (s *Providers) issuer(url, redirect string) *issuer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, ok := s.issuers[redirect]; ok && found.url == url {
		return found
	}
	for other := range s.issuers { // removes an arbitrary issuer, which is only slower afterwards
		if len(s.issuers) < maxIssuers {
			break
		}
		delete(s.issuers, other)
	}
	added := newIssuer(url)
	s.issuers[redirect] = added
	time.AfterFunc(issuerLife, func() { s.discard(redirect, added) })
	return added
}

// discard removes an issuer, unless another one has replaced it.
func (s *Providers) discard(redirect string, old *issuer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.issuers[redirect] == old {
		delete(s.issuers, redirect)
	}
}
