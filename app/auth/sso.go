package auth

import (
	"context"
	"errors"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/domain/text"
	"lyceum/ports"
)

// SetProviders sets the identity providers. It must be called before the first request.
func (u *SignIns) SetProviders(p ports.IdentityProviders) { u.providers = p }

// BeginSSO begins a sign-in at the identity provider of the school. It returns the attempt, whose
// token the browser saves, and the address to which the browser must go. redirect is the address to
// which the provider then sends the browser. It saves nothing.
func (u *SignIns) BeginSSO(ctx context.Context, s school.State, redirect string) (signin.Attempt, string, error) {
	p, err := u.provider(s)
	if err != nil {
		return signin.Attempt{}, "", err
	}
	a := signin.NewAttempt(u.deps.NewToken(), u.deps.Clock.Now())
	url, err := u.providers.SignInURL(ctx, p, a.Authorization(s.ID, p, redirect))
	return a, url, err
}

// CompleteSSO completes the attempt with the token, with the parameters r that the provider has
// sent, and begins a session of the person. If the school has no person with the address that the
// provider has verified, CompleteSSO adds one if the school admits new people, and otherwise
// returns Forbidden. Of several uses of one attempt, one succeeds.
func (u *SignIns) CompleteSSO(
	ctx context.Context, s school.State, redirect, token string, r signin.Returned, device string,
) (SignedIn, error) {
	p, err := u.provider(s)
	if err != nil {
		return SignedIn{}, err
	}
	a, err := signin.ParseAttempt(token, u.deps.Clock.Now())
	if err != nil {
		return SignedIn{}, err
	}
	authorization := a.Authorization(s.ID, p, redirect)
	if err := r.Check(authorization); err != nil {
		return SignedIn{}, err
	}
	found, err := u.providers.Identify(ctx, p, authorization, r)
	if err == nil {
		err = found.Check()
	}
	if err != nil {
		return SignedIn{}, err
	}
	return u.enterOnce(ctx, s, a, found, device)
}

// enterOnce begins a session of the person whom the provider has identified, unless the attempt was
// completed before, or the school has changed its provider or was suspended during the requests to
// the provider.
func (u *SignIns) enterOnce(
	ctx context.Context, s school.State, a signin.Attempt, found signin.Identity, device string,
) (SignedIn, error) {
	now, made := u.deps.Clock.Now(), u.newSession()
	if _, err := text.Email("email", found.Email); err != nil {
		return SignedIn{}, fault.Forbiddenf("The sign-in service of the school sent an invalid email address")
	}
	used := a.Used(signin.LinkID{UUID: u.deps.IDs.New()}, now)
	err := u.deps.InTx(ctx, usecase.SystemActor(s.ID), func(ctx context.Context, tx ports.Tx) error {
		provider := s.Entry.Provider
		s, err := u.lockSchool(ctx, tx, found.Email)
		if err != nil {
			return err
		}
		if s.Auth != school.SSO || !s.Entry.Provider.SameClient(provider) {
			return signin.LostAttempt()
		}
		if err := tx.SignIns.AddLink(ctx, used); err != nil {
			return err
		}
		id, err := u.admit(ctx, tx, s, found.Profile(), s.Entry.AdmitsNewPeople, made, now)
		if fault.Is(err, fault.Gone) {
			err = fault.Forbiddenf("The school has not added you. Ask the school to add %s", found.Email)
		}
		if err != nil {
			return err
		}
		return made.begin(ctx, tx, id, device, now)
	})
	if errors.Is(err, ports.ErrExists) {
		err = fault.Gonef("The sign-in was already completed")
	}
	return SignedIn{Token: made.token}, err
}

// provider returns the provider of the school with its client secret in plain text. It returns
// NotFound unless people sign in at a provider, and Forbidden if the school has none.
func (u *SignIns) provider(s school.State) (school.Provider, error) {
	p := s.Entry.Provider
	switch {
	case s.Auth != school.SSO:
		return p, fault.RecordNotFound()
	case p.IsZero() || u.providers == nil:
		return p, fault.Forbiddenf("The school has not set up its sign-in service")
	}
	secret, err := u.deps.Secrets.Open(p.ClientSecret, usecase.ClientSecretOf(s.ID, p.Issuer))
	p.ClientSecret = secret
	return p, err
}
