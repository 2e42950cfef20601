package invitation

import (
	"crypto/sha256"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// Type is the plural noun by which documents name invitations.
const Type = "invitations"

const (
	// Lifetime is how long a link holds unless a school's operator says otherwise.
	Lifetime = 14 * 24 * time.Hour
	// Pause is how soon after an invitation another one is written to the same
	// person: not before it has passed, so that nobody's mailbox is flooded.
	Pause = time.Minute
)

// Invitation says by which letter a person is invited. A person has one at most;
// a later letter takes the place of an earlier one, whose links end with it.
type Invitation struct {
	Person  person.ID
	Letter  job.ID
	AskedAt time.Time // when the letter was written
}

// Fresh tells whether the letter was written so lately that none is to follow yet.
func (i Invitation) Fresh(now time.Time) bool { return now.Before(i.AskedAt.Add(Pause)) }

// Hash is the SHA-256 of a token. Stores keep it in the place of the token, which
// stands in the letter alone.
type Hash [sha256.Size]byte

// HashToken returns the hash of a token, which is as text.Token says.
func HashToken(token string) Hash { return sha256.Sum256([]byte(token)) }

// Link is what opens an invitation: a token that was sent in a letter. A letter
// that is delivered again carries another token; each of them works until one is
// used.
type Link struct {
	School    school.ID
	Hash      Hash
	Person    person.ID
	Letter    job.ID
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Open says whether the link can be used at the instant now by p, who is invited
// by i: it has not expired, p has not accepted by this link or another one, and no
// later letter has taken the place of the link's. What of these it is, is not told.
func (l Link) Open(i Invitation, p person.State, now time.Time) error {
	if !now.Before(l.ExpiresAt) || !Due(p) || i.Letter != l.Letter {
		return fault.Gonef("This invitation has been used or has expired")
	}
	return nil
}

// CheckResending says whether a letter may be written again to p, a person of s.
func CheckResending(s school.School, p person.State) error {
	switch {
	case !Wanted(s.State().Auth):
		return fault.Forbiddenf("A school with single sign-on sends no invitations")
	case !Due(p):
		return fault.Invalidf("", "This person has accepted the invitation already")
	}
	return nil
}
