package httpapi

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

// Downloads is what links to files are made and checked with.
type Downloads struct {
	// Secret signs the links; empty: a new one, so that links hold as long as the
	// API runs.
	Secret []byte
	Now    func() time.Time // nil: the machine's clock
}

// linkTimes: links end on the hour, so that a document that shows one stays the
// same for an hour, and hold for one hour to two.
const linkTimes = time.Hour

func (d Downloads) withDefaults() Downloads {
	if len(d.Secret) == 0 {
		d.Secret = []byte(rand.Text())
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	return d
}

// expiry returns when a link that is shown now ends, in seconds since 1970.
func (d Downloads) expiry() string {
	return fmt.Sprint(d.Now().Truncate(linkTimes).Add(2 * linkTimes).Unix())
}

// sign returns the signature of a link to a file of a school: the school's id,
// so that nobody has to look for the school, and HMAC-SHA256 of all that the link
// says. Both are lower-case hex digits.
func (d Downloads) sign(of school.ID, id submission.ID, name, expires string) string {
	mac := hmac.New(sha256.New, d.Secret)
	_, _ = fmt.Fprintf(mac, "%s\n%s\n%s\n%s", of, id, name, expires) // never fails
	return hex.EncodeToString(of.UUID[:]) + hex.EncodeToString(mac.Sum(nil))
}

// check returns the school for which a link was signed, and whether the rest of
// the link is as it was then.
func (d Downloads) check(signature string, id submission.ID, name, expires string) (school.ID, bool) {
	var of school.ID
	digits := hex.EncodedLen(len(of.UUID))
	if len(signature) < digits {
		return of, false
	}
	if _, err := hex.Decode(of.UUID[:], []byte(signature[:digits])); err != nil {
		return of, false
	}
	want := d.sign(of, id, name, expires)
	return of, subtle.ConstantTimeCompare([]byte(want), []byte(signature)) == 1
}

// downloadLink returns the address at which anybody can fetch a file for a
// while.
func (s *server) downloadLink(of school.ID, m submission.Submission) string {
	name, expires := m.File.SafeName(), s.cfg.Downloads.expiry()
	return s.links.download(m.ID.UUID, name) +
		"?expires=" + expires + "&signature=" + s.cfg.Downloads.sign(of, m.ID, name, expires)
}
