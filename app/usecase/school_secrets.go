package usecase

import (
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/school"
)

// ClientSecretOf returns the purpose of the client secret of a school at an issuer, for Secrets.
func ClientSecretOf(s school.ID, issuer string) string {
	return "client secret of " + s.String() + " at " + issuer
}

// EntrySecretOf returns the purpose of the secret of a school that signs entry links, for Secrets.
func EntrySecretOf(s school.ID) string { return "entry secret of " + s.String() }

// SealSecrets replaces the secrets in the changes of the school s with their encrypted forms. It
// returns all faults of the secrets, or the error of Secrets.Seal.
func (d Deps) SealSecrets(s school.State, e *school.Changes) error {
	err := fault.Join(
		checkSecret(e.Provider.ClientSecret, school.CheckClientSecret),
		checkSecret(e.EntrySecret, school.CheckEntrySecret),
	)
	if err != nil {
		return err
	}
	issuer := s.Entry.Provider.Issuer
	if e.Provider.Issuer != nil {
		issuer = strings.TrimSpace(*e.Provider.Issuer)
	}
	if err := d.sealSecret(&e.Provider.ClientSecret, s.Entry.Provider.ClientSecret, ClientSecretOf(s.ID, issuer)); err != nil {
		return err
	}
	return d.sealSecret(&e.EntrySecret, s.Entry.Secret, EntrySecretOf(s.ID))
}

func checkSecret(secret *string, check func(string) error) error {
	if secret == nil {
		return nil
	}
	return check(*secret)
}

// sealSecret replaces *secret with its encrypted form for the purpose, unless it is nil or blank. If
// before is an encrypted form of the same secret, it uses before, so that the school does not
// change.
func (d Deps) sealSecret(secret **string, before, purpose string) error {
	if *secret == nil || **secret == "" {
		return nil
	}
	if plain, err := d.Secrets.Open(before, purpose); err == nil && plain == **secret {
		*secret = &before
		return nil
	}
	sealed, err := d.Secrets.Seal(**secret, purpose)
	if err == nil {
		*secret = &sealed
	}
	return err
}
