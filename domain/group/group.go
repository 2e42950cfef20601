// Package group is a set of people who learn the same courses together.
package group

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// Type is the plural noun by which documents and faults name groups.
const Type = "groups"

// ID identifies a group.
type ID struct{ uuid.UUID }

// Group is a set of people who learn the same courses; its name is unique in the
// school (by text.Key), which the store guards. Its members and managers are
// memberships, its courses a relation that the store keeps.
type Group struct{ s State }

// State is the plain record of a group.
type State struct {
	ID                   ID
	Name                 string
	EnrollToken          string // the secret part of the enrollment link (text.Token)
	CreatedAt, UpdatedAt time.Time
}

// Summary is a group as lists and documents show one.
type Summary struct {
	State
	MembershipCount int64 // members, not managers
}

// New returns a group. The name obeys text.Name, the token text.Token.
func New(id ID, name, token string, now time.Time) (Group, error) {
	name, errName := text.Name("name", name)
	if err := fault.Join(errName, text.Token("enroll_token", token)); err != nil {
		return Group{}, err
	}
	return Group{State{ID: id, Name: name, EnrollToken: token, CreatedAt: now, UpdatedAt: now}}, nil
}

// Restore returns the group that a store kept as s.
func Restore(s State) Group { return Group{s} }

// State returns the group's record.
func (g Group) State() State { return g.s }

// Rename calls the group name. The same name again changes nothing, the time of
// the last change included.
func (g *Group) Rename(name string, now time.Time) error {
	name, err := text.Name("name", name)
	if err != nil || name == g.s.Name {
		return err
	}
	g.s.Name, g.s.UpdatedAt = name, now
	return nil
}
