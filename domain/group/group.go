// Package group defines groups of people who take the same courses together.
package group

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/domain/text"
)

// Type is the resource type of groups in documents and faults.
const Type = "groups"

// ID identifies a group.
type ID struct{ uuid.UUID }

// Group is a group of people who take the same courses. Its name is unique in the school (by
// text.UniqueKey), which the store enforces. Memberships record its members and managers; the store
// saves the list of its courses.
type Group struct{ s State }

// State is the plain record of a group.
type State struct {
	ID                   ID
	Name                 string
	EnrollToken          string // the secret part of the enrollment link (text.Token)
	Properties           property.Values
	CreatedAt, UpdatedAt time.Time
}

// Summary is a group as it appears in lists and documents.
type Summary struct {
	State
	MembershipCount int64    // memberships as member
	Defined         []string // names of the properties that the school has defined for groups, sorted
}

// New returns a group. The name must satisfy text.Name and the token text.Token.
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

// Changes contains new values for the attributes of a group. A nil field leaves its attribute
// unchanged.
type Changes struct {
	Name       *string
	Properties property.Changes

	// Check receives the state before the changes. If it returns an error, nothing is changed.
	Check func(State) error
}

// Update applies e and reports whether the group changed. Only a change sets UpdatedAt. The name
// must satisfy text.Name. All faults are returned together; if there are any, nothing is changed.
func (g *Group) Update(e Changes, now time.Time) (changed bool, err error) {
	if e.Check != nil {
		if err := e.Check(g.s); err != nil {
			return false, err
		}
	}
	name, errName := g.s.Name, error(nil)
	if e.Name != nil {
		name, errName = text.Name("name", *e.Name)
	}
	properties, errProperties := g.s.Properties.Update(e.Properties)
	if err := fault.Join(errName, errProperties); err != nil {
		return false, err
	}
	if name == g.s.Name && properties == g.s.Properties {
		return false, nil
	}
	g.s.Name, g.s.Properties, g.s.UpdatedAt = name, properties, now
	return true, nil
}
