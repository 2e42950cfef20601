package app

import (
	"context"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Memberships lists, adds and removes memberships.
type Memberships struct{ deps usecase.Deps }

// GroupRole is a role in a group.
type GroupRole struct {
	Group group.ID
	Role  membership.Role
}

// ListOf returns a page of the memberships of a group, of both roles.
func (u *Memberships) ListOf(ctx context.Context, a Actor, id group.ID, q query.Query) (query.Result[membership.Membership], error) {
	r := u.deps.Read(a)
	return listOf(ctx, id, r.Groups.Get, r.Memberships.List, membership.Schema.Attr("group.id"), q)
}

// List returns a page of the memberships in all groups.
func (u *Memberships) List(ctx context.Context, a Actor, q query.Query) (query.Result[membership.Membership], error) {
	return u.deps.Read(a).Memberships.List(ctx, q)
}

// Get returns the membership with the given id, or NotFound if it does not exist.
func (u *Memberships) Get(ctx context.Context, a Actor, id membership.ID) (membership.Membership, error) {
	return u.deps.Read(a).Memberships.Get(ctx, id)
}

// Delete deletes one membership. The person stays enrolled in the group's courses.
func (u *Memberships) Delete(ctx context.Context, a Actor, id membership.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		return admission.EndMembership(ctx, u.deps, tx, a, id)
	})
}

// Join gives a person roles in groups. If a group does not exist or a rule refuses a role, the
// person gets no role. Join ignores existing roles.
func (u *Memberships) Join(ctx context.Context, a Actor, id person.ID, roles []GroupRole) error {
	return u.changeRoles(ctx, a, id, roles, admission.LockGroups, join)
}

// Leave removes roles of a person in groups. If a group does not exist or a rule refuses a removal,
// Leave removes none. The person stays enrolled in the groups' courses.
func (u *Memberships) Leave(ctx context.Context, a Actor, id person.ID, roles []GroupRole) error {
	return u.changeRoles(ctx, a, id, roles, admission.LockGroupsAlone, admission.Leave)
}

// lockGroups locks groups for a change of roles in them.
type lockGroups func(ctx context.Context, rules policy.Set, tx ports.Tx, ids []group.ID) (*admission.Groups, error)

// changeGroupRoles gives or removes roles in groups. The people and groups must be locked.
type changeGroupRoles func(
	ctx context.Context, d usecase.Deps, tx ports.Tx, a Actor,
	people map[person.ID]person.Person, groups *admission.Groups, roles []admission.GroupRole,
) error

func join(
	ctx context.Context, d usecase.Deps, tx ports.Tx, a Actor,
	people map[person.ID]person.Person, groups *admission.Groups, roles []admission.GroupRole,
) error {
	j, err := admission.NewJoining(ctx, d, tx, a, groups, people)
	if err != nil {
		return err
	}
	if err := j.CheckAllowance(roles); err != nil {
		return err
	}
	if err := admission.AtRows(j.Row(roles)); err != nil {
		return err
	}
	return j.Save(ctx, tx)
}

// changeRoles locks the groups of roles and a person, and calls change. Groups must be locked
// before people to avoid deadlocks.
func (u *Memberships) changeRoles(
	ctx context.Context, a Actor, id person.ID, roles []GroupRole, lock lockGroups, change changeGroupRoles,
) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		ids, named := groupRoles(id, roles)
		groups, err := lock(ctx, u.deps.Policies.Living, tx, ids)
		if err != nil {
			return err
		}
		p, err := tx.People.GetForUpdate(ctx, id)
		if err != nil {
			return err
		}
		if err := usecase.CheckAll(groups.ByID, ids); err != nil {
			return err
		}
		return change(ctx, u.deps, tx, a, map[person.ID]person.Person{id: p}, groups, named)
	})
}

// AddPeople makes people members of a group. If a person does not exist or a rule refuses a person,
// AddPeople adds none. It ignores existing members.
func (u *Memberships) AddPeople(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.changePeople(ctx, a, id, membership.Member, ids, admission.LockGroups, join)
}

// AddManagers is like AddPeople, but for managers.
func (u *Memberships) AddManagers(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.changePeople(ctx, a, id, membership.Manager, ids, admission.LockGroups, join)
}

// RemovePeople removes members from a group. If a person does not exist or a rule refuses a
// removal, RemovePeople removes none.
func (u *Memberships) RemovePeople(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.changePeople(ctx, a, id, membership.Member, ids, admission.LockGroupsAlone, admission.Leave)
}

// RemoveManagers is like RemovePeople, but for managers.
func (u *Memberships) RemoveManagers(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.changePeople(ctx, a, id, membership.Manager, ids, admission.LockGroupsAlone, admission.Leave)
}

// changePeople locks a group and people, and calls change.
func (u *Memberships) changePeople(
	ctx context.Context, a Actor, id group.ID, as membership.Role, ids []person.ID, lock lockGroups, change changeGroupRoles,
) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		groups, err := lock(ctx, u.deps.Policies.Living, tx, []group.ID{id})
		if err != nil {
			return err
		}
		if len(groups.ByID) == 0 {
			return fault.RecordNotFound()
		}
		people, err := usecase.GetAllForShare(ctx, tx.People, ids)
		if err != nil {
			return err
		}
		return change(ctx, u.deps, tx, a, people, groups, admission.RolesIn(id, as, ids))
	})
}

// groupRoles returns the group IDs of roles, and roles converted to roles of the person p.
func groupRoles(p person.ID, roles []GroupRole) ([]group.ID, []admission.GroupRole) {
	ids, named := make([]group.ID, len(roles)), make([]admission.GroupRole, len(roles))
	for i, r := range roles {
		ids[i], named[i] = r.Group, admission.GroupRole{Person: p, In: r.Group, Role: r.Role}
	}
	return ids, named
}
