package school

import (
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

const (
	// maxProviderText is the maximum length of an attribute of a provider, in bytes.
	maxProviderText = 2000
)

// Provider is an identity provider (OpenID Connect) at which a school is registered as a client.
type Provider struct {
	Issuer       string // URL of the provider
	ClientID     string
	ClientSecret string // encrypted
}

// SameClient reports whether p and o are the same client of the same provider. Their secrets can
// differ.
func (p Provider) SameClient(o Provider) bool {
	return p.Issuer == o.Issuer && p.ClientID == o.ClientID
}

// ProviderChanges contains new values for the attributes of a provider. A nil field leaves its
// attribute unchanged.
type ProviderChanges struct{ Issuer, ClientID, ClientSecret *string }

// IsZero reports whether p is the zero value, which is not a provider.
func (p Provider) IsZero() bool { return p == Provider{} }

// update returns p with the changes, or a fault unless the result is complete. A blank issuer
// removes the provider. The client secret is sent only to the provider for which it was set: with
// another issuer, the changes must contain the secret again.
func (p Provider) update(e ProviderChanges) (Provider, error) {
	if e == (ProviderChanges{}) {
		return p, nil
	}
	next := p
	setIf(&next.Issuer, e.Issuer)
	next.Issuer = strings.TrimSpace(next.Issuer)
	if next.Issuer == "" {
		if e.Issuer == nil {
			return p, fault.Blank("sso_issuer")
		}
		return Provider{}, nil
	}
	if next.Issuer != p.Issuer {
		next.ClientSecret = ""
	}
	setIf(&next.ClientID, e.ClientID)
	setIf(&next.ClientSecret, e.ClientSecret)
	next.ClientID = strings.TrimSpace(next.ClientID)
	if err := next.check(); err != nil {
		return p, err
	}
	return next, nil
}

// check returns a fault unless all attributes are set and the issuer is an https URL, or an http
// URL of this machine, without a query and a fragment.
func (p Provider) check() error {
	var errClient, errSecret error
	issuer, errIssuer := text.URL("sso_issuer", p.Issuer)
	if errIssuer == nil && (!hasSafeScheme(issuer) || strings.ContainsAny(issuer, "?#")) {
		errIssuer = fault.Invalidf("sso_issuer", "must be an https URL, such as https://login.example")
	}
	switch {
	case p.ClientID == "":
		errClient = fault.Blank("sso_client_id")
	case len(p.ClientID) > maxProviderText:
		errClient = fault.Invalidf("sso_client_id", "is too long (maximum is %d bytes)", maxProviderText)
	}
	if p.ClientSecret == "" {
		errSecret = fault.Blank("sso_client_secret")
	}
	return fault.Join(errIssuer, errClient, errSecret)
}

// CheckClientSecret returns a fault if a client secret is too long, or contains characters that no
// provider sends.
func CheckClientSecret(secret string) error {
	if len(secret) > maxProviderText || strings.ContainsFunc(secret, func(r rune) bool { return r < ' ' || r > '~' }) {
		return fault.Invalidf("sso_client_secret", "must consist of at most %d printable ASCII characters", maxProviderText)
	}
	return nil
}

// hasSafeScheme reports whether a URL has the scheme https, or is an address of this machine.
func hasSafeScheme(address string) bool {
	for _, prefix := range []string{"https://", "http://localhost:", "http://127.0.0.1:"} {
		if strings.HasPrefix(address, prefix) {
			return true
		}
	}
	return false
}
