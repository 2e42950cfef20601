// Package invitation defines invitations of people to a school: the invitation email, its one-time
// links, and the limits on sending.
package invitation

import (
	"time"

	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// Kind is the kind of the jobs that deliver invitations.
const Kind job.Kind = "invitation"

// Message is the content of an invitation email.
type Message struct {
	ID     job.ID // the same if the message is delivered again
	School string // the school's name
	To     string // the person's email address
	Name   string // the person's full name, or the address if there is none
	Token  string // secret token of the link; a new one for each delivery

	ExpiresAt time.Time // when the link expires
}

// Required reports whether a person who is added to a school with the given authentication method
// gets an invitation. With single sign-on the identity provider invites people. Unsubscribed people
// get invitations too.
func Required(m school.AuthMethod) bool { return m != school.SSO }

// StillNeeded reports whether p still needs an invitation email: p has not accepted the invitation.
func StillNeeded(p person.State) bool { return p.ActivatedAt == nil }

// NewMessage returns the email with the given id that invites p to s. Its link contains token and
// expires at end.
func NewMessage(id job.ID, s school.School, p person.State, token string, end time.Time) Message {
	return Message{
		ID: id, School: s.State().Name, To: p.Email, Name: p.FullName(), Token: token, ExpiresAt: end,
	}
}
