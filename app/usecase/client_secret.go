package usecase

import (
	"strings"

	"lyceum/domain/school"
)

// ClientSecretOf returns the purpose of the client secret of a school at an issuer, for Secrets.
func ClientSecretOf(s school.ID, issuer string) string {
	return "client secret of " + s.String() + " at " + issuer
}

// SealClientSecret replaces the client secret in the changes of the school s with its encrypted
// form.
func (d Deps) SealClientSecret(s school.State, e *school.ProviderChanges) error {
	if e.ClientSecret == nil || *e.ClientSecret == "" {
		return nil
	}
	if err := school.CheckClientSecret(*e.ClientSecret); err != nil {
		return err
	}
	issuer := s.Entry.Provider.Issuer
	if e.Issuer != nil {
		issuer = strings.TrimSpace(*e.Issuer)
	}
	purpose := ClientSecretOf(s.ID, issuer)
	if before, err := d.Secrets.Open(s.Entry.Provider.ClientSecret, purpose); err == nil && before == *e.ClientSecret {
		e.ClientSecret = &s.Entry.Provider.ClientSecret // the school does not change
		return nil
	}
	sealed, err := d.Secrets.Seal(*e.ClientSecret, purpose)
	if err == nil {
		e.ClientSecret = &sealed
	}
	return err
}
