package school

import "encoding/hex"

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

// NewEntrySecret returns random, which must contain EntrySecretBytes bytes, in hexadecimal digits.
func NewEntrySecret(random []byte) string { return hex.EncodeToString(random) }
