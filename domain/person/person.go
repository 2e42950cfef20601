// Package person is everybody a school knows: learners, managers, owners.
package person

import (
	"strings"
	"time"

	"github.com/google/uuid"
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
	AvatarURL                  string // blank: none
	Unsubscribed               bool
}

// New returns a person, not activated, with the given profile, whose attributes
// obey the rules of Edit; all that is wrong is told at once.
func New(id ID, p Profile, now time.Time) (Person, error) {
	made := Person{State{ID: id, CreatedAt: now, UpdatedAt: now}}
	_, err := made.Edit(Edit{
		Email: &p.Email, FirstName: &p.FirstName, LastName: &p.LastName, AvatarURL: &p.AvatarURL, Unsubscribed: &p.Unsubscribed,
	}, now)
	if err != nil {
		return Person{}, err
	}
	return made, nil
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
