package downloads

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"time"

	"lyceum/domain/school"
	"lyceum/domain/submission"
)

// Config is the configuration of signed download links.
type Config struct {
	// Secret signs the links; empty: a random secret, so that links are valid until the
	// API stops.
	Secret []byte
	Now    func() time.Time // nil: time.Now
}

// linkInterval is the interval to which the expiry of links is rounded, so that a document with a
// link stays the same for up to an hour. A link is valid for one to two hours.
const linkInterval = time.Hour

// WithDefaults returns c with the defaults of fields that are not set.
func (c Config) WithDefaults() Config {
	if len(c.Secret) == 0 {
		c.Secret = []byte(rand.Text())
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// expiry returns the expiry of a link created now, as a Unix time in seconds.
func (c Config) expiry() string {
	return fmt.Sprint(c.Now().Truncate(linkInterval).Add(2 * linkInterval).Unix())
}

// sign returns the signature of a link to a file of a school, in lowercase hex: the school's ID,
// which check can return without a lookup, and the HMAC-SHA256 of the parts of the link.
func (c Config) sign(of school.ID, id submission.ID, name, expires string) string {
	mac := hmac.New(sha256.New, c.Secret)
	_, _ = fmt.Fprintf(mac, "%s\n%s\n%s\n%s", of, id, name, expires) // never fails
	return hex.EncodeToString(of.UUID[:]) + hex.EncodeToString(mac.Sum(nil))
}

// check returns the school of a link and reports whether its signature is valid.
func (c Config) check(signature string, id submission.ID, name, expires string) (school.ID, bool) {
	var of school.ID
	digits := hex.EncodedLen(len(of.UUID))
	if len(signature) < digits {
		return of, false
	}
	if _, err := hex.Decode(of.UUID[:], []byte(signature[:digits])); err != nil {
		return of, false
	}
	want := c.sign(of, id, name, expires)
	return of, subtle.ConstantTimeCompare([]byte(want), []byte(signature)) == 1
}

// Link returns a URL at which every client can download the file of a submission until the link
// expires. address is the URL of the file without parameters.
func (c Config) Link(address string, of school.ID, m submission.Submission) string {
	name, expires := m.File.SafeName(), c.expiry()
	return address + "?expires=" + expires + "&signature=" + c.sign(of, m.ID, name, expires)
}
