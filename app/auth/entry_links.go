package auth

import (
	"context"
	"errors"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// CheckEntry returns a fault unless the entry link e with the given signature can be used in the
// school. It changes nothing. It returns an error that is not a fault if the secret of the school
// cannot be decrypted.
func (u *SignIns) CheckEntry(s school.State, e signin.Entry, signature string) error {
	if s.Auth != school.URL {
		return fault.RecordNotFound()
	}
	secret := s.Entry.Secret
	if secret != "" {
		var err error
		if secret, err = u.deps.Secrets.Open(secret, usecase.EntrySecretOf(s.ID)); err != nil {
			return err
		}
	}
	return e.Check(secret, signature, u.deps.Clock.Now())
}

// Enter uses the entry link e, which the system of the school has signed, and begins a session of
// its person. If the school has no person with the address in e, Enter adds a person. Of several
// uses of one link, the first succeeds and the others return Gone. Enter returns Forbidden if the
// school is suspended.
func (u *SignIns) Enter(ctx context.Context, s school.State, e signin.Entry, signature, device string) (SignedIn, error) {
	if err := u.CheckEntry(s, e, signature); err != nil {
		return SignedIn{}, err
	}
	now, made := u.deps.Clock.Now(), u.newSession()
	id := signin.LinkID{UUID: u.deps.IDs.New()}
	l, err := signin.NewLink(id, s.ID, e.Email, e.Return, now)
	if err != nil {
		return SignedIn{}, err
	}
	err = u.deps.InTx(ctx, usecase.SystemActor(s.ID), func(ctx context.Context, tx ports.Tx) error {
		s, err := u.lockSchool(ctx, tx, l.Email)
		if err == nil {
			err = u.CheckEntry(s, e, signature) // the secret may have been replaced since
		}
		if err != nil {
			return err
		}
		if err := tx.SignIns.AddLink(ctx, e.Used(id, signature, now)); err != nil {
			return err
		}
		profile := person.Profile{Email: l.Email, FirstName: e.FirstName, LastName: e.LastName}
		id, err := u.admit(ctx, tx, s, profile, true, made, now)
		if err != nil {
			return err
		}
		return made.begin(ctx, tx, id, device, now)
	})
	if errors.Is(err, ports.ErrExists) {
		err = signin.Unusable()
	}
	return SignedIn{Token: made.token, Return: l.Return}, err
}
