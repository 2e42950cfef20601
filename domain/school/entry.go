package school

import (
	"encoding/hex"
	"strings"

	"lyceum/domain/fault"
)

// EntrySecretBytes is the number of random bytes of a generated entry secret.
const EntrySecretBytes = 32

// Numbers of characters of an entry secret. 32 hexadecimal digits have 128 bits, as many as a UUID.
const (
	minEntrySecret = 32
	maxEntrySecret = 255
)

// Entry contains the rules by which people enter the academy of a school, in addition to its
// authentication method.
type Entry struct {
	PublicCovers    bool     // whether visitors who are not signed in see the covers of courses
	AdmitsNewPeople bool     // with single sign-on: whether unknown people are added when they sign in
	Secret          string   // signs entry links, with URL authentication; encrypted; blank: there are no entry links
	Provider        Provider // with single sign-on; zero: no person can sign in
}

// checkMethod returns a fault if no person can sign in with the method, because it is not set up.
func (e Entry) checkMethod(m AuthMethod) error {
	switch {
	case m == SSO && e.Provider.IsZero():
		return fault.Invalidf("authentication", "People could not sign in: no sign-in service is set up")
	case m == URL && e.Secret == "":
		return fault.Invalidf("authentication", "People could not sign in: your own website has no secret yet")
	}
	return nil
}

// NewEntrySecret returns random, which must contain EntrySecretBytes bytes, in hexadecimal digits.
func NewEntrySecret(random []byte) string { return hex.EncodeToString(random) }

// CheckEntrySecret returns a fault unless the secret is blank, or long enough that it cannot be
// guessed and free of characters that systems encode differently.
func CheckEntrySecret(secret string) error {
	outside := strings.ContainsFunc(secret, func(r rune) bool { return r < ' ' || r > '~' })
	if secret != "" && (len(secret) < minEntrySecret || len(secret) > maxEntrySecret || outside) {
		return fault.Invalidf("entry_secret", "must consist of %d to %d printable ASCII characters", minEntrySecret, maxEntrySecret)
	}
	return nil
}
