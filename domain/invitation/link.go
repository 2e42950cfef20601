package invitation

import (
	"crypto/sha256"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// Type is the resource type of invitations in documents.
const Type = "invitations"

const (
	// LinkLifetime is the default lifetime of a link.
	LinkLifetime = 14 * 24 * time.Hour
	// ResendInterval is the minimum interval between two invitation emails to the same person,
	// so that a mailbox is not flooded.
	ResendInterval = time.Minute
)

// Invitation asks a person to join the school. A person has at most one; a new message replaces the
// previous one, whose links become invalid.
type Invitation struct {
	Person      person.ID
	MessageID   job.ID
	RequestedAt time.Time // when the message was requested
}

// SentRecently reports whether less than ResendInterval has passed since the message was requested.
func (i Invitation) SentRecently(now time.Time) bool {
	return now.Before(i.RequestedAt.Add(ResendInterval))
}

// Hash is the SHA-256 of a token. Stores save the hash; only the message contains the token.
type Hash [sha256.Size]byte

// HashToken returns the hash of a token that has the form of text.Token.
func HashToken(token string) Hash { return sha256.Sum256([]byte(token)) }

// Link is a one-time link to an invitation, identified by the hash of its token. If a message is
// delivered again, it contains a new token. All tokens are valid until one of them is used.
type Link struct {
	School    school.ID
	Hash      Hash
	Person    person.ID
	MessageID job.ID
	CreatedAt time.Time
	ExpiresAt time.Time
}

// CheckUsable returns a fault unless p can use the link at the time now. The link must not have
// expired, p must not have accepted the invitation i yet, and no later message may have replaced
// the link's message. The fault does not reveal the reason.
func (l Link) CheckUsable(i Invitation, p person.State, now time.Time) error {
	if !now.Before(l.ExpiresAt) || !StillNeeded(p) || i.MessageID != l.MessageID {
		return fault.Gonef("This invitation has already been used or has expired")
	}
	return nil
}

// CheckResend returns a fault if the invitation of p, a person of s, cannot be sent again.
func CheckResend(s school.School, p person.State) error {
	switch {
	case !Required(s.State().Auth):
		return fault.Forbiddenf("A school with single sign-on does not send invitations")
	case !StillNeeded(p):
		return fault.Invalidf("", "This person has already accepted the invitation")
	}
	return nil
}
