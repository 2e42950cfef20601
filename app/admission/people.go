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

// Creations decides, for the rows of a request, who is added to a school.
type Creations struct {
	rules   policy.Set
	school  school.School
	people  int64
	invites bool
}

// NewCreations returns the decisions in a transaction; invites says whether the people
// are invited, too. If a rule counts the people, the school is locked, so that comes
// before all other locks.
func NewCreations(ctx context.Context, rules policy.Set, r ports.SchoolRepo, invites bool) (*Creations, error) {
	c := &Creations{rules: rules, invites: invites}
	var err error
	if rules.Create.Need() == policy.Count {
		if _, err = r.Find(ctx); err == nil {
			c.people, err = r.CountPeople(ctx)
		}
		if err != nil {
			return nil, err
		}
	}
	c.school, err = r.Get(ctx)
	return c, err
}

// CreationsIn returns the decisions about a school that has so many people, without a
// transaction; nobody is invited.
func CreationsIn(rules policy.Set, s school.School, people int64) *Creations {
	return &Creations{rules: rules, school: s, people: people}
}

// School returns the school.
func (c *Creations) School() school.School { return c.school }

// Decide returns why the person may not be added, or not be invited; nil if they may,
// and then they are counted. A fault without a field is about the person as a whole.
func (c *Creations) Decide(p person.State) error {
	err := c.rules.Create.Check(policy.Creating{School: c.school.State(), Person: p, People: c.people})
	if c.invites && invitation.Wanted(c.school.State().Auth) {
		err = fault.Join(err, CheckInviting(c.rules, c.school, p))
	}
	if err == nil {
		c.people++
	}
	return err
}

// GiveBack uncounts the person that was counted last: the rest of their row is refused.
func (c *Creations) GiveBack() { c.people-- }

// CheckInviting returns why the person may not be invited, nil if they may.
func CheckInviting(rules policy.Set, s school.School, p person.State) error {
	return rules.Invite.Check(policy.Inviting{School: s.State(), Person: p})
}
