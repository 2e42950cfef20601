package admission

import (
	"context"

	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Leave removes roles in groups, either all of one person or all in one group. The people and
// groups are locked. If a rule refuses a role, none is removed and the faults have the rows of
// their roles. Roles that do not exist are ignored.
func Leave(
	ctx context.Context, rules policy.Set, tx ports.Tx,
	people map[person.ID]person.Person, groups map[group.ID]group.Group, roles []GroupRole,
) error {
	if len(rules.Leave) > 0 {
		existing, err := groupRoles(ctx, tx, people, groups)
		if err != nil {
			return err
		}
		err = checkRemoval(roles, existing, func(r GroupRole) error {
			return rules.Leave.Check(policy.Leaving{
				Person: people[r.Person].State(), Group: groups[r.In].State(), Role: r.Role,
			})
		})
		if err != nil {
			return err
		}
	}
	for _, role := range membership.Roles() {
		err := removeRoles(ctx, roles, role, tx.Memberships.RemoveFromGroups, tx.Memberships.RemovePeople)
		if err != nil {
			return err
		}
	}
	return nil
}

// EndMembership deletes the membership id unless a rule refuses. It returns NotFound if there is no
// such membership.
func EndMembership(ctx context.Context, rules policy.Set, tx ports.Tx, id membership.ID) error {
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
	return tx.Memberships.Delete(ctx, id)
}

// partiesOf returns the person and the group of a membership, locked for share.
func partiesOf(ctx context.Context, tx ports.Tx, m membership.Membership) (person.State, group.State, error) {
	groups, err := tx.Groups.GetManyForShare(ctx, []group.ID{m.Group})
	if err != nil {
		return person.State{}, group.State{}, err
	}
	people, err := tx.People.GetManyForShare(ctx, []person.ID{m.Person})
	return people[m.Person].State(), groups[m.Group].State(), err
}
