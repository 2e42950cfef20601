package school

import (
	"encoding/hex"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// EntrySecretBytes is the number of random bytes of an entry secret.
const EntrySecretBytes = 32

// Entry contains the rules by which people enter the academy of a school, in addition to its
// authentication method.
type Entry struct {
	PublicCovers    bool     // whether visitors who are not signed in see the covers of courses
	AdmitsNewPeople bool     // with single sign-on: whether unknown people are added when they sign in
	Secret          string   // signs entry links, with URL authentication; blank: there are no entry links
	Provider        Provider // with single sign-on; zero: no person can sign in
}

// Provider is an identity provider (OpenID Connect) at which a school is registered as a client.
type Provider struct {
	Issuer       string // URL of the provider
	ClientID     string
	ClientSecret string
}

// NewEntrySecret returns random, which must contain EntrySecretBytes bytes, in hexadecimal digits.
func NewEntrySecret(random []byte) string { return hex.EncodeToString(random) }

// IsZero reports whether p is the zero value, which is not a provider.
func (p Provider) IsZero() bool { return p == Provider{} }

// Check returns a fault unless all attributes are set and the issuer is an https URL, or an http
// URL of this machine, without a query and a fragment.
func (p Provider) Check() error {
	var errClient, errSecret error
	issuer, errIssuer := text.URL("issuer", p.Issuer)
	if errIssuer == nil && (!hasSafeScheme(issuer) || strings.ContainsAny(issuer, "?#")) {
		errIssuer = fault.Invalidf("issuer", "must be an https URL, such as https://login.example")
	}
	if p.ClientID == "" {
		errClient = fault.Blank("client_id")
	}
	if p.ClientSecret == "" {
		errSecret = fault.Blank("client_secret")
	}
	return fault.Join(errIssuer, errClient, errSecret)
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
