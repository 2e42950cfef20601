// Package invitation is the letter that asks a new person to join the school.
package invitation

import (
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// Kind is the kind of the jobs that deliver invitations.
const Kind job.Kind = "invitation"

// Letter is what an invitation says.
type Letter struct {
	ID     job.ID // names the letter, so that a repeated delivery can be recognised
	School string // the school's name
	To     string // the person's e-mail address
	Name   string // the person's full name; the address when they told none
	Token  string // opens the invitation; secret, and another one at each delivery
}

// Wanted reports whether a person who is added to a school with that
// authentication method is sent an invitation: a school with single sign-on lets
// its identity provider do that. Unsubscribing does not stop an invitation that an
// administrator asks for.
func Wanted(m school.AuthMethod) bool { return m != school.SSO }

// Due tells whether the letter to p is still to be sent when its time has come:
// not to somebody who has registered meanwhile.
func Due(p person.State) bool { return p.ActivatedAt == nil }

// Write returns the letter id from s to p, with a token of the letter's.
func Write(id job.ID, s school.School, p person.State, token string) Letter {
	return Letter{ID: id, School: s.State().Name, To: p.Email, Name: p.FullName(), Token: token}
}
