package admission

import (
	"context"

	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Creations decides, row by row, which people are added to a school.
type Creations struct {
	rules   policy.Set
	school  school.School
	people  int64
	invites bool
}

// NewCreations returns the decisions in a transaction. Invites reports whether added people are
// invited. If a rule counts people, the school is locked: call NewCreations before any other lock.
func NewCreations(ctx context.Context, rules policy.Set, r ports.SchoolRepo, invites bool) (*Creations, error) {
	c := &Creations{rules: rules, invites: invites}
	var err error
	if rules.Create.Need() == policy.Count {
		if _, err = r.GetForUpdate(ctx); err == nil {
			c.people, err = r.CountPeople(ctx)
		}
		if err != nil {
			return nil, err
		}
	}
	c.school, err = r.Get(ctx)
	return c, err
}

// CreationsIn returns the decisions for a school with the given number of people, outside a
// transaction and without invitations.
func CreationsIn(rules policy.Set, s school.School, people int64) *Creations {
	return &Creations{rules: rules, school: s, people: people}
}

func (c *Creations) School() school.School { return c.school }

// Decide returns the refusal of a person, or counts the person. A fault without a field is about
// the whole person.
func (c *Creations) Decide(p person.State) error {
	err := c.rules.Create.Check(policy.Creating{School: c.school.State(), Person: p, People: c.people})
	if c.invites && invitation.Required(c.school.State().Auth) {
		err = fault.Join(err, CheckInviting(c.rules, c.school, p))
	}
	if err == nil {
		c.people++
	}
	return err
}

// GiveBack undoes the last grant, for a row that is refused for another reason.
func (c *Creations) GiveBack() { c.people-- }

// CheckInviting returns the refusal of an invitation of a person.
func CheckInviting(rules policy.Set, s school.School, p person.State) error {
	return rules.Invite.Check(policy.Inviting{School: s.State(), Person: p})
}
