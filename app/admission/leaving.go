package admission

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Leave removes roles in groups for a request of the actor a: either roles of one person or roles
// in one group. The people and groups must be locked. If a rule refuses the removal of a role,
// Leave removes none and returns faults with the rows of the refused roles. It ignores roles that
// do not exist.
func Leave(
	ctx context.Context, d usecase.Deps, tx ports.Tx, a usecase.Actor,
	people map[person.ID]person.Person, groups *Groups, roles []GroupRole,
) error {
	if len(d.Policies.Living.Leave) > 0 {
		existing, err := groupRoles(ctx, tx, people, groups.ByID)
		if err != nil {
			return err
		}
		check, err := checkLeaving(ctx, d, tx, a, people, groups)
		if err != nil {
			return err
		}
		if roles, err = checkRemoval(roles, existing, check); err != nil {
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

// checkLeaving returns a function that returns the verdict on the removal of a role. The function
// counts each removal that it permits.
func checkLeaving(
	ctx context.Context, d usecase.Deps, tx ports.Tx, a usecase.Actor, people map[person.ID]person.Person, groups *Groups,
) (func(GroupRole) error, error) {
	by, err := d.Request(ctx, tx.School, a, d.Clock.Now())
	return func(r GroupRole) error {
		err := d.Policies.Living.Leave.Check(policy.Leaving{
			Request: by, Person: people[r.Person].State(), Group: groups.ByID[r.In].State(), Role: r.Role,
			Members: groups.members[r.In],
		})
		if err == nil && r.Role == membership.Member {
			groups.members.add(r.In, -1)
		}
		return err
	}, err
}

// EndMembership deletes the membership with the given id for a request of the actor a, unless a
// rule refuses it. It returns NotFound if the membership does not exist.
func EndMembership(ctx context.Context, d usecase.Deps, tx ports.Tx, a usecase.Actor, id membership.ID) error {
	if rules := d.Policies.Living; len(rules.Leave) > 0 || rules.CountsMembers() {
		m, err := tx.Memberships.Get(ctx, id)
		if err != nil {
			return err
		}
		groups, err := LockGroupsAlone(ctx, rules, tx, []group.ID{m.Group})
		if err != nil {
			return err
		}
		people, err := tx.People.GetManyForShare(ctx, []person.ID{m.Person})
		if err != nil {
			return err
		}
		check, err := checkLeaving(ctx, d, tx, a, people, groups)
		if err != nil {
			return err
		}
		if effect, err := policy.Effect(check(GroupRole{Person: m.Person, In: m.Group, Role: m.Role})); err != nil || !effect {
			return err
		}
	}
	return tx.Memberships.Delete(ctx, id)
}
