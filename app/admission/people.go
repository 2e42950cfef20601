package admission

import (
	"context"
	"slices"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// Creations decides, row by row, which people are added to a school and invited.
type Creations struct {
	rules     policy.Set
	by        policy.Request
	school    school.School
	people    int64
	invites   bool
	uninvited map[person.ID]bool // added people whose invitation has no effect
}

// NewCreations returns a Creations for a request of the actor a. If invites is true, added people
// are invited, unless the school's authentication method needs no invitations. If a rule counts
// people, NewCreations locks the school, so call it before any other lock is taken.
func NewCreations(
	ctx context.Context, d usecase.Deps, rules policy.Set, r ports.SchoolRepo, a usecase.Actor, now time.Time, invites bool,
) (*Creations, error) {
	var people int64
	if rules.CreatePerson.Needs().Has(policy.Count) {
		if _, err := r.GetForUpdate(ctx); err != nil {
			return nil, err
		}
		var err error
		if people, err = r.CountPeople(ctx); err != nil {
			return nil, err
		}
	}
	s, err := r.Get(ctx)
	if err != nil {
		return nil, err
	}
	by, err := d.Request(ctx, r, a, now)
	c := CreationsIn(rules, by, s, people)
	c.invites = invites && invitation.Required(s.State().Auth)
	return c, err
}

// CreationsIn is like NewCreations, but the caller passes the school and its number of people, so
// no transaction is needed. The added people are not invited.
func CreationsIn(rules policy.Set, by policy.Request, s school.School, people int64) *Creations {
	by.School = s.State()
	return &Creations{rules: rules, by: by, school: s, people: people, uninvited: map[person.ID]bool{}}
}

func (c *Creations) School() school.School { return c.school }

// SetSchool replaces the school after the request has changed it.
func (c *Creations) SetSchool(s school.School) { c.school, c.by.School = s, s.State() }

// Decide returns the verdict on a new person, and counts the person if the verdict is nil. A fault
// without a field concerns the person as a whole.
func (c *Creations) Decide(p person.State) error {
	verdict := c.rules.CreatePerson.Check(policy.CreatingPerson{Request: c.by, Person: p, People: c.people})
	if c.invites {
		invited, err := policy.Effect(CheckInviting(c.rules, c.by, p))
		verdict = policy.Combine(verdict, err)
		if !invited {
			c.uninvited[p.ID] = true
		}
	}
	if verdict == nil {
		c.people++
	}
	return verdict
}

// DecideChange returns the verdict on a change of an existing person by a row. A row names the person
// by the address, so it cannot give the person another mailbox: DecideChange returns Invalid for an
// address that has the same unique key, but is not the same.
func (c *Creations) DecideChange(before, after person.State) error {
	if !signin.SameAddress(before.Email, after.Email) {
		return fault.Invalidf("email", "must be %q, the address of the person; an import cannot change it to a similar one", before.Email)
	}
	return CheckPersonChange(c.rules, c.by, before, after)
}

// Change changes p unless a rule refuses the change or returns NoEffect. It reports whether p has
// changed.
func (c *Creations) Change(p *person.Person, changes person.Changes, now time.Time) (bool, error) {
	before := *p
	changed, err := p.Update(changes, now)
	if err != nil || !changed {
		return false, err
	}
	effect, err := policy.Effect(c.DecideChange(before.State(), p.State()))
	if !effect {
		*p = before
	}
	return effect, err
}

// GiveBack no longer counts the person of the last call of Decide, which must have returned nil.
// Call it if the row is refused for another reason.
func (c *Creations) GiveBack() { c.people-- }

// Invite adds the invitations of the added people and the jobs that send them, except where a rule
// returned NoEffect for the invitation.
func (c *Creations) Invite(ctx context.Context, d usecase.Deps, tx ports.Tx, added []person.ID, now time.Time) error {
	if !c.invites {
		return nil
	}
	added = slices.DeleteFunc(slices.Clone(added), func(id person.ID) bool { return c.uninvited[id] })
	return InviteAll(ctx, d, tx, c.school, added, now)
}

// CheckInviting returns the verdict on inviting a person. by.School must be set.
func CheckInviting(rules policy.Set, by policy.Request, p person.State) error {
	return rules.Invite.Check(policy.Inviting{Request: by, Person: p})
}

// CheckPersonChange returns the verdict on a change of a person. It checks no rules if the person
// does not change.
func CheckPersonChange(rules policy.Set, by policy.Request, before, after person.State) error {
	if before == after {
		return nil
	}
	return rules.ChangePerson.Check(policy.ChangingPerson{Request: by, Before: before, After: after})
}

// CheckDeletingPerson returns the verdict on deleting a person.
func CheckDeletingPerson(rules policy.Set, by policy.Request, p person.Summary) error {
	return rules.DeletePerson.Check(policy.DeletingPerson{Request: by, Person: p})
}

// CheckAccepting returns the verdict on accepting an invitation.
func CheckAccepting(rules policy.Set, by policy.Request, before, after person.State) error {
	return rules.Accept.Check(policy.Accepting{Request: by, Before: before, After: after})
}
