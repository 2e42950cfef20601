// Package person defines the people of a school, learners and staff, with their partnerships.
package person

import (
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/property"
)

// Type is the resource type of people in documents and faults.
const Type = "people"

// ID identifies a person.
type ID struct{ uuid.UUID }

// Person is a learner or a member of the staff of a school. The email address is unique in the
// school (by text.UniqueKey), which the store enforces.
type Person struct{ s State }

// State is the plain record of a person.
type State struct {
	ID                   ID
	Email                string // spelled as the client sent it
	FirstName, LastName  string // may be blank
	AvatarURL            *string
	ActivatedAt          *time.Time // when the person accepted the invitation; nil: not yet
	Unsubscribed         bool       // wants no email; invitations and sign-in links are sent anyway
	Properties           property.Values
	CreatedAt, UpdatedAt time.Time
}

// Profile is what a new person is created from.
type Profile struct {
	Email, FirstName, LastName string
	AvatarURL                  string // blank: none
	Unsubscribed               bool
	Properties                 property.Changes
}

// New returns a person who is not activated. The profile must satisfy the rules of Update; all
// faults are returned together.
func New(id ID, p Profile, now time.Time) (Person, error) {
	made := Person{State{ID: id, CreatedAt: now, UpdatedAt: now}}
	_, err := made.Update(Changes{
		Email: &p.Email, FirstName: &p.FirstName, LastName: &p.LastName, AvatarURL: &p.AvatarURL, Unsubscribed: &p.Unsubscribed,
		Properties: p.Properties,
	}, now)
	if err != nil {
		return Person{}, err
	}
	return made, nil
}

// Restore returns the person that a store saved as s.
func Restore(s State) Person { return Person{s} }

// State returns the person's record.
func (p Person) State() State { return p.s }

// FullName returns the first and last name, or the email address if both are blank.
func (s State) FullName() string {
	if name := strings.TrimSpace(s.FirstName + " " + s.LastName); name != "" {
		return name
	}
	return s.Email
}
