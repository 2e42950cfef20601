// Package person is everybody a school knows: learners, managers, owners.
package person

import (
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// Type is the plural noun by which documents and faults name people.
const Type = "people"

// ID identifies a person.
type ID struct{ uuid.UUID }

// Person is somebody the school knows; the e-mail address is unique in the
// school (by text.Key), which the store guards.
type Person struct{ s State }

// State is the plain record of a person.
type State struct {
	ID                   ID
	Email                string // as written
	FirstName, LastName  string // may be blank
	AvatarURL            *string
	ActivatedAt          *time.Time // nil until the invitation is accepted
	Unsubscribed         bool       // gets no mail but an invitation that an administrator asks for
	CreatedAt, UpdatedAt time.Time
}

// Profile is what is told of a new person.
type Profile struct {
	Email, FirstName, LastName string
}

// New returns a person, not activated, with the given profile. The e-mail obeys
// text.Email, the names text.Line; all that is wrong is told at once.
func New(id ID, p Profile, now time.Time) (Person, error) {
	email, errEmail := text.Email("email", p.Email)
	first, errFirst := text.Line("first_name", p.FirstName)
	last, errLast := text.Line("last_name", p.LastName)
	if err := fault.Join(errEmail, errFirst, errLast); err != nil {
		return Person{}, err
	}
	return Person{State{
		ID: id, Email: email, FirstName: first, LastName: last, CreatedAt: now, UpdatedAt: now,
	}}, nil
}

// Restore returns the person that a store kept as s.
func Restore(s State) Person { return Person{s} }

// State returns the person's record.
func (p Person) State() State { return p.s }

// FullName returns first and last name, or the e-mail address when both are
// blank.
func (s State) FullName() string {
	if name := strings.TrimSpace(s.FirstName + " " + s.LastName); name != "" {
		return name
	}
	return s.Email
}
