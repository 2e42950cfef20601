package admission

import (
	"context"

	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Leave takes roles in groups from people, all or, when a rule refuses one, none: then
// the faults are at the rows of the roles. Roles that are not there are ignored. People
// and groups are loaded. The roles are all of one person or all in one group.
func Leave(
	ctx context.Context, rules policy.Set, tx ports.Tx,
	people map[person.ID]person.Person, groups map[group.ID]group.Group, roles []Role,
) error {
	if len(rules.Leave) > 0 {
		have, err := rolesOf(ctx, tx, people, groups)
		if err != nil {
			return err
		}
		refused, there := make([]error, len(roles)), map[Role]bool{}
		for _, role := range have {
			there[role] = true
		}
		for i, role := range roles {
			if there[role] {
				refused[i] = rules.Leave.Check(policy.Leaving{
					Person: people[role.Person].State(), Group: groups[role.Group].State(), Role: role.Role,
				})
			}
		}
		if err := AtRows(refused); err != nil {
			return err
		}
	}
	for _, role := range membership.Roles() {
		if err := leaveAs(ctx, tx, role, roles); err != nil {
			return err
		}
	}
	return nil
}

// leaveAs removes those memberships of roles whose role is as.
func leaveAs(ctx context.Context, tx ports.Tx, as membership.Role, roles []Role) error {
	var people []person.ID
	var groups []group.ID
	onePerson := true
	for _, role := range roles {
		if role.Role == as {
			people, groups = append(people, role.Person), append(groups, role.Group)
			onePerson = onePerson && role.Person == people[0]
		}
	}
	var err error
	switch {
	case len(people) == 0:
	case onePerson:
		_, err = tx.Memberships.Leave(ctx, people[0], as, groups)
	default:
		_, err = tx.Memberships.Remove(ctx, groups[0], as, people)
	}
	return err
}

// End removes the membership id, NotFound if there is none, unless a rule refuses.
func End(ctx context.Context, rules policy.Set, tx ports.Tx, id membership.ID) error {
	if len(rules.Leave) > 0 {
		m, err := tx.Memberships.Get(ctx, id)
		if err != nil {
			return err
		}
		d := policy.Leaving{Person: person.State{ID: m.Person}, Group: group.State{ID: m.Group}, Role: m.Role}
		if rules.Leave.Need() > policy.Nothing {
			if d.Person, d.Group, err = partiesOf(ctx, tx, m); err != nil {
				return err
			}
		}
		if err := rules.Leave.Check(d); err != nil {
			return err
		}
	}
	return tx.Memberships.RemoveByID(ctx, id)
}

// partiesOf returns the person and the group of a membership, locked.
func partiesOf(ctx context.Context, tx ports.Tx, m membership.Membership) (person.State, group.State, error) {
	groups, err := tx.Groups.Load(ctx, []group.ID{m.Group})
	if err != nil {
		return person.State{}, group.State{}, err
	}
	people, err := tx.People.Load(ctx, []person.ID{m.Person})
	return people[m.Person].State(), groups[m.Group].State(), err
}
