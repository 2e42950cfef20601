// Package group defines groups of people who take the same courses together.
package group

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// Type is the plural noun for groups in documents and faults.
const Type = "groups"

// ID identifies a group.
type ID struct{ uuid.UUID }

// Group is people who take the same courses. Its name is unique in the school (by text.UniqueKey),
// which the store enforces. Its members and managers are memberships; the store keeps the list of
// its courses.
type Group struct{ s State }

// State is the plain record of a group.
type State struct {
	ID                   ID
	Name                 string
	EnrollToken          string // the secret part of the enrollment link (text.Token)
	CreatedAt, UpdatedAt time.Time
}

// Summary is a group as lists and documents show it.
type Summary struct {
	State
	MembershipCount int64 // memberships as member
}

// New returns a group. The name must satisfy text.Name, the token text.Token.
func New(id ID, name, token string, now time.Time) (Group, error) {
	name, errName := text.Name("name", name)
	if err := fault.Join(errName, text.Token("enroll_token", token)); err != nil {
		return Group{}, err
	}
	return Group{State{ID: id, Name: name, EnrollToken: token, CreatedAt: now, UpdatedAt: now}}, nil
}

// Restore returns the group that a store saved as s.
func Restore(s State) Group { return Group{s} }

// State returns the group's record.
func (g Group) State() State { return g.s }

// Rename changes the name, which must satisfy text.Name. The same name changes nothing, not even
// UpdatedAt.
func (g *Group) Rename(name string, now time.Time) error {
	name, err := text.Name("name", name)
	if err != nil || name == g.s.Name {
		return err
	}
	g.s.Name, g.s.UpdatedAt = name, now
	return nil
}
